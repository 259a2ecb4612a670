#pragma once

#include "device/kokkos.hpp"

namespace knudsen::boltzmann {

/// Molecules that scatter isotropically with a cross-section that falls as the power `softness` of
/// the squared relative speed: variable hard spheres; 0 for hard spheres, 1/2 for Maxwellian ones.
/// Units of velocity/gas.hpp.
struct Molecules {
  double softness = 0;
  /// pi sigma^2 n_0 L: how often a molecule meets a relative speed of one.
  double rate = 0;

  /// Integrand of eq. (22) for one collision: pi sigma^2 n_0 |k . v_r|.
  KOKKOS_INLINE_FUNCTION double weight(double along, double relative_speed) const {
    const double weight = rate * math::fabs(along);
    return softness > 0 ? weight * std::exp(-2 * softness * std::log(relative_speed)) : weight;
  }
};

/// Variable hard spheres of the viscosity that belongs to `rarefaction` = p_0 L / (mu_0 V_0), with
/// mu proportional to T^omega, omega in [1/2, 1]. The viscosity is that of the second Sonine
/// approximation (Chapman and Cowling, 10.21), corrected such that hard spheres have their exact
/// one.
Molecules variable_hard_spheres(double rarefaction, double omega);

/// Collisions a unit of time of a molecule that flies at `speed` through the gas at rest.
double collision_frequency(const Molecules& molecules, double speed);

}  // namespace knudsen::boltzmann
