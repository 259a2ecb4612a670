#pragma once

#include <array>
#include <vector>

#include "methods/boltzmann/state.hpp"

namespace knudsen::boltzmann {

/// A box of cells with its discrete velocities; host values.
struct PhaseGrid {
  int dimensions = 1;
  std::array<std::vector<double>, 3> widths;  ///< of the cells along each axis
  VelocityGrid velocities;                    ///< weights without the equilibrium
  double time_step = 0;
  std::array<SideCondition, 6> sides;
  int order = 1;  ///< of the streaming; above 1 with at least two cells along each axis
  Limiter limiter = Limiter::van_leer;

  int cells(std::size_t axis) const {
    return widths[axis].empty() ? 1 : static_cast<int>(widths[axis].size());
  }
};

/// The Maxwellian (velocity, temperature, density one) at a velocity as a deviation from the
/// equilibrium: (Phi / Phi_0 - 1) / scale; linear in the deviations of the state where `linear`.
double maxwellian_deviation(const std::array<double, 3>& velocity, double temperature,
                            const std::array<double, 3>& at, double scale, bool linear);

/// That of a gas of any density.
double gas_deviation(const GasState& gas, const std::array<double, 3>& at, double scale,
                     bool linear);

/// Takes memory for h, zeroed, and sets all else. `scale` is the epsilon of eq. (5), by which h is
/// made a number of order one; `linear` drops the products of deviations.
template <class ExecutionSpace, class Real>
State<ExecutionSpace, Real> make_state(const PhaseGrid& grid, double scale, bool linear);

}  // namespace knudsen::boltzmann
