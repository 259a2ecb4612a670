#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "methods/shakhov/parameters.hpp"
#include "problem.hpp"

// Bodies whose surfaces cut cells.
namespace knudsen::bgkw {
namespace {

using namespace test;
using testing::HasSubstr;

/// A box of walls, with a tilted solid and a ball, that cut cells, in the last corners.
nlohmann::json tilted(int dimensions, const std::string& patch = "{}") {
  auto json = with(R"({
    "domain": {"cells": [7, 6, 5], "size": [1, 1.1, 0.9]},
    "collision": {"conservative": true},
    "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"},
                   "bottom": {"type": "wall"}, "top": {"type": "wall"}},
    "geometry": {"surface": "cut-cells", "solids": [
      {"name": "ball", "shape": "sphere", "centre": [0.31, 0.36, 0.33], "radius": 0.23},
      {"name": "slope", "shape": "half-space", "point": [0.8, 0.7, 0.9], "normal": [-2, -1, -0.6]}]}
  })");
  if (dimensions == 2) {
    for (const char* key : {"cells", "size"}) json["domain"][key].erase(2);
    for (const char* side : {"bottom", "top"}) json["boundaries"].erase(side);
    auto& solids = json["geometry"]["solids"];
    solids[0]["centre"].erase(2);
    solids[1]["point"].erase(2);
    solids[1]["normal"].erase(2);
  }
  json.merge_patch(nlohmann::json::parse(patch));
  return json;
}

constexpr const char* second_order = R"({"propagation": {"order": 2}})";

TEST(BgkwCutCells, UniformGasStaysAtRest) {
  for (const int dimensions : {2, 3}) {
    for (
        const char* patch :
        {"{}", second_order, R"({"precision": "single"})",
         R"({"propagation": {"order": 2, "limiter": "minmod"}, "collision": {"model": "es-bgk"}})"}) {
      auto json = tilted(dimensions, patch);
      // Collisions would bring the gas to the Maxwellian that is fitted to the velocity grid.
      json["gas"]["rarefaction"] = 0;
      json["collision"]["conservative"] = false;
      const auto problem = read(json);
      const auto method = problem->create(default_backend());
      method->initialise();
      const double mass = method->monitor("mass");
      const Field before = method->field("temperature");
      method->advance(6);
      const double rounding = json["precision"] == "single" ? 2e-6 : 1e-13;
      EXPECT_NEAR(method->monitor("mass") / mass, 1, rounding);
      const Field temperature = method->field("temperature");
      const Field velocity = method->field("velocity");
      for (std::size_t cell = 0; cell < problem->grid.size(); ++cell) {
        if (problem->is_solid(cell)) continue;
        EXPECT_NEAR(temperature[cell], before[cell], rounding) << patch;
        for (std::size_t d = 0; d < 3; ++d) {
          EXPECT_NEAR(velocity[3 * cell + d], 0, rounding) << patch;
        }
      }
      for (const std::string body : {"ball", "slope"}) {
        EXPECT_NEAR(method->monitor(body + ".energy_flux"), 0, rounding);
      }
      EXPECT_NEAR(method->monitor("ball.force_x"), 0, rounding);
    }
  }
}

TEST(BgkwCutCells, LoadsAreWhatTheGasLoses) {
  for (const char* patch :
       {"{}", second_order, R"({"propagation": {"time_integration": "imex-2"}})"}) {
    auto json = tilted(2, patch);
    // So that nothing but bodies takes energy.
    for (const char* side : {"west", "east", "south", "north"}) {
      json["boundaries"][side] = {{"type", "symmetry"}};
    }
    json["initial"] = {{"type", "uniform"}, {"velocity", {0.2, -0.1, 0.1}}, {"temperature", 1.1}};
    json["geometry"]["solids"][0]["temperature"] = 0.7;
    const auto problem = read(json);
    const auto method = problem->create(default_backend());
    method->initialise();
    const double mass = method->monitor("mass");
    for (int step = 0; step < 12; ++step) {
      const double before = method->monitor("energy");
      const double lost =
          method->monitor("ball.energy_flux") + method->monitor("slope.energy_flux");
      method->advance(1);
      EXPECT_NEAR(before - method->monitor("energy"), problem->time_per_step * lost, 1e-13)
          << patch << step;
      EXPECT_NEAR(method->monitor("ball.mass_flux"), 0, 1e-13);
      EXPECT_GT(std::abs(lost), 1e-2);
    }
    EXPECT_NEAR(method->monitor("mass") / mass, 1, 1e-13);
  }
}

TEST(BgkwCutCells, OfSpecularBodiesKeepMassAndEnergy) {
  for (const int dimensions : {2, 3}) {
    for (const bool reduced : {false, true}) {
      if (reduced && dimensions == 3) continue;
      auto json = tilted(dimensions, second_order);
      json["reduced"] = reduced;
      for (auto& side : json["boundaries"]) side = {{"type", "symmetry"}};
      for (auto& body : json["geometry"]["solids"]) body["accommodation"] = 0;
      json["initial"] = {{"type", "uniform"}, {"velocity", {0.2, -0.1, 0}}};
      const auto method = read(json)->create(default_backend());
      method->initialise();
      const double mass = method->monitor("mass");
      const double energy = method->monitor("energy");
      method->advance(dimensions == 2 ? 40 : 8);
      EXPECT_NEAR(method->monitor("mass") / mass, 1, 1e-13) << dimensions << reduced;
      EXPECT_NEAR(method->monitor("energy") / energy, 1, 1e-12) << dimensions << reduced;
      EXPECT_LT(method->monitor("mean_velocity_x"), 0.15);
      EXPECT_FALSE(method->find_divergence());
      // Gas in equilibrium with partly specular walls stays so.
      json["gas"]["rarefaction"] = 0;
      json["collision"]["conservative"] = false;
      json["initial"] = {{"type", "rest"}};
      json["geometry"]["solids"][0]["accommodation"] = 0.3;
      const auto still = read(json)->create(default_backend());
      still->initialise();
      const double before = still->monitor("energy");
      still->advance(10);
      EXPECT_NEAR(still->monitor("energy") / before, 1, 1e-13);
      EXPECT_LT(still->monitor("max_speed"), 1e-13);
    }
  }
}

TEST(BgkwCutCells, OfHeatedBodiesPassTheirHeatOn) {
  for (const bool reduced : {false, true}) {
    for (const char* patch : {"{}", second_order, R"({"precision": "single"})"}) {
      auto json = tilted(2, patch);
      json["reduced"] = reduced;
      for (auto& body : json["geometry"]["solids"]) body["heat_flux"] = 0.05;
      json["geometry"]["solids"][1]["heat_flux"] = 0;
      json["geometry"]["solids"][0]["velocity"] = {0, 0, reduced ? 0 : 0.2};
      for (auto& side : json["boundaries"]) side = {{"type", "symmetry"}};
      const auto problem = read(json);
      const auto method = problem->create(default_backend());
      method->initialise();
      const double mass = method->monitor("mass");
      const bool single = json["precision"] == "single";
      const double rounding = single ? 1e-5 : 1e-12;
      for (int step = 0; step < 5; ++step) {
        const double before = method->monitor("energy");
        const double heat = -method->monitor("ball.energy_flux");
        method->advance(1);
        EXPECT_NEAR(method->monitor("energy") - before, problem->time_per_step * heat, rounding);
        // 2 pi r times the heat flux.
        if (reduced) {
          EXPECT_NEAR(heat, 0.05 * 2 * std::numbers::pi * 0.23, 0.06 * heat);
        }
        EXPECT_NEAR(method->monitor("slope.energy_flux"), 0, rounding);
        EXPECT_GT(method->monitor("ball.temperature"), 1.01);
      }
      EXPECT_NEAR(method->monitor("mass") / mass, 1, rounding);
    }
  }
}

TEST(BgkwCutCells, OfABoxOnGridLinesAreThoseOfWholeCells) {
  for (const char* widths : {"equal", "growing", "partly specular", "heated"}) {
    auto json = with(R"({
      "collision": {"conservative": true}, "propagation": {"time_integration": "imex-1"},
      "boundaries": {"west": {"temperature": 1.2}, "south": {"type": "periodic"},
                     "north": {"type": "periodic"}},
      "geometry": {"solids": [{"name": "block", "shape": "box", "temperature": 0.9,
                               "from": [2, 4], "to": [4, 6]}]}})");
    json["domain"] = {{"cells", {6, 5}}, {"size", {6, 5}}};
    if (widths == std::string("growing")) {
      json["domain"] = nlohmann::json::parse(R"({"x": [{"cells": 2, "length": 2, "ratio": 0.7},
        {"cells": 2, "length": 2}, {"cells": 2, "length": 2, "ratio": 1.3}],
        "y": [{"cells": 5, "length": 5}]})");
    }
    if (widths == std::string("partly specular")) {
      json["geometry"]["solids"][0]["accommodation"] = 0.6;
    }
    if (widths == std::string("heated")) {
      json["geometry"]["solids"][0].erase("temperature");
      json["geometry"]["solids"][0]["heat_flux"] = 0.03;
    }
    const auto whole_problem = read(json);
    const auto whole = advanced(json, 6);
    json["geometry"]["surface"] = "cut-cells";
    const auto problem = read(json);
    const auto cut = advanced(json, 6);
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
    for (const char* quantity :
         {"mass", "energy", "block.force_x", "block.force_y", "block.energy_flux", "block.torque_z",
          "block.temperature", "west.energy_flux"}) {
      EXPECT_NEAR(whole->monitor(quantity), cut->monitor(quantity), 1e-12) << quantity;
    }
  }
}

TEST(BgkwCutCells, SmallOnesAreMergedAsFarAsTheTimeStepRequires) {
  for (const double left : {0.0011, 0.03, 0.5, 0.97}) {
    auto json = with(R"({"domain": {"cells": [10], "size": [10]}, "propagation": {"courant": 0.9},
      "collision": {"conservative": true}, "initial": {"type": "uniform", "temperature": 1.2},
      "geometry": {"surface": "cut-cells", "solids": [
        {"name": "plate", "shape": "half-space", "point": [7.5], "normal": [-1]}]}})");
    json["geometry"]["solids"][0]["point"] = {7 + left};
    const auto problem = read(json);
    const auto method = problem->create(default_backend());
    method->initialise();
    EXPECT_NEAR(method->monitor("mass"), 7 + left, 2e-3 * (7 + left));
    const double mass = method->monitor("mass");
    method->advance(200);
    EXPECT_NEAR(method->monitor("mass") / mass, 1, 2e-12);
    const Field density = method->field("density");
    // Two cells of a group have the same values.
    if (left < 0.9) {
      EXPECT_NEAR(density[7], density[6], 1e-13) << left;
    } else {
      EXPECT_GT(std::abs(density[7] - density[6]), 1e-9);
    }
    // With less than a quarter of the step a half cell stands alone.
    if (left == 0.5) {
      json["propagation"]["courant"] = 0.2;
      const auto slow = advanced(json, 20);
      const Field apart = slow->field("density");
      EXPECT_GT(std::abs(apart[7] - apart[6]), 1e-6);
    }
  }
}

TEST(BgkwCutCells, AreStableWithSlivers) {
  for (int n = 0; n < 6; ++n) {
    auto json = tilted(2, second_order);
    json["reduced"] = true;
    json["propagation"]["courant"] = 1;
    json["gas"]["rarefaction"] = n % 2 == 0 ? 0.1 : 30;
    json["geometry"]["solids"][0]["centre"] = {0.31 + 0.0131 * n, 0.36 - 0.0077 * n};
    json["geometry"]["solids"][0]["temperature"] = 1.4;
    json["boundaries"]["west"]["velocity"] = {0, 0.5, 0};
    const auto method = read(json)->create(default_backend());
    method->initialise();
    const double mass = method->monitor("mass");
    method->advance(100);
    EXPECT_NEAR(method->monitor("mass") / mass, 1, 2e-11) << n;
    EXPECT_FALSE(method->find_divergence()) << n;
    EXPECT_LT(method->monitor("max_speed"), 0.5) << n;
    const Field temperature = method->field("temperature");
    for (std::size_t i = 0; i < temperature.size(); ++i) {
      EXPECT_FALSE(temperature[i] > 1.5) << n;  // NaN in solids
    }
  }
}

/// Couette flow, or heat conduction, between a plate and a half-space that ends within a cell.
nlohmann::json plates(int cells, double length, bool heat) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double",
    "collision": {"conservative": true}, "gas": {"rarefaction": 2, "law": "maxwell"},
    "velocity_grid": {"count": [12, 6, 6], "minimum": [-4.5, -3, -3], "maximum": [4.5, 3, 3]},
    "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}},
    "propagation": {"order": 2, "time_integration": "imex-2"},
    "geometry": {"surface": "cut-cells", "solids": [
      {"name": "plate", "shape": "half-space", "point": [1], "normal": [-1]}]}
  })");
  json["domain"] = {{"cells", {cells}}, {"size", {length}}};
  if (heat) {
    json["boundaries"]["west"]["temperature"] = 0.95;
    json["geometry"]["solids"][0]["temperature"] = 1.05;
  } else {
    json["boundaries"]["west"]["velocity"] = {0, -0.1, 0};
    json["geometry"]["solids"][0]["velocity"] = {0, 0.1, 0};
  }
  return json;
}

TEST(BgkwCutCells, BetweenPlatesAtAnyOffsetConvergeWithOrderTwo) {
  constexpr double time = 8;
  for (const bool heat : {false, true}) {
    const std::string quantity = heat ? ".energy_flux" : ".force_y";
    const auto steady = [&](const nlohmann::json& json, const std::string& wall) {
      const auto problem = read(json);
      const auto method = problem->create(default_backend());
      method->initialise();
      method->advance(static_cast<int>(time / problem->time_per_step));
      return method->monitor(wall + quantity);
    };
    // With a grid that ends at the plate.
    auto fitted = plates(48, 1, heat);
    fitted["boundaries"]["east"].merge_patch(fitted["geometry"]["solids"][0]);
    for (const char* key : {"name", "shape", "point", "normal"}) {
      fitted["boundaries"]["east"].erase(key);
    }
    fitted.erase("geometry");
    const double expected = steady(fitted, "east");
    const double length = heat ? 1.013 : 1.37;
    double errors[2];
    for (const int fine : {0, 1}) {
      const auto json = plates(fine == 1 ? 32 : 16, length, heat);
      errors[fine] = std::abs(steady(json, "plate") / expected - 1);
    }
    EXPECT_LT(errors[0], 0.02);
    EXPECT_LT(errors[1] / errors[0], 0.29);  // a quarter at order two
  }
}

/// A cylinder in a stream of speed 1 without collisions.
nlohmann::json cylinder_in_stream(int cells, double wall) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double", "domain": {"size": [1.5, 1.5]}, "reduced": true,
    "velocity_grid": {"count": [20, 18], "minimum": [-4, -4.5, -1], "maximum": [6, 4.5, 1]},
    "gas": {"rarefaction": 0}, "initial": {"type": "uniform", "velocity": [1, 0, 0]},
    "boundaries": {"west": {"type": "reservoir"}, "east": {"type": "reservoir"},
                   "south": {"type": "reservoir"}, "north": {"type": "reservoir"}},
    "propagation": {"order": 2},
    "geometry": {"surface": "cut-cells", "solids": [
      {"name": "rod", "shape": "sphere", "centre": [0.763, 0.771], "radius": 0.5}]}
  })");
  json["domain"]["cells"] = {cells, cells};
  json["geometry"]["solids"][0]["temperature"] = wall;
  return json;
}

/// Force along x and heat of the cylinder in the sums over the discrete velocities.
std::array<double, 2> free_molecular_loads(double wall) {
  constexpr double pi = std::numbers::pi;
  constexpr double step = 0.5;
  constexpr int pieces = 1000;
  const auto maxwellian = [](double x, double y, double speed, double temperature) {
    return std::exp(-((x - speed) * (x - speed) + y * y) / temperature) / (pi * temperature);
  };
  std::array<double, 2> loads{};
  for (int n = 0; n < pieces; ++n) {
    const double angle = 2 * pi * (n + 0.5) / pieces;
    double arrives[3] = {};  // mass, momentum along x, energy
    double emitted[3] = {};
    for (int i = 0; i < 20; ++i) {
      for (int j = 0; j < 18; ++j) {
        const double x = -4 + step * (i + 0.5);
        const double y = -4.5 + step * (j + 0.5);
        const double outwards = x * std::cos(angle) + y * std::sin(angle);
        const double of_wall = outwards > 0 ? wall : 1;
        const double flow =
            outwards * step * step * maxwellian(x, y, outwards > 0 ? 0 : 1, of_wall);
        double* sums = outwards > 0 ? emitted : arrives;
        sums[0] += flow;
        sums[1] += x * flow;
        sums[2] += 0.5 * (x * x + y * y + 0.5 * of_wall) * flow;
      }
    }
    const double density = -arrives[0] / emitted[0];
    for (std::size_t k = 0; k < 2; ++k) {
      // Radius 1/2, and the factor of pressures.
      loads[k] -= 2 * (pi / pieces) * (arrives[1 + k] + density * emitted[1 + k]);
    }
  }
  return loads;
}

TEST(BgkwCutCells, FreeMolecularForceAndHeatOfACylinderConverge) {
  const double wall = 1.4;
  const auto [force, heat] = free_molecular_loads(wall);
  double errors[2][2];
  for (const int fine : {0, 1}) {
    const int cells = fine == 1 ? 20 : 10;
    const auto method = advanced(cylinder_in_stream(cells, wall), 4 * cells);
    errors[0][fine] = method->monitor("rod.force_x") / force - 1;
    errors[1][fine] = method->monitor("rod.energy_flux") / heat - 1;
    EXPECT_NEAR(method->monitor("rod.force_y") / force, 0, 3e-3);
  }
  for (const auto& error : errors) {
    EXPECT_LT(std::abs(error[0]), 0.03);
    EXPECT_LT(std::abs(error[1] / error[0]), 0.35);  // order 1.5
  }
}

TEST(BgkwCutCells, GiveTheSteadyFlowOfShakhov) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double", "domain": {"cells": [12, 12], "size": [1, 1]}, "reduced": true,
    "collision": {"model": "bgk", "conservative": true}, "gas": {"rarefaction": 2, "law": "maxwell"},
    "velocity_grid": {"count": [12, 12], "minimum": [-4, -4, -1], "maximum": [4, 4, 1]},
    "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall", "temperature": 1.1},
                   "south": {"type": "wall"}, "north": {"type": "wall", "velocity": [0.2, 0, 0]}},
    "propagation": {"order": 2},
    "geometry": {"surface": "cut-cells", "solids": [
      {"name": "rod", "shape": "sphere", "centre": [0.52, 0.47], "radius": 0.22, "temperature": 0.9}]}
  })");
  const auto problem = read(json);
  const auto method = problem->create(default_backend());
  method->initialise();
  method->advance(static_cast<int>(5 / problem->time_per_step));
  std::unique_ptr<Problem> other;
  read_case(CaseDocument::from_text(json.dump(), "case.json"),
            [&](CaseNode& root) { other = shakhov::read_problem(root); });
  const auto steady = other->create(default_backend());
  steady->initialise();
  steady->advance(50);
  // The friction has errors of either sign on cells of a fifth of the diameter (README).
  for (const auto& [quantity, tolerance] : {std::pair<const char*, double>{"rod.energy_flux", 0.03},
                                            {"east.energy_flux", 0.03},
                                            {"north.force_x", 0.03},
                                            {"rod.force_x", 0.2},
                                            {"rod.torque_z", 0.25}}) {
    EXPECT_NEAR(method->monitor(quantity) / steady->monitor(quantity), 1, tolerance) << quantity;
  }
}

TEST(BgkwCutCells, AreRefusedWhereTheyAreNotAvailable) {
  const auto message_of = [](const std::string& patch) {
    auto json = tilted(2);
    json.merge_patch(nlohmann::json::parse(patch));
    try {
      read(json);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message_of("{}"), "");
  EXPECT_THAT(message_of(R"({"propagation": {"time_integration": "splitting"}})"),
              HasSubstr("must be \"imex-1\" or \"imex-2\" with \"geometry.surface\""));
  EXPECT_THAT(message_of(R"({"propagation": {"scheme": "tiles"}})"),
              HasSubstr("must be \"fused\""));
  EXPECT_THAT(message_of(R"({"propagation": {"split": true}})"), HasSubstr("must be false"));
  EXPECT_THAT(message_of(R"({"tuning": {"single_pass": "always"}})"),
              HasSubstr("cannot be combined with an IMEX scheme"));
  EXPECT_THAT(message_of(R"({"geometry": {"solids": [{"name": "rod", "shape": "sphere",
                "centre": [0.5, 0.5], "radius": 0.2,
                "cercignani_lampis": {"tangential": 0.5, "normal": 0.8}}]}})"),
              HasSubstr("\"cut-cells\" is not available with \"cercignani_lampis\""));
  // Between the side and the plane is a third of a cell.
  EXPECT_THAT(message_of(R"({"domain": {"cells": [3, 3], "size": [3, 3]},
    "geometry": {"solids": [{"name": "plate", "shape": "box", "from": [0.3, -1], "to": [9, 9]}]}})"),
              HasSubstr("too long for a gap between surfaces that is narrower than a cell"));
  EXPECT_TRUE(read(tilted(2))->for_ranks);
}

}  // namespace
}  // namespace knudsen::bgkw
