#include <gtest/gtest.h>

#include "lbm_d2q9/ghia.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

TEST(Cavity, Reynolds100IsWithinOnePercentOfGhia) {
  const GhiaComparison comparison = compare_with_ghia(129, 100, true);
  EXPECT_TRUE(comparison.steady);
  EXPECT_LE(comparison.u.largest, 0.01) << "at y = " << comparison.u.position;
  EXPECT_LE(comparison.v.largest, 0.01) << "at x = " << comparison.v.position;
}

}  // namespace
}  // namespace knudsen::lbm_d2q9
