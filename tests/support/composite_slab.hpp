#pragma once

#include <cmath>

namespace knudsen {

/// The slowest decay of the temperature in a slab of two layers, a solid from 0 to `interface` and
/// a fluid from there to `end`, between walls at temperature 0. The solid has `conductivity` and
/// `capacity` times those of the fluid. In node spacings and steps.
class CompositeSlab {
 public:
  CompositeSlab(double interface, double end, double diffusivity, double conductivity,
                double capacity)
      : interface_(interface), end_(end) {
    // k_s b_s cot(b_s a) + k_f b_f cot(b_f (L - a)) = 0 with b = sqrt(rate c / k): falls from
    // infinity to minus infinity before the first pole.
    const double pi = 3.14159265358979323846;
    const double ratio = std::sqrt(capacity / conductivity);  // b_s / b_f
    double low = 0;
    double high = pi / std::fmax(ratio * interface, end - interface);
    for (int i = 0; i < 200; ++i) {
      const double b = 0.5 * (low + high);
      const double balance = conductivity * ratio / std::tan(ratio * b * interface) +
                             1 / std::tan(b * (end - interface));
      (balance > 0 ? low : high) = b;
    }
    in_fluid_ = 0.5 * (low + high);
    in_solid_ = ratio * in_fluid_;
    rate_ = diffusivity * in_fluid_ * in_fluid_;
    share_ = std::sin(in_solid_ * interface) / std::sin(in_fluid_ * (end - interface));
  }

  /// Of the decay, a step.
  double rate() const { return rate_; }
  /// The mode, with amplitude 1 in the solid.
  double mode(double x) const {
    return x < interface_ ? std::sin(in_solid_ * x) : share_ * std::sin(in_fluid_ * (end_ - x));
  }

 private:
  double interface_, end_;
  double in_solid_ = 0, in_fluid_ = 0;  ///< wave numbers
  double rate_ = 0;
  double share_ = 0;  ///< amplitude in the fluid
};

}  // namespace knudsen
