#pragma once

#include "lattice/collision.hpp"
#include "lattice/flow_state2d.hpp"
#include "lattice/steps/pair_rates.hpp"

namespace knudsen {
namespace pairs2d_detail {

/// The rate of the antisymmetric halves.
template <PairRates Rates, class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real antisymmetric_rate(const CollisionParameters<Real>& parameters) {
  return Rates == PairRates::two ? parameters.antisymmetric_rate : parameters.relaxation_rate;
}

/// Relaxes a pair of opposite populations, whose equilibrium has the symmetric part `even` and the
/// antisymmetric part `odd`.
template <PairRates Rates, class Real>
KNUDSEN_FORCEINLINE_FUNCTION void relax_pair(Real& g, Real& g_opposite, Real even, Real odd,
                                             const CollisionParameters<Real>& parameters) {
  const Real omega = parameters.relaxation_rate;
  if constexpr (Rates == PairRates::one) {
    g += omega * ((even + odd) - g);
    g_opposite += omega * ((even - odd) - g_opposite);
  } else {
    const Real half_sum = Real(0.5) * (g + g_opposite);
    const Real half_difference = Real(0.5) * (g - g_opposite);
    const Real change_even = omega * (even - half_sum);
    const Real change_odd = parameters.antisymmetric_rate * (odd - half_difference);
    g += change_even + change_odd;
    g_opposite += change_even - change_odd;
  }
}

/// Adds (1 - omega / 2) w_q [3 (c - u) + 9 (c.u) c].F, the even and the odd part each with its own
/// rate (Guo, Zheng, Shi 2002).
template <PairRates Rates, class Real>
KNUDSEN_FORCEINLINE_FUNCTION void add_guo_force(Real (&g)[9], Real ux, Real uy,
                                                const CollisionParameters<Real>& parameters) {
  const Real axis = Real(1) / Real(9);
  const Real diagonal = Real(1) / Real(36);
  const Real even_rate = Real(1) - Real(0.5) * parameters.relaxation_rate;
  const Real odd_rate = Real(1) - Real(0.5) * antisymmetric_rate<Rates>(parameters);
  const Real fx = parameters.force[0];
  const Real fy = parameters.force[1];
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

}  // namespace pairs2d_detail

/// BGK (Gomes 2016, eq. 8) and TRT on D2Q9, with the body force by Guo's scheme or by the shift of
/// the equilibrium velocity (Gomes 2016, eq. 18).
template <PairRates Rates, Forcing Force, class Real>
KNUDSEN_FORCEINLINE_FUNCTION void collide_pairs_2d(Real (&g)[9],
                                                   const CollisionParameters<Real>& parameters) {
  using pairs2d_detail::add_guo_force;
  using pairs2d_detail::antisymmetric_rate;
  using pairs2d_detail::relax_pair;
  const FlowState<Real> state = flow_state(g, parameters);
  const Real density = Real(1) + state.density_deviation;
  Real ux = state.velocity_x;
  Real uy = state.velocity_y;
  if constexpr (Force == Forcing::velocity_shift) {
    // Eq. 18 shifts the bare velocity by F / (omega rho); flow_state has added F / (2 rho) of it.
    const Real shift = (Real(1) / antisymmetric_rate<Rates>(parameters) - Real(0.5)) / density;
    ux += shift * parameters.force[0];
    uy += shift * parameters.force[1];
  }
  const Real base = state.density_deviation - Real(1.5) * density * (ux * ux + uy * uy);
  const Real axis = Real(1) / Real(9);
  const Real diagonal = Real(1) / Real(36);
  const auto pair = [&](Real& q, Real& opposite, Real weight, Real along) {
    relax_pair<Rates>(q, opposite, weight * (base + Real(4.5) * density * along * along),
                      weight * (Real(3) * density * along), parameters);
  };
  g[0] += parameters.relaxation_rate * (Real(4) / Real(9) * base - g[0]);
  pair(g[1], g[3], axis, ux);
  pair(g[2], g[4], axis, uy);
  pair(g[5], g[7], diagonal, ux + uy);
  pair(g[8], g[6], diagonal, ux - uy);
  if constexpr (Force == Forcing::guo) add_guo_force<Rates>(g, ux, uy, parameters);
}

}  // namespace knudsen
