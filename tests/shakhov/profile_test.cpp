#include <gtest/gtest.h>

#include "problem.hpp"
#include "support/profiled_walls.hpp"

// Sides whose conditions depend on the place.
namespace knudsen::shakhov {
namespace {

using namespace test;

TEST(Profile, OfLikeWallsIsThatOfOneWall) {
  for (const char* patch : {R"_({})_", R"_({"precision": "single", "propagation": {"order": 2}})_",
                            R"_({"propagation": {"acceleration": "synthetic"}})_",
                            R"_({"propagation": {"acceleration": "synthetic", "order": 2}})_",
                            R"_({"propagation": {"scheme": "slices"}})_"}) {
    auto json = with(patch);
    json["domain"] = {{"cells", {6, 5}}};
    json["gas"]["rarefaction"] = 2;
    const auto found = start(knudsen::test::like_walls(json, false));
    const auto expected = start(knudsen::test::like_walls(json, true));
    found->advance(4);
    expected->advance(4);
    knudsen::test::expect_same_fields(*found, *expected, patch);
  }
}

/// Mass flow, over the difference of temperature, through a channel of height 1 between reservoirs
/// of the same pressure.
double creep(double length, double difference) {
  auto json = nlohmann::json::parse(R"_({
    "precision": "double", "domain": {"cells": [0, 20]},
    "velocity_grid": {"type": "half-range", "count": [12, 16, 6]},
    "gas": {"rarefaction": 1}, "propagation": {"order": 2, "acceleration": "synthetic"},
    "boundaries": {"west": {"type": "reservoir"}, "east": {"type": "reservoir"},
                   "south": {"type": "wall"}, "north": {"type": "wall"}}})_");
  json["domain"]["size"] = {length, 1};
  json["domain"]["cells"][0] = static_cast<int>(8 * length);
  json["velocity_grid"].erase("minimum");
  const double low = 1 - difference / 2;
  const double high = 1 + difference / 2;
  json["boundaries"]["west"].update({{"temperature", low}, {"density", 1 / low}});
  json["boundaries"]["east"].update({{"temperature", high}, {"density", 1 / high}});
  const std::string formula =
      std::to_string(low) + " + " + std::to_string(difference / length) + "*x";
  for (const char* side : {"south", "north"}) {
    json["boundaries"][side]["profile"]["temperature"] = formula;
  }
  const auto method = start(json);
  EXPECT_LE(converge(*method, 1e-8, 100), 100);
  EXPECT_NEAR(method->monitor("west.mass_flow") / -method->monitor("east.mass_flow"), 1, 1e-3);
  return method->monitor("east.mass_flow") / difference;
}

TEST(Profile, OfTheTemperatureMakesTheFlowOfThermalCreep) {
  // The channel and its ends are resistances in a row, so that the difference of two lengths is
  // that of the endless channel, for which README.md states the flow rate at delta = 1.
  constexpr double endless = 0.3648 / 2;
  const double resistance = (1 / creep(8, 0.04) - 1 / creep(4, 0.04)) / 4;
  EXPECT_NEAR(1 / resistance / endless, 1, 0.03);
}

}  // namespace
}  // namespace knudsen::shakhov
