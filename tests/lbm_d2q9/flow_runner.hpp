#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "methods/lbm_d2q9/parameters.hpp"

namespace knudsen::lbm_d2q9 {

inline SideCondition wall(double u = 0, double v = 0) { return {SideKind::wall, {u, v}, false, 1}; }

/// A domain in double precision, periodic and at rest until a test says otherwise.
inline Parameters domain(int nx, int ny, double relaxation_time) {
  Parameters p;
  p.single_precision = false;
  p.nx = nx;
  p.ny = ny;
  p.length = ny;
  p.relaxation_time = relaxation_time;
  p.kinematic_viscosity = (relaxation_time - 0.5) / 3;
  return p;
}

inline std::unique_ptr<Method> started(const Parameters& parameters) {
  auto method = make_method(parameters, Backend::host);
  method->initialise();
  return method;
}

/// Advances until a monitor's relative change over `interval` steps is at most `tolerance`; false
/// when that has not come by step `most`.
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

/// A component of a field, (y, x).
inline std::vector<double> values_of(Method& method, const std::string& name,
                                     std::size_t component = 0) {
  const Field field = method.field(name);
  const auto components = static_cast<std::size_t>(field.quantity.components);
  std::vector<double> values(field.size() / components);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = field[i * components + component];
  return values;
}

}  // namespace knudsen::lbm_d2q9
