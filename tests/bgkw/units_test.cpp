#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "case/sample_reader.hpp"
#include "problem.hpp"
#include "support/si_case.hpp"
#include "support/steady_state.hpp"

namespace knudsen::bgkw {
namespace {

using knudsen::test::argon_gas;
using knudsen::test::argon_reference;
using knudsen::test::in_si;
using knudsen::test::input_error;
using test::read;
using testing::HasSubstr;

nlohmann::json reference_case() {
  auto json = nlohmann::json::parse(R"({
    "precision": "double",
    "domain": {"cells": [6, 4], "size": [1.5, 1]},
    "collision": {"body_force": [0, 0, 0.125]},
    "velocity_grid": {"type": "stretched", "count": [8, 8, 8], "minimum": [-4, -4, -4],
                      "maximum": [4, 4, 4]},
    "initial": {"type": "step", "left": {"density": 1.25}, "right": {"pressure": 1.5, "temperature": 1.25}},
    "propagation": {"time_step": 0.015625},
    "boundaries": {
      "west": {"type": "inlet", "mass_flow": 0.25, "temperature": 1.25},
      "east": {"type": "pump", "capture": 0.5, "temperature": 0.75},
      "south": {"type": "wall", "velocity": [0.125, 0, 0], "profile": {"temperature": "1 + 0.25*x"}},
      "north": {"type": "wall", "cercignani_lampis": {"tangential": 0.5, "normal": 0.5}}
    },
    "geometry": {"solids": [{"shape": "box", "from": [0.5, 0.25], "to": [1, 0.5], "temperature": 1.25,
                             "accommodation": 0.5, "velocity": [0, 0, 0.125]}]}
  })");
  json["gas"] = argon_gas();
  return json;
}

nlohmann::json si_case() {
  const SiReference r = argon_reference();
  const double v = r.velocity();
  auto json = in_si(reference_case(), {{"/domain/size", r.length},
                                       {"/collision/body_force", v * v / r.length},
                                       {"/velocity_grid/minimum", v},
                                       {"/velocity_grid/maximum", v},
                                       {"/initial/left/density", r.density()},
                                       {"/initial/right/pressure", r.pressure},
                                       {"/initial/right/temperature", r.temperature},
                                       {"/propagation/time_step", r.length / v},
                                       {"/boundaries/west/mass_flow", r.density() * v * r.length},
                                       {"/boundaries/west/temperature", r.temperature},
                                       {"/boundaries/east/temperature", r.temperature},
                                       {"/boundaries/south/velocity", v},
                                       {"/geometry/solids/0/from", r.length},
                                       {"/geometry/solids/0/to", r.length},
                                       {"/geometry/solids/0/temperature", r.temperature},
                                       {"/geometry/solids/0/velocity", v}});
  json["boundaries"]["south"]["profile"]["temperature"] = "300 + 7.5e4*x";
  return json;
}

TEST(Units, ACaseInSiUnitsIsTheFlowOfTheReferenceCase) {
  const auto problem = read(si_case());
  EXPECT_DOUBLE_EQ(problem->time_per_step, 0.015625);
  EXPECT_TRUE(problem->si && problem->si->of_case);
  const auto found = test::advanced(si_case(), 10);
  const auto expected = test::advanced(reference_case(), 10);
  for (const char* name : {"density", "velocity", "temperature", "heat_flux"}) {
    const auto one = values_of(*found, name);
    const auto other = values_of(*expected, name);
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      if (std::isnan(other[i])) continue;
      EXPECT_NEAR(one[i], other[i], 1e-12) << name;
    }
  }
  EXPECT_NEAR(found->monitor("west.mass_flow"), -0.25, 1e-9);
}

TEST(Units, AllResultsAreInSiUnits) {
  const auto problem = in_si_units(read(si_case()));
  const SiReference r = argon_reference();
  EXPECT_DOUBLE_EQ(problem->time_per_step, 0.015625 * r.length / r.velocity());
  EXPECT_DOUBLE_EQ(problem->grid.spacing[0], 0.25e-3);
  const auto unit = [&](const std::string& name) {
    for (const ResolvedValue& each : problem->resolved) {
      if (each.name == name) return each.unit;
    }
    return std::string("none");
  };
  EXPECT_EQ(unit("time step"), "s");
  EXPECT_EQ(unit("mass flux at west"), "kg/(m^2 s)");
  EXPECT_EQ(unit("rarefaction parameter"), "1");
}

TEST(Units, MessagesAreInSiUnits) {
  auto json = si_case();
  json["propagation"]["time_step"] = 1e-5;
  EXPECT_THAT(input_error([&] { read(json); }),
              HasSubstr("propagation: the time step 1e-05 s gives Courant numbers"));
  json = si_case();
  json["initial"]["right"]["temperature"] = 3000;
  EXPECT_THAT(input_error([&] { read(json); }), HasSubstr("(temperature 3000 K, velocity 0 m/s"));
  json = si_case();
  json["velocity_grid"]["minimum"] = {0, 0, 0};
  json["velocity_grid"]["maximum"] = {-1, 1, 1};
  EXPECT_THAT(input_error([&] { read(json); }),
              HasSubstr("velocity_grid.maximum: must be greater than \"minimum\" for each "
                        "component; -1 m/s is not greater than 0 m/s"));
}

}  // namespace
}  // namespace knudsen::bgkw
