#pragma once

#include "kinetic/maxwellian_state.hpp"
#include "kinetic/surface.hpp"
#include "kinetic/velocity_space.hpp"

// Walls of a given heat flux. They re-emit what reaches them diffusely, at the temperature with
// which the energy of what they emit, in sums over the discrete velocities, is that of what arrives
// and what the wall adds.

namespace knudsen {

/// What a wall of a given heat flux emits at a face.
struct HeatedEmission {
  double temperature = 0;  ///< NaN if the wall would have to take more energy than arrives
  double density = 0;      ///< of the Maxwellian
};

/// Sums over the nodes of an axis of v^0, v^2 and v^4 times the factor of a Maxwellian, v relative
/// to the wall; along the normal of the velocities out of the wall, with |v| as another factor.
struct AxisSums {
  double zeroth = 0;
  double second = 0;
  double fourth = 0;
};

/// `inward`: the sign of velocities out of the wall, 0 along other axes.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION AxisSums sum_along(const VelocitySpace<ExecutionSpace, Real>& velocities,
                                          int axis, double wall_velocity, double temperature,
                                          int inward) {
  if (axis + velocities.integrated >= 3)
    return {1, 0.5 * temperature, 0.75 * temperature * temperature};
  AxisSums sums;
  for (int i = 0; i < velocities.count[axis]; ++i) {
    const auto v = double(velocities.nodes[axis](i));
    if (inward * v < 0) continue;
    const double square = (v - wall_velocity) * (v - wall_velocity);
    const double term = double(velocities.weights[axis](i)) * (inward == 0 ? 1 : std::fabs(v)) *
                        std::exp(-square / temperature);
    sums.zeroth += term;
    sums.second += term * square;
    sums.fourth += term * square * square;
  }
  return sums;
}

/// Mean energy, in the frame of a wall, of the molecules that it emits if it adds the energy `heat`
/// to what leaves the gas: `leaving`, fluxes as in SurfaceFlux, all of the same unit, positive for
/// the mass.
KOKKOS_INLINE_FUNCTION double energy_to_emit(const double (&wall_velocity)[3], double heat,
                                             const double (&leaving)[flux_count]) {
  double energy = leaving[4] + heat;
  for (int d = 0; d < 3; ++d) {
    energy += wall_velocity[d] * (0.5 * wall_velocity[d] * leaving[0] - leaving[1 + d]);
  }
  return energy / leaving[0];
}

/// The temperature with which a wall emits molecules of the mean energy `energy`, by Newton's
/// method from `temperature`, at most by a factor of 2 a step. `mean_of(T, slope)` returns the mean
/// energy of what it emits at the temperature T and sets its derivative. The last call is for the
/// result. NaN if there is none: discrete velocities have a least and a largest mean energy.
template <class MeanOf>
KOKKOS_INLINE_FUNCTION double temperature_to_emit(double energy, double temperature,
                                                  double tolerance, const MeanOf& mean_of) {
  constexpr int most_steps = 50;
  constexpr double largest_error = 1e-6;  // of the energy; rounding may forbid a smaller step
  for (int step = 1;; ++step) {
    double slope = 0;
    const double found = mean_of(temperature, slope);
    const double wanted = temperature + (energy - found) / slope;
    const double next = wanted > 2 * temperature     ? 2 * temperature
                        : wanted > 0.5 * temperature ? wanted
                                                     : 0.5 * temperature;
    if (step == most_steps || !(std::fabs(next - temperature) > tolerance * temperature)) {
      return std::fabs(found - energy) <= largest_error * energy ? temperature : double(NAN);
    }
    temperature = next;
  }
}

/// What a wall emits on the given side of a cell that adds the energy `heat` to `leaving`, see
/// energy_to_emit.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION HeatedEmission heated_emission(
    const VelocitySpace<ExecutionSpace, Real>& velocities, int side,
    const double (&wall_velocity)[3], double heat, const double (&leaving)[flux_count]) {
  const int normal = side / 2;
  const int inward = side % 2 == 0 ? 1 : -1;
  const double energy = energy_to_emit(wall_velocity, heat, leaving);
  if (!(energy > 0)) return {NAN, NAN};
  // From the temperature on a fine grid.
  constexpr double tolerance = 1e-15;
  const double start = energy / (1 + 0.25 * velocities.rotation);
  double zeroth = 0;
  const auto mean_of = [&](double temperature, double& slope) {
    double found = 0.25 * velocities.rotation * temperature;
    slope = 0.25 * velocities.rotation;
    zeroth = 1;
    for (int d = 0; d < 3; ++d) {
      const AxisSums sums =
          sum_along(velocities, d, wall_velocity[d], temperature, d == normal ? inward : 0);
      const double mean = sums.second / sums.zeroth;
      found += 0.5 * mean;
      slope += 0.5 * (sums.fourth / sums.zeroth - mean * mean) / (temperature * temperature);
      zeroth *= sums.zeroth;
    }
    return found;
  };
  const double temperature = temperature_to_emit(energy, start, tolerance, mean_of);
  // Of components integrated out the factor of a Maxwellian is their whole integral.
  const double width = 3.141592653589793 * temperature;
  const double amplitude = 1 / (width * std::sqrt(width));
  for (int d = 0; d < velocities.integrated; ++d) zeroth *= std::sqrt(width);
  return {temperature, leaving[0] / (amplitude * zeroth)};
}

}  // namespace knudsen
