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

/// Adds the eddy viscosity of Smagorinsky to the relaxation rates of both parts. With tau = 1 /
/// omega and |S| = 3 sqrt(2 Pi:Pi) / (2 rho tau), tau = tau_0 + 3 C^2 |S| is a quadratic equation
/// for tau (Hou, Sterling, Chen, Doolen 1996). `magic` stays the same.
template <PairRates Rates, class Real>
KNUDSEN_FORCEINLINE_FUNCTION void add_eddy_viscosity(const CollisionParameters<Real>& parameters,
                                                     Real stress_norm, Real& omega,
                                                     Real& omega_minus) {
  using std::sqrt;
  const Real tau = Real(1) / omega;
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
