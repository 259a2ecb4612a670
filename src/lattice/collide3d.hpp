#pragma once

#include "core/kokkos.hpp"
#include "lattice/collision_operator.hpp"
#include "lattice/d3q19.hpp"
#include "lattice/d3q27.hpp"
#include "lattice/flow_state3d.hpp"
#include "lattice/relaxation3d.hpp"

namespace knudsen {

namespace collide3d_detail {

/// sqrt(2 Pi:Pi) / rho of the non-equilibrium stress Pi = sum c c (f - f_eq) + (u F + F u) / 2; the
/// strain rate is -3 / (2 tau) of Pi / rho.
template <class Lattice, class Real>
KOKKOS_INLINE_FUNCTION Real stress_norm(const Real (&g)[Lattice::populations],
                                        const FlowState3D<Real>& state, const Real (&force)[3]) {
  const Real density = Real(1) + state.density_deviation;
  const Real(&u)[3] = state.velocity;
  // Diagonal xx, yy, zz; then xy, xz, yz.
  Real stress[6];
  for (int a = 0; a < 3; ++a) {
    stress[a] = u[a] * force[a] - density * u[a] * u[a] - state.density_deviation / Real(3);
  }
  const auto off_diagonal = [&](int a, int b) {
    return Real(0.5) * (u[a] * force[b] + u[b] * force[a]) - density * u[a] * u[b];
  };
  stress[3] = off_diagonal(0, 1);
  stress[4] = off_diagonal(0, 2);
  stress[5] = off_diagonal(1, 2);
  for_pairs<Lattice>([&](auto q) {
    constexpr int cx = Lattice::velocity(decltype(q)::value, 0);
    constexpr int cy = Lattice::velocity(decltype(q)::value, 1);
    constexpr int cz = Lattice::velocity(decltype(q)::value, 2);
    const Real sum = g[q] + g[q + 1];
    if constexpr (cx != 0) stress[0] += sum;
    if constexpr (cy != 0) stress[1] += sum;
    if constexpr (cz != 0) stress[2] += sum;
    if constexpr (cx * cy != 0) stress[3] += cx * cy > 0 ? sum : -sum;
    if constexpr (cx * cz != 0) stress[4] += cx * cz > 0 ? sum : -sum;
    if constexpr (cy * cz != 0) stress[5] += cy * cz > 0 ? sum : -sum;
  });
  const Real square =
      (stress[0] * stress[0] + stress[1] * stress[1]) + stress[2] * stress[2] +
      Real(2) * ((stress[3] * stress[3] + stress[4] * stress[4]) + stress[5] * stress[5]);
  return math::sqrt(Real(2) * square) / density;
}

/// The relaxation with the eddy viscosity of Smagorinsky added. With tau = 1 / omega and
/// |S| = 3 sqrt(2 Pi:Pi) / (2 rho tau), tau = tau_0 + 3 C^2 |S| is a quadratic equation for tau
/// (Hou, Sterling, Chen, Doolen 1996); `magic` is kept.
template <CollisionOperator Operator, class Real>
KOKKOS_INLINE_FUNCTION void add_eddy_viscosity(Real stress_norm, Relaxation3D<Real>& relaxation) {
  const Real tau = Real(1) / relaxation.omega;
  const Real constant = relaxation.smagorinsky_constant;
  const Real tau_eddy =
      Real(0.5) * (tau + math::sqrt(tau * tau + Real(18) * constant * constant * stress_norm));
  relaxation.omega = Real(1) / tau_eddy;
  if constexpr (Operator == CollisionOperator::trt) {
    const Real excess = tau_eddy - Real(0.5);
    relaxation.omega_minus = excess / (relaxation.magic + Real(0.5) * excess);
  }
}

/// BGK and TRT with Guo's force. The equilibrium and the force of a pair of opposite populations
/// have an even part, w [a + (c.j)(c.b)], and an odd part, w c.p, with the momentum j and vectors b
/// and p that are the same for all pairs; each part relaxes with its own rate.
template <class Lattice, CollisionOperator Operator, Forcing Force, EddyViscosity Eddy, class Real>
KOKKOS_INLINE_FUNCTION void collide_pairs(Real (&g)[Lattice::populations],
                                          Relaxation3D<Real> relaxation) {
  constexpr bool forced = Force != Forcing::none;
  Real force[3];
  for (int a = 0; a < 3; ++a) force[a] = forced ? relaxation.force[a] : Real(0);
  const FlowState3D<Real> state = flow_state<Lattice>(g, force);
  if constexpr (Eddy == EddyViscosity::smagorinsky) {
    add_eddy_viscosity<Operator>(stress_norm<Lattice>(g, state, force), relaxation);
  }
  const Real omega = relaxation.omega;
  const Real omega_minus =
      Operator == CollisionOperator::trt ? relaxation.omega_minus : relaxation.omega;
  const Real density = Real(1) + state.density_deviation;
  const Real(&u)[3] = state.velocity;

  Real even = omega * (state.density_deviation -
                       Real(1.5) * density * ((u[0] * u[0] + u[1] * u[1]) + u[2] * u[2]));
  Real momentum[3];
  Real even_vector[3];
  Real odd_vector[3];
  for (int a = 0; a < 3; ++a) {
    momentum[a] = density * u[a];
    even_vector[a] = Real(4.5) * omega * u[a];
    odd_vector[a] = Real(3) * omega_minus * momentum[a];
  }
  if constexpr (forced) {
    // (1 - omega / 2) w_q [3 (c - u) + 9 (c.u) c].F (Guo, Zheng, Shi 2002).
    const Real even_rate = Real(3) - Real(1.5) * omega;
    const Real odd_rate = Real(3) - Real(1.5) * omega_minus;
    even -= even_rate * ((u[0] * force[0] + u[1] * force[1]) + u[2] * force[2]);
    const Real per_density = Real(3) * even_rate / density;
    for (int a = 0; a < 3; ++a) {
      even_vector[a] += per_density * force[a];
      odd_vector[a] += odd_rate * force[a];
    }
  }

  g[0] += Lattice::template weight<Real>(0) * even - omega * g[0];
  for_pairs<Lattice>([&](auto q) {
    constexpr Real weight = Lattice::template weight<Real>(decltype(q)::value);
    const Real gain_even =
        weight * (even + along<Lattice>(q, momentum) * along<Lattice>(q, even_vector));
    const Real gain_odd = weight * along<Lattice>(q, odd_vector);
    if constexpr (Operator == CollisionOperator::bgk) {
      g[q] += (gain_even + gain_odd) - omega * g[q];
      g[q + 1] += (gain_even - gain_odd) - omega * g[q + 1];
    } else {
      const Real change_even = gain_even - Real(0.5) * omega * (g[q] + g[q + 1]);
      const Real change_odd = gain_odd - Real(0.5) * omega_minus * (g[q] - g[q + 1]);
      g[q] += change_even + change_odd;
      g[q + 1] += change_even - change_odd;
    }
  });
}

}  // namespace collide3d_detail

/// Collision of one node, in place, with the body force `relaxation.force`.
template <class Lattice, CollisionOperator Operator, Forcing Force,
          EddyViscosity Eddy = EddyViscosity::none, class Real>
KOKKOS_INLINE_FUNCTION void collide(Real (&g)[Lattice::populations],
                                    const Relaxation3D<Real>& relaxation) {
  static_assert(Force != Forcing::velocity_shift, "D2Q9 alone has this forcing");
  collide3d_detail::collide_pairs<Lattice, Operator, Force, Eddy>(g, relaxation);
}

}  // namespace knudsen
