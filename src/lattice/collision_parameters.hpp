#pragma once

#include "device/function.hpp"

namespace knudsen {

/// Relaxation rates, body force and options of a collision, in lattice units. An operator reads
/// only the members that name it or no operator.
template <class Real>
struct CollisionParameters {
  Real relaxation_rate;           ///< "omega", of the shear stress: viscosity (1 / omega - 1/2) / 3
  Real antisymmetric_rate = 1;    ///< "omega_minus", of the antisymmetric populations
  Real magic = 0;                 ///< trt with eddy viscosity: kept at any effective viscosity
  Real smagorinsky_constant = 0;  ///< of the eddy viscosity
  Real force[3] = {0, 0, 0};      ///< per unit volume; on D2Q9 the third component is not read
  Real bulk_rate = 1;             ///< moment operators: of the trace of the stress
  Real third_sum_rate = 1;        ///< cumulant-parametrised: omega_3, of C_120 + C_102 and the like
  Real third_difference_rate =
      1;                        ///< cumulant-parametrised: omega_4, of C_120 - C_102 and the like
  Real third_product_rate = 1;  ///< cumulant-parametrised: omega_5, of C_111
  /// cumulant-parametrised: (1 / omega - 1/2) 2 A / 3, for the equilibrium of C_220 and the like.
  Real normal_strain = 0;
  /// cumulant-parametrised: (1 / omega - 1/2) B / 3, for the equilibrium of C_211 and the like.
  Real shear_strain = 0;
  /// cumulant-parametrised: lambda; third-order cumulants of this size relax halfway to rate 1.
  Real limiter = Real(0.01);
  Real eddy_time = 0;  ///< of the node: 3 x eddy viscosity besides Smagorinsky's
};

/// The parameters in the number type of a kernel: a precision, or Simd of one.
template <class Real, class From>
CollisionParameters<Real> rounded(const CollisionParameters<From>& from) {
  CollisionParameters<Real> to{static_cast<Real>(from.relaxation_rate)};
  to.antisymmetric_rate = static_cast<Real>(from.antisymmetric_rate);
  to.magic = static_cast<Real>(from.magic);
  to.smagorinsky_constant = static_cast<Real>(from.smagorinsky_constant);
  to.eddy_time = static_cast<Real>(from.eddy_time);
  for (int a = 0; a < 3; ++a) to.force[a] = static_cast<Real>(from.force[a]);
  to.bulk_rate = static_cast<Real>(from.bulk_rate);
  to.third_sum_rate = static_cast<Real>(from.third_sum_rate);
  to.third_difference_rate = static_cast<Real>(from.third_difference_rate);
  to.third_product_rate = static_cast<Real>(from.third_product_rate);
  to.normal_strain = static_cast<Real>(from.normal_strain);
  to.shear_strain = static_cast<Real>(from.shear_strain);
  to.limiter = static_cast<Real>(from.limiter);
  return to;
}

}  // namespace knudsen
