#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "case/sample_reader.hpp"
#include "kinetic/gas.hpp"
#include "methods/bgkw/parameters.hpp"
#include "problem.hpp"

// Gases whose molecules rotate: against bgkw, and against exact results.

namespace knudsen::shakhov {
namespace {

using test::converge;
using test::read;
using test::start;
using test::with;
using testing::HasSubstr;

/// Plates at 1.2 and 0.9 T_ref with nitrogen in between. On the nodes the sums over Gaussians are
/// exact to some 1e-11.
nlohmann::json plates(const std::string& patch = "{}") {
  auto json = with(R"({
    "domain": {"cells": [6]},
    "velocity_grid": {"count": [16, 16, 16], "minimum": [-5, -5, -5], "maximum": [5, 5, 5]},
    "collision": {"model": "es-bgk"}, "gas": {"rarefaction": 2, "rotation": {}},
    "propagation": {"acceleration": "none"},
    "boundaries": {"west": {"temperature": 1.2}, "east": {"temperature": 0.9},
                   "south": null, "north": null, "bottom": null, "top": null}})");
  json.merge_patch(nlohmann::json::parse(patch));
  return json;
}

/// Without the velocities along the plates.
nlohmann::json reduced_plates(const std::string& patch = "{}") {
  auto json = plates(patch);
  json["reduced"] = true;
  json["velocity_grid"] = {{"type", "half-range"}, {"count", {24}}};
  return json;
}

/// Implicit collisions of first order have the steady equations of the sweeps.
TEST(Rotation, HasTheSteadyFlowOfBgkw) {
  const std::string couette = R"({"boundaries": {"west": {"velocity": [0, 0.3, 0]}}})";
  auto cavity = with(R"({"reduced": true, "domain": {"cells": [5, 4]},
                         "boundaries": {"south": {"type": "wall", "accommodation": 0.6},
                                        "north": {"type": "wall", "velocity": [0.3, 0, 0]}}})",
                     plates());
  cavity["velocity_grid"] = {
      {"count", {16, 16}}, {"minimum", {-5, -5, -5}}, {"maximum", {5, 5, 5}}};
  auto three = plates();
  three["reduced"] = true;
  three["velocity_grid"] = {{"count", {16}}, {"minimum", {-5, -5, -5}}, {"maximum", {5, 5, 5}}};
  three["gas"]["rotation"] = {{"degrees_of_freedom", 3}, {"collision_number", 8}};
  // A force acts on the Maxwellian there and on the Gaussian here.
  const auto forced = plates(
      R"({"collision": {"body_force": [0, 5e-5, 0]},
          "boundaries": {"west": {"temperature": 1}, "east": {"temperature": 1}}})");
  for (auto json : {plates(couette), cavity, three, forced}) {
    const double tolerance = json == forced ? 2e-8 : 1e-8;
    const auto steady = start(json);
    EXPECT_LE(converge(*steady, 1e-12, 300), 300);
    json["propagation"] = {{"time_integration", "imex-1"}};
    std::unique_ptr<Problem> problem;
    read_case(CaseDocument::from_text(json.dump(), "case.json"),
              [&](CaseNode& root) { problem = bgkw::read_problem(root); });
    const auto marching = problem->create(default_backend());
    marching->initialise();
    marching->advance(static_cast<std::int64_t>(std::ceil(60 / problem->time_per_step)));
    for (const char* name : {"density", "velocity", "translational_temperature",
                             "rotational_temperature", "heat_flux", "pressure_tensor"}) {
      const Field a = steady->field(name);
      const Field b = marching->field(name);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << name << i;
    }
    EXPECT_NEAR(steady->monitor("energy"), marching->monitor("energy"), tolerance);
    for (const char* name : {"west.energy_flux", "east.energy_flux", "east.force_y"}) {
      EXPECT_NEAR(steady->monitor(name), marching->monitor(name), tolerance) << name;
    }
  }
}

/// Free molecules between diffuse plates carry rho v / (2 sqrt(pi)) (2 + rotation / 2) k T; the
/// density between them is that of both fluxes. Without collisions what starts at one plate goes on
/// swapping sides, so that only the mean of both fluxes settles.
TEST(Rotation, FreeMoleculesCarryTheirRotationalEnergy) {
  for (const double of_rotation : {2.0, 3.0}) {
    auto json = reduced_plates(R"({"gas": {"rarefaction": 0},
      "boundaries": {"west": {"temperature": 1.01}, "east": {"temperature": 0.99}}})");
    json["gas"]["rotation"]["degrees_of_freedom"] = of_rotation;
    const auto method = start(json);
    method->advance(100);
    // Half of the gas comes from each plate: n_i sqrt(T_i) is the same, their sum is 1.
    const double hot = std::sqrt(1.01);
    const double cold = std::sqrt(0.99);
    const double flux = 1 / std::sqrt(std::numbers::pi) * hot * cold / (hot + cold);
    const double heat = flux * (2 + of_rotation / 2) * (1.01 - 0.99);
    const double mean =
        0.5 * (method->monitor("east.energy_flux") - method->monitor("west.energy_flux"));
    EXPECT_NEAR(mean / heat, 1, 1e-4) << of_rotation;
  }
}

/// Fourier's law with the conductivity c_p mu / Pr, measured in the middle of the gas; Eucken's
/// Prandtl number.
TEST(Rotation, HeatConductionHasThePrandtlNumber) {
  constexpr double delta = 30;
  constexpr std::size_t cells = 60;
  for (const double of_rotation : {2.0, 3.0}) {
    auto json = reduced_plates(R"({"propagation": {"order": 2, "acceleration": "synthetic"},
      "boundaries": {"west": {"temperature": 1.01}, "east": {"temperature": 0.99}}})");
    json["gas"]["rarefaction"] = delta;
    json["gas"]["rotation"]["degrees_of_freedom"] = of_rotation;
    json["domain"]["cells"] = {cells};
    const auto method = start(json);
    EXPECT_LE(converge(*method, 1e-9, 60), 60);
    const double heat = method->monitor("east.energy_flux");
    const Field temperature = method->field("temperature");
    const double gradient =
        (temperature[cells / 4] - temperature[3 * cells / 4 - 1]) / (0.5 - 1.0 / cells);
    // In p_ref v_ref: c_p mu / Pr is (5 + rotation) / 4 / (Pr delta).
    const double conductivity = (5 + of_rotation) / (4 * eucken_prandtl(of_rotation) * delta);
    EXPECT_NEAR(heat / gradient / conductivity, 1, 0.003) << of_rotation;
    const Field rotational = method->field("rotational_temperature");
    for (std::size_t i = 0; i < cells; ++i) EXPECT_NEAR(rotational[i], temperature[i], 1e-3);
  }
}

/// Without exchange of energy the translation is that of a monatomic gas, whose temperature it has:
/// with molecules of Maxwell the rate does not depend on the temperature.
TEST(Rotation, WithoutRelaxationTheTranslationIsThatOfAMonatomicGas) {
  for (const char* order :
       {R"({"propagation": {"order": 1}})", R"({"propagation": {"order": 2}})"}) {
    auto json = reduced_plates(order);
    json["gas"] = {{"rarefaction", 2}, {"law", "maxwell"}, {"prandtl", 0.75}};
    const auto monatomic = start(json);
    json["gas"]["rotation"] = {{"collision_number", 1e6}};
    const auto rotating = start(json);
    EXPECT_LE(converge(*monatomic, 1e-10, 300), 300);
    EXPECT_LE(converge(*rotating, 1e-10, 300), 300);
    const Field one = monatomic->field("temperature");
    const Field other = rotating->field("translational_temperature");
    const Field rotation = rotating->field("rotational_temperature");
    for (const char* name : {"density", "pressure_tensor"}) {
      const Field a = monatomic->field(name);
      const Field b = rotating->field(name);
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-6) << name;
    }
    for (std::size_t i = 0; i < one.size(); ++i) {
      EXPECT_NEAR(one[i], other[i], 1e-6);
      EXPECT_GT(rotation[i], 0.9);
      EXPECT_LT(rotation[i], 1.2);
    }
  }
}

TEST(Rotation, KeepsMassAndEnergy) {
  // As much energy leaves through one plate as enters through the other, at any rarefaction.
  for (const double delta : {0.5, 5.0}) {
    for (const int order : {1, 2}) {
      auto json = reduced_plates();
      json["velocity_grid"] = {{"count", {40}}, {"minimum", {-7, -7, -7}}, {"maximum", {7, 7, 7}}};
      json["gas"]["rarefaction"] = delta;
      json["propagation"]["order"] = order;
      const auto method = start(json);
      EXPECT_LE(converge(*method, 1e-12, 600), 600);
      EXPECT_NEAR(method->monitor("mass"), 1, 1e-13);
      EXPECT_NEAR(method->monitor("west.energy_flux") + method->monitor("east.energy_flux"), 0,
                  1e-11)
          << delta;
    }
  }
  // Walls that take no energy get the temperature of the one that has it.
  const auto method =
      start(reduced_plates(R"({"boundaries": {"west": {"temperature": null, "heat_flux": 0}}})"));
  EXPECT_LE(converge(*method, 1e-11, 600), 600);
  EXPECT_NEAR(method->monitor("west.temperature"), 0.9, 1e-7);
  const Field rotational = method->field("rotational_temperature");
  for (std::size_t i = 0; i < rotational.size(); ++i) EXPECT_NEAR(rotational[i], 0.9, 1e-7);
}

/// A body in a box, both orders, surfaces whole and cut: at rest everything stays as it is.
/// Walls hold what a force pushes, and take the heat of its work. Forces and heat are in p_ref,
/// which is rho_ref v_ref^2 / 2.
TEST(Rotation, WallsHoldTheBodyForce) {
  for (const int order : {1, 2}) {
    auto json = plates(R"({"collision": {"body_force": [0.002, 0.01, 0]}, "gas": {"rarefaction": 3},
                           "boundaries": {"west": {"temperature": 1}, "east": {"temperature": 1}}})");
    json["propagation"]["order"] = order;
    const auto method = start(json);
    EXPECT_LE(converge(*method, 1e-12, 600), 600);
    EXPECT_NEAR(method->monitor("mass"), 1, 1e-13);
    const auto on_both = [&](const std::string& name) {
      return method->monitor("west." + name) + method->monitor("east." + name);
    };
    EXPECT_NEAR(on_both("force_x"), 2 * 0.002, 1e-8) << order;
    EXPECT_NEAR(on_both("force_y"), 2 * 0.01, 1e-8) << order;
    const Field density = method->field("density");
    const Field velocity = method->field("velocity");
    double work = 0;
    for (std::size_t i = 0; i < density.size(); ++i) {
      work += density[i] * (0.002 * velocity[3 * i] + 0.01 * velocity[3 * i + 1]);
    }
    work /= static_cast<double>(density.size());
    EXPECT_GT(work, 1e-4);
    EXPECT_NEAR(on_both("energy_flux"), 2 * work, 1e-8) << order;
  }
}

TEST(Rotation, GasAtRestStaysAtRest) {
  auto json = plates(R"({"domain": {"cells": [8, 7]}, "reduced": true,
    "boundaries": {"west": {"type": "pressure", "pressure": 1, "temperature": 1},
                   "east": {"type": "reservoir", "temperature": null},
                   "south": {"type": "symmetry"}, "north": {"type": "wall"}},
    "geometry": {"solids": [{"name": "rod", "shape": "sphere", "centre": [0.5, 0.45],
                             "radius": 0.2}]}})");
  json["velocity_grid"] = {{"count", {20, 20}}, {"minimum", {-5, -5, -5}}, {"maximum", {5, 5, 5}}};
  for (const char* surface : {"whole-cells", "cut-cells"}) {
    for (const char* acceleration : {"none", "synthetic"}) {
      for (const int order : {1, 2}) {
        json["geometry"]["surface"] = surface;
        json["propagation"] = {{"order", order}, {"acceleration", acceleration}};
        const auto method = start(json);
        method->advance(5);
        for (const char* name :
             {"density", "translational_temperature", "rotational_temperature"}) {
          const Field field = method->field(name);
          for (std::size_t i = 0; i < field.size(); ++i) {
            if (std::isnan(field[i])) continue;  // in the solid
            ASSERT_NEAR(field[i], 1, 1e-9) << name << surface;
          }
        }
        for (const char* name : {"north.energy_flux", "west.energy_flux", "rod.energy_flux"}) {
          EXPECT_NEAR(method->monitor(name), 0, 1e-9) << name << surface << order << acceleration;
        }
      }
    }
  }
}

/// Also with walls of given heat flux, a body, a mirror, order 2.
TEST(Rotation, AccelerationKeepsTheFlow) {
  auto box = with(R"({"reduced": true, "domain": {"cells": [9, 8]}, "gas": {"rarefaction": 10},
    "boundaries": {"west": {"type": "wall", "accommodation": 0.4}, "south": {"type": "symmetry"},
                   "north": {"type": "wall", "temperature": null, "heat_flux": 0.02}},
    "geometry": {"surface": "cut-cells", "solids": [
      {"name": "rod", "shape": "sphere", "centre": [0.55, 0.45], "radius": 0.22,
       "temperature": 1.1}]}})",
                  plates());
  box["velocity_grid"] = {{"type", "half-range"}, {"count", {12, 12}}};
  auto pipe = reduced_plates(R"({"gas": {"rarefaction": 10}, "boundaries": {
    "west": {"type": "pressure", "pressure": 1.1, "temperature": 1.1},
    "east": {"type": "pressure", "pressure": 1}}})");
  pipe["velocity_grid"]["count"] = {32};
  for (auto json : {reduced_plates(R"({"gas": {"rarefaction": 20}, "propagation": {"order": 2}})"),
                    box, pipe}) {
    const auto plain = start(json);
    json["propagation"]["acceleration"] = "synthetic";
    const auto accelerated = start(json);
    const int iterations = converge(*plain, 1e-11, 6000);
    const int fewer = converge(*accelerated, 1e-11, 200);
    EXPECT_LE(iterations, 6000);
    EXPECT_LE(fewer, 200);
    EXPECT_LT(3 * fewer, iterations);
    RecordProperty("iterations", std::to_string(iterations) + " " + std::to_string(fewer));
    for (const char* name : {"density", "translational_temperature", "rotational_temperature"}) {
      const Field a = plain->field(name);
      const Field b = accelerated->field(name);
      for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::isnan(a[i])) continue;  // in the solid
        ASSERT_NEAR(a[i], b[i], 1e-7) << name << json.dump();
      }
    }
  }
}

TEST(Rotation, ARestartGoesOnAsTheRunWouldHave) {
  for (const char* acceleration : {"none", "synthetic"}) {
    auto json = plates(R"({"boundaries": {"west": {"accommodation": 0.3},
                                          "east": {"type": "symmetry", "temperature": null}},
                           "velocity_grid": {"count": [8, 8, 8]}})");
    json["propagation"] = {{"order", 2}, {"acceleration", acceleration}};
    const auto problem = read(json);
    const auto whole = problem->create(default_backend());
    const auto resumed = test::resumed_after_two(*problem, *whole);
    for (const char* field : {"density", "heat_flux", "rotational_temperature"}) {
      EXPECT_EQ(resumed->field(field).values, whole->field(field).values) << field;
    }
  }
}

/// Batches, which may begin with the blocks of either distribution, do not change a bit.
TEST(Rotation, BatchesDoNotChangeABit) {
  auto json = plates(R"({"velocity_grid": {"count": [20, 18, 10]}, "precision": "single"})");
  const auto problem = read(json);
  EXPECT_EQ(problem->variant, "pencils es-bgk rotation");
  const auto all = start(json);
  all->advance(3);
  for (const int batch : {1, 3, 7}) {
    json["tuning"]["batch"] = batch;
    const auto method = start(json);
    method->advance(3);
    for (const char* field : {"heat_flux", "rotational_temperature"}) {
      EXPECT_EQ(method->field(field).values, all->field(field).values) << batch;
    }
  }
}

TEST(Rotation, CoarseStart) {
  auto json = reduced_plates(R"({"propagation": {"coarse_start": {
    "velocity_grid": {"type": "half-range", "count": [8]}}}})");
  const auto method = start(json);
  EXPECT_LE(converge(*method, 1e-9, 200), 200);
}

TEST(Rotation, BadCasesAreRefused) {
  const auto refusal = [](const std::string& patch) {
    return knudsen::test::input_error([&] { read(plates(patch)); });
  };
  EXPECT_THAT(refusal(R"({"collision": {"model": "shakhov"}})"),
              HasSubstr("gas.rotation: requires \"model\" \"es-bgk\" in \"collision\""));
  EXPECT_THAT(refusal(R"({"propagation": {"acceleration": "asymptotic-preserving"}})"),
              HasSubstr("propagation.acceleration: found \"asymptotic-preserving\", "
                        "\"asymptotic-preserving\" is not available for a gas with \"rotation\""));
  EXPECT_THAT(refusal(R"({"propagation": {"scheme": "slices"}})"),
              HasSubstr("propagation.scheme: found \"slices\", the kernels of the paper are those "
                        "of a monatomic gas"));
  EXPECT_THAT(
      refusal(R"({"boundaries": {"west": {"cercignani_lampis": {"tangential": 1, "normal": 1}}}})"),
      HasSubstr("gas.rotation: is not available with \"cercignani_lampis\", which the side "
                "\"west\" has"));
  EXPECT_THAT(refusal(R"({"gas": {"rotation": {"collision_number": 3}}})"),
              HasSubstr("gas.rotation.collision_number: 3 is too small, must be at least 4.032"));
  EXPECT_THAT(refusal(R"({"gas": {"name": "argon", "law": null}})"),
              HasSubstr("must not be given for argon, whose molecules are single atoms"));
}

TEST(Rotation, IsDescribed) {
  const auto nitrogen =
      read(plates(R"({"gas": {"name": "nitrogen", "law": null}, "propagation": {"order": 2}})"));
  EXPECT_TRUE(nitrogen->warnings.empty());
  const auto value = [&](const std::string& name) {
    for (const ResolvedValue& each : nitrogen->resolved) {
      if (each.name == name) return each.value;
    }
    return std::string();
  };
  EXPECT_EQ(value("Prandtl number"), "0.7368");
  EXPECT_EQ(value("ratio of specific heats"), "1.4");
  EXPECT_EQ(value("rotational collision number"), "5");
}

}  // namespace
}  // namespace knudsen::shakhov
