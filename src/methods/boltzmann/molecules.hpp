#pragma once

#include "device/kokkos.hpp"

namespace knudsen::boltzmann {

/// Variable hard spheres: isotropic scattering with a cross-section proportional to the relative
/// speed to the power -2 softness. Units of kinetic/gas.hpp.
struct Molecules {
  double softness = 0;  ///< 0 for hard spheres, 1/2 for Maxwell molecules
  double rate = 0;      ///< pi sigma^2 n_0 L: collision frequency at a relative speed of one

  /// Integrand of eq. (22) for one collision, pi sigma^2 n_0 |k . v_r|, with `along` = k . v_r.
  KOKKOS_INLINE_FUNCTION double weight(double along, double relative_speed) const {
    const double weight = rate * math::fabs(along);
    return softness > 0 ? weight * std::exp(-2 * softness * std::log(relative_speed)) : weight;
  }
};

/// Variable hard spheres with the viscosity mu_0 of `rarefaction` = p_0 L / (mu_0 V_0) and mu
/// proportional to T^viscosity_exponent, which is in [1/2, 1]. The viscosity is that of the second
/// Sonine approximation (Chapman and Cowling, 10.21), scaled to be exact for hard spheres.
Molecules variable_hard_spheres(double rarefaction, double viscosity_exponent);

/// Collisions per unit of time of a molecule that moves at `speed` through the gas at rest.
double collision_frequency(const Molecules& molecules, double speed);

}  // namespace knudsen::boltzmann
