#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "model/method.hpp"
#include "support/steady_state.hpp"

namespace knudsen {

/// A channel along x under a pressure gradient that swings as sin(2 pi t / period).
struct Womersley {
  double width = 0;  ///< across y
  double viscosity = 0;
  double force = 0;  ///< largest pressure gradient over the density
  double period = 0;

  /// Exact velocity at a distance from one wall and a time (Womersley 1955, between plates).
  double velocity(double y, double time) const {
    using Complex = std::complex<double>;
    const double frequency = 2 * std::numbers::pi / period;
    const Complex i(0, 1);
    const Complex wave = std::sqrt(i * frequency / viscosity);
    const Complex shape = 1.0 - std::cosh(wave * (y - width / 2)) / std::cosh(wave * (width / 2));
    return (force / (i * frequency) * shape * std::exp(i * frequency * time)).imag();
  }

  /// Largest error of a method over a period after two, on a line of nodes along y, over the
  /// largest velocity. `first` is the line's first node, `stride` that to the next one.
  double error(Method& method, std::size_t first, std::size_t stride) const {
    const int checks = 8;
    const auto interval = static_cast<std::int64_t>(period / checks);
    std::int64_t step = 2 * checks * interval;
    method.advance(step);
    double worst = 0;
    double largest = 0;
    for (int check = 0; check < checks; ++check) {
      method.advance(interval);
      step += interval;
      const std::vector<double> u = values_of(method, "velocity");
      for (int y = 0; y < static_cast<int>(width); ++y) {
        const double exact = velocity(y + 0.5, static_cast<double>(step));
        const double found = u[first + stride * static_cast<std::size_t>(y)];
        worst = std::max(worst, std::abs(found - exact));
        largest = std::max(largest, std::abs(exact));
      }
    }
    return worst / largest;
  }
};

}  // namespace knudsen
