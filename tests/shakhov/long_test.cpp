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

TEST(Cavity, OrderInTheCellsWidth) {
  for (const int order : {1, 2}) {
    const auto force = [&](int cells) {
      auto json = cavity(cells, 8);
      json["propagation"]["order"] = order;
      const auto method = start(json);
      EXPECT_LE(converge(*method, 1e-9, 80), 80);
      return method->monitor("north.force_x");
    };
    const double coarse = force(8);
    const double middle = force(16);
    const double observed = std::log2((coarse - middle) / (middle - force(32)));
    EXPECT_GT(observed, order == 1 ? 0.8 : 1.5) << order;
    EXPECT_LT(observed, order == 1 ? 1.2 : 2.7) << order;
  }
}

}  // namespace
}  // namespace knudsen::shakhov
