#include "output/spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

namespace knudsen {
namespace {

constexpr double pi = std::numbers::pi;

/// A mean, two waves and something between them.
std::vector<double> samples(std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    const auto t = static_cast<double>(i);
    values.push_back(3 + std::sin(2 * pi * 0.11 * t) + 0.2 * std::cos(2 * pi * 0.31 * t + 1) +
                     0.01 * std::sin(t * t));
  }
  return values;
}

/// The definition, by a plain sum.
double density_of(const std::vector<double>& values, double frequency, double interval,
                  double sides) {
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  std::complex<double> sum = 0;
  double squares = 0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    const double share = static_cast<double>(j) / static_cast<double>(values.size());
    const double window = std::pow(std::sin(pi * share), 2);
    const double angle = -2 * pi * frequency * static_cast<double>(j) * interval;
    sum += window * (values[j] - mean) * std::polar(1.0, angle);
    squares += window * window;
  }
  return sides * std::norm(sum) * interval / squares;
}

TEST(Spectrum, IsThatOfTheDefinition) {
  for (const std::size_t count : {8U, 15U, 16U, 17U, 100U}) {
    const std::vector<double> values = samples(count);
    const double interval = 0.25;
    const Spectrum spectrum = power_spectrum(values, interval);
    const std::size_t last = spectrum.frequency.size() - 1;
    EXPECT_EQ(spectrum.frequency[0], 0);
    EXPECT_EQ(spectrum.frequency[last], 0.5 / interval);
    for (std::size_t k = 0; k <= last; ++k) {
      const double sides = k == 0 || k == last ? 1 : 2;
      EXPECT_NEAR(spectrum.density[k], density_of(values, spectrum.frequency[k], interval, sides),
                  1e-12);
    }
  }
}

TEST(Spectrum, FindsAWaveAndItsVariance) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(5 + 2 * std::sin(2 * pi * 0.07 * i));
  const Spectrum spectrum = power_spectrum(values, 0.5);
  EXPECT_NEAR(spectrum.peak(), 0.14, 0.001);
  double integral = 0;
  for (const double density : spectrum.density) integral += density * spectrum.frequency[1];
  EXPECT_NEAR(integral, 2, 0.01);  // half the square of the amplitude
}

TEST(Spectrum, OfAConstantIsZero) {
  for (const double density : power_spectrum(std::vector<double>(20, 0.1), 1).density) {
    EXPECT_LT(density, 1e-30);
  }
}

}  // namespace
}  // namespace knudsen
