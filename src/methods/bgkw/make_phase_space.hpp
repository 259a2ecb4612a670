#pragma once

#include <array>

#include "methods/bgkw/step.hpp"
#include "velocity/velocity_grid.hpp"

namespace knudsen::bgkw {

/// A box of cells with its discrete velocities; host values.
struct PhaseGrid {
  int dimensions = 1;
  std::array<int, 3> cells{1, 1, 1};
  std::array<double, 3> spacing{1, 1, 1};
  VelocityGrid velocities;
  double time_step = 0;
  std::array<SideCondition, 6> sides;
};

/// Takes memory for the distribution, zeroed, and sets all else.
template <class ExecutionSpace, class Real>
PhaseSpace<ExecutionSpace, Real> make_phase_space(const StepContext<ExecutionSpace>& context,
                                                  const PhaseGrid& grid);

}  // namespace knudsen::bgkw
