#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "case/sample_reader.hpp"
#include "kinetic/reduced_entries.hpp"
#include "methods/bgkw/parameters.hpp"
#include "problem.hpp"

namespace knudsen::shakhov {
namespace {

using test::base_case;
using test::converge;
using test::read;
using test::start;
using test::with;
using testing::HasSubstr;

/// A box in one or two dimensions whose sums over Maxwellians are exact to rounding along the
/// components that `reduced` integrates out.
nlohmann::json flat_case(int dimensions) {
  auto json = with(R"({
    "velocity_grid": {"type": "half-range", "count": [8, 8, 8], "minimum": null, "maximum": null,
      "z": {"type": "uniform", "minimum": -7, "maximum": 7}},
    "boundaries": {"bottom": null, "top": null, "west": {"temperature": 1.2}}})");
  json["velocity_grid"]["count"][2] = 32;
  json["domain"]["cells"] = {6, 5};
  if (dimensions == 2) return json;
  json["domain"]["cells"] = {6};
  json["velocity_grid"]["y"] = json["velocity_grid"]["z"];
  json["velocity_grid"]["count"][1] = 32;
  json["boundaries"].erase("south");
  json["boundaries"].erase("north");
  return json;
}

/// The same with these components integrated out.
nlohmann::json reduced(nlohmann::json json) {
  json["reduced"] = true;
  json["velocity_grid"].erase("z");
  json["velocity_grid"].erase("y");
  json["velocity_grid"]["count"].erase(2);
  if (json["domain"]["cells"].size() == 1) json["velocity_grid"]["count"].erase(1);
  return json;
}

/// Iterates both and compares all fields and monitors.
void expect_same_flow(const nlohmann::json& json, int iterations, double tolerance) {
  const auto all = start(json);
  const auto few = start(reduced(json));
  all->advance(iterations);
  few->advance(iterations);
  const auto problem = read(json);
  for (const Quantity& quantity : problem->fields) {
    const Field a = all->field(quantity.name);
    const Field b = few->field(quantity.name);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (std::isnan(a[i]) && std::isnan(b[i])) continue;  // in a solid
      ASSERT_NEAR(a[i], b[i], tolerance) << quantity.name << " " << i << "\n" << json.dump();
    }
  }
  for (const Quantity& quantity : problem->monitors) {
    const double a = all->monitor(quantity.name);
    const double b = few->monitor(quantity.name);
    if (std::isnan(a) && std::isnan(b)) continue;
    EXPECT_NEAR(a, b, tolerance * std::max(1.0, std::abs(a))) << quantity.name << "\n"
                                                              << json.dump();
  }
}

TEST(Reduced, EntriesOfAMaxwellian) {
  // Plain sums over one and two components.
  constexpr double temperature = 1.3;
  for (const int integrated : {1, 2}) {
    double sums[3] = {0, 0, 0};  // of 1, s, s^2
    constexpr double step = 0.1;
    for (int j = integrated == 1 ? 0 : -120; j <= (integrated == 1 ? 0 : 120); ++j) {
      for (int k = -120; k <= 120; ++k) {
        const double s = step * step * (j * j + k * k);
        const double term = std::pow(step, integrated) * std::exp(-s / temperature);
        sums[0] += term;
        sums[1] += term * s;
        sums[2] += term * s * s;
      }
    }
    for (const int entry : {0, 1}) {
      const double factor = entry_factor(integrated, entry, temperature);
      EXPECT_NEAR(factor / sums[entry], 1, 1e-13);
      EXPECT_NEAR(factor * entry_square(integrated, entry, temperature) / sums[entry + 1], 1,
                  1e-13);
    }
  }
}

TEST(Reduced, HasTheFlowOfAllVelocities) {
  for (const int dimensions : {1, 2}) {
    for (
        const char* patch :
        {R"({})", R"({"collision": {"model": "bgk", "conservative": true}})",
         R"({"collision": {"model": "es-bgk"}, "propagation": {"order": 2}})",
         R"({"collision": {"model": "es-bgk"}, "gas": {"rotation": {}},
              "boundaries": {"west": {"temperature": null, "heat_flux": 0.05}}})",
         R"({"collision": {"model": "es-bgk"}, "gas": {"rotation": {}}, "propagation": {"order": 2},
              "boundaries": {"west": {"accommodation": 0.3}, "east": {"type": "pressure", "pressure": 0.9}}})",
         R"({"boundaries": {"west": {"temperature": null, "heat_flux": 0.05}}})",
         R"({"boundaries": {"west": {"cercignani_lampis": {"tangential": 0.4, "normal": 0.7}}}})",
         R"({"boundaries": {"west": {"accommodation": 0.3}}})",
         R"({"boundaries": {"west": {"type": "reservoir", "density": 1.2},
                             "east": {"type": "pressure", "pressure": 0.9}}})",
         R"({"collision": {"temperature_gradient": [0.2, 0, 0]},
              "boundaries": {"west": {"type": "periodic", "temperature": null},
                             "east": {"type": "periodic"}}})"}) {
      auto json = with(patch, flat_case(dimensions));
      for (const char* acceleration : {"none", "synthetic"}) {
        json["propagation"]["acceleration"] = acceleration;
        expect_same_flow(json, 6, 1e-10);
      }
    }
  }
}

TEST(Reduced, HasTheFlowOnWideCells) {
  auto json = flat_case(2);
  json["gas"]["rarefaction"] = 100;
  json["propagation"]["acceleration"] = "asymptotic-preserving";
  expect_same_flow(json, 6, 1e-9);
}

TEST(Reduced, HasTheFlowPastSolids) {
  auto json = flat_case(2);
  json["domain"]["cells"] = {9, 8};
  json["geometry"] = nlohmann::json::parse(R"({"solids": [
    {"name": "rod", "shape": "sphere", "centre": [0.5, 0.45], "radius": 0.2, "temperature": 1.1}]})");
  for (const char* surface : {"whole-cells", "cut-cells"}) {
    json["geometry"]["surface"] = surface;
    for (const int order : {1, 2}) {
      json["propagation"] = {{"order", order}, {"acceleration", order == 1 ? "none" : "synthetic"}};
      expect_same_flow(json, 5, 1e-10);
      // The macroscopic equations are solved in single precision.
      expect_same_flow(with(R"({"collision": {"model": "es-bgk"}, "gas": {"rotation": {}}})", json),
                       5, order == 1 ? 1e-10 : 1e-7);
    }
  }
  json["geometry"]["surface"] = "whole-cells";
  for (const char* wall :
       {R"({"heat_flux": 0.03})", R"({"cercignani_lampis": {"tangential": 0.4, "normal": 0.7}})"}) {
    json["geometry"]["solids"][0].erase("temperature");
    json["geometry"]["solids"][0].erase("heat_flux");
    json["geometry"]["solids"][0].merge_patch(nlohmann::json::parse(wall));
    expect_same_flow(json, 5, 1e-10);
  }
}

/// Implicit collisions of first order have the steady equations of the sweeps.
TEST(Reduced, HasTheSteadyFlowOfBgkw) {
  for (const int dimensions : {1, 2}) {
    auto json = with(R"({"collision": {"model": "bgk", "conservative": true}})",
                     reduced(flat_case(dimensions)));
    const auto steady = start(json);
    EXPECT_LE(converge(*steady, 1e-12, 300), 300);
    json["propagation"]["time_integration"] = "imex-1";
    std::unique_ptr<Problem> problem;
    read_case(CaseDocument::from_text(json.dump(), "case.json"),
              [&](CaseNode& root) { problem = bgkw::read_problem(root); });
    const auto marching = problem->create(default_backend());
    marching->initialise();
    marching->advance(6000);
    for (const char* name : {"density", "velocity", "temperature", "heat_flux"}) {
      const Field a = steady->field(name);
      const Field b = marching->field(name);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-9) << name << i;
    }
  }
}

TEST(Reduced, ARestartGoesOnAsTheRunWouldHave) {
  for (const char* acceleration : {"none", "synthetic"}) {
    auto json =
        with(R"({"boundaries": {"west": {"accommodation": 0.3}, "south": {"type": "symmetry"}},
                         "propagation": {"order": 2}})",
             reduced(flat_case(2)));
    json["propagation"]["acceleration"] = acceleration;
    const auto problem = read(json);
    const auto whole = problem->create(default_backend());
    const auto resumed = test::resumed_after_two(*problem, *whole);
    for (const char* field : {"density", "heat_flux", "pressure_tensor"}) {
      EXPECT_EQ(resumed->field(field).values, whole->field(field).values) << field;
    }
  }
}

TEST(Reduced, KeepsTheMass) {
  for (const int dimensions : {1, 2}) {
    const auto method = start(reduced(flat_case(dimensions)));
    const double mass = method->monitor("mass");
    method->advance(20);
    EXPECT_NEAR(method->monitor("mass") / mass, 1, 1e-13);
  }
}

/// As many values as velocities along x and y, twice; batches do not change a bit.
TEST(Reduced, Blocks) {
  auto json = reduced(flat_case(2));
  json["velocity_grid"]["count"] = {24, 18};
  json["gas"]["rarefaction"] = 3;
  const auto problem = read(json);
  EXPECT_EQ(problem->variant, "pencils shakhov reduced accelerated");
  EXPECT_EQ(problem->sizes.at("velocities"), 24 * 18 * 2);
  const auto density = [&](int batch) {
    json["tuning"]["batch"] = batch;
    const auto method = start(json);
    method->advance(3);
    return method->field("density").values;
  };
  const auto all = density(100);
  EXPECT_EQ(density(1), all);
  EXPECT_EQ(density(3), all);
  const double most = 0.8 * double(problem->memory_bytes);
  json["tuning"] = {{"memory", most / 1e6}};
  const auto small = read(json);
  EXPECT_LE(double(small->memory_bytes), most);
  EXPECT_LT(small->tuning.at("batch"), problem->tuning.at("batch"));
}

/// Iterations on a coarser grid first, which is reduced, too.
TEST(Reduced, CoarseStart) {
  auto json = reduced(flat_case(2));
  json["propagation"]["coarse_start"] = {
      {"velocity_grid", {{"type", "half-range"}, {"count", {6, 6}}}}};
  const auto method = start(json);
  EXPECT_LE(converge(*method, 1e-9, 200), 200);
}

TEST(Reduced, RefusesWhatMovesAcross) {
  const auto refusal = [](const std::string& patch) {
    return knudsen::test::input_error([&] { read(with(patch, reduced(flat_case(2)))); });
  };
  EXPECT_THAT(refusal(R"({"boundaries": {"north": {"velocity": [0, 0, 0.1]}}})"),
              HasSubstr("reduced: found true, requires that no state moves along z, since this "
                        "velocity component is integrated out; \"boundaries.north\" has the "
                        "velocity 0.1"));
  EXPECT_THAT(refusal(R"({"initial": {"type": "uniform", "velocity": [0, 0, 0.1]}})"),
              HasSubstr("\"initial\" has the velocity 0.1"));
  EXPECT_THAT(refusal(R"({"collision": {"body_force": [0, 0, 0.1]}})"),
              HasSubstr("collision.body_force: must be 0 along z"));
  EXPECT_THAT(refusal(R"({"collision": {"temperature_gradient": [0, 0, 0.1]}})"),
              HasSubstr("collision.temperature_gradient: must be 0 along z"));
  EXPECT_THAT(refusal(R"({"velocity_grid": {"z": {"type": "uniform"}}})"),
              HasSubstr("velocity_grid.z: this velocity component is "
                        "integrated out"));
  EXPECT_THAT(refusal(R"({"velocity_grid": {"count": [8]}})"),
              HasSubstr("with \"reduced\", of one for each of the 2 axes"));
  EXPECT_THAT(refusal(R"({"propagation": {"scheme": "slices"}})"),
              HasSubstr("propagation.scheme: found \"slices\", the kernels of the paper keep all "
                        "velocities; with \"reduced\" take \"pencils\""));
  EXPECT_THAT(refusal(R"({"boundaries": {"south": {"type": "antisymmetric"}}})"),
              HasSubstr("which \"reduced\" has integrated out; take \"symmetry\""));
  EXPECT_THAT(
      refusal(R"({"geometry": {"surface": "cut-cells", "solids": [{"name": "rod",
                "shape": "sphere", "centre": [0.5, 0.4], "radius": 0.2, "heat_flux": 0.1}]}})"),
      HasSubstr("reduced: found true, is not available for solids of given heat flux in cut "
                "cells, here \"rod\""));
  GivenFields moving;
  moving.velocity.assign(3 * 6 * 5, 0);
  moving.velocity[5] = 1e-9;  // as rounding leaves it in fields of a run with all velocities
  read(reduced(flat_case(2)))->create(default_backend())->initialise(moving);
  moving.velocity[5] = 0.2;
  EXPECT_THAT(knudsen::test::input_error([&] {
                read(reduced(flat_case(2)))->create(default_backend())->initialise(moving);
              }),
              HasSubstr("initial_fields: the velocity along z is 0.2 in a cell, must be 0"));
  EXPECT_THAT(knudsen::test::input_error([] { read(with(R"({"reduced": true})")); }),
              HasSubstr("reduced: found true, requires a domain of 1 or 2 dimensions"));
}

}  // namespace
}  // namespace knudsen::shakhov
