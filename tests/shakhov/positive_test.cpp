#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "problem.hpp"

namespace knudsen::shakhov {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// A square in a stream at Mach 4 on cells so wide that linear upwind differences make the
/// temperature behind it negative.
nlohmann::json wake(const std::string& acceleration, double rarefaction) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double",
    "domain": {"origin": [-2, 0], "cells": [20, 10], "size": [5, 2.5]},
    "gas": {"law": "argon"}, "initial": {"type": "stream", "mach": 4},
    "boundaries": {"west": {"type": "reservoir"}, "east": {"type": "reservoir"},
                   "south": {"type": "symmetry"}, "north": {"type": "reservoir"}},
    "velocity_grid": {"count": [24, 16, 16], "minimum": [-8, -8, -8], "maximum": [11, 8, 8]},
    "geometry": {"solids": [
      {"name": "body", "shape": "box", "from": [-0.5, 0], "to": [0.5, 0.5]}]},
    "propagation": {"order": 2}})");
  json["gas"]["rarefaction"] = rarefaction;
  json["propagation"]["acceleration"] = acceleration;
  return json;
}

/// A field's values in the gas.
std::vector<double> gas_of(Method& method, const std::string& name) {
  const Field field = method.field(name);
  const auto components = static_cast<std::size_t>(field.quantity.components);
  std::vector<double> values;
  for (std::size_t i = 0; i < 200 * components; ++i) {
    if (!std::isnan(field[i])) values.push_back(field[i]);
  }
  return values;
}

TEST(PositiveCells, GiveAWakeAtAnyRarefaction) {
  for (const std::string acceleration : {"none", "synthetic"}) {
    for (const double rarefaction : {0.1, 1.0, 10.0}) {
      if (acceleration == "none" && rarefaction > 1) continue;  // slow
      const auto method = test::start(wake(acceleration, rarefaction));
      EXPECT_LE(test::converge(*method, 1e-6, 100), 100) << acceleration << ' ' << rarefaction;
      EXPECT_FALSE(method->find_divergence());
      EXPECT_THAT(gas_of(*method, "temperature"), testing::Each(testing::Gt(0.5)))
          << acceleration << ' ' << rarefaction;
      // At 10 only first iterates have no positive solution.
      const auto marked = Contains(HasSubstr(" of 200 cells, the first at ("));
      if (rarefaction < 10) {
        EXPECT_THAT(method->warnings(), marked);
      } else {
        EXPECT_THAT(method->warnings(), testing::Not(marked));
      }
      double out = 0;
      for (const char* side : {"west", "east", "north"}) {
        out += method->monitor(side + std::string(".mass_flow"));
      }
      EXPECT_NEAR(out, 0, 1e-4 * -method->monitor("west.mass_flow"));
    }
  }
}

/// First iterates are of first order, so that rounding decides nothing.
TEST(PositiveCells, AreNoneAheadOfABody) {
  for (const double rarefaction : {9.5, 10.01, 10.5, 12.0}) {
    const auto method = test::start(wake("synthetic", rarefaction));
    method->advance(10);
    EXPECT_THAT(method->warnings(), Contains(HasSubstr("are of first order"))) << rarefaction;
    EXPECT_NEAR(test::converge(*method, 1e-8, 60), 33, 4) << rarefaction;
    EXPECT_THAT(method->warnings(), testing::Not(Contains(HasSubstr("are of first order"))));
  }
}

/// First iterates of the first order are not positive either, with the model's heat flux.
TEST(PositiveCells, FirstIteratesOfFirstOrderAreKeptPositive) {
  auto json = wake("synthetic", 30);
  json["domain"]["cells"] = {40, 20};
  json["propagation"]["order"] = 1;
  const auto method = test::start(json);
  method->advance(4);
  EXPECT_THAT(method->warnings(), Contains(HasSubstr("no solution")));
  EXPECT_LE(test::converge(*method, 1e-6, 60), 60);
  EXPECT_THAT(method->warnings(), testing::Not(Contains(HasSubstr("no solution"))));
  EXPECT_NEAR(method->monitor("body.drag_coefficient"), 1.987, 1e-3);
}

/// A cube at Mach 3 on cells of 28 free paths, whose first iterates have such heat fluxes that
/// targets amplify them.
TEST(PositiveCells, HeatFluxesOfFirstIteratesAreLimited) {
  const auto method = test::start(nlohmann::json::parse(R"({
    "precision": "double",
    "domain": {"origin": [-1.5, 0, 0], "cells": [12, 6, 6], "size": [3, 1.5, 1.5]},
    "gas": {"rarefaction": 100, "law": "argon"}, "initial": {"type": "stream", "mach": 3},
    "boundaries": {"west": {"type": "reservoir"}, "east": {"type": "reservoir"},
                   "south": {"type": "symmetry"}, "north": {"type": "reservoir"},
                   "bottom": {"type": "symmetry"}, "top": {"type": "reservoir"}},
    "velocity_grid": {"count": [16, 12, 12], "minimum": [-7, -6, -6], "maximum": [9, 6, 6]},
    "geometry": {"solids": [
      {"name": "cube", "shape": "box", "from": [-0.5, 0, 0], "to": [0.5, 0.5, 0.5]}]},
    "propagation": {"order": 2, "acceleration": "synthetic"}})"));
  EXPECT_LE(test::converge(*method, 1e-6, 60), 60);
  EXPECT_FALSE(method->find_divergence());
}

/// Cells of 4 to 90 mean free paths of the stream. Without cells of first order in the bow shock
/// the iteration swings, or diverges.
TEST(PositiveCells, TakeInShocksThinnerThanACell) {
  for (const double rarefaction : {15.0, 30.0, 100.0, 300.0}) {
    const auto method = test::start(wake("synthetic", rarefaction));
    EXPECT_LE(test::converge(*method, 1e-8, 70), 70) << rarefaction;
    EXPECT_THAT(method->warnings(), Contains(HasSubstr("a shock is thinner than a cell")));
    EXPECT_THAT(gas_of(*method, "temperature"), testing::Each(testing::Gt(0.5))) << rarefaction;
    double out = 0;
    for (const char* side : {"west", "east", "north"}) {
      out += method->monitor(side + std::string(".mass_flow"));
    }
    EXPECT_NEAR(out, 0, 1e-6 * -method->monitor("west.mass_flow")) << rarefaction;
  }
}

TEST(PositiveCells, AreInCheckpoints) {
  // While steps are shortened, while all cells are of first order, and after, without and with
  // cells that stay so.
  for (const int iterations : {4, 12, 20, 26}) {
    const auto problem = test::read(wake("synthetic", 1));
    const auto whole = problem->create(default_backend());
    const auto resumed = test::resumed_after(iterations, *problem, *whole);
    whole->advance(8);
    resumed->advance(8);
    if (iterations == 26) {
      EXPECT_THAT(whole->warnings(), Contains(HasSubstr("are of first order")));
    }
    EXPECT_EQ(resumed->warnings(), whole->warnings());
    for (const char* name : {"density", "temperature", "heat_flux"}) {
      EXPECT_EQ(gas_of(*resumed, name), gas_of(*whole, name)) << name;
    }
  }
  // Before and after the shock is found.
  for (const int iterations : {22, 30}) {
    const auto problem = test::read(wake("synthetic", 30));
    const auto whole = problem->create(default_backend());
    const auto resumed = test::resumed_after(iterations, *problem, *whole);
    whole->advance(10);
    resumed->advance(10);
    EXPECT_EQ(resumed->warnings(), whole->warnings());
    EXPECT_EQ(gas_of(*resumed, "temperature"), gas_of(*whole, "temperature"));
  }
}

TEST(PositiveCells, AreForgottenByANewStart) {
  const auto method = test::start(wake("synthetic", 1));
  method->advance(30);
  EXPECT_THAT(method->warnings(), Contains(HasSubstr("are of first order")));
  const auto first = gas_of(*method, "temperature");
  method->initialise();
  method->advance(1);
  EXPECT_THAT(method->warnings(), testing::Not(Contains(HasSubstr("are of first order"))));
  method->advance(29);
  EXPECT_EQ(gas_of(*method, "temperature"), first);
}

}  // namespace
}  // namespace knudsen::shakhov
