#include "kinetic/case/check_velocities.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/kokkos.hpp"

namespace knudsen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// What is said of a row of cells whose gas collides much, with 16 velocities an axis from -4 to 4.
std::vector<std::string> warnings_of(const std::vector<GasState>& row, double rarefaction = 100,
                                     bool conservative = true,
                                     const VelocityAxis& axis = uniform_axis(-4, 4, 16)) {
  const Gas gas{.rarefaction = rarefaction};
  return warnings_of_cells({axis, axis, axis}, GasUnits{}, gas, 1, conservative,
                           {static_cast<int>(row.size()), 1, 1},
                           [&](std::size_t cell) { return row[cell]; });
}

TEST(WarningsOfCells, NameTheHottest) {
  const GasState rest;
  const GasState warm{1, {0, 0, 0}, 3};
  const GasState hot{1, {0.5, 0, 0}, 9};
  EXPECT_THAT(warnings_of({rest, rest}), IsEmpty());
  EXPECT_THAT(warnings_of({rest, warm, hot, rest}),
              ElementsAre(testing::AllOf(
                  HasSubstr("velocity_grid: leaves out 17.39 % of the Maxwellian of \"cell (2, 0) "
                            "at the end\" (temperature 9, velocity 0.5, 0, 0)"),
                  HasSubstr(", and so for 1 more state"))));
}

TEST(WarningsOfCells, NameTheFastest) {
  EXPECT_THAT(
      warnings_of({GasState{1, {0, -3, 0}, 1}, GasState{1, {0, -2, 0}, 1}}),
      ElementsAre(HasSubstr("cell (0, 0) at the end\" (temperature 1, velocity 0, -3, 0)")));
}

// What a molecule never comes to have by a collision does not matter.
TEST(WarningsOfCells, CountTheMoleculesThatCollide) {
  const GasState hot{1, {0, 0, 0}, 9};
  EXPECT_THAT(warnings_of({hot}, 0.1), testing::SizeIs(1));
  EXPECT_THAT(warnings_of({hot}, 0.01), IsEmpty());
  const GasState thin{1e-3, {0, 0, 0}, 9};
  EXPECT_THAT(warnings_of({thin}, 10), IsEmpty());
}

TEST(WarningsOfCells, NameTheColdest) {
  const GasState cool{1, {0, 0, 0}, 0.2};
  const GasState cold{1, {0, 0, 0}, 0.05};
  EXPECT_THAT(warnings_of({cool, cold}),
              ElementsAre(HasSubstr("too few velocities for \"cell (1, 0) at the end\"")));
  // Without a fitted target sums that are wrong by 0.1 % count too, and as a source of heat.
  EXPECT_THAT(warnings_of({cool}), IsEmpty());
  EXPECT_THAT(warnings_of({cool}, 0.9, false),
              ElementsAre(HasSubstr("too few velocities for \"cell (0, 0) at the end\"")));
  EXPECT_THAT(warnings_of({GasState{}, {1, {0, 0, 0}, 0.3}}, 100, false),
              ElementsAre(HasSubstr("a source of heat")));
}

TEST(WarningsOfCells, AGaussQuadratureHasNoRange) {
  const VelocityAxis axis = gauss_hermite_axis(16, 0, 1);
  EXPECT_THAT(warnings_of({GasState{1, {0, 0, 0}, 1.02}}, 100, true, axis), IsEmpty());
}

TEST(WarningsOfCells, SkipSolids) {
  EXPECT_THAT(warnings_of({GasState{0, {0, 0, 0}, 0}, GasState{}}), IsEmpty());
}

}  // namespace
}  // namespace knudsen
