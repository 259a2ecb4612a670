#include "device/quick_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace knudsen::test {
namespace {

template <class Real>
double largest_relative_error(double from, double to) {
  constexpr int points = 200000;
  double largest = 0;
  for (int i = 0; i <= points; ++i) {
    const auto x = static_cast<Real>(from + (to - from) * i / points);
    const auto exact = std::exp(static_cast<long double>(x));
    const auto error = (static_cast<long double>(quick_exponential(x)) - exact) / exact;
    largest = std::max(largest, static_cast<double>(std::fabs(error)));
  }
  return largest;
}

TEST(QuickExponential, IsExactToTheLastBinaryDigit) {
  for (const double range : {1e-3, 1.0, 87.0}) {
    EXPECT_LT(largest_relative_error<float>(-range, range), std::numeric_limits<float>::epsilon());
    EXPECT_LT(largest_relative_error<double>(-range, range),
              std::numeric_limits<double>::epsilon());
  }
  EXPECT_LT(largest_relative_error<double>(-708, -87), std::numeric_limits<double>::epsilon());
  EXPECT_EQ(quick_exponential(0.0), 1);
  EXPECT_EQ(quick_exponential(0.0F), 1);
}

TEST(QuickExponential, VanishesBelowTheLeastNormalNumber) {
  EXPECT_EQ(quick_exponential(-87.4F), 0);
  EXPECT_EQ(quick_exponential(-708.5), 0);
  EXPECT_EQ(quick_exponential(-std::numeric_limits<float>::max()), 0);
  EXPECT_EQ(quick_exponential(-std::numeric_limits<double>::infinity()), 0);
}

}  // namespace
}  // namespace knudsen::test
