#pragma once

#include <cmath>

#include "lattice/collision_parameters.hpp"
#include "lattice/flow_state3d.hpp"
#include "lattice/steps/pair_rates.hpp"

namespace knudsen {

/// sqrt(2 Pi:Pi) / rho of a non-equilibrium stress Pi (nonequilibrium_stress).
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real stress_norm(const Real (&stress)[6], Real density) {
  Real square = 0;
  for (int i = 0; i < 6; ++i) square += Real(i < 3 ? 2 : 4) * (stress[i] * stress[i]);
  using std::sqrt;
  return sqrt(square) / density;
}

/// Eddy viscosity / C^2 of the WALE model (Nicoud and Ducros, Flow, Turbulence and Combustion 62,
/// 1999, eq. 13) with the node spacing as filter width: q^3 / (s^(5/2) + q^(5/2)), where s = S:S of
/// the rate of strain, q^2 = D:D and D is the symmetric traceless part of the squared gradient.
/// gradient[i][j] = du_i / dx_j. 0 in a shear flow, also close to walls.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real wale_viscosity(const Real (&gradient)[3][3]) {
  using std::sqrt;
  const auto square = [&](int i, int j) {  // of the gradient, plus its transpose
    Real sum = 0;
    for (int k = 0; k < 3; ++k) {
      sum += gradient[i][k] * gradient[k][j] + gradient[j][k] * gradient[k][i];
    }
    return sum;
  };
  const auto strain_of = [&](int i, int j) { return gradient[i][j] + gradient[j][i]; };
  // Twice the tensors: xx, yy, zz, xy, yz, xz.
  const Real rates[6] = {strain_of(0, 0), strain_of(1, 1), strain_of(2, 2),
                         strain_of(0, 1), strain_of(1, 2), strain_of(0, 2)};
  Real squares[6] = {square(0, 0), square(1, 1), square(2, 2),
                     square(0, 1), square(1, 2), square(0, 2)};
  const Real third = (squares[0] + squares[1] + squares[2]) * (Real(1) / Real(3));
  Real strain = 0;  // S:S
  Real sum = 0;     // D:D
  for (int i = 0; i < 6; ++i) {
    const Real weight = i < 3 ? Real(0.25) : Real(0.5);
    const Real d = squares[i] - (i < 3 ? third : Real(0));
    strain += weight * (rates[i] * rates[i]);
    sum += weight * (d * d);
  }
  const Real turning = sqrt(sum);
  // The powers are those of the share of the larger, which do not underflow.
  const bool turns_more = turning > strain;
  const Real largest = turns_more ? turning : strain;
  const Real divisor = largest > Real(0) ? largest : Real(1);
  const Real share = (turns_more ? strain : turning) / divisor;
  const Real power = share * share * sqrt(share);
  return sqrt(turning) * (turns_more ? Real(1) : power) / (Real(1) + power);
}

/// Adds the eddy viscosity to the relaxation rates of both parts: first what the parameters give
/// for the node, then that of Smagorinsky. With tau = 1 / omega and |S| = 3 sqrt(2 Pi:Pi) / (2 rho
/// tau), tau = tau_0 + 3 C^2 |S| is a quadratic equation for tau (Hou, Sterling, Chen, Doolen
/// 1996). `magic` stays the same.
template <PairRates Rates, class Real>
KNUDSEN_FORCEINLINE_FUNCTION void add_eddy_viscosity(const CollisionParameters<Real>& parameters,
                                                     Real stress_norm, Real& omega,
                                                     Real& omega_minus) {
  using std::sqrt;
  const Real tau = Real(1) / omega + parameters.eddy_time;
  const Real constant = parameters.smagorinsky_constant;
  const Real tau_eddy =
      Real(0.5) * (tau + sqrt(tau * tau + Real(18) * constant * constant * stress_norm));
  omega = Real(1) / tau_eddy;
  if constexpr (Rates == PairRates::two) {
    const Real excess = tau_eddy - Real(0.5);
    omega_minus = excess / (parameters.magic + Real(0.5) * excess);
  } else {
    omega_minus = omega;
  }
}

}  // namespace knudsen
