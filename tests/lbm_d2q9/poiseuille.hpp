#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "lbm_d2q9/flow_runner.hpp"

namespace knudsen::lbm_d2q9 {

/// Errors of a Poiseuille flow at steady state.
struct PoiseuilleError {
  int nodes = 0;          ///< across, the two solid ones included
  double normalised = 0;  ///< eq. 30 of Gomes (2016): root mean square of the local relative error
  double of_mean = 0;     ///< root mean square error over the mean velocity
};

/// Poiseuille flow at Re = 4 as in Gomes (2016), table 1: relaxation time 1, velocity shift, of
/// the `nodes` across two are solid. Turned to flow along y, so that its one row is worked on at
/// full width.
inline PoiseuilleError thesis_error(WallTreatment walls, int nodes, double acceleration) {
  const int fluid_nodes = nodes - 2;
  Parameters p = domain(fluid_nodes, 1, 1);
  p.forcing = Forcing::velocity_shift;
  p.body_force = {0, acceleration};
  p.propagation = Propagation::shared_memory;
  p.walls = walls;
  p.sides[west] = p.sides[east] = wall();
  const auto method = started(p);
  // The slowest part of the start decays by exp(-pi^2 viscosity / width^2) a step.
  method->advance(9LL * fluid_nodes * fluid_nodes);
  const auto v = values_of(*method, "velocity", 1);
  const double width = fluid_nodes;
  const double mean = acceleration * width * width / (12 * p.kinematic_viscosity);
  PoiseuilleError error;
  error.nodes = nodes;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double s = static_cast<double>(i) + 0.5;
    const double exact = acceleration / (2 * p.kinematic_viscosity) * s * (width - s);
    error.normalised += std::pow((v[i] - exact) / exact, 2) / width;
    error.of_mean += std::pow((v[i] - exact) / mean, 2) / width;
  }
  error.normalised = std::sqrt(error.normalised);
  error.of_mean = std::sqrt(error.of_mean);
  return error;
}

/// Errors on the first `count` of the thesis's grids, 16 to 256.
inline std::vector<PoiseuilleError> thesis_errors(WallTreatment walls, std::size_t count) {
  const std::vector<std::pair<int, double>> grids{
      {16, 4.859e-4}, {32, 4.938e-5}, {64, 5.595e-6}, {128, 6.6654e-7}, {256, 8.136e-8}};
  std::vector<PoiseuilleError> errors;
  for (std::size_t i = 0; i < count; ++i) {
    errors.push_back(thesis_error(walls, grids[i].first, grids[i].second));
  }
  return errors;
}

/// Order of convergence: the slope of the least-squares line through the logarithms.
inline double order_of(const std::vector<PoiseuilleError>& errors,
                       double PoiseuilleError::*measure) {
  double n = 0;
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (const PoiseuilleError& error : errors) {
    // The width of the fluid, which is what is resolved.
    const double log_size = std::log(error.nodes - 2.0);
    const double log_error = std::log(error.*measure);
    n += 1;
    x += log_size;
    y += log_error;
    xx += log_size * log_size;
    xy += log_size * log_error;
  }
  return -(n * xy - x * y) / (n * xx - x * x);
}

}  // namespace knudsen::lbm_d2q9
