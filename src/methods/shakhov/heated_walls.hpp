#pragma once

#include <vector>

#include "methods/shakhov/flow_grid.hpp"
#include "methods/shakhov/sweep_space.hpp"

namespace knudsen::shakhov {

/// The sides with walls of a given heat flux. Before an iteration each face finds the temperature
/// that goes with what left in the iteration before, SweepSpace::flux.
template <class ExecutionSpace, class Real>
class HeatedWalls {
 public:
  explicit HeatedWalls(const FlowGrid& grid);

  /// Sets the fluxes onto the walls to those of a uniform gas.
  void set_initial(const FlowGrid& grid, const SweepSpace<ExecutionSpace, Real>& space,
                   const GasState& state) const;
  /// Sets what enters. It depends on `flux` only.
  void emit(const ExecutionSpace& execution, const SweepSpace<ExecutionSpace, Real>& space) const;
  /// The temperatures that emit() found last, by face of a side.
  std::vector<double> temperatures(int side) const;

 private:
  struct Side {
    int number = 0;
    View<double* [2], ExecutionSpace> emission;  ///< temperature and density of each face
  };
  std::vector<Side> sides_;
  View<double* [4], ExecutionSpace> walls_;  ///< of each of Surfaces: velocity, SurfaceLaw::heat
};

}  // namespace knudsen::shakhov
