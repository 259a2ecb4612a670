#pragma once

#include <functional>
#include <vector>

#include "kinetic/gas.hpp"
#include "methods/boltzmann/make_state.hpp"
#include "methods/boltzmann/step.hpp"

namespace knudsen::boltzmann {

/// Hydrodynamic deviations of eqs. (9) to (12), divided by the scale (epsilon): density in n_0,
/// velocity in V_0, temperature in T_0, stress (xx, yy, zz, xy, yz, xz) in p_0, heat flux in
/// p_0 V_0; and the entropy of h, half the integral of Phi_0 h^2 (times the next orders for a
/// nonlinear deviation), which collisions lower.
struct Deviation {
  double density = 0;
  double velocity[3] = {0, 0, 0};
  double temperature = 0;
  double stress[6] = {0, 0, 0, 0, 0, 0};
  double heat_flux[3] = {0, 0, 0};
  double entropy = 0;
};

/// Sets every cell to the Maxwellian of `gas(cell)`, as a deviation in units of `scale`.
template <class ExecutionSpace, class Real>
void initialise(const StepContext<ExecutionSpace>& context, const PhaseGrid& grid, double scale,
                State<ExecutionSpace, Real>& state,
                const std::function<GasState(const Cell&)>& gas);

/// State of every cell, in the order of the cells.
template <class ExecutionSpace, class Real>
std::vector<Deviation> deviations(const StepContext<ExecutionSpace>& context,
                                  const State<ExecutionSpace, Real>& state);

/// What the gas carries out of the box across each face of a wall, less what the wall sends in, a
/// unit of area and time, over the scale: mass, momentum x, y, z (deviation from the pressure at
/// rest), energy (half of v^2).
template <class ExecutionSpace, class Real>
std::vector<std::array<double, 5>> wall_fluxes(const StepContext<ExecutionSpace>& context,
                                               const State<ExecutionSpace, Real>& state, int side);

}  // namespace knudsen::boltzmann
