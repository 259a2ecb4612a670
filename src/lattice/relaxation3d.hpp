#pragma once

#include "device/kokkos.hpp"

namespace knudsen {

/// Relaxation rates, body force and options of the three-dimensional collisions, in lattice units.
/// What an operator does not name it does not read.
template <class Real>
struct Relaxation3D {
  Real omega;            ///< rate of the shear stress: viscosity (1 / omega - 1/2) / 3
  Real omega_minus = 1;  ///< trt: rate of the antisymmetric populations
  Real magic = 0;        ///< trt with eddy viscosity: (1 / omega - 1/2)(1 / omega_minus - 1/2)
  Real smagorinsky_constant = 0;  ///< of the eddy viscosity
  Real force[3] = {0, 0, 0};      ///< force per unit volume
  Real omega_bulk = 1;            ///< moment operators: rate of the trace of the stress
  // cumulant_parametrised: `parametrised_rates` sets these.
  Real omega_sum = 1;         ///< omega_3, of C_120 + C_102 and the like
  Real omega_difference = 1;  ///< omega_4, of C_120 - C_102 and the like
  Real omega_product = 1;     ///< omega_5, of C_111
  Real normal_strain = 0;     ///< (1 / omega - 1/2) 2 A / 3: equilibrium of C_220 and the like
  Real shear_strain = 0;      ///< (1 / omega - 1/2) B / 3: equilibrium of C_211 and the like
  Real limiter = Real(0.01);  ///< lambda: third cumulants of this size relax halfway to rate 1
};

/// Smallest `omega` at which all rates of the parametrised cumulant are between 0 and 2, with
/// omega_bulk = 1: viscosities to 1 / 42.
inline constexpr double smallest_parametrised_omega = 1.75;

/// Fills in the rates with which diffusion is of fourth order (Geier, Pasquali, Schoenherr 2017,
/// part I, eqs. for omega_3, omega_4, omega_5, A and B) from omega and omega_bulk. On the host;
/// omega and omega_bulk must differ, and see smallest_parametrised_omega.
template <class Real>
void parametrised_rates(Relaxation3D<Real>& relaxation) {
  const auto shear = static_cast<double>(relaxation.omega);
  const auto bulk = static_cast<double>(relaxation.omega_bulk);
  const double omega_3 = 8 * (shear - 2) * (bulk * (3 * shear - 1) - 5 * shear) /
                         (8 * (5 - 2 * shear) * shear + bulk * (8 + shear * (9 * shear - 26)));
  const double omega_4 = 8 * (shear - 2) * (shear + bulk * (3 * shear - 7)) /
                         (bulk * (56 - 42 * shear + 9 * shear * shear) - 8 * shear);
  const double omega_5 =
      24 * (shear - 2) *
      (4 * shear * shear + shear * bulk * (18 - 13 * shear) +
       bulk * bulk * (2 + shear * (6 * shear - 11))) /
      (16 * shear * shear * (shear - 6) - 2 * shear * bulk * (216 + 5 * shear * (9 * shear - 46)) +
       bulk * bulk * (shear * (3 * shear - 10) * (15 * shear - 28) - 48));
  const double denominator = (shear - bulk) * (bulk * (2 + 3 * shear) - 8 * shear);
  const double a = (4 * shear * shear + 2 * shear * bulk * (shear - 6) +
                    bulk * bulk * (shear * (10 - 3 * shear) - 4)) /
                   denominator;
  const double b = (4 * shear * bulk * (9 * shear - 16) - 4 * shear * shear -
                    2 * bulk * bulk * (2 + 9 * shear * (shear - 2))) /
                   (3 * denominator);
  const double viscosity = 1 / shear - 0.5;
  relaxation.omega_sum = static_cast<Real>(omega_3);
  relaxation.omega_difference = static_cast<Real>(omega_4);
  relaxation.omega_product = static_cast<Real>(omega_5);
  relaxation.normal_strain = static_cast<Real>(viscosity * 2 * a / 3);
  relaxation.shear_strain = static_cast<Real>(viscosity * b / 3);
}

}  // namespace knudsen
