#pragma once

#include <array>
#include <cmath>

#include "methods/lattice/slip.hpp"

namespace knudsen {

/// Flow between two parallel walls with slip, at s = 0 and s = width, as the Navier-Stokes
/// equations and the conditions of README.md have it. The first wall is at rest.
struct SlipChannel {
  double width = 1;
  double viscosity = 1;
  double mean_free_path = 0;
  double force = 0;  ///< over density
  double speed = 0;  ///< of the second wall
  std::array<double, 2> accommodation{1, 1};
  lbm::SlipCoefficients slip;

  double first(std::size_t wall) const {
    const double a = accommodation[wall];
    return slip.first_order * (2 - a) / a * (1 - 0.1211 / 1.0162 * (1 - a)) * mean_free_path;
  }
  /// Velocity at the distance s from the first wall.
  double velocity(double s) const {
    const double curvature = force / viscosity;
    const double second = slip.second_order * mean_free_path * mean_free_path * curvature;
    const double slope =
        (speed + curvature * width * (width / 2 + first(1))) / (width + first(0) + first(1));
    return first(0) * slope + second + slope * s - curvature * s * s / 2;
  }
  /// Its mean, by Simpson's rule, which is exact for a parabola.
  double mean() const { return (velocity(0) + 4 * velocity(width / 2) + velocity(width)) / 6; }
};

}  // namespace knudsen
