#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "balance.hpp"
#include "case/sample_reader.hpp"
#include "output/csv.hpp"
#include "paths.hpp"
#include "problem.hpp"

// Bodies whose surfaces cut cells.
namespace knudsen::shakhov {
namespace {

using namespace test;
using testing::HasSubstr;

/// A box of walls, with a tilted solid and a ball, that cut cells, in the last corners.
nlohmann::json tilted(int dimensions, const std::string& patch = "{}") {
  auto json = with(R"({
    "velocity_grid": {"count": [26, 26, 26], "minimum": [-6.25, -6.25, -6.25],
                      "maximum": [6.25, 6.25, 6.25], "rule": "trapezoid"},
    "boundaries": {"north": {"velocity": [0, 0, 0]}},
    "geometry": {"surface": "cut-cells", "solids": [
      {"name": "ball", "shape": "sphere", "centre": [0.31, 0.36, 0.33], "radius": 0.23},
      {"name": "slope", "shape": "half-space", "point": [0.8, 0.7, 0.9], "normal": [-2, -1, -0.6]}]}
  })");
  json["domain"]["cells"] = {7, 6, 5};
  json["domain"]["size"] = {1, 1.1, 0.9};
  for (const char* key : {"cells", "size"}) {
    while (json["domain"][key].size() > static_cast<std::size_t>(dimensions)) {
      json["domain"][key].erase(json["domain"][key].size() - 1);
    }
  }
  if (dimensions == 2) {
    json["boundaries"].erase("bottom");
    json["boundaries"].erase("top");
    json["geometry"]["solids"][0]["centre"].erase(2);
    json["geometry"]["solids"][1]["point"].erase(2);
    json["geometry"]["solids"][1]["normal"].erase(2);
  }
  return with(patch, json);
}

TEST(CutCellFlow, UniformGasStaysAtRest) {
  for (const int dimensions : {2, 3}) {
    for (const char* patch :
         {"{}", R"({"propagation": {"order": 2}})", R"({"propagation": {"scheme": "slices"}})",
          R"({"gas": {"rarefaction": 0}})", R"({"collision": {"model": "es-bgk"}})"}) {
      const auto problem = read(tilted(dimensions, patch));
      const auto method = problem->create(default_backend());
      method->initialise();
      method->advance(dimensions == 2 ? 5 : 2);
      const Field density = method->field("density");
      const Field velocity = method->field("velocity");
      const Field temperature = method->field("temperature");
      for (std::size_t cell = 0; cell < problem->grid.size(); ++cell) {
        if (problem->is_solid(cell)) continue;
        EXPECT_NEAR(density[cell], 1, 1e-13) << patch;
        EXPECT_NEAR(temperature[cell], 1, 1e-13) << patch;
        for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(velocity[3 * cell + d], 0, 1e-13) << patch;
      }
      for (const std::string body : {"ball", "slope"}) {
        EXPECT_NEAR(method->monitor(body + ".energy_flux"), 0, 1e-13);
      }
      EXPECT_NEAR(method->monitor("ball.force_x"), 0, 1e-13);
      // In three dimensions pieces of surface are not quite plane.
      EXPECT_NEAR(method->monitor("ball.torque_z"), 0, dimensions == 2 ? 1e-13 : 1e-4);
    }
  }
}

TEST(CutCellFlow, KeepsMassMomentumAndEnergy) {
  for (const char* patch : {"{}", R"({"propagation": {"order": 2}})"}) {
    auto json = tilted(2, patch);
    json["velocity_grid"] = {
        {"count", {12, 12, 12}}, {"minimum", {-5, -5, -5}}, {"maximum", {5, 5, 5}}};
    json["collision"] = {{"model", "bgk"}, {"conservative", true}};
    json["boundaries"]["north"]["velocity"] = {0.3, 0, 0.1};
    json["boundaries"]["west"]["temperature"] = 1.2;
    json["geometry"]["solids"][0]["temperature"] = 0.8;
    json["geometry"]["solids"][0]["velocity"] = {0, 0, 0.2};
    json["geometry"]["solids"][1]["velocity"] = {0.1, -0.2, 0};
    const auto method = start(json);
    const double mass = method->monitor("mass");
    EXPECT_LE(converge(*method, 1e-12, 150), 150);
    EXPECT_NEAR(method->monitor("mass") / mass, 1, 1e-13);
    expect_balance(*method, patch);
  }
}

TEST(CutCellFlow, OfABoxOnGridLinesIsThatOfWholeCells) {
  for (const char* shifts : {"none", "periodic", "heated"}) {
    auto json = with(R"({"domain": {"cells": [6, 5, 4]}, "propagation": {"acceleration": "none"},
      "boundaries": {"west": {"temperature": 1.2}},
      "geometry": {"solids": [{"name": "block", "shape": "box", "temperature": 0.9,
                               "velocity": [0, 0, 0]}]}})");
    json["domain"]["size"] = {6, 5, 4};
    json["geometry"]["solids"][0]["from"] = {2, 1, 0};
    json["geometry"]["solids"][0]["to"] = {4, 3, 2};
    if (shifts == std::string("periodic")) {
      json["boundaries"]["south"] = json["boundaries"]["north"] = {{"type", "periodic"}};
      json["geometry"]["solids"][0]["from"] = {2, 4, 0};
      json["geometry"]["solids"][0]["to"] = {4, 6, 2};
    }
    if (shifts == std::string("heated")) {
      json["geometry"]["solids"][0].erase("temperature");
      json["geometry"]["solids"][0]["heat_flux"] = 0.03;
    }
    const auto whole_problem = read(json);
    const auto whole = start(json);
    json["geometry"]["surface"] = "cut-cells";
    const auto problem = read(json);
    const auto cut = problem->create(default_backend());
    cut->initialise();
    whole->advance(4);
    cut->advance(4);
    for (const char* name : {"density", "velocity", "temperature", "heat_flux"}) {
      const Field a = whole->field(name);
      const Field b = cut->field(name);
      const std::size_t components = a.size() / problem->grid.size();
      for (std::size_t i = 0; i < a.size(); ++i) {
        const bool solid = problem->is_solid(i / components);
        ASSERT_EQ(whole_problem->is_solid(i / components), solid);
        if (!solid) {
          EXPECT_NEAR(a[i], b[i], 1e-13) << name;
        }
      }
    }
    for (const char* quantity : {"mass", "block.force_x", "block.force_y", "block.energy_flux",
                                 "block.torque_x", "west.energy_flux", "bottom.force_x"}) {
      EXPECT_NEAR(whole->monitor(quantity), cut->monitor(quantity), 1e-12) << quantity << shifts;
    }
  }
}

/// A ball in a stream without collisions, on cells of a quarter or an eighth of its radius.
nlohmann::json ball_in_stream(int cells) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double",
    "domain": {"size": [1.5, 1.5, 1.5], "origin": [-0.75, -0.75, -0.75]},
    "velocity_grid": {"count": [18, 16, 16], "minimum": [-4, -4.5, -4.5], "maximum": [6.5, 4.5, 4.5]},
    "gas": {"rarefaction": 0},
    "initial": {"type": "stream", "mach": 2},
    "boundaries": {"west": {"type": "reservoir"}, "east": {"type": "reservoir"},
                   "south": {"type": "reservoir"}, "north": {"type": "reservoir"},
                   "bottom": {"type": "reservoir"}, "top": {"type": "reservoir"}},
    "geometry": {"surface": "cut-cells", "solids": [
      {"name": "ball", "shape": "sphere", "centre": [0.013, 0.021, -0.017], "radius": 0.5,
       "temperature": 1.4}]}
  })");
  json["domain"]["cells"] = {cells, cells, cells};
  return json;
}

TEST(CutCellFlow, FreeMolecularForceAndHeatOfASphereConvergeWithOrderTwo) {
  constexpr double pi = std::numbers::pi;
  const double s = 2 * std::sqrt(5.0 / 6);
  const double wall = 1.4;
  const double drag = (2 * s * s + 1) / (std::sqrt(pi) * s * s * s) * std::exp(-s * s) +
                      (4 * std::pow(s, 4) + 4 * s * s - 1) / (2 * std::pow(s, 4)) * std::erf(s) +
                      2 * std::sqrt(pi * wall) / (3 * s);
  const double force = drag * s * s * 0.25 * pi;
  // Integrates what arrives less what leaves with the temperature of the wall over the sphere.
  double heat = 0;
  constexpr int rings = 2000;
  for (int ring = 0; ring < rings; ++ring) {
    const double cosine = 1 - (2 * ring + 1.0) / rings;
    const double n = s * cosine;
    const double gaussian = std::exp(-n * n);
    const double tail = std::sqrt(pi) * n * (1 + std::erf(n));
    const double mass = (gaussian + tail) / (2 * std::sqrt(pi));
    const double energy = ((s * s + 2) * gaussian + (s * s + 2.5) * tail) / (4 * std::sqrt(pi));
    heat += 2 * (energy - wall * mass) * pi / rings;  // area 4 pi r^2, r = 1/2
  }
  double errors[2][2];
  for (const int refined : {0, 1}) {
    const auto method = start(ball_in_stream(refined == 0 ? 6 : 12));
    // All that arrives comes from the stream.
    method->advance(2);
    errors[0][refined] = method->monitor("ball.force_x") / force - 1;
    errors[1][refined] = method->monitor("ball.energy_flux") / heat - 1;
    EXPECT_NEAR(method->monitor("ball.force_y") / force, 0, 3e-3);
    EXPECT_NEAR(method->monitor("ball.drag_coefficient") / drag, 1, refined == 0 ? 0.03 : 0.01);
  }
  for (const auto& error : errors) {
    EXPECT_LT(error[0], 0);
    EXPECT_GT(error[1], -0.035);
    EXPECT_LT(error[1] / error[0], 0.33);  // a quarter at order two
  }
}

TEST(CutCellFlow, HeatBetweenCylindersIsThatOfTheIntegralEquations) {
  const CsvTable table(std::string(KNUDSEN_TEST_DATA) + "/cylinders_BGK.csv");
  auto json = nlohmann::json::parse(R"({
    "precision": "double", "domain": {"cells": [42, 42], "size": [2.1, 2.1]},
    "velocity_grid": {"type": "half-range", "count": [16, 16, 6]},
    "collision": {"model": "bgk"}, "propagation": {"order": 2},
    "boundaries": {"west": {"type": "symmetry"}, "south": {"type": "symmetry"},
                   "east": {"type": "wall"}, "north": {"type": "wall"}},
    "geometry": {"surface": "cut-cells", "solids": [
      {"name": "inner", "shape": "sphere", "centre": [0, 0], "radius": 1, "temperature": 1.001},
      {"name": "outer", "shape": "sphere", "centre": [0, 0], "radius": 2, "inverted": true,
       "temperature": 0.999}]}})");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double delta = table.column("delta")[row];
    if (delta > 3) continue;  // needs finer cells (docs/validation/gas.md)
    json["gas"] = {{"rarefaction", delta}, {"law", "hard-sphere"}};
    const auto method = start(json);
    EXPECT_LE(converge(*method, 1e-7, 60), 60) << delta;
    const double found = -method->monitor("inner.energy_flux") / 0.002 / (std::numbers::pi / 2);
    EXPECT_NEAR(found / table.column("q_per_dT")[row], 1, delta < 3 ? 0.002 : 0.005) << delta;
  }
}

TEST(CutCellFlow, DragOfASphereInASlowStreamIsThatOfFreeMolecules) {
  auto json = ball_in_stream(12);
  json["domain"]["size"] = {1.2, 1.2, 1.2};
  json["domain"]["origin"] = {-0.6, -0.6, -0.6};
  json["velocity_grid"] = {
      {"count", {16, 16, 16}}, {"minimum", {-4, -4, -4}}, {"maximum", {4.5, 4, 4}}};
  json["initial"] = {{"type", "uniform"}, {"velocity", {0.5, 0, 0}}};
  json["geometry"]["solids"][0]["centre"] = {0, 0, 0};
  json["geometry"]["solids"][0]["temperature"] = 1;
  EXPECT_TRUE(read(json)->warnings.empty());
  const auto method = start(json);
  method->advance(3);
  EXPECT_NEAR(method->monitor("ball.drag_coefficient") / 8.677, 1, 2e-3);
}

/// Couette flow, or heat conduction, between a plate and a half-space that ends within a cell.
nlohmann::json plates(int cells, int order, bool heat) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double", "domain": {"size": [1.37]},
    "collision": {"model": "bgk"}, "gas": {"rarefaction": 1, "law": "maxwell"},
    "velocity_grid": {"type": "half-range", "count": [16, 8, 8]},
    "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}},
    "geometry": {"surface": "cut-cells", "solids": [
      {"name": "plate", "shape": "half-space", "point": [1], "normal": [-1]}]}
  })");
  json["domain"]["cells"] = {cells};
  json["propagation"]["order"] = order;
  if (heat) {
    json["boundaries"]["west"]["temperature"] = 0.95;
    json["geometry"]["solids"][0]["temperature"] = 1.05;
  } else {
    json["boundaries"]["west"]["velocity"] = {0, -0.1, 0};
    json["geometry"]["solids"][0]["velocity"] = {0, 0.1, 0};
  }
  return json;
}

TEST(CutCellFlow, BetweenPlatesAtAnyOffsetConverges) {
  for (const bool heat : {false, true}) {
    // With a grid that ends at the plate.
    auto fitted = plates(160, 2, heat);
    fitted["domain"]["size"] = {1};
    fitted["boundaries"]["east"].merge_patch(fitted["geometry"]["solids"][0]);
    for (const char* key : {"name", "shape", "point", "normal"}) {
      fitted["boundaries"]["east"].erase(key);
    }
    fitted.erase("geometry");
    const std::string quantity = heat ? ".energy_flux" : ".force_y";
    const auto exact = start(fitted);
    EXPECT_LE(converge(*exact, 1e-10, 100), 100);
    const double expected = exact->monitor("east" + quantity);
    const auto error = [&](int cells, int order) {
      const auto method = start(plates(cells, order, heat));
      EXPECT_LE(converge(*method, 1e-10, 100), 100);
      const double found = method->monitor("plate" + quantity);
      EXPECT_NEAR(found, -method->monitor("west" + quantity), 1e-8);
      return std::abs(found / expected - 1);
    };
    EXPECT_LT(error(20, 2), 1.5e-3);
    EXPECT_LT(error(80, 2), 1e-4);
    EXPECT_LT(error(20, 1), 3e-2);
    EXPECT_LT(error(80, 1), 8e-3);
  }
}

TEST(HeatedFacets, OfTheFluxBetweenTwoTemperaturesHaveThatTemperature) {
  for (const char* acceleration : {"none", "synthetic"}) {
    auto json = plates(20, 2, true);
    json["propagation"]["acceleration"] = acceleration;
    json["geometry"]["solids"][0]["velocity"] = {0, 0.1, 0.05};
    const auto given = start(json);
    EXPECT_LE(converge(*given, 1e-11, 200), 200);
    // What a moving wall takes is heat and the work of the friction.
    const double heat = -given->monitor("plate.energy_flux") +
                        0.1 * given->monitor("plate.force_y") +
                        0.05 * given->monitor("plate.force_z");
    json["geometry"]["solids"][0].erase("temperature");
    json["geometry"]["solids"][0]["heat_flux"] = heat;
    const auto found = start(json);
    EXPECT_LE(converge(*found, 1e-11, 400), 400);
    EXPECT_NEAR(found->monitor("plate.temperature"), 1.05, 1e-7);
    EXPECT_NEAR(found->monitor("west.energy_flux") / given->monitor("west.energy_flux"), 1, 1e-6);
    EXPECT_NEAR(found->monitor("plate.energy_flux") / given->monitor("plate.energy_flux"), 1, 1e-6);
  }
}

TEST(HeatedFacets, WithoutHeatComeToTheTemperatureOfTheWalls) {
  for (const int dimensions : {2, 3}) {
    for (const char* acceleration : {"none", "synthetic"}) {
      auto json = tilted(dimensions);
      json["velocity_grid"] = {
          {"count", {14, 14, 14}}, {"minimum", {-5, -5, -5}}, {"maximum", {5, 5, 5}}};
      json["collision"] = {{"model", "bgk"}, {"conservative", true}};
      json["propagation"] = {{"acceleration", acceleration}};
      for (auto& side : json["boundaries"]) side["temperature"] = 1.3;
      for (auto& body : json["geometry"]["solids"]) body["heat_flux"] = 0;
      const auto method = start(json);
      const double mass = method->monitor("mass");
      EXPECT_LE(converge(*method, 1e-8, 200), 200) << dimensions << acceleration;
      EXPECT_NEAR(method->monitor("mass") / mass, 1, 1e-13);
      for (const std::string body : {"ball", "slope"}) {
        EXPECT_NEAR(method->monitor(body + ".temperature"), 1.3, 1e-3) << dimensions;
        EXPECT_NEAR(method->monitor(body + ".energy_flux"), 0, 1e-13);
      }
      const SurfaceFields surface = method->surface();
      for (std::size_t i = 0; i < surface.fields.back().size(); ++i) {
        EXPECT_NEAR(surface.fields.back()[i], 1.3, 1e-3);
      }
    }
  }
}

TEST(HeatedFacets, PassTheirHeatOn) {
  auto json = tilted(2);
  json["velocity_grid"] = {
      {"count", {12, 12, 12}}, {"minimum", {-5, -5, -5}}, {"maximum", {5, 5, 5}}};
  json["collision"] = {{"model", "bgk"}, {"conservative", true}};
  json["geometry"]["solids"][0]["heat_flux"] = 0.04;
  json["geometry"]["solids"][0]["velocity"] = {0, 0, 0.2};
  int iterations[2];
  for (const int accelerated : {0, 1}) {
    json["propagation"] = {{"acceleration", accelerated == 1 ? "synthetic" : "none"}};
    json["gas"]["rarefaction"] = 10;
    const auto method = start(json);
    iterations[accelerated] = converge(*method, 1e-11, 1000);
    const double sum =
        method->monitor("ball.energy_flux") + method->monitor("slope.energy_flux") +
        1.1 * method->monitor("west.energy_flux") + 0.3 * method->monitor("east.energy_flux") +
        method->monitor("south.energy_flux") + 0.6 * method->monitor("north.energy_flux");
    EXPECT_NEAR(sum / method->monitor("ball.energy_flux"), 0, 1e-9);
    // Of a polygon within a circle; what the gas gives to the moving ball is less by its work.
    const double circumference = 2 * std::numbers::pi * 0.23;
    const double heat = method->monitor("ball.energy_flux") - 0.2 * method->monitor("ball.force_z");
    EXPECT_NEAR(heat / (-0.04 * circumference), 1, 0.05);
    EXPECT_GT(method->monitor("ball.temperature"), 1.02);
  }
  EXPECT_LT(2 * iterations[1], iterations[0]);
}

TEST(HeatedFacets, ContinueFromACheckpointWithTheSameBits) {
  for (const char* acceleration : {"none", "synthetic"}) {
    auto json = tilted(2);
    json["velocity_grid"] = {
        {"count", {10, 10, 10}}, {"minimum", {-4, -4, -4}}, {"maximum", {4, 4, 4}}};
    json["propagation"]["acceleration"] = acceleration;
    json["geometry"]["solids"][0]["heat_flux"] = 0.04;
    const auto problem = read(json);
    const auto whole = problem->create(default_backend());
    const auto resumed = resumed_after_two(*problem, *whole);
    const Field a = whole->field("temperature");
    const Field b = resumed->field("temperature");
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!problem->is_solid(i)) {
        EXPECT_EQ(a[i], b[i]);
      }
    }
    EXPECT_EQ(whole->monitor("ball.temperature"), resumed->monitor("ball.temperature"));
    // Monitors change nothing.
    const auto watched = problem->create(default_backend());
    watched->initialise();
    for (int n = 0; n < 4; ++n) {
      watched->advance(1);
      watched->monitor("ball.temperature");
    }
    const Field c = watched->field("temperature");
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!problem->is_solid(i)) {
        EXPECT_EQ(a[i], c[i]);
      }
    }
  }
}

TEST(CutCellFlow, ThroughAnInclinedChannelIsThatOfAStraightOne) {
  // Strips at 45 degrees through a doubly periodic square; the gas between two of them.
  const double half_strip = 0.21;
  const double height = 1 - 2 * half_strip;
  auto json = nlohmann::json::parse(R"({
    "precision": "double", "velocity_grid": {"count": [22, 22, 6], "minimum": [-4, -4, -4],
                                             "maximum": [4, 4, 4]},
    "gas": {"rarefaction": 2}, "collision": {"body_force": [0.02, 0.02, 0]},
    "propagation": {"order": 2},
    "boundaries": {"west": {"type": "periodic"}, "east": {"type": "periodic"},
                   "south": {"type": "periodic"}, "north": {"type": "periodic"}},
    "geometry": {"surface": "cut-cells", "solids": [
      {"name": "strip", "shape": "cylinder", "from": [-6, -6], "to": [8, 8]}]}
  })");
  const double period = std::sqrt(2.0);
  json["domain"]["size"] = {period, period};
  json["geometry"]["solids"][0]["radius"] = half_strip;
  const auto mean = [](const nlohmann::json& flow, int axis) {
    const auto method = start(flow);
    EXPECT_LE(converge(*method, 1e-8, 400), 400);
    return method->monitor(axis == 0 ? "mean_velocity_x" : "mean_velocity_y");
  };
  auto straight = json;
  straight.erase("geometry");
  straight["domain"] = {{"cells", {100}}, {"size", {height}}};
  straight["collision"]["body_force"] = {0, 0.02 * period, 0};
  straight["velocity_grid"]["count"] = {96, 12, 6};
  straight["boundaries"] = {{"west", {{"type", "wall"}}}, {"east", {{"type", "wall"}}}};
  const double expected = mean(straight, 1) / period;
  double found[2];
  for (const int refined : {0, 1}) {
    const int cells = refined == 0 ? 10 : 20;
    json["domain"]["cells"] = {cells, cells};
    found[refined] = mean(json, 0);
  }
  // The rest is the error of the velocities, which are not those of the straight channel.
  EXPECT_NEAR(found[1] / expected, 1, 0.015);
  EXPECT_NEAR(found[0] / found[1], 1, 0.03);
}

TEST(CutCellFlow, DependsNeitherOnSchemeNorBatchesNorPrecision) {
  auto json = tilted(3);
  json["velocity_grid"] = {
      {"count", {10, 10, 10}}, {"minimum", {-4, -4, -4}}, {"maximum", {4, 4, 4}}};
  json["boundaries"]["west"]["temperature"] = 1.3;
  json["geometry"]["solids"][0]["temperature"] = 0.8;
  json["geometry"]["solids"][1]["heat_flux"] = 0.02;
  const auto plain = start(json);
  plain->advance(5);
  struct Other {
    const char* patch;
    double tolerance;
  };
  for (const Other& other :
       {Other{R"({"propagation": {"scheme": "slices"}})", 1e-13},
        Other{R"({"tuning": {"batch": 1}})", 0}, Other{R"({"precision": "single"})", 1e-5}}) {
    const auto method = start(with(other.patch, json));
    method->advance(5);
    for (const char* quantity : {"mass", "ball.force_x", "ball.energy_flux", "slope.force_z",
                                 "slope.torque_y", "west.energy_flux"}) {
      EXPECT_NEAR(method->monitor(quantity), plain->monitor(quantity), other.tolerance)
          << quantity << " " << other.patch;
    }
  }
}

TEST(CutCellFlow, IsAcceleratedToTheSameSolution) {
  for (const int order : {1, 2}) {
    // In three dimensions with one order only, since it takes long.
    for (int dimensions = 1; dimensions <= 4 - order; ++dimensions) {
      auto json = dimensions == 1 ? plates(20, 2, false) : tilted(dimensions);
      if (dimensions > 1) {
        json["velocity_grid"] = {
            {"count", {8, 8, 8}}, {"minimum", {-4, -4, -4}}, {"maximum", {4, 4, 4}}};
        json["boundaries"]["west"]["temperature"] = 1.1;
        json["geometry"]["solids"][0]["temperature"] = 0.9;
      }
      if (dimensions == 3) json["domain"]["cells"] = {4, 4, 3};
      json["gas"]["rarefaction"] = 5;
      json["propagation"]["order"] = order;
      json["propagation"]["acceleration"] = "none";
      const auto plain = start(json);
      const int iterations = converge(*plain, 1e-7, 300);
      json["propagation"]["acceleration"] = "synthetic";
      const auto accelerated = start(json);
      EXPECT_LE(converge(*accelerated, 1e-7, iterations / 2), iterations / 2)
          << order << " " << dimensions << " " << iterations;
      EXPECT_EQ(accelerated->results().at("share of corrections applied"), "1");
      for (const char* quantity : {"mass", "west.energy_flux", "west.force_y"}) {
        EXPECT_NEAR(plain->monitor(quantity), accelerated->monitor(quantity), 3e-6) << quantity;
      }
    }
  }
}

TEST(CutCellFlow, GoesOnFromACheckpointBitForBit) {
  auto json = tilted(2);
  json["velocity_grid"] = {
      {"count", {10, 10, 10}}, {"minimum", {-4, -4, -4}}, {"maximum", {4, 4, 4}}};
  json["boundaries"]["west"]["temperature"] = 1.3;
  const auto problem = read(json);
  const auto whole = problem->create(default_backend());
  const auto resumed = resumed_after_two(*problem, *whole);
  for (const char* quantity : {"mass", "ball.force_x", "ball.energy_flux", "slope.force_y"}) {
    EXPECT_EQ(whole->monitor(quantity), resumed->monitor(quantity)) << quantity;
  }
}

TEST(CutCellFlow, SurfacesArePolygonsWithTheLoads) {
  const auto json = tilted(3, R"({"velocity_grid": {"count": [16, 16, 16]}})");
  const auto problem = read(json);
  const auto method = problem->create(default_backend());
  method->initialise();
  method->advance(1);
  const SurfaceFields surface = method->surface();
  const Field& number = surface.fields[0];
  const Field& pressure = surface.fields[1];
  std::size_t polygons = 0;
  for (std::size_t face = 0; face < surface.faces.size(); ++face) {
    if (number[face] < 6) {
      EXPECT_TRUE(surface.faces[face].corners.empty());
      continue;
    }
    ++polygons;
    ASSERT_GE(surface.faces[face].corners.size(), 3U);
    EXPECT_NEAR(pressure[face], 1, 0.02);
    if (number[face] != 6) continue;
    for (const auto& corner : surface.faces[face].corners) {
      EXPECT_NEAR(std::hypot(corner[0] - 0.31, corner[1] - 0.36, corner[2] - 0.33), 0.23, 1e-8);
    }
  }
  EXPECT_GT(polygons, 40U);
  const Field share = method->field("gas_volume");
  double volume = 0;
  for (std::size_t cell = 0; cell < share.size(); ++cell) volume += share[cell] * 0.99 / 210;
  EXPECT_NEAR(volume, method->monitor("mass"), 0.01 * volume);
}

TEST(CutCellReader, RefusesWhatItCannotDo) {
  const auto error = [](const std::string& patch) {
    return knudsen::test::input_error([&] { read(tilted(3, patch)); });
  };
  EXPECT_THAT(error(R"({"geometry": {"surface": "cut"}})"),
              HasSubstr("geometry.surface: found \"cut\", must be one of"));
  EXPECT_THAT(error(R"({"geometry": {"solids": [
                {"shape": "sphere", "centre": [0.5, 0.5, 0.5], "radius": 0.001}]}})"),
              HasSubstr("geometry.solids[0]: this solid contains no corner of a cell"));
  EXPECT_THAT(error(R"({"geometry": {"solids": [{"shape": "sphere", "centre": [0.5, 0.5, 0.5],
                                                 "radius": 0.2, "velocity": [0, 0, 0.1]}]}})"),
              HasSubstr("geometry.solids[0].velocity: a wall moves along itself only"));
  EXPECT_THAT(error(R"({"geometry": {"solids": [{"shape": "sphere", "centre": [0.5, 0.5, 0.5],
                                                 "radius": 9}]}})"),
              HasSubstr("the solids fill the domain"));
  // A box need not end on grid lines, and whole cells still must.
  const char* const box = R"({"geometry": {"solids": [
    {"shape": "box", "from": [0.2, 0.2, 0.2], "to": [0.61, 0.7, 0.8]}]}})";
  EXPECT_NO_THROW(read(tilted(3, box)));
  EXPECT_THAT(knudsen::test::input_error([&] {
                read(with(R"({"geometry": {"surface": "whole-cells"}})", tilted(3, box)));
              }),
              HasSubstr("a box must end on grid lines"));
  EXPECT_TRUE(read(tilted(3, R"({"propagation": {"order": 2}})"))->warnings.empty());
}

}  // namespace
}  // namespace knudsen::shakhov
