#pragma once

#include <array>
#include <vector>

#include "methods/boltzmann/step.hpp"

namespace knudsen::boltzmann {

/// Macroscopic deviations of a cell from equilibrium, eqs. (9) to (12), over the scale epsilon.
struct Deviation {
  double density = 0;                     ///< in n_0
  double velocity[3] = {0, 0, 0};         ///< in V_0
  double temperature = 0;                 ///< in T_0
  double stress[6] = {0, 0, 0, 0, 0, 0};  ///< xx, yy, zz, xy, yz, xz in p_0
  double heat_flux[3] = {0, 0, 0};        ///< in p_0 V_0
  /// Half the integral of Phi_0 h^2, plus the higher orders of the nonlinear form; collisions
  /// decrease it.
  double entropy = 0;
};

/// Magnitude of the velocity.
double speed_of(const Deviation& state);

/// Macroscopic deviations of every cell of this rank, in the order of the cells.
template <class ExecutionSpace, class Real>
std::vector<Deviation> deviations(const StepContext<ExecutionSpace>& context,
                                  const State<ExecutionSpace, Real>& state);

/// Net outward flux through each face of a side beside own cells, per unit of area and time, over
/// the scale: mass, momentum along x, y and z (less the pressure at rest), energy (v^2 / 2).
template <class ExecutionSpace, class Real>
std::vector<SurfaceFlux> wall_fluxes(const StepContext<ExecutionSpace>& context,
                                     const State<ExecutionSpace, Real>& state, int side);

}  // namespace knudsen::boltzmann
