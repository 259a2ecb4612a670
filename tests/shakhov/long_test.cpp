#include <gtest/gtest.h>

#include "problem.hpp"

namespace knudsen::shakhov {
namespace {

using test::converge;
using test::start;

TEST(Cavity, ConvergesInAsManyIterationsAsThePaper) {
  const auto method = start(test::cavity(20, 16));
  const int iterations = converge(*method, 1e-9, 60);
  EXPECT_GE(iterations, 34);
  EXPECT_LE(iterations, 40);
}

}  // namespace
}  // namespace knudsen::shakhov
