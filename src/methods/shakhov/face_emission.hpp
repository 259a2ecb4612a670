#pragma once

#include <vector>

#include "kinetic/pressure_side.hpp"
#include "methods/shakhov/flow_grid.hpp"
#include "methods/shakhov/sweep_space.hpp"

namespace knudsen::shakhov {

/// Density, temperature, velocity x, y, z and Mach number of what a face emits.
inline constexpr int emission_size = 6;
/// Numbers of the tables with which the temperature of a surface in a cut cell is found.
inline int facet_numbers(const VelocityGrid& velocities) {
  return 6 * (velocities[2].count() + 1) + velocities[1].count();
}

/// The sides and solids whose faces find the Maxwellian that they emit. Before an iteration a wall
/// of given heat flux finds that which goes with what left in the iteration before,
/// SweepSpace::flux, and a side of given pressure that which goes with the gas beside it,
/// SweepSpace::moments.
template <class ExecutionSpace, class Real>
class FaceEmission {
 public:
  FaceEmission(const FlowGrid& grid, const Gas& gas, const SweepSpace<ExecutionSpace, Real>& space);

  /// Sets the fluxes onto heated walls to those of a uniform gas.
  void set_initial(const FlowGrid& grid, const SweepSpace<ExecutionSpace, Real>& space,
                   const GasState& state) const;
  /// Sets what enters. It depends on `flux` and `moments` only.
  void emit(const ExecutionSpace& execution, const SweepSpace<ExecutionSpace, Real>& space) const;
  /// The temperatures that emit() found last, by face of a side; with facet_side those of solids,
  /// by row of SweepSpace::made_face.
  std::vector<double> temperatures(int side) const;
  /// PressureEmission::mach at the faces of a side that emit() found last; empty for other sides.
  std::vector<double> mach_numbers(int side) const;

 private:
  struct Side {
    int number = 0;                                          ///< facet_side: solids
    PressureSide pressure;                                   ///< pressure 0: heated walls
    View<double* [emission_size], ExecutionSpace> emission;  ///< of each face
  };
  /// Whether a side is that of surfaces in cut cells.
  bool has_facets(const Side& side) const {
    return side.number == facet_side && tables_.extent(0) > 0;
  }
  /// A number of the emission of each face of a side.
  std::vector<double> numbers_of(int side, int number) const;

  std::vector<Side> sides_;
  View<double* [4], ExecutionSpace> walls_;  ///< of each wall: velocity, SurfaceLaw::heat
  View<double**, ExecutionSpace> tables_;    ///< (surface in a cut cell, facet_numbers); else empty
};

}  // namespace knudsen::shakhov
