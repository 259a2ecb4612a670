#pragma once

#include "lattice/collision.hpp"
#include "lattice/flow_state3d.hpp"
#include "lattice/steps/eddy_viscosity.hpp"
#include "lattice/steps/pair_rates.hpp"

namespace knudsen {

/// BGK and TRT on D3Q19 and D3Q27 with Guo's force. The equilibrium and the force of a pair of
/// opposite populations have an even and an odd part, polynomials in c.j and c.F with the momentum
/// j. Each part relaxes with its own rate. Sums add one product at a time, to suit fused
/// multiply-add instructions.
template <class Lattice, PairRates Rates, Forcing Force, EddyViscosity Eddy, class Real>
KNUDSEN_FORCEINLINE_FUNCTION void collide_pairs_3d(Real (&g)[Lattice::populations],
                                                   const CollisionParameters<Real>& parameters) {
  constexpr bool forced = Force != Forcing::none;
  Real force[3];
  for (int a = 0; a < 3; ++a) force[a] = forced ? parameters.force[a] : Real(0);
  const Moments3D<Real> m = moments<Lattice>(g);
  const FlowState3D<Real> state = flow_state(m, force);
  const Real density = Real(1) + state.density_deviation;
  Real omega = parameters.relaxation_rate;
  Real omega_minus =
      Rates == PairRates::two ? parameters.antisymmetric_rate : parameters.relaxation_rate;
  const Real volume = Real(1) / density;
  if constexpr (Eddy == EddyViscosity::smagorinsky) {
    Real stress[6];
    nonequilibrium_stress(m, state, force, stress);
    omega = rate_with_eddies(parameters, stress, volume);
  } else if constexpr (Eddy == EddyViscosity::given) {
    // rate_with_eddies by an exact quotient: on an H100 a step with WALE takes 1.9 to 2.0 % more
    // time than one without a model instead of 2.1 to 2.3 %. Kernels of cumulants do not gain.
    omega /= Real(1) + omega * parameters.eddy_time;
  }
  if constexpr (Eddy != EddyViscosity::none) {
    omega_minus = Rates == PairRates::two ? antisymmetric_rate_at(omega, parameters.magic) : omega;
  }
  const Real(&u)[3] = state.velocity;
  Real momentum[3];
  for (int a = 0; a < 3; ++a) momentum[a] = m.momentum[a] + Real(0.5) * force[a];

  // w [rho' + 3 c.j + 9/2 (c.j)^2 / rho - 3/2 j.j / rho], times the rates.
  const Real quadratic = Real(4.5) * omega * volume;
  const Real linear = Real(3) * omega_minus;
  Real rest = omega * (state.density_deviation -
                       Real(1.5) * (u[0] * momentum[0] + u[1] * momentum[1] + u[2] * momentum[2]));
  // (1 - omega / 2) w [3 (c - u) + 9 (c.u) c].F (Guo, Zheng, Shi 2002), its halves likewise.
  [[maybe_unused]] const Real force_even = Real(3) - Real(1.5) * omega;
  [[maybe_unused]] const Real force_odd = Real(3) - Real(1.5) * omega_minus;
  [[maybe_unused]] const Real force_quadratic = Real(3) * force_even * volume;
  if constexpr (forced) {
    rest -= force_even * (u[0] * force[0] + u[1] * force[1] + u[2] * force[2]);
  }

  // A pair relaxes by its sum and difference: each population keeps a share of itself and takes a
  // share of the other.
  [[maybe_unused]] const Real keep = Real(1) - Real(0.5) * (omega + omega_minus);
  [[maybe_unused]] const Real exchange = Real(0.5) * (omega_minus - omega);

  g[0] = (g[0] + Lattice::template weight<Real>(0) * rest) - omega * g[0];
  for_pairs<Lattice>([&](auto q) {
    const Real weight = Lattice::template weight<Real>(decltype(q)::value);
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
    if constexpr (Rates == PairRates::one) {
      first = (first + weight * plus) - omega * first;
      second = (second + weight * minus) - omega * second;
    } else {
      const Real kept = first;
      first = (keep * first + weight * plus) + exchange * second;
      second = (keep * second + weight * minus) + exchange * kept;
    }
  });
}

}  // namespace knudsen
