#include <gtest/gtest.h>

#include <cmath>

#include "problem.hpp"

namespace knudsen::shakhov {
namespace {

using test::cavity;
using test::converge;
using test::start;

TEST(Cavity, ConvergesInAsManyIterationsAsThePaper) {
  const auto method = start(cavity(20, 16));
  const int iterations = converge(*method, 1e-9, 60);
  EXPECT_GE(iterations, 34);
  EXPECT_LE(iterations, 40);
}

TEST(Cavity, NetFlowVanishesWithTheOrderOfTheScheme) {
  // No mass moves through a closed box on the whole, but for the scheme's error; the density varies
  // so little that the mean velocity tells it. (Forces on the lid, whose speed jumps at its edges,
  // converge more slowly.)
  const auto mean_velocity = [](int cells, int order) {
    auto json = cavity(cells, 8);
    json["propagation"]["order"] = order;
    const auto method = start(json);
    EXPECT_LE(converge(*method, 1e-8, 80), 80);
    return method->monitor("mean_velocity_x");
  };
  const double coarse = mean_velocity(8, 1);
  const double fine = mean_velocity(16, 1);
  EXPECT_NEAR(std::log2(coarse / fine), 1, 0.15);
  EXPECT_LT(std::abs(mean_velocity(16, 2)), 0.01 * fine);
}

}  // namespace
}  // namespace knudsen::shakhov
