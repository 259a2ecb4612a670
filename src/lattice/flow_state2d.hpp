#pragma once

#include "lattice/collision_parameters.hpp"
#include "lattice/d2q9.hpp"

namespace knudsen {

// Populations are stored shifted by the weights, g_q = f_q - w_q. Near rest they are small, which
// saves the digits of single precision for the flow.

/// Density and velocity of a node of D2Q9, in lattice units.
template <class Real>
struct FlowState {
  Real density_deviation;  ///< rho - 1
  Real velocity_x;
  Real velocity_y;
};

/// Density and velocity of shifted populations, u = (sum c_q f_q + F / 2) / rho. Both forcing
/// schemes need half a step of the force in the velocity.
template <class Real>
KNUDSEN_INLINE_FUNCTION FlowState<Real> flow_state(const Real (&g)[9],
                                                   const CollisionParameters<Real>& parameters) {
  const Real density_deviation =
      g[0] + ((g[1] + g[3]) + (g[2] + g[4])) + ((g[5] + g[7]) + (g[6] + g[8]));
  const Real diagonal = g[5] - g[7];
  const Real antidiagonal = g[8] - g[6];
  const Real momentum_x = (g[1] - g[3]) + (diagonal + antidiagonal);
  const Real momentum_y = (g[2] - g[4]) + (diagonal - antidiagonal);
  const Real volume = Real(1) / (Real(1) + density_deviation);
  return {density_deviation, (momentum_x + Real(0.5) * parameters.force[0]) * volume,
          (momentum_y + Real(0.5) * parameters.force[1]) * volume};
}

/// Shifted equilibrium population q (Gomes 2016, eq. 14; Qian, d'Humieres, Lallemand 1992):
/// w_q [rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u.u) - 1].
template <class Real>
KNUDSEN_INLINE_FUNCTION Real equilibrium(int q, const FlowState<Real>& state) {
  const Real density = Real(1) + state.density_deviation;
  const Real along = Real(D2Q9::cx(q)) * state.velocity_x + Real(D2Q9::cy(q)) * state.velocity_y;
  const Real square = state.velocity_x * state.velocity_x + state.velocity_y * state.velocity_y;
  return D2Q9::weight<Real>(q) *
         (state.density_deviation +
          density * (Real(3) * along + Real(4.5) * along * along - Real(1.5) * square));
}

}  // namespace knudsen
