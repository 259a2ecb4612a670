#pragma once

#include "core/kokkos.hpp"
#include "lattice/collision_operator.hpp"
#include "lattice/flow_state3d.hpp"
#include "lattice/relaxation3d.hpp"

namespace knudsen::collide3d_detail {

/// sqrt(2 Pi:Pi) / rho of a non-equilibrium stress Pi.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real stress_norm(const Real (&stress)[6], Real density) {
  Real square = 0;
  for (int i = 0; i < 6; ++i) square += Real(i < 3 ? 2 : 4) * (stress[i] * stress[i]);
  return math::sqrt(square) / density;
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
  constexpr Real no_force[3] = {0, 0, 0};
  const Real(&force)[3] = forced ? relaxation.force : no_force;
  const Moments3D<Real> m = moments<Lattice>(g);
  const FlowState3D<Real> state = flow_state(m, force);
  const Real density = Real(1) + state.density_deviation;
  if constexpr (Eddy == EddyViscosity::smagorinsky) {
    Real stress[6];
    nonequilibrium_stress(m, state, force, stress);
    add_eddy_viscosity<Operator>(stress_norm(stress, density), relaxation);
  }
  const Real omega = relaxation.omega;
  const Real omega_minus =
      Operator == CollisionOperator::trt ? relaxation.omega_minus : relaxation.omega;
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

}  // namespace knudsen::collide3d_detail
