#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "case/sample_reader.hpp"
#include "output/checkpoint.hpp"
#include "output/temporary_directory.hpp"
#include "problem.hpp"

// Walls of Cercignani and Lampis and of given heat flux.
namespace knudsen::bgkw {
namespace {

using namespace test;
using testing::HasSubstr;

/// Molecules of the reference gas that hit a unit area.
const double effusion = 0.5 / std::sqrt(std::numbers::pi);

nlohmann::json scattering(double tangential, double normal) {
  return {{"type", "wall"},
          {"cercignani_lampis", {{"tangential", tangential}, {"normal", normal}}}};
}

nlohmann::json plates(double delta, int order, bool reduced) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double", "domain": {"cells": [8]},
    "velocity_grid": {"type": "half-range", "count": [16]},
    "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}}})");
  json["gas"] = {{"rarefaction", delta}};
  json["propagation"]["order"] = order;
  json["reduced"] = reduced;
  if (!reduced) json["velocity_grid"]["count"] = {16, 8, 8};
  return json;
}

TEST(ScatteringWalls, FreeMoleculesCarryHeatAndMomentumAsTheyAccommodate) {
  for (const int order : {1, 2}) {
    for (const bool reduced : {false, true}) {
      auto json = plates(0, order, reduced);
      json["boundaries"]["west"] = scattering(0.5, 0.6);
      json["boundaries"]["east"] = scattering(0.5, 0.6);
      json["boundaries"]["west"]["temperature"] = 0.995;
      json["boundaries"]["east"]["temperature"] = 1.005;
      if (!reduced) json["boundaries"]["east"]["velocity"] = {0, 0.001, 0};
      const auto method = advanced(json, 2000);
      const double heat = effusion * 0.01 * (0.6 / 1.4 + 0.75 / 1.25);
      EXPECT_NEAR(method->monitor("west.energy_flux") / heat, 1, 4e-4) << order << reduced;
      EXPECT_NEAR(method->monitor("mass"), 1, 1e-13);
      EXPECT_NEAR(method->monitor("east.mass_flux"), 0, 1e-14);
      if (reduced) continue;
      const double shear = 2 * effusion * 0.001 * 0.25 / 0.75;
      EXPECT_NEAR(method->monitor("west.force_y") / shear, 1, 1e-3);
    }
  }
}

TEST(ScatteringWalls, AreDiffuseAtOneAndMirrorsAtZero) {
  for (const double coefficient : {0.0, 1.0}) {
    for (const int order : {1, 2}) {
      auto json = plates(1, order, false);
      json["boundaries"]["west"]["accommodation"] = coefficient;
      json["boundaries"]["west"]["velocity"] = {0, 0.1, 0.05};
      json["boundaries"]["east"]["temperature"] = 1.2;
      const auto expected = advanced(json, 50);
      json["boundaries"]["west"] = scattering(coefficient, coefficient);
      json["boundaries"]["west"]["velocity"] = {0, 0.1, 0.05};
      const auto found = advanced(json, 50);
      // Behind a mirror order 2 takes slopes from the image of the gas, else from the face.
      const double tolerance = coefficient == 0 && order == 2 ? 1e-2 : 1e-12;
      for (const char* name : {"density", "velocity", "temperature"}) {
        const Field a = found->field(name);
        const Field b = expected->field(name);
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << name;
      }
    }
  }
}

TEST(ScatteringWalls, OfASolidReturnTheMass) {
  for (const bool reduced : {false, true}) {
    auto json = nlohmann::json::parse(R"({
      "precision": "double", "domain": {"cells": [6, 5]}, "gas": {"rarefaction": 0},
      "velocity_grid": {"count": [8, 8, 8], "minimum": [-4, -4, -4], "maximum": [4, 4, 4]},
      "geometry": {"solids": [{"name": "block", "shape": "box", "from": [2, 1], "to": [4, 3],
        "temperature": 1.2, "cercignani_lampis": {"tangential": 0.4, "normal": 0.7}}]},
      "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"},
                     "south": {"type": "symmetry"}, "north": {"type": "wall"}}})");
    json["domain"]["size"] = {6, 5};
    json["reduced"] = reduced;
    json["boundaries"]["north"] = scattering(0.9, 0.3);
    json["boundaries"]["north"]["velocity"] = {0.2, 0, 0};
    for (const bool split : {false, true}) {
      json["propagation"]["split"] = split;
      const double mass = advanced(json, 0)->monitor("mass");
      const auto method = advanced(json, 100);
      EXPECT_NEAR(method->monitor("mass") / mass, 1, 1e-13) << reduced << split;
      EXPECT_LT(method->monitor("block.energy_flux"), -1e-3);
    }
  }
}

TEST(HeatedWalls, AdiabaticWallAndGasComeToTheTemperatureOfTheOtherWall) {
  for (const int order : {1, 2}) {
    for (const bool reduced : {false, true}) {
      auto json = plates(1, order, reduced);
      json["boundaries"]["west"]["temperature"] = 1.2;
      json["boundaries"]["east"]["heat_flux"] = 0;
      json["collision"]["conservative"] = true;
      const auto method = advanced(json, 1500);
      EXPECT_NEAR(method->monitor("east.temperature"), 1.2, 1e-6);
      EXPECT_NEAR(method->monitor("east.energy_flux"), 0, 1e-14);
      EXPECT_NEAR(method->monitor("west.energy_flux"), 0, 1e-6);
    }
  }
}

TEST(HeatedWalls, AdiabaticBoxKeepsMassAndEnergy) {
  for (const char* precision : {"single", "double"}) {
    auto json = nlohmann::json::parse(R"({
      "domain": {"cells": [6, 5]}, "gas": {"rarefaction": 1}, "collision": {"conservative": true},
      "velocity_grid": {"count": [10, 10, 10], "minimum": [-4, -4, -4], "maximum": [4, 4, 4]},
      "initial": {"type": "step", "left": {"temperature": 1.2}, "right": {"density": 0.8}},
      "boundaries": {"west": {"type": "wall", "heat_flux": 0}, "east": {"type": "wall", "heat_flux": 0},
                     "south": {"type": "symmetry"},
                     "north": {"type": "wall", "heat_flux": 0}}})");
    json["precision"] = precision;
    const double rounding = precision == std::string("single") ? 3e-6 : 1e-13;
    auto method = read(json)->create(default_backend());
    method->initialise();
    const double mass = method->monitor("mass");
    const double energy = method->monitor("energy");
    method->advance(100);
    EXPECT_NEAR(method->monitor("mass") / mass, 1, rounding);
    EXPECT_NEAR(method->monitor("energy") / energy, 1, rounding) << precision;
    EXPECT_GT(method->monitor("north.temperature"), 1.0);
  }
}

TEST(HeatedWalls, OfTheFluxBetweenTwoTemperaturesHaveThatTemperature) {
  auto json = plates(1, 2, false);
  json["boundaries"]["east"]["temperature"] = 1.1;
  json["boundaries"]["east"]["velocity"] = {0, 0.2, 0};
  const auto given = advanced(json, 1500);
  const double heat = -given->monitor("east.energy_flux") + 0.2 * given->monitor("east.force_y");
  json["boundaries"]["east"].erase("temperature");
  json["boundaries"]["east"]["heat_flux"] = heat;
  const auto found = advanced(json, 3000);
  EXPECT_NEAR(found->monitor("east.temperature"), 1.1, 1e-4);
}

TEST(WallsMadeByFace, ContinueFromACheckpointWithTheSameBits) {
  auto json = with(R"({"domain": {"cells": [5, 4]}, "precision": "single",
    "boundaries": {"south": {"type": "wall", "heat_flux": 0.1}, "north": {"type": "wall"},
                   "east": {"heat_flux": -0.05}}})");
  json["boundaries"]["west"] = scattering(0.3, 0.8);
  const auto problem = read(json);
  const auto whole = problem->create(default_backend());
  whole->initialise();
  whole->advance(3);
  const TemporaryDirectory directory;
  const auto path = directory.path() / "checkpoint.h5";
  CheckpointWriter writer(path, "bgkw", "digest", 3);
  whole->save(writer);
  writer.commit();
  whole->advance(3);
  const auto resumed = problem->create(default_backend());
  resumed->load(CheckpointReader(path));
  resumed->advance(3);
  for (const char* name : {"density", "velocity", "heat_flux"}) {
    const Field a = whole->field(name);
    const Field b = resumed->field(name);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]) << name;
  }
  for (const char* name : {"south.temperature", "east.temperature", "west.energy_flux"}) {
    EXPECT_EQ(whole->monitor(name), resumed->monitor(name)) << name;
  }
}

std::string error(const std::string& patch) {
  return knudsen::test::input_error([&] { read(with(patch)); });
}

TEST(WallsMadeByFace, RefuseWhatDoesNotGoTogether) {
  const std::string wall =
      R"("boundaries": {"west": {"cercignani_lampis": {"tangential": 0.5, "normal": 1}}})";
  EXPECT_EQ(error("{" + wall + R"(, "propagation": {"scheme": "tiles"}})"),
            "case.json: propagation.scheme: \"tiles\" is not available with \"cercignani_lampis\", "
            "which the side \"west\" has; take \"fused\"");
  EXPECT_THAT(
      error("{" + wall + R"(, "tuning": {"single_pass": "always"}})"),
      HasSubstr(
          "tuning.single_pass: found \"always\", is not available with \"cercignani_lampis\""));
  EXPECT_THAT(error(R"({"geometry": {"solids": [{"shape": "box", "from": [2], "to": [3],
                        "accommodation": 0.5, "heat_flux": 0}]}})"),
              HasSubstr("geometry.solids[0].accommodation: found 0.5, must not be given together "
                        "with \"heat_flux\""));
}

}  // namespace
}  // namespace knudsen::bgkw
