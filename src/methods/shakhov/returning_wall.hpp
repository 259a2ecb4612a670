#pragma once

#include <cmath>
#include <numbers>

#include "kinetic/surface.hpp"
#include "methods/shakhov/small_matrix.hpp"

// What walls with a law of their own for each face return of small changes of what reaches them,
// for synthetic acceleration (README.md). Vectors of five are as in maxwellian_fluxes.hpp: sums of
// |v_n| times 1, v and v^2.

namespace knudsen::shakhov {

/// A wall of given heat flux or of Cercignani and Lampis, or neither of them.
struct ReturningWall {
  bool heated = false;
  bool scatters = false;
  double heat = 0;        ///< SurfaceLaw::heat
  double tangential = 1;  ///< CercignaniLampis
  double normal_energy = 1;
  double velocity[3] = {0, 0, 0};
  double temperature = 1;
  double rotation = 0;  ///< degrees of freedom of the rotation of a molecule

  ReturningWall() = default;
  ReturningWall(const SideCondition& condition, double of_rotation) : rotation(of_rotation) {
    const SurfaceLaw law = surface_law(condition);
    heated = law.heated;
    scatters = law.scatters;
    heat = law.heat;
    temperature = condition.state.temperature;
    for (std::size_t d = 0; d < 3; ++d) velocity[d] = condition.state.velocity[d];
    if (!condition.cercignani_lampis) return;
    tangential = condition.cercignani_lampis->tangential;
    normal_energy = condition.cercignani_lampis->normal;
  }

  KOKKOS_INLINE_FUNCTION bool returns() const { return heated || scatters; }
  /// Share of what arrives that comes back as from a diffuse wall, about.
  KOKKOS_INLINE_FUNCTION double diffuse() const { return scatters ? tangential : 1; }

  /// What a wall of given heat flux returns of the flux `arriving`. The normal points into the gas.
  KOKKOS_INLINE_FUNCTION void emit(const double (&arriving)[conserved_count],
                                   const double (&normal)[3],
                                   double (&emitted)[conserved_count]) const {
    const double energy = in_own_frame(arriving) + 2 * heat;
    const double mass = arriving[0];
    const double square = speed_square();
    const double pressure = mass > 0 && energy > 0 ? pressure_of(mass, energy) : 0;
    emitted[0] = mass;
    for (int d = 0; d < 3; ++d) emitted[1 + d] = velocity[d] * mass + normal[d] * pressure;
    emitted[4] = energy + square * mass;
  }

  /// Whether mass and energy that a wall of given heat flux emits do not differ by more than a half
  /// for two fluxes that arrive.
  KOKKOS_INLINE_FUNCTION bool emits_about_as(const double (&before)[conserved_count],
                                             const double (&after)[conserved_count]) const {
    const double energy_before = in_own_frame(before) + 2 * heat;
    const double energy_after = in_own_frame(after) + 2 * heat;
    return math::fabs(after[0] - before[0]) <= 0.5 * before[0] &&
           math::fabs(energy_after - energy_before) <= 0.5 * energy_before;
  }

  /// The change of what the wall returns for a change of the flux that arrives. Cercignani and
  /// Lampis's kernel is linear in it; the parts of its energy are taken to be those at equilibrium.
  /// The normal points into the gas, for that kernel along an axis.
  KOKKOS_INLINE_FUNCTION SmallMatrix returned(const double (&arriving)[conserved_count],
                                              const double (&normal)[3]) const {
    const double square = speed_square();
    SmallMatrix m;
    m.value[0][0] = 1;
    if (heated) {
      for (int d = 0; d < 3; ++d) m.value[1 + d][0] = velocity[d];
      m.value[4][0] = 2 * square;
      for (int d = 0; d < 3; ++d) m.value[4][1 + d] = -2 * velocity[d];
      m.value[4][4] = 1;
      const double energy = in_own_frame(arriving) + 2 * heat;
      if (!(arriving[0] > 0 && energy > 0)) return m;
      const double half = 0.5 * pressure_of(arriving[0], energy);
      for (int k = 0; k < 3; ++k) {
        const double pressure = normal[k] * half;
        m.value[1 + k][0] += pressure * (1 / arriving[0] + square / energy);
        for (int d = 0; d < 3; ++d) m.value[1 + k][1 + d] -= 2 * velocity[d] * pressure / energy;
        m.value[1 + k][4] = pressure / energy;
      }
      return m;
    }
    const double kept = 1 - tangential;
    const double accommodated = 0.5 * (normal_energy + tangential * (2 - tangential));
    for (int d = 0; d < 3; ++d) {
      if (normal[d] != 0) {
        m.value[1 + d][0] =
            normal_energy * normal[d] * 0.5 * std::sqrt(std::numbers::pi * temperature);
        m.value[1 + d][1 + d] = normal_energy - 1;
      } else {
        m.value[1 + d][0] = tangential * velocity[d];
        m.value[1 + d][1 + d] = kept;
        m.value[4][1 + d] = 2 * velocity[d] * (kept - (1 - accommodated));
      }
    }
    m.value[4][0] = 2 * accommodated * temperature + square * (1 - accommodated - 2 * kept + 1);
    m.value[4][4] = 1 - accommodated;
    return m;
  }

 private:
  /// Momentum flux of half a Maxwellian from its fluxes of mass and of twice the energy.
  KOKKOS_INLINE_FUNCTION double pressure_of(double mass, double energy) const {
    return std::sqrt(std::numbers::pi * mass * energy / (8 + 2 * rotation));
  }
  KOKKOS_INLINE_FUNCTION double speed_square() const {
    return velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2];
  }
  /// Twice the energy flux in the frame of the wall.
  KOKKOS_INLINE_FUNCTION double in_own_frame(const double (&flux)[conserved_count]) const {
    double energy = flux[4] + speed_square() * flux[0];
    for (int d = 0; d < 3; ++d) energy -= 2 * velocity[d] * flux[1 + d];
    return energy;
  }
};

}  // namespace knudsen::shakhov
