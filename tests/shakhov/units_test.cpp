#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "problem.hpp"
#include "support/si_case.hpp"
#include "support/steady_state.hpp"

namespace knudsen::shakhov {
namespace {

using knudsen::test::argon_gas;
using knudsen::test::argon_reference;
using knudsen::test::in_si;
using test::parameters_of;

/// A case with a value of each dimension, in units of the reference state.
nlohmann::json reference_case() {
  auto json = nlohmann::json::parse(R"({
    "precision": "double",
    "domain": {"cells": [8, 6], "size": [2, 1.5], "origin": [-1, 0]},
    "collision": {"body_force": [0.125, 0, 0]},
    "velocity_grid": {"count": [8, 8, 8], "minimum": [-4, -4, -4], "maximum": [4.5, 4, 4],
                      "z": {"type": "half-range", "temperature": 1.25}},
    "initial": {"type": "uniform", "density": 1.5, "velocity": [0.25, 0, 0], "temperature": 1.25},
    "boundaries": {
      "west": {"type": "reservoir", "profile": {"pressure": "1 + 0.5*y", "temperature": "1 + 0.25*y"}},
      "east": {"type": "pressure", "pressure": 0.75, "temperature": 1.25},
      "south": {"type": "wall", "velocity": [0.125, 0, 0], "temperature": 1.5},
      "north": {"type": "wall", "heat_flux": 0.0625}
    },
    "geometry": {"solids": [
      {"shape": "box", "from": [-0.5, 0], "to": [0, 0.5], "temperature": 1.25, "velocity": [0, 0, 0.1]},
      {"shape": "sphere", "centre": [0.25, 0.75], "radius": 0.3, "temperature": 0.75}
    ]}
  })");
  json["gas"] = argon_gas();
  return json;
}

/// The same in SI units.
nlohmann::json si_case() {
  const SiReference r = argon_reference();
  const double v = r.velocity();
  auto json = in_si(reference_case(), {{"/domain/size", r.length},
                                       {"/domain/origin", r.length},
                                       {"/collision/body_force", v * v / r.length},
                                       {"/velocity_grid/minimum", v},
                                       {"/velocity_grid/maximum", v},
                                       {"/velocity_grid/z/temperature", r.temperature},
                                       {"/initial/density", r.density()},
                                       {"/initial/velocity", v},
                                       {"/initial/temperature", r.temperature},
                                       {"/boundaries/east/pressure", r.pressure},
                                       {"/boundaries/east/temperature", r.temperature},
                                       {"/boundaries/south/velocity", v},
                                       {"/boundaries/south/temperature", r.temperature},
                                       {"/boundaries/north/heat_flux", r.pressure * v},
                                       {"/geometry/solids/0/from", r.length},
                                       {"/geometry/solids/0/to", r.length},
                                       {"/geometry/solids/0/temperature", r.temperature},
                                       {"/geometry/solids/0/velocity", v},
                                       {"/geometry/solids/1/centre", r.length},
                                       {"/geometry/solids/1/radius", r.length},
                                       {"/geometry/solids/1/temperature", r.temperature}});
  json["boundaries"]["west"]["profile"] = {{"pressure", "20 + 1e4*y"},
                                           {"temperature", "300 + 7.5e4*y"}};
  return json;
}

void expect_equal(const GasState& found, const GasState& expected) {
  EXPECT_DOUBLE_EQ(found.density, expected.density);
  EXPECT_DOUBLE_EQ(found.temperature, expected.temperature);
  for (std::size_t d = 0; d < 3; ++d) EXPECT_DOUBLE_EQ(found.velocity[d], expected.velocity[d]);
}

void expect_equal(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-14);
}

TEST(Units, ACaseInSiUnitsHasTheParametersOfTheReferenceCase) {
  const Parameters found = parameters_of(si_case());
  const Parameters expected = parameters_of(reference_case());
  EXPECT_TRUE(found.units.si);
  EXPECT_EQ(found.gas.rarefaction, expected.gas.rarefaction);
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_DOUBLE_EQ(found.body_force[d], expected.body_force[d]);
    expect_equal(found.grid.edges[d], expected.grid.edges[d]);
    expect_equal(found.grid.velocities[d].nodes, expected.grid.velocities[d].nodes);
  }
  expect_equal(found.initial, expected.initial);
  for (std::size_t side = 0; side < 6; ++side) {
    const SideCondition& one = found.grid.sides[side];
    const SideCondition& other = expected.grid.sides[side];
    EXPECT_EQ(one.kind, other.kind);
    expect_equal(one.state, other.state);
    ASSERT_EQ(one.parts.size(), other.parts.size());
    for (std::size_t i = 0; i < one.parts.size(); ++i) {
      expect_equal(one.parts[i].state, other.parts[i].state);
    }
    ASSERT_EQ(one.heat_flux.has_value(), other.heat_flux.has_value());
    EXPECT_DOUBLE_EQ(one.heat_flux.value_or(0), other.heat_flux.value_or(0));
  }
  EXPECT_EQ(found.grid.sides[west].parts.size(), 6);
  EXPECT_EQ(found.grid.solids.body, expected.grid.solids.body);
  ASSERT_EQ(found.grid.solids.bodies.size(), 2);
  for (std::size_t i = 0; i < 2; ++i) {
    expect_equal(found.grid.solids.bodies[i].wall.state, expected.grid.solids.bodies[i].wall.state);
  }
}

TEST(Units, SegmentsCutCellsAndGradientsAreInSiUnits) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double",
    "domain": {"x": [{"cells": 4, "length": 0.5, "ratio": 1.25}, {"cells": 4, "length": 1}],
               "y": [{"cells": 4, "length": 1}]},
    "collision": {"temperature_gradient": [0, 0, 0.25]},
    "velocity_grid": {"type": "half-range", "count": [8, 8, 8]},
    "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"},
                   "south": {"type": "wall"}, "north": {"type": "wall"}},
    "geometry": {"surface": "cut-cells",
                 "solids": [{"shape": "sphere", "centre": [0.8, 0.5], "radius": 0.3}]}
  })");
  json["gas"] = argon_gas();
  const Parameters expected = parameters_of(json);
  const double length = argon_reference().length;
  const Parameters found =
      parameters_of(in_si(json, {{"/domain/x/0/length", length},
                                 {"/domain/x/1/length", length},
                                 {"/domain/y/0/length", length},
                                 {"/collision/temperature_gradient", 1 / length},
                                 {"/geometry/solids/0/centre", length},
                                 {"/geometry/solids/0/radius", length}}));
  for (std::size_t d = 0; d < 3; ++d) expect_equal(found.grid.edges[d], expected.grid.edges[d]);
  EXPECT_DOUBLE_EQ(found.temperature_gradient[2], 0.25);
  ASSERT_EQ(found.grid.solids.cut.size(), expected.grid.solids.cut.size());
  ASSERT_FALSE(found.grid.solids.cut.empty());
  for (std::size_t i = 0; i < found.grid.solids.cut.size(); ++i) {
    for (std::size_t side = 0; side < 6; ++side) {
      EXPECT_NEAR(found.grid.solids.cut[i].open[side], expected.grid.solids.cut[i].open[side],
                  1e-12);
    }
  }
}

TEST(Units, BoxesOffTheGridLinesAreNamedInMetres) {
  auto json = si_case();
  json["geometry"]["solids"][0]["from"] = {-0.0004, 0};
  try {
    parameters_of(json);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("geometry.solids[0].from: a box must end on grid "
                                   "lines; x = -0.0004 lies between those at -0.0005"));
  }
}

TEST(Units, TheFlowIsThatOfTheReferenceCase) {
  const auto found = test::start(si_case());
  const auto expected = test::start(reference_case());
  found->advance(3);
  expected->advance(3);
  for (const char* name : {"density", "velocity", "temperature"}) {
    const auto one = values_of(*found, name);
    const auto other = values_of(*expected, name);
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      if (std::isnan(other[i])) continue;
      EXPECT_NEAR(one[i], other[i], 1e-12) << name;
    }
  }
}

}  // namespace
}  // namespace knudsen::shakhov
