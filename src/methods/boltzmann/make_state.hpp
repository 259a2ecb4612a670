#pragma once

#include <array>
#include <functional>
#include <vector>

#include "core/field.hpp"
#include "kinetic/gas.hpp"
#include "methods/boltzmann/step.hpp"
#include "methods/gas/slab.hpp"

namespace knudsen::boltzmann {

/// Grid of cells and velocities, on the host. Lengths are in L, times in L / V_0.
struct PhaseGrid {
  int dimensions = 1;
  std::array<std::vector<double>, 3> widths;  ///< cell widths along each axis
  VelocityGrid velocities;                    ///< weights without the equilibrium
  double time_step = 0;
  std::array<SideCondition, 6> sides;   ///< conditions on the sides, by Side
  int order = 1;                        ///< of the streaming, 1 or 2; 2 needs two cells per axis
  Limiter limiter = Limiter::van_leer;  ///< of the slopes of order 2

  /// Number of cells along an axis.
  int cells(std::size_t axis) const {
    return widths[axis].empty() ? 1 : static_cast<int>(widths[axis].size());
  }
};

/// The cells alone, as fields have them.
CartesianGrid cell_grid(const PhaseGrid& grid);

/// The slabs of all ranks; a streaming of order n reads n cells beyond a cell.
std::vector<CellSlab> slabs_of(const PhaseGrid& grid, int ranks);

/// Deviation from equilibrium, (Phi / Phi_0 - 1) / scale, of a Maxwellian Phi of density one at the
/// velocity `at`; with `linear` linearised in the deviations of velocity and temperature.
double maxwellian_deviation(const std::array<double, 3>& velocity, double temperature,
                            const std::array<double, 3>& at, double scale, bool linear);

/// The same for a Maxwellian of any density.
double gas_deviation(const GasState& gas, const std::array<double, 3>& at, double scale,
                     bool linear);

/// Allocates the state, with h zero, and fills its tables. `scale` is the epsilon of eq. (5), which
/// makes h of order one; `linear` selects the linearised equation. `slab` is the part of this rank.
template <class ExecutionSpace, class Real>
State<ExecutionSpace, Real> make_state(const PhaseGrid& grid, double scale, bool linear,
                                       const CellSlab& slab);
/// The same for one rank.
template <class ExecutionSpace, class Real>
State<ExecutionSpace, Real> make_state(const PhaseGrid& grid, double scale, bool linear) {
  return make_state<ExecutionSpace, Real>(grid, scale, linear, slabs_of(grid, 1).front());
}

/// Sets h of every own cell to the Maxwellian of `gas(cell)`; `scale` is that of make_state.
template <class ExecutionSpace, class Real>
void initialise(const StepContext<ExecutionSpace>& context, const PhaseGrid& grid, double scale,
                State<ExecutionSpace, Real>& state,
                const std::function<GasState(const Cell&)>& gas);

}  // namespace knudsen::boltzmann
