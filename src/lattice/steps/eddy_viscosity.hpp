#pragma once

#include <limits>

#include "device/quick_math.hpp"
#include "lattice/collision_parameters.hpp"

namespace knudsen {

/// Eddy viscosity / C^2 of the WALE model (Nicoud and Ducros, Flow, Turbulence and Combustion 62,
/// 1999, eq. 13) with the node spacing as filter width: q^3 / (s^(5/2) + q^(5/2)), where s = S:S of
/// the rate of strain, q^2 = D:D and D is the symmetric traceless part of the squared gradient.
/// gradient[i][j] = du_i / dx_j. 0 in a shear flow, also close to walls.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real wale_viscosity(const Real (&gradient)[3][3]) {
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
  // sqrt(q) / (1 + (s / q)^(5/2)). The least number keeps 0 / 0 out.
  constexpr Real least = std::numeric_limits<Real>::min();
  const Real turning = quick_root(sum);
  const Real ratio = strain * quick_inverse(turning + least);
  return quick_root(turning) * quick_inverse(Real(1) + ratio * ratio * quick_root(ratio));
}

/// The relaxation rate of the shear stress with the eddy viscosity that is given for the node.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real rate_with_eddies(const CollisionParameters<Real>& parameters) {
  const Real omega = parameters.relaxation_rate;
  return omega * quick_inverse(Real(1) + omega * parameters.eddy_time);
}

/// The same with that of Smagorinsky, from the non-equilibrium stress Pi of the node
/// (nonequilibrium_stress). With tau = 1 / omega and |S| = 3 sqrt(2 Pi:Pi) / (2 rho tau), tau =
/// tau_0 + 3 C^2 |S| is a quadratic equation for tau (Hou, Sterling, Chen, Doolen 1996).
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real rate_with_eddies(const CollisionParameters<Real>& parameters,
                                                   const Real (&stress)[6],
                                                   const Real& inverse_density) {
  Real square = 0;  // 2 Pi:Pi
  for (int i = 0; i < 6; ++i) square += Real(i < 3 ? 2 : 4) * (stress[i] * stress[i]);
  const Real omega = parameters.relaxation_rate;
  const Real constant = parameters.smagorinsky_constant;
  const Real size = quick_root(square) * inverse_density;
  const Real root = quick_root(Real(1) + (Real(18) * constant * constant * omega * omega) * size);
  return Real(2) * omega * quick_inverse(Real(1) + root);
}

/// The rate of antisymmetric populations that belongs to a rate of the shear stress.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real antisymmetric_rate_at(const Real& omega, const Real& magic) {
  // excess / (magic + excess / 2) with excess = 1 / omega - 1 / 2, without that quotient.
  const Real excess = Real(2) - omega;
  return Real(2) * excess * quick_inverse(Real(4) * magic * omega + excess);
}

}  // namespace knudsen
