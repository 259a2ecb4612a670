#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <string>

#include "balance.hpp"
#include "problem.hpp"

// The asymptotic-preserving form of the synthetic acceleration with bodies that cut cells.
namespace knudsen::shakhov {
namespace {

using namespace test;

constexpr double slip = 1.0162;
constexpr double jump = 1.3027;                            // of the BGK model
const double free_path = std::sqrt(std::numbers::pi) / 2;  // times delta: a mean free path is L

enum class Flow { shear, heat, force };

/// Gas between a plate and a half-space that leaves a share of the last cell open. Cells are one
/// long and `width` mean free paths wide.
nlohmann::json plates(double width, double open, int order, Flow flow, int cells = 10) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double", "collision": {"model": "bgk"},
    "velocity_grid": {"type": "half-range", "count": [16, 8, 8]},
    "propagation": {"acceleration": "asymptotic-preserving"},
    "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}},
    "geometry": {"surface": "cut-cells", "solids": [
      {"name": "plate", "shape": "half-space", "normal": [-1]}]}})");
  const double gap = cells - 1 + open;
  json["geometry"]["solids"][0]["point"] = {gap};
  json["domain"] = {{"cells", {cells + 1}}, {"size", {cells + 1}}};
  json["gas"] = {{"rarefaction", width * free_path}, {"law", "hard-sphere"}};
  json["propagation"]["order"] = order;
  if (flow == Flow::shear) {
    json["boundaries"]["west"]["velocity"] = {0, -0.005, 0};
    json["geometry"]["solids"][0]["velocity"] = {0, 0.005, 0};
  } else if (flow == Flow::heat) {
    json["boundaries"]["west"]["temperature"] = 0.995;
    json["geometry"]["solids"][0]["temperature"] = 1.005;
  } else {
    json["collision"]["body_force"] = {0, 0.01 / (width * free_path) / gap / gap, 0};
  }
  return json;
}

std::unique_ptr<Method> converged(const nlohmann::json& json, double tolerance, int most) {
  auto method = start(json);
  EXPECT_LE(converge(*method, tolerance, most), most) << json.dump();
  EXPECT_EQ(method->results().at("share of corrections applied"), "1") << json.dump();
  return method;
}

TEST(AsymptoticCutCells, APlateIsAtItsPlaceInACell) {
  constexpr double width = 30;
  const double delta = width * free_path;
  for (const int order : {1, 2}) {
    for (const double open : {0.002, 0.01, 0.1, 0.5, 0.9, 0.999}) {
      const double gap = 9 + open;
      const auto sheared = converged(plates(width, open, order, Flow::shear), 1e-6, 12);
      const double stress = 0.01 / (delta * gap + 2 * slip);
      EXPECT_NEAR(sheared->monitor("plate.force_y") / -stress, 1, 1e-4) << order << " " << open;
      EXPECT_NEAR(sheared->monitor("west.force_y") / stress, 1, 1e-4) << order << " " << open;
      const auto heated = converged(plates(width, open, order, Flow::heat), 1e-6, 15);
      const double heat = 0.0125 / (delta * gap + 2 * jump);
      EXPECT_NEAR(heated->monitor("plate.energy_flux") / -heat, 1, 1e-4) << order << " " << open;
      EXPECT_NEAR(heated->monitor("west.energy_flux") / heat, 1, 1e-4) << order << " " << open;
      const auto json = plates(width, open, order, Flow::force);
      const auto driven = converged(json, 1e-6, 12);
      const double force = json["collision"]["body_force"][1];
      const double mean = 2 * delta * force * gap * gap * (1.0 / 12 + 0.5 * slip / delta / gap);
      // Differences of second order on whole cells have this error, too.
      EXPECT_NEAR(driven->monitor("mean_velocity_y") / mean - 2 / gap / gap, 1, 2e-3)
          << order << " " << open;
    }
  }
}

TEST(AsymptoticCutCells, FineCellsHaveTheSolutionOfTheSweeps) {
  for (const int order : {1, 2}) {
    auto json = plates(order == 1 ? 0.02 : 0.1, 0.3, order, Flow::shear);
    const auto asymptotic = converged(json, 1e-8, 60);
    json["propagation"]["acceleration"] = "synthetic";
    const auto consistent = converged(json, 1e-8, 60);
    EXPECT_NEAR(asymptotic->monitor("west.force_y") / consistent->monitor("west.force_y"), 1, 1e-6);
  }
}

/// Gas between coaxial cylinders, or concentric spheres, of radii 1 and 2. The inner one moves
/// along the axis or is hotter. `path` is a mean free path.
nlohmann::json shell(int dimensions, int cells, double path, bool heat, int order = 1) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double", "collision": {"model": "bgk"},
    "velocity_grid": {"type": "half-range", "count": [8, 8, 8]},
    "propagation": {"acceleration": "asymptotic-preserving"},
    "geometry": {"surface": "cut-cells", "solids": [
      {"name": "inner", "shape": "sphere", "radius": 1},
      {"name": "outer", "shape": "sphere", "radius": 2, "inverted": true}]}})");
  auto& bodies = json["geometry"]["solids"];
  const char* const sides[6] = {"west", "east", "south", "north", "bottom", "top"};
  for (int d = 0; d < dimensions; ++d) {
    json["domain"]["cells"].push_back(cells);
    json["domain"]["size"].push_back(4.2);
    json["domain"]["origin"].push_back(-2.1);
    for (int end = 0; end < 2; ++end) json["boundaries"][sides[2 * d + end]]["type"] = "wall";
    for (auto& body : bodies) body["centre"].push_back(d == 0 ? 0.013 : -0.021);
  }
  json["gas"] = {{"rarefaction", free_path / path}, {"law", "hard-sphere"}};
  json["propagation"]["order"] = order;
  if (heat) {
    bodies[0]["temperature"] = 1.001;
    bodies[1]["temperature"] = 0.999;
  } else {
    bodies[0]["velocity"] = {0, 0, 0.002};
  }
  return json;
}

TEST(AsymptoticCutCells, ShellsShearAndConductInTheSecondOrder) {
  struct Case {
    int dimensions;
    int coarse;
    int fine;
    bool heat;
  };
  for (const Case& of : {Case{2, 12, 24, false}, Case{2, 12, 24, true}, Case{3, 8, 16, true}}) {
    constexpr double path = 0.01;
    const double delta = free_path / path;
    // u or T = a ln r + b, a / r + b, with slip or jump at both radii.
    const double zeta = (of.heat ? jump : slip) / delta;
    const double resistance = of.dimensions == 2 ? std::log(2.0) + 1.5 * zeta : 0.5 + 1.25 * zeta;
    const double area = (of.dimensions == 2 ? 2 : 4) * std::numbers::pi;
    const double expected = (of.heat ? 1.25 : 1) * 0.002 / delta / resistance * area;
    double error[2];
    for (const int n : {0, 1}) {
      auto json = shell(of.dimensions, n == 0 ? of.coarse : of.fine, path, of.heat);
      if (of.dimensions == 3) json["velocity_grid"]["count"] = {6, 6, 6};
      const auto method = converged(json, 1e-6, 12);
      const std::string quantity = of.heat ? ".energy_flux" : ".force_z";
      const double found = method->monitor("inner" + quantity);
      EXPECT_NEAR(method->monitor("outer" + quantity) / -found, 1, 1e-5);
      error[n] = found / -expected - 1;
    }
    EXPECT_LT(std::abs(error[1]), of.dimensions == 2 ? 0.01 : 0.05);
    EXPECT_NEAR(error[0] / error[1], 4, 1) << of.dimensions << " " << of.heat;
  }
}

TEST(AsymptoticCutCells, HeatedBodiesHaveTheTemperatureOfAContinuum) {
  for (const int order : {1, 2}) {
    auto json = shell(2, 24, 0.01, true, order);
    const auto given = converged(json, 1e-7, 15);
    const double area = 2 * std::numbers::pi;
    json["geometry"]["solids"][0].erase("temperature");
    json["geometry"]["solids"][0]["heat_flux"] = given->monitor("inner.energy_flux") / -area;
    const auto found = converged(json, 1e-7, 15);
    // The polygon has less area than the circle.
    const double share = found->monitor("inner.energy_flux") / given->monitor("inner.energy_flux");
    EXPECT_NEAR(share, 1, 2e-3);
    EXPECT_NEAR(found->monitor("outer.energy_flux") / found->monitor("inner.energy_flux"), -1, 1e-4)
        << order;
    // The temperature less that of the outer cylinder.
    EXPECT_NEAR((found->monitor("inner.temperature") - 0.999) / 0.002 / share, 1, 1e-3) << order;
  }
}

/// A box of walls with a ball and a slope that cut cells.
nlohmann::json tilted(double delta, double speed) {
  auto json = with(R"({
    "domain": {"cells": [7, 6], "size": [1, 1.1]},
    "velocity_grid": {"count": [26, 26, 26], "minimum": [-6.25, -6.25, -6.25],
                      "maximum": [6.25, 6.25, 6.25], "rule": "trapezoid"},
    "propagation": {"acceleration": "asymptotic-preserving"},
    "collision": {"model": "bgk", "conservative": true},
    "geometry": {"surface": "cut-cells", "solids": [
      {"name": "ball", "shape": "sphere", "centre": [0.31, 0.36], "radius": 0.23},
      {"name": "slope", "shape": "half-space", "point": [0.8, 0.7], "normal": [-2, -1]}]}
  })");
  for (const char* side : {"bottom", "top"}) json["boundaries"].erase(side);
  json["gas"]["rarefaction"] = delta;
  json["boundaries"]["north"]["velocity"] = {speed, 0, 0.5 * speed};
  json["boundaries"]["west"]["temperature"] = 1 + speed;
  json["geometry"]["solids"][0]["temperature"] = 1 - 0.6 * speed;
  json["geometry"]["solids"][0]["velocity"] = {0, 0, 0.5 * speed};
  json["geometry"]["solids"][1]["velocity"] = {0.3 * speed, -0.6 * speed, 0};
  return json;
}

TEST(AsymptoticCutCells, UniformGasStaysAtRest) {
  for (const double delta : {10., 1000.}) {
    auto json = tilted(delta, 0);
    json["collision"]["conservative"] = false;
    const auto problem = read(json);
    const auto method = problem->create(default_backend());
    method->initialise();
    method->advance(3);
    const Field density = method->field("density");
    const Field velocity = method->field("velocity");
    for (std::size_t cell = 0; cell < problem->grid.size(); ++cell) {
      if (problem->is_solid(cell)) continue;
      EXPECT_NEAR(density[cell], 1, 1e-13);
      for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(velocity[3 * cell + d], 0, 1e-13);
    }
    EXPECT_NEAR(method->monitor("ball.force_x"), 0, 1e-13);
    EXPECT_NEAR(method->monitor("slope.energy_flux"), 0, 1e-13);
  }
}

TEST(AsymptoticCutCells, KeepMassMomentumAndEnergy) {
  auto json = tilted(300, 0.1);
  json["velocity_grid"] = {
      {"count", {12, 12, 12}}, {"minimum", {-5, -5, -5}}, {"maximum", {5, 5, 5}}};
  const auto method = start(json);
  const double mass = method->monitor("mass");
  EXPECT_LE(converge(*method, 1e-8, 15), 15);
  method->advance(3);
  EXPECT_NEAR(method->monitor("mass") / mass, 1, 1e-13);
  expect_balance(*method);
}

TEST(AsymptoticCutCells, GoOnFromACheckpointBitForBit) {
  const auto problem = read(tilted(100, 0.1));
  const auto whole = problem->create(default_backend());
  const auto resumed = resumed_after_two(*problem, *whole);
  for (const char* quantity : {"mass", "ball.force_x", "ball.energy_flux", "slope.force_y"}) {
    EXPECT_EQ(whole->monitor(quantity), resumed->monitor(quantity)) << quantity;
  }
}

TEST(AsymptoticCutCells, TheDragOfACylinderConvergesFast) {
  // The last of them at a Reynolds number of a cell of seven.
  for (const double path : {0.01, 0.003}) {
    double drag[2];
    for (const int refined : {0, 1}) {
      auto json = nlohmann::json::parse(R"({
        "precision": "double", "velocity_grid": {"type": "half-range", "count": [8, 8, 8]},
        "gas": {"law": "argon"}, "propagation": {"acceleration": "asymptotic-preserving"},
        "domain": {"size": [3, 3], "origin": [-1.5, -1.5]},
        "boundaries": {"west": {"type": "reservoir"}, "east": {"type": "reservoir"},
                       "south": {"type": "reservoir"}, "north": {"type": "reservoir"}},
        "initial": {"type": "uniform", "velocity": [0.05, 0, 0]},
        "geometry": {"surface": "cut-cells", "solids": [
          {"name": "ball", "shape": "sphere", "centre": [0.013, 0.021], "radius": 0.5}]}
      })");
      for (auto& side : json["boundaries"]) side["velocity"] = {0.05, 0, 0};
      const int cells = refined == 0 ? 12 : 24;
      json["domain"]["cells"] = {cells, cells};
      json["gas"]["rarefaction"] = free_path / path;
      drag[refined] = converged(json, 1e-5, 12)->monitor("ball.force_x");
    }
    // A staircase of 12 and 24 cells is larger and has 4 to 8 % more.
    EXPECT_NEAR(drag[0] / drag[1], 1, 0.03) << path;
  }
}

}  // namespace
}  // namespace knudsen::shakhov
