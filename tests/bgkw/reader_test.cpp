#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "case/sample_reader.hpp"
#include "problem.hpp"

namespace knudsen::bgkw {
namespace {

using test::read;
using test::with;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string error(const std::string& patch) {
  return knudsen::test::input_error([&] { read(with(patch)); });
}

TEST(Reader, BaseCase) {
  const auto problem = read(test::base_case());
  EXPECT_EQ(problem->variant, "fused bgk");
  EXPECT_EQ(problem->sizes.at("velocities"), 512);
  EXPECT_EQ(problem->updates_per_step, 8 * 512);
  EXPECT_EQ(problem->bytes_per_step, 8 * 512 * 16);
  EXPECT_NEAR(problem->time_per_step, 0.9 / 8 / 3.5, 1e-15);
  EXPECT_THAT(problem->warnings, IsEmpty());
}

TEST(Reader, TimeStepIsTheShorterLimit) {
  EXPECT_NEAR(read(with(R"({"gas": {"rarefaction": 100}})"))->time_per_step, 0.0025, 1e-15);
  EXPECT_NEAR(
      read(with(R"({"gas": {"rarefaction": 100}, "propagation": {"relaxation_fraction": 0.5}})"))
          ->time_per_step,
      0.005, 1e-15);
  EXPECT_EQ(read(with(R"({"propagation": {"time_step": 0.07}})"))->time_per_step, 0.07);
}

TEST(Reader, WarnsOfTruncation) {
  const auto problem =
      read(with(R"({"velocity_grid": {"minimum": [-2.5, -4, -4], "maximum": [2.5, 4, 4]}})"));
  ASSERT_EQ(problem->warnings.size(), 3U);
  EXPECT_THAT(problem->warnings[0],
              HasSubstr("velocity_grid: leaves out 0.0407 % of the Maxwellian of \"initial\""));
}

TEST(Reader, WarnsOfTooFewVelocities) {
  const auto problem = read(with(R"({"velocity_grid": {"count": [8, 8, 4]}})"));
  ASSERT_FALSE(problem->warnings.empty());
  EXPECT_THAT(problem->warnings[0], HasSubstr("too few velocities for \"initial\""));
}

TEST(Reader, RefusesVelocitiesTooNarrowForAHotWall) {
  EXPECT_THAT(error(R"({"boundaries": {"west": {"temperature": 20}}})"),
              HasSubstr("velocity_grid: leaves out 49.93 % of the Maxwellian of "
                        "\"boundaries.west\" (temperature 20, velocity 0, 0, 0), may be at most 2 "
                        "%; widen \"minimum\" and \"maximum\""));
}

TEST(Reader, RefusesAMachNumberBeyondTheVelocities) {
  EXPECT_THAT(error(R"({"initial": {"type": "shock", "mach": 8},
                        "boundaries": {"west": {"type": "reservoir"},
                                       "east": {"type": "reservoir"}}})"),
              HasSubstr("of the Maxwellian of \"initial, lower x\""));
}

TEST(Reader, RefusesBadNumbers) {
  EXPECT_EQ(error(R"({"gas": {"rarefaction": null, "knudsen": 0}})"),
            "case.json: gas.knudsen: found 0, must be greater than 0");
  EXPECT_THAT(error(R"({"gas": {"rarefaction": -1}})"), HasSubstr("must be at least 0"));
  EXPECT_EQ(error(R"({"boundaries": {"west": {"temperature": 0}}})"),
            "case.json: boundaries.west.temperature: found 0, must be greater than 0");
  EXPECT_THAT(error(R"({"boundaries": {"west": {"accommodation": 1.5}}})"),
              HasSubstr("boundaries.west.accommodation: found 1.5"));
  EXPECT_THAT(error(R"({"initial": {"type": "shock", "mach": 1}})"), HasSubstr("initial.mach"));
}

TEST(Reader, RefusesContradictions) {
  EXPECT_THAT(error(R"({"gas": {"knudsen": 1}})"),
              HasSubstr("give either \"rarefaction\" or \"knudsen\""));
  EXPECT_THAT(error(R"({"gas": {"law": "maxwell", "omega": 0.7}})"), HasSubstr("gas.omega"));
  EXPECT_THAT(error(R"({"gas": {"prandtl": 0.7}})"), HasSubstr("belongs to the models"));
  EXPECT_THAT(error(R"({"collision": {"model": "shakhov", "conservative": true}})"),
              HasSubstr("belongs to the model \"bgk\""));
  EXPECT_THAT(error(R"({"propagation": {"time_step": 0.1, "courant": 0.5}})"),
              HasSubstr("propagation.time_step"));
  EXPECT_THAT(error(R"({"domain": {"size": [1, 1]}})"), HasSubstr("domain.size"));
  EXPECT_THAT(error(R"({"domain": {"cells": [4, 4, 4, 4]}})"), HasSubstr("1, 2 or 3 integers"));
}

TEST(Reader, RefusesAWallOppositeOfAPeriodicSide) {
  EXPECT_EQ(error(R"({"boundaries": {"west": null}})"),
            "case.json: boundaries.west: is periodic, so the opposite side (east) must be periodic "
            "too");
}

TEST(Reader, RefusesSidesThatAreNotThere) {
  EXPECT_THAT(error(R"({"boundaries": {"north": {"type": "wall"}, "south": {"type": "wall"}}})"),
              HasSubstr("boundaries.south: the domain has 1 dimension: there is no such side"));
}

TEST(Reader, RefusesAWallThatMovesIntoTheGas) {
  EXPECT_THAT(error(R"({"boundaries": {"east": {"velocity": [0.1, 0, 0]}}})"),
              HasSubstr("the x component must be 0"));
}

TEST(Reader, RefusesReflectionOfLopsidedVelocities) {
  EXPECT_THAT(error(R"({"boundaries": {"west": {"type": "symmetry"}},
                        "velocity_grid": {"maximum": [5, 4, 4]}})"),
              HasSubstr("boundaries.west: reflects specularly, so the velocities along x must be "
                        "symmetric about 0"));
}

TEST(Reader, RefusesTooLongTimeSteps) {
  EXPECT_THAT(error(R"({"domain": {"cells": [8, 8]}, "propagation": {"courant": 1.1}})"),
              HasSubstr("Courant numbers that add up to 1.1, must be at most 1 in two and three"));
  EXPECT_THAT(error(R"({"propagation": {"time_step": 10}})"), HasSubstr("the number of cells"));
}

TEST(Reader, ReservoirsTakeTheInitialStateBesideThem) {
  const auto problem = read(with(R"({
    "velocity_grid": {"count": [12, 10, 10], "minimum": [-5, -5, -5], "maximum": [6, 5, 5]},
    "initial": {"type": "shock", "mach": 1.5},
    "boundaries": {"west": {"type": "reservoir"}, "east": {"type": "reservoir"}}})"));
  bool thickness = false;
  for (const Quantity& monitor : problem->monitors) {
    thickness |= monitor.name == "density_thickness";
  }
  EXPECT_TRUE(thickness);
}

}  // namespace
}  // namespace knudsen::bgkw
