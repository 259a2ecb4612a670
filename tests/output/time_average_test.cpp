#include "output/time_average.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace knudsen {
namespace {

/// Values of which each keeps a share of the one before (an autoregressive process of variance 1).
std::vector<double> correlated(std::size_t count, double share, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values{normal(engine)};
  while (values.size() < count) {
    values.push_back(share * values.back() + std::sqrt(1 - share * share) * normal(engine));
  }
  return values;
}

TEST(TimeAverage, OfIndependentValuesHasTheErrorOfTheirNumber) {
  const TimeAverage average = time_average(correlated(4096, 0, 1));
  EXPECT_NEAR(average.rms, 1, 0.05);
  // The largest of the errors from all lengths of blocks.
  EXPECT_NEAR(average.error * 64, 1.15, 0.25);
  EXPECT_LT(std::abs(average.mean), 4 * average.error);
}

TEST(TimeAverage, OfCorrelatedValuesHasTheErrorOfTheIndependentOnes) {
  // The variance of the mean is (1 + share) / (1 - share) / n for long series.
  constexpr double share = 0.95;
  const double theory = std::sqrt((1 + share) / (1 - share) / 16384);
  double mean_error = 0;
  int outside = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const TimeAverage average = time_average(correlated(16384, share, seed));
    mean_error += average.error / 20;
    outside += std::abs(average.mean) > 2 * average.error ? 1 : 0;
  }
  EXPECT_NEAR(mean_error / theory, 1.1, 0.2);
  EXPECT_LE(outside, 3);
}

TEST(TimeAverage, SaysThatADriftIsNotSettled) {
  std::vector<double> drift(1000);
  for (std::size_t i = 0; i < drift.size(); ++i) drift[i] = static_cast<double>(i);
  EXPECT_FALSE(time_average(drift).settled);
}

TEST(TimeAverage, OfAPeriodicQuantityIsSettled) {
  std::vector<double> wave(4096);
  for (std::size_t i = 0; i < wave.size(); ++i) {
    wave[i] = 3 + std::sin(2 * std::numbers::pi * static_cast<double>(i) / 50);
  }
  const TimeAverage average = time_average(wave);
  EXPECT_TRUE(average.settled);
  EXPECT_NEAR(average.mean, 3, average.error);
  EXPECT_NEAR(average.rms, std::sqrt(0.5), 0.01);
}

TEST(TimeAverage, OfAConstantHasNoError) {
  const TimeAverage average = time_average(std::vector<double>(least_averaged_values, 0.1));
  EXPECT_EQ(average.mean, 0.1);
  EXPECT_EQ(average.rms, 0);
  EXPECT_EQ(average.error, 0);
  EXPECT_TRUE(average.settled);
}

}  // namespace
}  // namespace knudsen
