#include "output/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <utility>

namespace knudsen {
namespace {

/// The Fourier transform sum_j x_j exp(-2 pi i j k / n) in place, for a power of two n: the
/// algorithm of Cooley and Tukey.
void transform(std::vector<std::complex<double>>& values) {
  const std::size_t n = values.size();
  for (std::size_t i = 1, reversed = 0; i < n; ++i) {
    std::size_t bit = n / 2;
    for (; (reversed & bit) != 0; bit /= 2) reversed ^= bit;
    reversed ^= bit;
    if (i < reversed) std::swap(values[i], values[reversed]);
  }
  for (std::size_t length = 2; length <= n; length *= 2) {
    for (std::size_t k = 0; k < length / 2; ++k) {
      const double angle =
          -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length);
      const std::complex<double> factor = std::polar(1.0, angle);
      for (std::size_t begin = 0; begin < n; begin += length) {
        const std::complex<double> even = values[begin + k];
        const std::complex<double> odd = factor * values[begin + k + length / 2];
        values[begin + k] = even + odd;
        values[begin + k + length / 2] = even - odd;
      }
    }
  }
}

}  // namespace

double Spectrum::peak() const {
  const auto largest = std::max_element(density.begin() + 1, density.end());
  return frequency[static_cast<std::size_t>(largest - density.begin())];
}

Spectrum power_spectrum(const std::vector<double>& samples, double interval) {
  double mean = 0;
  for (const double sample : samples) mean += sample;
  mean /= static_cast<double>(samples.size());

  std::size_t length = 1;
  while (length < samples.size()) length *= 2;
  std::vector<std::complex<double>> values(length);
  double window_squares = 0;
  for (std::size_t j = 0; j < samples.size(); ++j) {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(samples.size());
    const double window = 0.5 - 0.5 * std::cos(angle);
    window_squares += window * window;
    values[j] = window * (samples[j] - mean);
  }
  transform(values);

  Spectrum spectrum;
  for (std::size_t k = 0; k <= length / 2; ++k) {
    const double sides = k == 0 || k == length / 2 ? 1 : 2;
    spectrum.frequency.push_back(static_cast<double>(k) / (static_cast<double>(length) * interval));
    spectrum.density.push_back(sides * std::norm(values[k]) * interval / window_squares);
  }
  return spectrum;
}

}  // namespace knudsen
