#pragma once

#include <cmath>

#include "device/kokkos.hpp"

// How the fluxes of a gas follow small changes of its state, for the macroscopic equations of
// synthetic acceleration (README.md). Vectors of five are density, momentum x, y, z and twice the
// energy (the sums of f, f v and f v^2), or the fluxes of these.

namespace knudsen::shakhov {

inline constexpr int conserved_count = 5;

/// State of a cell about which the macroscopic equations are linearised.
struct LocalGas {
  float density = 1;
  float velocity[3] = {0, 0, 0};
  float temperature = 1;
  float rotation = 0;  ///< degrees of freedom of the rotation, whose temperature is that of the gas

  /// Twice the thermal energy of a molecule over the temperature.
  KOKKOS_INLINE_FUNCTION float capacity() const { return 1.5F + 0.5F * rotation; }
};

/// A small change of density, velocity and temperature.
struct GasChange {
  float density = 0;
  float velocity[3] = {0, 0, 0};
  float temperature = 0;

  /// From the change of the conserved quantities.
  KOKKOS_INLINE_FUNCTION GasChange(const LocalGas& gas, const float (&change)[conserved_count])
      : density(change[0]) {
    float square = 0;
    float along = 0;
    for (int d = 0; d < 3; ++d) {
      velocity[d] = (change[1 + d] - gas.velocity[d] * change[0]) / gas.density;
      square += gas.velocity[d] * gas.velocity[d];
      along += gas.velocity[d] * velocity[d];
    }
    const float capacity = gas.capacity();
    const float energy = square + capacity * gas.temperature;
    temperature =
        (change[4] - energy * change[0]) / (capacity * gas.density) - along * (2.0F / capacity);
  }
};

/// Moments of one component v of a Maxwellian of density one, the integrals of v^n, and their
/// derivatives for a change of velocity and temperature.
struct ComponentMoments {
  float value[5];
  float change[5];
};

/// Moments 1 to 4 over all velocities. T is the temperature, T / 2 the variance of a component.
KOKKOS_INLINE_FUNCTION ComponentMoments full_moments(const LocalGas& gas, const GasChange& by,
                                                     int axis) {
  const float u = gas.velocity[axis];
  const float t = gas.temperature;
  ComponentMoments m{};
  m.value[0] = 1;
  m.value[1] = u;
  for (int n = 1; n < 4; ++n)
    m.value[n + 1] = u * m.value[n] + 0.5F * float(n) * t * m.value[n - 1];
  m.change[1] = by.velocity[axis];
  for (int n = 2; n < 5; ++n) {
    m.change[n] = float(n) * m.value[n - 1] * by.velocity[axis] +
                  0.25F * float(n) * float(n - 1) * m.value[n - 2] * by.temperature;
  }
  return m;
}

/// Moments 1 to 3 over the positive velocities.
KOKKOS_INLINE_FUNCTION ComponentMoments positive_moments(const LocalGas& gas, const GasChange& by,
                                                         int axis) {
  const float u = gas.velocity[axis];
  const float t = gas.temperature;
  const float scaled = u / std::sqrt(t);
  constexpr float pi = 3.14159265F;
  const float at_zero = std::exp(-scaled * scaled) / std::sqrt(pi * t);
  ComponentMoments m{};
  m.value[0] = 0.5F * std::erfc(-scaled);
  m.value[1] = u * m.value[0] + 0.5F * t * at_zero;
  m.value[2] = u * m.value[1] + 0.5F * t * m.value[0];
  m.value[3] = u * m.value[2] + t * m.value[1];
  m.change[1] = m.value[0] * by.velocity[axis] + 0.25F * at_zero * by.temperature;
  for (int n = 2; n < 4; ++n) {
    m.change[n] = float(n) * m.value[n - 1] * by.velocity[axis] +
                  0.25F * float(n) * float(n - 1) * m.value[n - 2] * by.temperature;
  }
  return m;
}

/// Fluxes in the direction `sign` along an axis, positive for the mass, of the molecules of a
/// Maxwellian that move that way.
KOKKOS_INLINE_FUNCTION void half_range_flux(double density, const double (&velocity)[3],
                                            double temperature, int axis, double sign,
                                            double (&flux)[conserved_count]) {
  const double u = sign * velocity[axis];
  const double scaled = u / std::sqrt(temperature);
  constexpr double pi = 3.14159265358979324;
  const double at_zero = std::exp(-scaled * scaled) / std::sqrt(pi * temperature);
  const double zero = 0.5 * std::erfc(-scaled);
  const double one = u * zero + 0.5 * temperature * at_zero;
  const double two = u * one + 0.5 * temperature * zero;
  const double three = u * two + temperature * one;
  flux[0] = density * one;
  double across = temperature;  // mean square of the velocity across the axis
  for (int d = 0; d < 3; ++d) {
    flux[1 + d] = d == axis ? sign * density * two : flux[0] * velocity[d];
    if (d != axis) across += velocity[d] * velocity[d];
  }
  flux[4] = density * three + flux[0] * across;
}

/// Change of the moments <v^power psi> of a Maxwellian, where v is the component along `axis`, psi
/// are the conserved quantities and `m` has the moments of that component.
KOKKOS_INLINE_FUNCTION void moment_change(const LocalGas& gas, const GasChange& by, int axis,
                                          const ComponentMoments& m, int power,
                                          float (&result)[conserved_count]) {
  const float n = gas.density;
  const float mass = by.density * m.value[power] + n * m.change[power];
  result[0] = mass;
  // Velocities across the axis: their square has the mean w^2 + T. The rotation has the rest.
  const float capacity = 1 + 0.5F * gas.rotation;
  float across = capacity * gas.temperature;
  float across_change = capacity * by.temperature;
  for (int d = 0; d < 3; ++d) {
    const float u = gas.velocity[d];
    if (d == axis) {
      result[1 + d] = by.density * m.value[power + 1] + n * m.change[power + 1];
    } else {
      result[1 + d] = mass * u + n * m.value[power] * by.velocity[d];
      across += u * u;
      across_change += 2 * u * by.velocity[d];
    }
  }
  result[4] = by.density * m.value[power + 2] + n * m.change[power + 2] + mass * across +
              n * m.value[power] * across_change;
}

/// Changes of the fluxes along an axis.
struct FluxChange {
  float forward[conserved_count];   ///< of molecules with positive velocity
  float backward[conserved_count];  ///< of molecules with negative velocity; mostly negative
  /// <v v psi>. Its gradient over the relaxation rate is the flux of Navier, Stokes and Fourier.
  float diffusive[conserved_count];
};

/// `prandtl` is that of the model.
KOKKOS_INLINE_FUNCTION FluxChange flux_change(const LocalGas& gas,
                                              const float (&change)[conserved_count], int axis,
                                              float prandtl) {
  const GasChange by(gas, change);
  const ComponentMoments full = full_moments(gas, by, axis);
  const ComponentMoments positive = positive_moments(gas, by, axis);
  FluxChange result;
  moment_change(gas, by, axis, positive, 1, result.forward);
  moment_change(gas, by, axis, full, 1, result.backward);
  for (int i = 0; i < conserved_count; ++i) result.backward[i] -= result.forward[i];
  moment_change(gas, by, axis, full, 2, result.diffusive);
  // The conductivity of a model with Prandtl number one is (5 + rotation) / 8 n T / rate for the
  // heat flux, twice that for twice the energy.
  result.diffusive[4] += (1 / prandtl - 1) * (1.25F + 0.25F * gas.rotation) * gas.density *
                         gas.temperature * by.temperature;
  return result;
}

/// Speed in which differences of pressure disperse in a continuum: that of the gas, at least that
/// of diffusion across a cell, at most that of molecules.
template <class Real>
KOKKOS_INLINE_FUNCTION Real dispersal_speed(Real speed, Real diffusivity, Real width,
                                            Real temperature) {
  const Real slow = math::fabs(speed) + 2 * diffusivity / width;
  const Real fast = std::sqrt(temperature);
  return slow < fast ? slow : fast;
}

/// The same for a continuum on cells of this width: Euler's flux, split into two halves that
/// disperse differences of pressure and normal velocity with dispersal_speed and all others with
/// the speed of the gas, and the momentum and heat that gradients conduct. For a preconditioner.
KOKKOS_INLINE_FUNCTION FluxChange continuum_flux_change(const LocalGas& gas,
                                                        const float (&change)[conserved_count],
                                                        int axis, float prandtl, float rate,
                                                        float width) {
  const GasChange by(gas, change);
  float full[conserved_count];
  moment_change(gas, by, axis, full_moments(gas, by, axis), 1, full);
  const float n = gas.density;
  const float t = gas.temperature;
  const float speed = math::fabs(gas.velocity[axis]);
  const float dispersal = dispersal_speed(speed, 0.5F * t / rate, width, t);
  const float pressure = 0.5F * (n * by.temperature + t * by.density);
  const float entropic = by.density - 1.2F * pressure / t;  // density at constant pressure
  const float mass = pressure / dispersal + speed * entropic;
  float square = 0;
  for (const float u : gas.velocity) square += u * u;
  FluxChange result;
  float spread[conserved_count];
  spread[0] = mass;
  spread[4] = (square + 2.5F * t) * mass + speed * (2.5F * n * by.temperature - 2 * pressure);
  result.diffusive[0] = 0;
  result.diffusive[4] = 1.25F * n * t * by.temperature / prandtl;
  for (int d = 0; d < 3; ++d) {
    const float momentum = n * (d == axis ? dispersal : speed) * by.velocity[d];
    spread[1 + d] = gas.velocity[d] * mass + momentum;
    spread[4] += 2 * gas.velocity[d] * momentum;
    result.diffusive[1 + d] = 0.5F * n * t * by.velocity[d] * (d == axis ? 4.0F / 3 : 1.0F);
    result.diffusive[4] += 2 * gas.velocity[d] * result.diffusive[1 + d];
  }
  for (int i = 0; i < conserved_count; ++i) {
    result.forward[i] = 0.5F * (full[i] + spread[i]);
    result.backward[i] = 0.5F * (full[i] - spread[i]);
  }
  return result;
}

/// changes += share x (others - changes)
KOKKOS_INLINE_FUNCTION void blend(float share, const FluxChange& others, FluxChange& changes) {
  for (int i = 0; i < conserved_count; ++i) {
    changes.forward[i] += share * (others.forward[i] - changes.forward[i]);
    changes.backward[i] += share * (others.backward[i] - changes.backward[i]);
    changes.diffusive[i] += share * (others.diffusive[i] - changes.diffusive[i]);
  }
}

}  // namespace knudsen::shakhov
