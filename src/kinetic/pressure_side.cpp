#include "kinetic/pressure_side.hpp"

#include <cstddef>

#include "kinetic/maxwellian_state.hpp"

namespace knudsen {

PressureSide pressure_side(const SideCondition& condition, const VelocityGrid& velocities,
                           double rotation) {
  PressureSide side;
  side.pressure = condition.state.density * condition.state.temperature;
  side.temperature = condition.sets_temperature ? condition.state.temperature : 0;
  side.adiabatic_index = (5 + rotation) / (3 + rotation);
  side.rotation = rotation;
  const double t = condition.state.temperature;
  double energy = 3 + rotation;  // over that of a component, with the density as a factor
  for (const VelocityAxis& axis : velocities) {
    if (axis.integrated) continue;
    double line = 0;
    double square = 0;
    for (std::size_t i = 0; i < axis.nodes.size(); ++i) {
      const double v = axis.nodes[i];
      const double share = axis.weights[i] * std::exp(-v * v / t);
      line += share;
      square += share * v * v;
    }
    side.density_sum *= line / std::sqrt(std::numbers::pi * t);
    energy += square / line / (t / 2) - 1;
  }
  side.pressure_sum = side.density_sum * energy / (3 + rotation);
  return side;
}

}  // namespace knudsen
