#include "kinetic/case/check_cells.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace knudsen {
namespace {

const double root_pi = std::sqrt(std::numbers::pi);

TEST(AddedViscosity, IsTheWidthOverTheFreePath) {
  EXPECT_NEAR(added_viscosity(std::vector<double>(40, 0.025), 10, [](double) { return 1; }),
              0.25 / root_pi, 1e-14);
  EXPECT_NEAR(added_viscosity({0.5, 0.5}, 10, [](double) { return 0.25; }), 1.25 / root_pi, 1e-14);
}

// The shear stress is the same in all cells, so that their resistances add up.
TEST(AddedViscosity, OfUnequalCellsIsThatOfTheirRow) {
  const double wide = 1 / (1 + 8 / root_pi);
  const double narrow = 1 / (1 + 2 / root_pi);
  EXPECT_NEAR(added_viscosity({0.2, 0.8}, 10), 1 / (0.2 * narrow + 0.8 * wide) - 1, 1e-14);
}

TEST(AddedViscosity, IsWarnedOf) {
  std::vector<std::string> warnings;
  warn_of_added_viscosity({0.09, 0, 0.1}, warnings);
  EXPECT_THAT(warnings, testing::IsEmpty());
  warn_of_added_viscosity({0.25, 0.05, 0.5}, warnings);
  EXPECT_THAT(warnings,
              testing::ElementsAre(
                  "propagation.order: on cells as wide as these differences of first order make "
                  "the gas about 50 % more viscous and conducting (along x, z); set \"order\" 2 or "
                  "take more cells"));
}

}  // namespace
}  // namespace knudsen
