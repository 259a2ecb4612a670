#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "case/sample_reader.hpp"
#include "problem.hpp"

namespace knudsen::shakhov {
namespace {

using test::read;
using test::with;
using testing::HasSubstr;

std::string error(const std::string& patch) {
  return knudsen::test::input_error([&] { read(with(patch)); });
}

TEST(Reader, BaseCase) {
  const auto problem = read(test::base_case());
  EXPECT_EQ(problem->variant, "pencils shakhov");
  EXPECT_EQ(problem->updates_per_step, 5 * 6 * 7 * 512);
  EXPECT_EQ(problem->warnings.size(), 0U);
}

TEST(Reader, SegmentsGrowByTheirRatio) {
  const auto problem = read(with(R"({"domain": {"cells": null, "origin": [-1, 0, 0],
    "x": [{"cells": 3, "length": 7, "ratio": 2}, {"cells": 2, "length": 2}],
    "y": [{"cells": 4, "length": 1}], "z": [{"cells": 4, "length": 1}]}})"));
  auto method = problem->create(default_backend());
  method->initialise();
  const Field position = method->field("position");
  const double expected[5] = {-0.5, 1, 4, 6.5, 7.5};
  for (std::size_t x = 0; x < 5; ++x) EXPECT_NEAR(position[3 * x], expected[x], 1e-14);
}

TEST(Reader, RefusesABodyOffTheGridLines) {
  EXPECT_EQ(error(R"({"domain": {"cells": [10, 10, 10]}, "geometry": {"solids": [
              {"shape": "box", "from": [0.25, 0.2, 0.2], "to": [0.5, 0.5, 0.5]}]}})"),
            "case.json: geometry.solids[0].from: a box must end on grid lines; x = 0.25 lies "
            "between those at 0.2 and 0.3");
}

TEST(Reader, RefusesASymmetryPlaneThroughABody) {
  EXPECT_EQ(error(R"({"domain": {"cells": [10, 10, 10]},
              "boundaries": {"south": {"type": "symmetry"}}, "geometry": {"solids": [
              {"shape": "box", "from": [0.2, -0.2, 0.2], "to": [0.5, 0.2, 0.5]}]}})"),
            "case.json: geometry.solids[0].to: the body reaches through the symmetry plane on the "
            "south side, which must not cut through its inside; let it end there, at y = 0");
}

TEST(Reader, RefusesABodyBeyondTheDomain) {
  EXPECT_THAT(error(R"({"domain": {"cells": [10, 10, 10]}, "geometry": {"solids": [
              {"shape": "box", "from": [0.2, 0.2, 0.2], "to": [0.5, 0.5, 1.5]}]}})"),
              HasSubstr("the body reaches beyond the top side of the domain, z = 1"));
}

TEST(Reader, RefusesVelocitiesThatCutTheFreeStream) {
  EXPECT_THAT(error(R"({"initial": {"type": "stream", "mach": 5},
              "boundaries": {"west": {"type": "reservoir"}}})"),
              HasSubstr("velocity_grid: leaves out"));
  EXPECT_THAT(error(R"({"initial": {"type": "stream", "mach": 5}})"), HasSubstr("\"initial\""));
}

TEST(Reader, RefusesASphereWithoutCells) {
  EXPECT_THAT(error(R"({"geometry": {"solids": [
              {"shape": "sphere", "centre": [0.6, 0.6, 0.6], "radius": 0.01}]}})"),
              HasSubstr("the sphere covers no cell's centre"));
}

TEST(Reader, WarnsOfSteps) {
  const auto problem = read(with(R"({"geometry": {"solids": [
              {"shape": "sphere", "centre": [0.5, 0.6, 0.7], "radius": 0.3}]}})"));
  ASSERT_EQ(problem->warnings.size(), 1U);
  EXPECT_THAT(problem->warnings[0], HasSubstr("made of whole cells, in steps"));
}

TEST(Reader, RefusesBadDomains) {
  EXPECT_THAT(error(R"({"domain": {"cells": [4, 4, 4, 4]}})"), HasSubstr("1, 2 or 3 integers"));
  EXPECT_THAT(error(R"({"domain": {"x": [{"cells": 3, "length": 1}]}})"),
              HasSubstr("give either \"cells\" or segments"));
  EXPECT_THAT(error(R"({"domain": {"cells": null, "y": [{"cells": 3, "length": 1}]}})"),
              HasSubstr("domain.y: the axes before it must have segments"));
  EXPECT_THAT(error(R"({"domain": {"size": [1, 1]}})"),
              HasSubstr("domain.size: must have as many"));
  EXPECT_THAT(error(R"({"domain": {"cells": [1000, 1000, 1000]}})"),
              HasSubstr("at most 134217727 cells"));
}

TEST(Reader, RefusesBadNumbers) {
  EXPECT_THAT(error(R"({"gas": {"rarefaction": -1}})"), HasSubstr("must be at least 0"));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"temperature": 0}}})"),
              HasSubstr("must be greater than 0"));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"accommodation": 1.5}}})"), HasSubstr("found 1.5"));
  EXPECT_THAT(error(R"({"propagation": {"order": 3}})"), HasSubstr("propagation.order"));
}

TEST(Reader, RefusesContradictions) {
  EXPECT_THAT(error(R"({"collision": {"conservative": true}})"),
              HasSubstr("belongs to the model \"bgk\""));
  EXPECT_THAT(error(R"({"collision": {"model": "es-bgk", "body_force": [1, 0, 0]}})"),
              HasSubstr("collision.body_force"));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"type": "periodic"}}})"),
              HasSubstr("must be periodic too"));
  EXPECT_THAT(error(R"({"gas": {"rarefaction": 0}, "velocity_grid": {"count": [9, 9, 9]}})"),
              HasSubstr("the velocity 0 along x"));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"type": "symmetry"}},
                        "velocity_grid": {"maximum": [5, 4, 4]}})"),
              HasSubstr("reflects specularly"));
  EXPECT_THAT(error(R"({"domain": {"cells": [4, 1, 4]}, "propagation": {"order": 2}})"),
              HasSubstr("at least 2 cells"));
  EXPECT_THAT(error(R"({"geometry": {"solids": [{"shape": "sphere", "name": "a b",
                        "centre": [0.5, 0.6, 0.7], "radius": 0.3}]}})"),
              HasSubstr("geometry.solids[0].name"));
}

}  // namespace
}  // namespace knudsen::shakhov
