#pragma once

#include <memory>

#include "methods/lbm_d2q9/parameters.hpp"
#include "support/steady_state.hpp"

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

}  // namespace knudsen::lbm_d2q9
