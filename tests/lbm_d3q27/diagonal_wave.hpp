#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace knudsen::lbm_d3q27 {

/// Largest error of a wave sin(k (x + y - z)) in a stream along x, over its amplitude, in a
/// periodic box of n^3 nodes after n^2 steps; k = 2 pi / n. `found`: values of the nodes, x
/// fastest.
inline double error_of_diagonal_wave(const std::vector<double>& found, int n, double diffusivity,
                                     double stream) {
  const double k = 2 * std::numbers::pi / n;
  const double decay = std::exp(-3 * k * k * diffusivity * n * n);
  double difference = 0;
  std::size_t i = 0;
  for (int z = 0; z < n; ++z) {
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x, ++i) {
        const double exact = decay * std::sin(k * (x + y - z + 0.5 - stream * n * n));
        difference = std::max(difference, std::fabs(found[i] - exact));
      }
    }
  }
  return difference / decay;
}

}  // namespace knudsen::lbm_d3q27
