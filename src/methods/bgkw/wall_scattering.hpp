#pragma once

#include <memory>
#include <vector>

#include "kinetic/pressure_side.hpp"
#include "kinetic/scatter.hpp"
#include "methods/bgkw/make_phase_space.hpp"
#include "methods/bgkw/step.hpp"

namespace knudsen::bgkw {

/// Faces where what enters is made from what leaves or is beside them (SurfaceLaw::made_by_face).
/// Each counts as a surface of its own, whose row of PhaseSpace::surface_maxwellian holds what
/// enters: the streaming needs no kernels for them.
template <class ExecutionSpace, class Real>
struct WallScattering {
  /// Faces of one law that look along the same direction; their rows are one after the other.
  struct Group {
    int direction = 0;
    View<int*, ExecutionSpace> numbers;     ///< index of each face in PhaseSpace::faces
    std::size_t first_row = 0;              ///< of surface_maxwellian
    ScatteringFaces<ExecutionSpace> faces;  ///< of Cercignani-Lampis walls; else empty
    /// Of walls of given heat flux, by face: velocity and SurfaceLaw::heat; else empty.
    View<double* [4], ExecutionSpace> heated;
    /// Of sides of given pressure, by face; else empty.
    View<PressureSide*, ExecutionSpace> pressure;
    /// Of heated walls: fluxes that leave the gas. Of pressure sides: sums over the cell's values.
    View<double* [flux_count], ExecutionSpace> sums;
    View<double*, ExecutionSpace> temperature;   ///< of heated walls: found last
    View<double*, ExecutionSpace> mach;          ///< PressureEmission::mach, found last
    View<double*, ExecutionSpace> largest_mach;  ///< of all that were found since forget()
  };
  std::vector<Group> groups;
  View<Real**, ExecutionSpace> leaving;  ///< (face of a group, velocity): what leaves the gas

  /// Temperature of each face of a space; 0 where walls have no given heat flux.
  std::vector<double> temperatures(std::size_t faces) const;
  /// PressureEmission::mach of each face of a space; 0 where the pressure is not given.
  std::vector<double> mach_numbers(std::size_t faces) const;
  /// The largest of them since forget().
  std::vector<double> largest_mach_numbers(std::size_t faces) const;
  /// Forgets the Mach numbers, before step 0.
  void forget() const;

 private:
  /// Numbers of the faces of a space, from those of the groups.
  std::vector<double> of_faces(std::size_t faces,
                               View<double*, ExecutionSpace> Group::*values) const;
};

/// Null without such walls. `space` must be that of make_phase_space.
template <class ExecutionSpace, class Real>
std::unique_ptr<WallScattering<ExecutionSpace, Real>> make_wall_scattering(
    const PhaseGrid& grid, const CellSlab& slab, const PhaseSpace<ExecutionSpace, Real>& space);

/// Sets what enters in the next streaming along an axis (-1: along all). Part of
/// update_wall_density.
template <class ExecutionSpace, class Real>
void scatter_at_walls(const StepContext<ExecutionSpace>& context,
                      const PhaseSpace<ExecutionSpace, Real>& space, int axis);

/// For each face its surface, where faces with SurfaceLaw::made_by_face have surfaces of their own:
/// by direction, from the number of the other surfaces on, first those that scatter.
std::vector<int> surfaces_of_faces(const std::vector<SideCondition>& surfaces,
                                   const std::vector<Face>& faces);

/// Number of faces of the box with SurfaceLaw::made_by_face, and the largest number along one
/// direction of those that scatter.
struct ScatteringCount {
  double faces = 0;
  double largest_group = 0;
};
ScatteringCount count_scattering_faces(const PhaseGrid& grid);

}  // namespace knudsen::bgkw
