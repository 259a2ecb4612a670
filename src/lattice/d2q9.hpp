#pragma once

#include "device/kokkos.hpp"
#include "lattice/collision_operator.hpp"

namespace knudsen {

/// The D2Q9 lattice, numbered rest, east, north, west, south, north-east, north-west, south-west,
/// south-east. Everything is a constant expression of q, so that loops over q unroll to constants.
struct D2Q9 {
  static constexpr int populations = 9;

  KOKKOS_INLINE_FUNCTION static constexpr int cx(int q) {
    return (q == 1 || q == 5 || q == 8) - (q == 3 || q == 6 || q == 7);
  }
  KOKKOS_INLINE_FUNCTION static constexpr int cy(int q) {
    return (q == 2 || q == 5 || q == 6) - (q == 4 || q == 7 || q == 8);
  }
  KOKKOS_INLINE_FUNCTION static constexpr int opposite(int q) {
    return q == 0 ? 0 : (q <= 4 ? (q + 1) % 4 + 1 : (q - 5 + 2) % 4 + 5);
  }
  template <class Real>
  KOKKOS_INLINE_FUNCTION static constexpr Real weight(int q) {
    return q == 0 ? Real(4) / Real(9) : (q <= 4 ? Real(1) / Real(9) : Real(1) / Real(36));
  }
};

/// Relaxation rates and body force, in lattice units.
template <class Real>
struct Relaxation {
  Real omega;        ///< 1 / relaxation time: rate of the symmetric populations, sets the viscosity
  Real omega_minus;  ///< rate of the antisymmetric populations (equal to omega for BGK)
  Real force_x = 0;  ///< force per unit volume
  Real force_y = 0;
};

/// Density less one and velocity of a node.
template <class Real>
struct FlowState {
  Real density_deviation;
  Real velocity_x;
  Real velocity_y;
};

// Populations are stored shifted by the weights, g_q = f_q - w_q: near rest they are small, which
// keeps the digits of single precision for the flow.

/// Density and velocity of shifted populations, with the half-step force correction
/// u = (sum c_q f_q + F / 2) / rho that both forcing schemes call for.
template <class Real>
KOKKOS_INLINE_FUNCTION FlowState<Real> flow_state(const Real (&g)[9],
                                                  const Relaxation<Real>& relaxation) {
  const Real density_deviation =
      g[0] + ((g[1] + g[3]) + (g[2] + g[4])) + ((g[5] + g[7]) + (g[6] + g[8]));
  const Real diagonal = g[5] - g[7];
  const Real antidiagonal = g[8] - g[6];
  const Real momentum_x = (g[1] - g[3]) + (diagonal + antidiagonal);
  const Real momentum_y = (g[2] - g[4]) + (diagonal - antidiagonal);
  const Real volume = Real(1) / (Real(1) + density_deviation);
  return {density_deviation, (momentum_x + Real(0.5) * relaxation.force_x) * volume,
          (momentum_y + Real(0.5) * relaxation.force_y) * volume};
}

/// Shifted equilibrium population q (Gomes 2016, eq. 14; Qian, d'Humieres, Lallemand 1992):
/// w_q [rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u.u) - 1].
template <class Real>
KOKKOS_INLINE_FUNCTION Real equilibrium(int q, const FlowState<Real>& state) {
  const Real density = Real(1) + state.density_deviation;
  const Real along = Real(D2Q9::cx(q)) * state.velocity_x + Real(D2Q9::cy(q)) * state.velocity_y;
  const Real square = state.velocity_x * state.velocity_x + state.velocity_y * state.velocity_y;
  return D2Q9::weight<Real>(q) *
         (state.density_deviation +
          density * (Real(3) * along + Real(4.5) * along * along - Real(1.5) * square));
}

namespace d2q9_detail {

/// Relaxes the pair of opposite populations q and D2Q9::opposite(q), whose equilibrium has the
/// symmetric part `even` and the antisymmetric part `odd`.
template <CollisionOperator Operator, class Real>
KOKKOS_INLINE_FUNCTION void relax_pair(Real& g, Real& g_opposite, Real even, Real odd,
                                       const Relaxation<Real>& relaxation) {
  if constexpr (Operator == CollisionOperator::bgk) {
    g += relaxation.omega * ((even + odd) - g);
    g_opposite += relaxation.omega * ((even - odd) - g_opposite);
  } else {
    const Real half_sum = Real(0.5) * (g + g_opposite);
    const Real half_difference = Real(0.5) * (g - g_opposite);
    const Real change_even = relaxation.omega * (even - half_sum);
    const Real change_odd = relaxation.omega_minus * (odd - half_difference);
    g += change_even + change_odd;
    g_opposite += change_even - change_odd;
  }
}

}  // namespace d2q9_detail

/// Collision of one node, in place: BGK (Gomes 2016, eq. 8) or two-relaxation-time (Ginzburg,
/// Verhaeghe, d'Humieres 2008), with the body force by Guo's scheme (Guo, Zheng, Shi 2002) or by
/// the shift of the equilibrium velocity (Gomes 2016, eq. 18).
template <CollisionOperator Operator, Forcing Force, class Real>
KOKKOS_INLINE_FUNCTION void collide(Real (&g)[9], const Relaxation<Real>& relaxation) {
  const FlowState<Real> state = flow_state(g, relaxation);
  const Real density = Real(1) + state.density_deviation;
  Real ux = state.velocity_x;
  Real uy = state.velocity_y;
  if constexpr (Force == Forcing::velocity_shift) {
    // Eq. 18 shifts the bare velocity by F / (omega rho); flow_state has added F / (2 rho) of it.
    const Real shift = (Real(1) / relaxation.omega_minus - Real(0.5)) / density;
    ux += shift * relaxation.force_x;
    uy += shift * relaxation.force_y;
  }
  const Real base = state.density_deviation - Real(1.5) * density * (ux * ux + uy * uy);
  const Real axis = Real(1) / Real(9);
  const Real diagonal = Real(1) / Real(36);

  const auto pair = [&](Real& q, Real& opposite, Real weight, Real along) {
    d2q9_detail::relax_pair<Operator>(q, opposite,
                                      weight * (base + Real(4.5) * density * along * along),
                                      weight * (Real(3) * density * along), relaxation);
  };
  g[0] += relaxation.omega * (Real(4) / Real(9) * base - g[0]);
  pair(g[1], g[3], axis, ux);
  pair(g[2], g[4], axis, uy);
  pair(g[5], g[7], diagonal, ux + uy);
  pair(g[8], g[6], diagonal, ux - uy);

  if constexpr (Force == Forcing::guo) {
    // (1 - omega / 2) w_q [3 (c - u) + 9 (c.u) c].F, its even and odd part each with its own rate.
    const Real even_rate = Real(1) - Real(0.5) * relaxation.omega;
    const Real odd_rate = Real(1) - Real(0.5) * relaxation.omega_minus;
    const Real fx = relaxation.force_x;
    const Real fy = relaxation.force_y;
    const Real work = Real(3) * (ux * fx + uy * fy);
    const auto push = [&](Real& q, Real& opposite, Real weight, Real along, Real force_along) {
      const Real even = weight * even_rate * (Real(9) * along * force_along - work);
      const Real odd = weight * odd_rate * Real(3) * force_along;
      q += even + odd;
      opposite += even - odd;
    };
    g[0] -= Real(4) / Real(9) * even_rate * work;
    push(g[1], g[3], axis, ux, fx);
    push(g[2], g[4], axis, uy, fy);
    push(g[5], g[7], diagonal, ux + uy, fx + fy);
    push(g[8], g[6], diagonal, ux - uy, fx - fy);
  }
}

}  // namespace knudsen
