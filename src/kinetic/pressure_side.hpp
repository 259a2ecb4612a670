#pragma once

#include <cmath>

#include "device/function.hpp"
#include "kinetic/side_condition.hpp"
#include "kinetic/velocity_grid.hpp"

// Sides of given pressure, for flows slower than sound. A face lets in the Maxwellian of a state
// that follows from the gas of the cell beside it: the wave that reaches the side keeps
// u + p / (rho a), where u is the velocity out of the gas and a the speed of sound. See M. Wang and
// Z. Li, Int. J. Heat Fluid Flow 25 (2004) 975, and W. W. Liou and Y. C. Fang, CMES 1 (2000) 119.

namespace knudsen {

/// Numbers of a side of given pressure.
struct PressureSide {
  double pressure = 0;     ///< in p_ref; 0: no such side
  double temperature = 0;  ///< of what enters; 0: follows from the gas beside the side
  double adiabatic_index = 5.0 / 3;
  double rotation = 0;  ///< degrees of freedom of the rotation of a molecule
  /// Discrete density and pressure of the side's Maxwellian at rest over the exact ones. Gas that
  /// rests at the pressure of the side is found to do so to rounding, on any velocity grid.
  double density_sum = 1;
  double pressure_sum = 1;
};

/// Of a condition; `rotation` are the degrees of freedom of the rotation of a molecule.
PressureSide pressure_side(const SideCondition& condition, const VelocityGrid& velocities,
                           double rotation);

/// What a face of such a side emits.
struct PressureEmission {
  double density = 0;
  double velocity[3] = {0, 0, 0};
  double temperature = 1;
  /// Mach number across the face before the velocity was limited to that of sound. From 1 on the
  /// side does not apply.
  double mach = 0;
};

/// For a side in a direction (core/sides.hpp) of a cell whose gas has discrete mass, momentum and
/// energy sums of f, f v and f v^2 (RawMoments<5>), with the energy of the rotation.
KNUDSEN_INLINE_FUNCTION PressureEmission pressure_emission(const PressureSide& side, int direction,
                                                           const double (&sums)[5]) {
  PressureEmission found;
  if (!(sums[0] > 0)) return found;  // a solid cell
  const int axis = direction / 2;
  const double outward = direction % 2 == 1 ? 1 : -1;
  double square = 0;
  for (int d = 0; d < 3; ++d) {
    found.velocity[d] = sums[1 + d] / sums[0];
    square += found.velocity[d] * found.velocity[d];
  }
  const double density = sums[0] / side.density_sum;
  const double pressure =
      2 * (sums[4] - sums[0] * square) / ((3 + side.rotation) * side.pressure_sum);
  const double gamma = side.adiabatic_index;
  // Pressures are in p_ref, half of rho_ref v_ref^2.
  const double sound = std::sqrt(gamma * pressure / (2 * density));
  double speed =
      outward * found.velocity[axis] + (pressure - side.pressure) / (2 * density * sound);
  if (side.temperature > 0) {
    found.temperature = side.temperature;
    found.density = side.pressure / side.temperature;
    for (double& component : found.velocity) component = 0;
  } else {
    found.density = density + (side.pressure - pressure) / (2 * sound * sound);
    found.temperature = side.pressure / found.density;
  }
  const double limit = std::sqrt(gamma * found.temperature / 2);
  found.mach = std::fabs(speed) / limit;
  if (found.mach > 1) speed = speed < 0 ? -limit : limit;
  found.velocity[axis] = outward * speed;
  return found;
}

}  // namespace knudsen
