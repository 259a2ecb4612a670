#pragma once

#include "device/kokkos.hpp"
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
KOKKOS_FORCEINLINE_FUNCTION void add_eddy_viscosity(Real stress_norm,
                                                    Relaxation3D<Real>& relaxation) {
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
/// have an even and an odd part, polynomials of c.j and c.F with the momentum j; each part relaxes
/// with its own rate. Sums take one product at a time, for fused multiplications and additions.
template <class Lattice, CollisionOperator Operator, Forcing Force, EddyViscosity Eddy, class Real>
KOKKOS_FORCEINLINE_FUNCTION void collide_pairs(Real (&g)[Lattice::populations],
                                               Relaxation3D<Real> relaxation) {
  constexpr bool forced = Force != Forcing::none;
  Real force[3];
  for (int a = 0; a < 3; ++a) force[a] = forced ? relaxation.force[a] : Real(0);
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
  Real momentum[3];
  for (int a = 0; a < 3; ++a) momentum[a] = m.momentum[a] + Real(0.5) * force[a];

  // w [rho' + 3 c.j + 9/2 (c.j)^2 / rho - 3/2 j.j / rho], times the rates.
  const Real volume = Real(1) / density;
  const Real quadratic = Real(4.5) * omega * volume;
  const Real linear = Real(3) * omega_minus;
  Real rest = omega * (state.density_deviation -
                       Real(1.5) * (u[0] * momentum[0] + u[1] * momentum[1] + u[2] * momentum[2]));
  // (1 - omega / 2) w [3 (c - u) + 9 (c.u) c].F (Guo, Zheng, Shi 2002), in halves likewise.
  [[maybe_unused]] const Real force_even = Real(3) - Real(1.5) * omega;
  [[maybe_unused]] const Real force_odd = Real(3) - Real(1.5) * omega_minus;
  [[maybe_unused]] const Real force_quadratic = Real(3) * force_even * volume;
  if constexpr (forced) {
    rest -= force_even * (u[0] * force[0] + u[1] * force[1] + u[2] * force[2]);
  }

  // Of a pair relaxed by its sum and difference: what stays of each, and what it takes from the
  // other.
  [[maybe_unused]] const Real keep = Real(1) - Real(0.5) * (omega + omega_minus);
  [[maybe_unused]] const Real exchange = Real(0.5) * (omega_minus - omega);

  g[0] = (g[0] + Lattice::template weight<Real>(0) * rest) - omega * g[0];
  for_pairs<Lattice>([&](auto q) {
    constexpr Real weight = Lattice::template weight<Real>(decltype(q)::value);
    const Real along_momentum = along<Lattice>(q, momentum);
    Real even = rest + (quadratic * along_momentum) * along_momentum;
    Real plus;
    Real minus;
    if constexpr (forced) {
      const Real along_force = along<Lattice>(q, force);
      even += (force_quadratic * along_force) * along_momentum;
      plus = (even + linear * along_momentum) + force_odd * along_force;
      minus = (even - linear * along_momentum) - force_odd * along_force;
    } else {
      plus = even + linear * along_momentum;
      minus = even - linear * along_momentum;
    }
    Real& first = g[q];
    Real& second = g[q + 1];
    if constexpr (Operator == CollisionOperator::bgk) {
      first = (first + weight * plus) - omega * first;
      second = (second + weight * minus) - omega * second;
    } else {
      const Real kept = first;
      first = (keep * first + weight * plus) + exchange * second;
      second = (keep * second + weight * minus) + exchange * kept;
    }
  });
}

}  // namespace knudsen::collide3d_detail
