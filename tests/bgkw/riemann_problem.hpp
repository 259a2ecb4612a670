#pragma once

#include <cmath>

namespace knudsen::bgkw::test {

/// Exact solution of Riemann's problem of the Euler equations for a monatomic gas at rest on both
/// sides, the denser on the left: density at x / t.
class RiemannProblem {
 public:
  RiemannProblem(double left_density, double left_temperature, double right_density,
                 double right_temperature)
      : left_{left_density, left_density * left_temperature / 2},
        right_{right_density, right_density * right_temperature / 2} {
    // With increasing middle pressure the velocity behind the fan falls and that behind the shock
    // rises.
    double low = right_.pressure;
    double high = left_.pressure;
    for (int i = 0; i < 100; ++i) {
      middle_ = 0.5 * (low + high);
      (behind_fan(middle_) > behind_shock(middle_) ? low : high) = middle_;
    }
  }

  double density(double speed) const {
    const double a = sound(left_);
    const double u = behind_fan(middle_);
    const double inside_fan = left_.density * std::pow(middle_ / left_.pressure, 1 / gamma);
    const double tail = u - std::sqrt(gamma * middle_ / inside_fan);
    if (speed < -a) return left_.density;
    if (speed < tail) {
      const double local = (2 / (gamma + 1)) * (a - (gamma - 1) / 2 * speed);
      return left_.density * std::pow(local / a, 2 / (gamma - 1));
    }
    if (speed < u) return inside_fan;
    const double ratio = middle_ / right_.pressure;
    const double compression = (ratio + weak) / (ratio * weak + 1);
    const double shock = u * compression / (compression - 1);
    return speed < shock ? right_.density * compression : right_.density;
  }

 private:
  struct State {
    double density, pressure;
  };
  static constexpr double gamma = 5.0 / 3;
  static constexpr double weak = (gamma - 1) / (gamma + 1);

  static double sound(const State& s) { return std::sqrt(gamma * s.pressure / s.density); }
  double behind_fan(double pressure) const {
    return 2 * sound(left_) / (gamma - 1) *
           (1 - std::pow(pressure / left_.pressure, (gamma - 1) / (2 * gamma)));
  }
  double behind_shock(double pressure) const {
    return (pressure - right_.pressure) *
           std::sqrt(2 / ((gamma + 1) * right_.density) / (pressure + weak * right_.pressure));
  }

  State left_, right_;
  double middle_ = 0;
};

}  // namespace knudsen::bgkw::test
