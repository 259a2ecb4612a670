#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "model/problem.hpp"

namespace knudsen {

/// Advances until a monitor's relative change over `interval` steps is at most `tolerance`. Returns
/// false if it is still larger at step `most`.
inline bool run_to_steady_state(Method& method, std::int64_t interval, double tolerance,
                                std::int64_t most, const std::string& monitor = "kinetic_energy") {
  double before = method.monitor(monitor);
  for (std::int64_t step = 0; step < most; step += interval) {
    method.advance(interval);
    const double now = method.monitor(monitor);
    if (std::fabs(now - before) <= tolerance * std::fabs(now)) return true;
    before = now;
  }
  return false;
}

/// A component of a field, in the order of the field.
inline std::vector<double> values_of(Method& method, const std::string& name,
                                     std::size_t component = 0) {
  const Field field = method.field(name);
  const auto components = static_cast<std::size_t>(field.quantity.components);
  std::vector<double> values(field.size() / components);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = field[i * components + component];
  return values;
}

}  // namespace knudsen
