#include "methods/gas/cavity.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

namespace knudsen {
namespace {

/// Four walls, of which the north one moves along x.
std::array<SideCondition, 6> cavity_sides(double lid_speed) {
  std::array<SideCondition, 6> sides;
  for (std::size_t side = 0; side < 4; ++side) sides[side].kind = SideKind::wall;
  sides[north].state.velocity[0] = lid_speed;
  return sides;
}

TEST(Cavity, IsWallsOfWhichOnlyTheNorthMoves) {
  const auto sides = cavity_sides(0.1);
  EXPECT_TRUE(is_cavity(sides, 2));
  EXPECT_FALSE(is_cavity(sides, 1));
  EXPECT_FALSE(is_cavity(cavity_sides(0), 2));
  auto other = sides;
  other[west].state.velocity[1] = 0.1;
  EXPECT_FALSE(is_cavity(other, 2));
  other = sides;
  other[east].kind = SideKind::symmetry;
  EXPECT_FALSE(is_cavity(other, 2));
  other = sides;
  other[north].state.velocity[2] = 0.1;
  EXPECT_FALSE(is_cavity(other, 2));
}

TEST(Cavity, OfThreeDimensionsHasAThirdDirectionAtRest) {
  auto sides = cavity_sides(0.1);
  EXPECT_TRUE(is_cavity(sides, 3)) << "periodic";
  sides[bottom].kind = SideKind::wall;
  sides[top].kind = SideKind::wall;
  EXPECT_TRUE(is_cavity(sides, 3));
  sides[top].state.velocity[0] = 0.1;
  EXPECT_FALSE(is_cavity(sides, 3));
  EXPECT_TRUE(is_cavity(sides, 2));
  sides[top].kind = SideKind::reservoir;
  EXPECT_FALSE(is_cavity(sides, 3));
}

TEST(Cavity, DragIsPositiveWhateverTheLidsDirection) {
  EXPECT_DOUBLE_EQ(cavity_drag(-0.05, cavity_sides(0.1)), 0.5);
  EXPECT_DOUBLE_EQ(cavity_drag(0.05, cavity_sides(-0.1)), 0.5);
}

TEST(Cavity, LidStressIsTheMeanOverTheWidths) {
  const std::vector<double> widths{1, 3};
  const auto stress = [](int i) { return i == 0 ? -0.02 : -0.06; };
  EXPECT_DOUBLE_EQ(cavity_lid_stress(cavity_sides(0.1), widths, stress), 0.5);
  EXPECT_DOUBLE_EQ(cavity_lid_stress(cavity_sides(-0.1), widths, stress), -0.5);
}

TEST(Cavity, VortexFlowRateIsTwiceThatAboveItsCentre) {
  // A linear profile, for which the sum is exact: its upper half is a triangle.
  const std::vector<double> u{-0.075, -0.025, 0.025, 0.075};
  EXPECT_DOUBLE_EQ(cavity_vortex_flow_rate(cavity_sides(0.1), u), 0.5);
  EXPECT_EQ(cavity_vortex_flow_rate(cavity_sides(-0.1), u), 0);
  EXPECT_DOUBLE_EQ(cavity_vortex_flow_rate(cavity_sides(0.1), {0.1}), 1);
}

/// Velocity profile of a vortex over the height, with y from 0 to 1. The net flow is zero.
double profile(double y) { return std::sin(2 * std::numbers::pi * y); }

/// Flow rate of this profile on `columns` x `rows` cells. Each row is `growth` times as high as the
/// one below.
double rate(int columns, int rows, double growth, double lid_speed) {
  std::array<std::vector<double>, 3> widths;
  widths[2] = {1};
  widths[0].assign(static_cast<std::size_t>(columns), 1.0 / columns);
  double height = 0;
  for (int j = 0; j < rows; ++j) {
    widths[1].push_back(std::pow(growth, j));
    height += widths[1].back();
  }
  // The flow rate does not depend on the height of the box.
  for (double& width : widths[1]) width *= 3 / height;
  std::vector<double> lower{0};
  for (const double width : widths[1]) lower.push_back(lower.back() + width);
  return cavity_flow_rate(cavity_sides(lid_speed), widths, [&](int i, int j, int) {
    const auto row = static_cast<std::size_t>(j);
    const double x = (i + 0.5) / columns;
    const double y = 0.5 * (lower[row] + lower[row + 1]) / 3;
    // Linear in x, so that the interpolation to the middle is exact.
    return lid_speed * profile(y) * (1 + 0.7 * (x - 0.5));
  });
}

TEST(Cavity, FlowRateIsTheIntegralOfTheMagnitudeOnTheMiddleLine) {
  const double exact = 2 / std::numbers::pi;
  for (const int columns : {1, 2, 7, 8}) {
    EXPECT_NEAR(rate(columns, 64, 1, 0.1), exact, 1e-3) << columns;
    EXPECT_NEAR(rate(columns, 64, 1.02, 0.1), exact, 2e-3) << columns;
  }
  EXPECT_DOUBLE_EQ(rate(8, 64, 1, -0.1), rate(8, 64, 1, 0.1));
  const double error = rate(4, 20, 1, 0.1) - exact;
  EXPECT_NEAR((rate(4, 40, 1, 0.1) - exact) / error, 0.25, 0.02);
}

TEST(Cavity, FlowRateOfUnequalColumnsIsInterpolatedToTheMiddle) {
  // The centres of the columns are at x = 0.3 and 0.8. With u = x the middle has u = 0.5.
  const std::array<std::vector<double>, 3> widths{{{0.6, 0.4}, {1.0}, {1.0}}};
  const double found =
      cavity_flow_rate(cavity_sides(1), widths, [](int i, int, int) { return i == 0 ? 0.3 : 0.8; });
  EXPECT_NEAR(found, 0.5, 1e-15);
  // The same along z.
  const double across = cavity_flow_rate(cavity_sides(1), {{{1.0}, {1.0}, {0.6, 0.4}}},
                                         [](int, int, int k) { return k == 0 ? 0.3 : 0.8; });
  EXPECT_NEAR(across, 0.5, 1e-15);
}

}  // namespace
}  // namespace knudsen
