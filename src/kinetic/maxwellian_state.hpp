#pragma once

#include <cmath>
#include <numbers>

#include "device/function.hpp"
#include "kinetic/gas.hpp"

namespace knudsen {

/// The function amplitude x exp(-|v - velocity|^2 / temperature).
struct Maxwellian {
  double amplitude = 0;            ///< density / (pi T)^(3/2)
  double velocity[3] = {0, 0, 0};  ///< mean velocity
  double temperature = 1;

  /// The factor of one velocity component; the Maxwellian is amplitude x three factors.
  KNUDSEN_INLINE_FUNCTION double factor(int component, double node) const {
    const double c = node - velocity[component];
    return std::exp(-c * c / temperature);
  }
};

KNUDSEN_INLINE_FUNCTION Maxwellian maxwellian(double density, const double (&velocity)[3],
                                              double temperature) {
  const double width = std::numbers::pi * temperature;
  return {
      density / (width * std::sqrt(width)), {velocity[0], velocity[1], velocity[2]}, temperature};
}

inline Maxwellian maxwellian(const GasState& state) {
  return maxwellian(state.density, {state.velocity[0], state.velocity[1], state.velocity[2]},
                    state.temperature);
}

}  // namespace knudsen
