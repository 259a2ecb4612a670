#include "methods/lbm_d2q9/parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/text.hpp"
#include "lbm_d2q9/case_problem.hpp"
#include "lbm_d2q9/flow_runner.hpp"
#include "output/checkpoint.hpp"
#include "output/temporary_directory.hpp"
#include "support/device_copy.hpp"
#include "support/mass_warning.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A case of 20 x 10 nodes with the given `fluid` block and more blocks.
std::string case_text(const std::string& fluid, const std::string& more = "") {
  return R"({"domain": {"nodes": [20, 10]}, "fluid": {)" + fluid + "}" +
         (more.empty() ? "" : ", " + more) + "}";
}
const std::string water = R"("relaxation_time": 0.8)";

/// The resolved value of that name as a number.
double resolved(const Problem& problem, const std::string& name) {
  for (const ResolvedValue& value : problem.resolved) {
    if (value.name == name) return std::stod(value.value);
  }
  ADD_FAILURE() << "nothing resolved is named " << name;
  return 0;
}

std::vector<std::string> names(const std::vector<Quantity>& quantities) {
  std::vector<std::string> result;
  for (const Quantity& quantity : quantities) result.push_back(quantity.name);
  return result;
}

TEST(D2Q9Parameters, ViscosityFromReynoldsAndVelocity) {
  const auto problem = problem_of(case_text(R"("reynolds": 50, "velocity": 0.05)"));
  EXPECT_NEAR(resolved(*problem, "kinematic viscosity"), 0.05 * 10 / 50, 1e-9);
  EXPECT_NEAR(resolved(*problem, "relaxation time"), 0.53, 1e-9);
  EXPECT_NEAR(resolved(*problem, "omega"), 1 / 0.53, 1e-5);
  EXPECT_NEAR(resolved(*problem, "Reynolds number"), 50, 1e-9);
  EXPECT_NEAR(resolved(*problem, "Mach number"), 0.05 * std::sqrt(3.0), 1e-5);
  EXPECT_NEAR(resolved(*problem, "steps of a convective time"), 200, 1e-9);
  EXPECT_THAT(problem->warnings, IsEmpty());
}

TEST(D2Q9Parameters, VelocityFromReynoldsAndRelaxationTime) {
  const auto problem = problem_of(case_text(R"("reynolds": 4, "relaxation_time": 0.8)"));
  EXPECT_NEAR(resolved(*problem, "characteristic velocity"), 4 * 0.1 / 10, 1e-9);
  EXPECT_EQ(problem->scales.at("velocity"), 4 * (0.8 - 0.5) / 3 / 10);
}

TEST(D2Q9Parameters, ViscosityAlone) {
  const auto problem = problem_of(case_text(R"("kinematic_viscosity": 0.1)"));
  EXPECT_NEAR(resolved(*problem, "relaxation time"), 0.8, 1e-9);
  EXPECT_EQ(problem->scales.at("velocity"), 1);
  for (const ResolvedValue& value : problem->resolved) EXPECT_NE(value.name, "Reynolds number");
}

TEST(D2Q9Parameters, LengthIsTheHeightUnlessGiven) {
  EXPECT_EQ(problem_of(case_text(water))->scales.at("length"), 10);
  EXPECT_EQ(problem_of(case_text(water + R"(, "length": 4)"))->scales.at("length"), 4);
}

TEST(D2Q9Parameters, SizesInAUnitOfTheUsersChoice) {
  const auto problem = problem_of(
      R"({"domain": {"size": [2.2, 0.41], "resolution": 100},
          "fluid": {"reynolds": 20, "velocity": 0.02, "length": 0.1}})");
  EXPECT_THAT(problem->grid.cells, ElementsAre(220, 41, 1));
  EXPECT_NEAR(problem->scales.at("length"), 10, 1e-12);
  EXPECT_NEAR(resolved(*problem, "kinematic viscosity"), 0.01, 1e-9);
}

TEST(D2Q9Parameters, SecondRateFromTheMagicParameter) {
  const auto problem = problem_of(
      case_text(R"("relaxation_time": 0.8)", R"("collision": {"operator": "trt", "magic": 0.25})"));
  // (0.8 - 1/2) (tau_minus - 1/2) = 1/4
  EXPECT_NEAR(resolved(*problem, "omega_minus"), 1 / (0.25 / 0.3 + 0.5), 1e-5);
  const auto usual =
      problem_of(case_text(R"("relaxation_time": 0.8)", R"("collision": {"operator": "trt"})"));
  EXPECT_NEAR(resolved(*usual, "magic parameter"), 0.1875, 1e-12);
}

TEST(D2Q9Parameters, WhatARunNeeds) {
  const auto problem = problem_of(
      R"({"domain": {"nodes": [64, 32]}, "fluid": {"relaxation_time": 1}, "precision": "double",
          "propagation": {"scheme": "two-array"}})");
  EXPECT_EQ(problem->method, "lbm_d2q9");
  EXPECT_EQ(problem->variant, "two-array bgk");
  EXPECT_EQ(problem->precision, "double");
  EXPECT_EQ(problem->update_unit, "node");
  EXPECT_EQ(problem->updates_per_step, 2048);
  EXPECT_EQ(problem->bytes_per_step, 2048.0 * 18 * 8);
  EXPECT_EQ(problem->sizes.at("nodes"), 2048);
  EXPECT_GE(problem->memory_bytes, 2048U * 18U * 8U);
  EXPECT_LT(problem->memory_bytes, 2U * 2048U * 18U * 8U);
}

TEST(D2Q9Parameters, InPlaceTakesHalfTheMemoryForPopulations) {
  const auto memory = [](const std::string& scheme) {
    return problem_of(R"({"domain": {"nodes": [1024, 1024]}, "fluid": {"relaxation_time": 1},
                          "propagation": {"scheme": ")" +
                      scheme + R"("}})")
        ->memory_bytes;
  };
  const double populations = 1024.0 * 1024 * 9 * 4;
  EXPECT_NEAR(static_cast<double>(memory("two-array") - memory("in-place")), populations,
              0.01 * populations);
  EXPECT_EQ(memory("two-array"), memory("shared-memory"));
}

TEST(D2Q9Parameters, NarrowLatticesNeedLittleMemoryOfTheHost) {
  for (const int nodes : {1, 2, 3, 7, 8, 31, 32, 33}) {
    const auto problem = problem_of(R"({"domain": {"nodes": [)" + std::to_string(nodes) +
                                    R"(, 5]}, "fluid": {"relaxation_time": 0.8}})");
    EXPECT_LT(problem->host_bytes, 10000U) << nodes << " nodes along x";
  }
}

TEST(D2Q9Parameters, VariantNamesForcing) {
  const std::string force = R"("body_force": [1e-5, 0])";
  EXPECT_EQ(problem_of(case_text(water, R"("collision": {)" + force + "}"))->variant,
            "in-place bgk guo");
  EXPECT_EQ(problem_of(case_text(water, R"("collision": {"operator": "trt",
                                 "forcing": "velocity-shift", )" +
                                            force + "}"))
                ->variant,
            "in-place trt velocity-shift");
  // Without a force there is none to apply.
  EXPECT_EQ(problem_of(case_text(water, R"("collision": {"forcing": "guo"})"))->variant,
            "in-place bgk");
}

TEST(D2Q9Parameters, MonitorsOfThePlainCase) {
  const auto problem = problem_of(case_text(water));
  EXPECT_THAT(names(problem->monitors),
              ElementsAre("mass", "kinetic_energy", "mean_velocity_x", "mean_velocity_y",
                          "max_speed", "velocity_change"));
  EXPECT_THAT(problem->change_monitors, ElementsAre("velocity_change"));
}

TEST(D2Q9Parameters, MonitorsOfBodiesAndOfPorousFlow) {
  const std::string cylinder = R"("geometry": {"solids": [
      {"shape": "circle", "name": "post", "centre": [8, 5], "radius": 2}]})";
  const auto forced =
      problem_of(case_text(water, cylinder + R"(, "collision": {"body_force": [1e-5, 0]})"));
  EXPECT_THAT(names(forced->monitors), Contains("permeability"));
  EXPECT_THAT(names(forced->monitors), Contains("post.force_x"));
  // Coefficients need a characteristic velocity.
  EXPECT_THAT(names(forced->monitors), testing::Not(Contains("post.drag_coefficient")));
  EXPECT_LT(forced->updates_per_step, 200);
  EXPECT_EQ(forced->sizes.at("fluid_nodes"), static_cast<int>(forced->updates_per_step));
  const auto streamed = problem_of(case_text(R"("reynolds": 5, "velocity": 0.02)", cylinder));
  EXPECT_THAT(names(streamed->monitors), Contains("post.drag_coefficient"));
  EXPECT_THAT(names(streamed->monitors), Contains("post.lift_coefficient"));
  EXPECT_THAT(names(streamed->monitors), testing::Not(Contains("permeability")));
}

TEST(D2Q9Parameters, FieldsCanAllBeGiven) {
  const auto problem = problem_of(case_text(water));
  const auto method = problem->create(Backend::host);
  method->initialise();
  for (const Quantity& quantity : problem->fields) {
    const Field field = method->field(quantity.name);
    EXPECT_EQ(field.quantity.name, quantity.name);
    EXPECT_EQ(field.size(), 200U * static_cast<std::size_t>(quantity.components));
  }
  method->remember();
  for (const Quantity& quantity : problem->monitors) {
    EXPECT_NO_THROW(static_cast<void>(method->monitor(quantity.name)));
  }
}

TEST(D2Q9Method, FieldsInTheMemoryOfTheBackendAreThoseOfTheHost) {
  const std::string post =
      R"("geometry": {"solids": [{"name": "post", "shape": "circle", "centre": [8, 5], "radius": 2}]})";
  for (const char* precision : {"single", "double"}) {
    for (const char* scheme : {"in-place", "two-array", "shared-memory"}) {
      const auto problem = problem_of(
          case_text(water, R"("collision": {"body_force": [1e-5, 0]}, "precision": ")" +
                               std::string(precision) + R"(", "propagation": {"scheme": ")" +
                               scheme + R"("}, )" + post));
      const auto method = problem->create(default_backend());
      method->initialise();
      std::set<std::string> evaluated;
      for (int step = 0; step < 2; ++step) {
        method->advance(1);
        for (const Quantity& quantity : problem->fields) {
          const auto field = method->device_field(quantity.name);
          if (!field) continue;
          evaluated.insert(quantity.name);
          EXPECT_TRUE(test::same_values(test::on_host(*field), method->field(quantity.name)))
              << quantity.name;
        }
      }
      EXPECT_THAT(evaluated, testing::ElementsAre("density", "pressure", "stress_xx", "stress_xy",
                                                  "stress_yy", "velocity"));
    }
  }
}

TEST(D2Q9Parameters, BothPrecisionsAndAllSchemesRun) {
  for (const char* precision : {"single", "double"}) {
    for (const char* scheme : {"in-place", "two-array", "shared-memory"}) {
      const auto problem =
          problem_of(case_text(water, R"("precision": ")" + std::string(precision) +
                                          R"(", "propagation": {"scheme": ")" + scheme + R"("})"));
      const auto method = problem->create(Backend::host);
      method->initialise();
      method->advance(3);
      EXPECT_NEAR(method->monitor("mass"), 200, 1e-4);
    }
  }
}

// Warnings.

TEST(D2Q9Parameters, WarnsOfAHighMachNumber) {
  const auto problem = problem_of(case_text(R"("reynolds": 10, "velocity": 0.1)"));
  ASSERT_EQ(problem->warnings.size(), 1U);
  EXPECT_THAT(problem->warnings[0], HasSubstr("fluid.velocity"));
  EXPECT_THAT(problem->warnings[0], HasSubstr("Mach number 0.1732"));
}

TEST(D2Q9Parameters, WarnsOfAFastLidOnly) {
  const auto problem = problem_of(case_text(R"("reynolds": 10, "velocity": 0.05)", R"(
      "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall", "velocity": [2, 0]}})"));
  ASSERT_EQ(problem->warnings.size(), 1U);
  EXPECT_THAT(problem->warnings[0], HasSubstr("boundaries.north.velocity"));
}

TEST(D2Q9Parameters, WarnsOfAShortRelaxationTime) {
  const auto problem = problem_of(case_text(R"("relaxation_time": 0.501)"));
  ASSERT_EQ(problem->warnings.size(), 1U);
  EXPECT_THAT(problem->warnings[0], HasSubstr("stability limit"));
}

TEST(D2Q9Parameters, WarnsOfScalarsThatAlternateForLong) {
  const auto problem = problem_of(R"({"domain": {"nodes": [8, 8]}, "precision": "double",
      "fluid": {"kinematic_viscosity": 0.1}, "heat": {"diffusivity": 1e-4},
      "scalars": [{"name": "salt", "diffusivity": 2e-4}],
      "geometry": {"solids": [{"name": "slab", "shape": "box", "from": [0, 0], "to": [8, 3],
                               "conduction": {"conductivity_ratio": 0.1}}]}})");
  ASSERT_EQ(problem->warnings.size(), 3U);
  EXPECT_THAT(problem->warnings[0], HasSubstr("heat: relaxation time 0.5003 of the scalar is"));
  EXPECT_THAT(problem->warnings[0], HasSubstr("takes some 1667 steps to fall to a third"));
  EXPECT_THAT(problem->warnings[1], HasSubstr("geometry.solids[0].conduction: relaxation time "));
  EXPECT_THAT(problem->warnings[1], HasSubstr("takes some 16667 steps"));
  EXPECT_THAT(problem->warnings[2], HasSubstr("of \"salt\" is close"));
  EXPECT_THAT(problem->warnings[2], HasSubstr("takes some 833 steps"));
}

// Bad input, each with its message.

struct BadCase {
  std::string name;
  std::string text;
  std::string message;  ///< a part of it
};
std::ostream& operator<<(std::ostream& stream, const BadCase& bad) { return stream << bad.text; }

std::string with(const std::string& more) { return case_text(water, more); }
std::string boundaries(const std::string& sides) {
  return with(R"("boundaries": {)" + sides + "}");
}
std::string domain(const std::string& keys) {
  return R"({"domain": {)" + keys + R"(}, "fluid": {"relaxation_time": 1}})";
}

const std::vector<BadCase>& bad_cases() {
  static const std::vector<BadCase> cases{
      {"NoDomain", R"({"fluid": {"relaxation_time": 1}})", "domain: missing"},
      {"NoFluid", R"({"domain": {"nodes": [8, 8]}})", "fluid: missing"},
      {"EmptyDomain", domain(""), R"(domain: give either "nodes", or "size" with "resolution")"},
      {"NodesAndSize", domain(R"("nodes": [8, 8], "size": [1, 1], "resolution": 8)"),
       R"(domain: give either "nodes", or "size" with "resolution")"},
      {"SizeWithoutResolution", domain(R"("size": [1, 1])"),
       R"(domain.resolution: "size" and "resolution" go together)"},
      {"ResolutionWithoutSize", domain(R"("nodes": [8, 8], "resolution": 8)"),
       R"("size" and "resolution" go together)"},
      {"NegativeNodes", domain(R"("nodes": [-8, 8])"),
       "domain.nodes[0]: found -8, must be from 1 to"},
      {"NoNodes", domain(R"("nodes": [8, 0])"), "domain.nodes[1]: found 0, must be from 1 to"},
      {"HalfANode", domain(R"("nodes": [8.5, 8])"), "domain.nodes[0]: found 8.5"},
      {"OneExtent", domain(R"("nodes": [8])"), "domain.nodes:"},
      {"NodesAsText", domain(R"("nodes": "8x8")"), R"(domain.nodes: found "8x8")"},
      {"NegativeSize", domain(R"("size": [1, -1], "resolution": 8)"),
       "domain.size[1]: found -1, must be greater than 0"},
      {"TooManyNodes", domain(R"("nodes": [65536, 65536])"),
       "domain.nodes: the grid has more than 2147483647 nodes"},
      {"TooFineResolution", domain(R"("size": [1, 1], "resolution": 1e6)"),
       "domain.resolution: found 1000000, the grid has more than"},
      {"RelaxationTimeHalf", case_text(R"("relaxation_time": 0.5)"),
       "fluid.relaxation_time: found 0.5, must be greater than 0.5"},
      {"RelaxationTimeBelowHalf", case_text(R"("relaxation_time": 0.3)"),
       "fluid.relaxation_time: found 0.3, must be greater than 0.5"},
      {"RelaxationTimeHalfInSinglePrecision", case_text(R"("relaxation_time": 0.50000001)"),
       "must be greater than 0.5 in the case's precision"},
      {"ReynoldsTooHighForSinglePrecision", case_text(R"("reynolds": 1e9, "velocity": 0.05)"),
       "fluid.reynolds: found 1000000000, gives the relaxation time 0.5"},
      {"NegativeReynolds", case_text(R"("reynolds": -5, "velocity": 0.05)"),
       "fluid.reynolds: found -5, must be greater than 0"},
      {"NoViscosity", case_text(R"("velocity": 0.05)"), "fluid: the viscosity is missing"},
      {"ReynoldsAlone", case_text(R"("reynolds": 10)"), "fluid.reynolds: found 10, needs"},
      {"Overdetermined", case_text(R"("reynolds": 10, "velocity": 0.05, "relaxation_time": 1)"),
       "leave one of the three out"},
      {"TwoViscosities", case_text(R"("relaxation_time": 1, "kinematic_viscosity": 0.1)"),
       R"(fluid.kinematic_viscosity: found 0.1, "relaxation_time" already sets the viscosity)"},
      {"ZeroLength", case_text(water + R"(, "length": 0)"),
       "fluid.length: found 0, must be greater than 0"},
      {"UnknownFluidKey", case_text(R"("reynold": 10, "velocity": 0.05)"), R"("reynolds")"},
      {"MachAboveThreeTenths", case_text(R"("reynolds": 10, "velocity": 0.2)"),
       "fluid.velocity: speed 0.2 is Mach number 0.3464, must be at most 0.3"},
      {"MachOfALid", boundaries(R"("south": {"type": "wall"},
                                   "north": {"type": "wall", "velocity": [0.25, 0]})"),
       "boundaries.north.velocity: speed 0.25 is Mach number 0.433"},
      {"MachOfAnInlet", boundaries(R"("west": {"type": "velocity", "velocity": [0.2, 0.2]},
                                      "east": {"type": "pressure"})"),
       "boundaries.west.velocity: speed 0.282"},
      {"MachOfTheInitialState", with(R"("initial": {"type": "uniform", "velocity": [0, 0.3]})"),
       "initial: speed 0.3 is Mach number 0.5196"},
      {"MachOfTaylorGreen", with(R"("initial": {"type": "taylor-green", "amplitude": 0.3})"),
       "initial: speed 0.3 is Mach number 0.5196"},
      {"MachOfABody", with(R"("geometry": {"solids": [{"shape": "circle", "name": "wheel",
                              "centre": [5, 5], "radius": 2, "velocity": [0.4, 0]}]})"),
       "velocity of wheel: speed 0.4 is Mach number"},
      {"UnknownKey", with(R"("colision": {})"), R"("collision")"},
      {"UnknownSide", boundaries(R"("nort": {"type": "wall"})"), R"("north")"},
      {"UnknownBoundary", boundaries(R"("north": {"type": "bounce"})"), "boundaries.north.type"},
      {"BoundaryWithoutType", boundaries(R"("north": {})"), "boundaries.north.type: missing"},
      {"KeyOfAnotherBoundary", boundaries(R"("north": {"type": "wall", "density": 1},
                                             "south": {"type": "wall"})"),
       "boundaries.north"},
      {"UnknownOperator", with(R"("collision": {"operator": "mrt"})"), "collision.operator"},
      {"UnknownForcing", with(R"("collision": {"forcing": "shift"})"), "collision.forcing"},
      {"UnknownScheme", with(R"("propagation": {"scheme": "inplace"})"), R"("in-place")"},
      {"UnknownWalls", with(R"("geometry": {"walls": "halfway"})"), R"("half-way")"},
      {"UnknownPrecision", with(R"("precision": "half")"), "precision"},
      {"UnknownInitialState", with(R"("initial": {"type": "vortex"})"), "initial.type"},
      {"MagicOfBgk", with(R"("collision": {"magic": 0.25})"),
       R"(collision.magic: found 0.25, belongs to the operator "trt")"},
      {"NegativeMagic", with(R"("collision": {"operator": "trt", "magic": -1})"),
       "collision.magic: found -1, must be greater than 0"},
      {"HeldFlowInAClosedBox",
       with(R"("collision": {"flow_control": {"axis": "y", "mean_velocity": 0.05}},
               "boundaries": {"north": {"type": "wall"}, "south": {"type": "wall"}})"),
       "collision.flow_control.axis: the sides south and north are not periodic"},
      {"HeldFlowBetweenOpenSides",
       with(R"("collision": {"flow_control": {"axis": "x", "mean_velocity": 0.05}},
               "boundaries": {"west": {"type": "pressure"}, "east": {"type": "pressure"}})"),
       "the sides west and east are not periodic"},
      {"HeldFlowBesideABodyForce", with(R"("collision": {"body_force": [1e-5, 0],
                             "flow_control": {"axis": "x", "mean_velocity": 0.05}})"),
       R"(collision.flow_control.axis: found "x", "body_force" gives a force along this axis)"},
      {"HeldFlowWithoutVelocity", with(R"("collision": {"flow_control": {"axis": "x"}})"),
       "collision.flow_control.mean_velocity: is missing"},
      {"HeldFlowAlongZ",
       with(R"("collision": {"flow_control": {"axis": "z", "mean_velocity": 0.05}})"),
       R"(collision.flow_control.axis: found "z")"},
      {"HeldFlowTooFast",
       with(R"("collision": {"flow_control": {"axis": "x", "mean_velocity": -0.2}})"),
       "collision.flow_control.mean_velocity: speed 0.2 is Mach number 0.3464, must be at most"},
      {"HeldFlowNeverAdjusted",
       with(R"("collision": {"flow_control": {"axis": "x", "mean_velocity": 0.05, "every": 0}})"),
       "collision.flow_control.every: found 0, must be from 1 to 1000"},
      {"HeldFlowOfNothing",
       with(R"("collision": {"flow_control": {"axis": "x", "mean_velocity": 0.05}},
               "geometry": {"solids": [{"shape": "box", "from": [-1, -1], "to": [99, 99]}]})"),
       "there is no fluid node in the domain"},
      {"BodyForceOfOneComponent", with(R"("collision": {"body_force": [1e-5]})"),
       "collision.body_force"},
      {"PeriodicOnOneSide", boundaries(R"("north": {"type": "wall"})"),
       "boundaries.south: is periodic, so the opposite side (north) must be periodic too"},
      {"PeriodicOnOneSideByName",
       boundaries(R"("west": {"type": "periodic"}, "east": {"type": "pressure"})"),
       "boundaries.west: is periodic, so the opposite side (east) must be periodic too"},
      {"WallThatMovesThroughItself", boundaries(R"("south": {"type": "wall"},
                     "north": {"type": "wall", "velocity": [0.01, 0.01]})"),
       "boundaries.north.velocity: a wall moves along itself only: the y component must be 0"},
      {"SideWallThatMovesThroughItself",
       boundaries(R"("west": {"type": "wall", "velocity": [0.01, 0]}, "east": {"type": "wall"})"),
       "boundaries.west.velocity: a wall moves along itself only: the x component must be 0"},
      {"NegativeDensity", boundaries(R"("west": {"type": "pressure", "density": -1},
                                        "east": {"type": "pressure"})"),
       "boundaries.west.density: found -1, must be from 0.01 to 100"},
      {"OpenSideOfANarrowDomain",
       R"({"domain": {"nodes": [2, 10]}, "fluid": {"relaxation_time": 1},
           "boundaries": {"west": {"type": "velocity"}, "east": {"type": "pressure"}}})",
       "boundaries.west: an open side needs at least 3 nodes across, found 2"},
      {"SolidBehindAnOutflow",
       with(R"("boundaries": {"west": {"type": "velocity"}, "east": {"type": "outflow"}},
               "geometry": {"solids": [{"shape": "circle", "name": "post",
                                        "centre": [18.5, 5.5], "radius": 0.1}]})"),
       "node (18, 5) is solid, but an outflow side"},
      {"NoFluidNode", with(R"("geometry": {"solids": [{"shape": "circle", "name": "rock",
                              "centre": [10, 5], "radius": 100}]})"),
       "there is no fluid node"},
      {"ThreeNodesAThread", with(R"("tuning": {"nodes_per_thread": 3})"),
       "tuning.nodes_per_thread: found 3, must be 1, 2 or 4"},
      {"EmptySegment", with(R"("tuning": {"segment": 0})"), "tuning.segment: found 0"},
      {"WaveNumberZero",
       with(R"("initial": {"type": "taylor-green", "amplitude": 0.01, "wave_numbers": [0, 1]})"),
       "initial.wave_numbers[0]: found 0, must be at least 1"},
  };
  return cases;
}

class BadD2Q9Case : public testing::TestWithParam<BadCase> {};

TEST_P(BadD2Q9Case, IsRefused) {
  try {
    static_cast<void>(problem_of(GetParam().text));
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
    EXPECT_THAT(error.what(), testing::StartsWith("case.json: "));
    return;
  }
  FAIL() << "was accepted";
}
INSTANTIATE_TEST_SUITE_P(All, BadD2Q9Case, testing::ValuesIn(bad_cases()),
                         [](const auto& info) { return info.param.name; });

/// A channel with an inlet in the west and an outflow in the east, after some steps.
std::unique_ptr<Method> channel_with_outflow(std::int64_t steps) {
  Parameters p = lbm_d2q9::domain(9, 7, 0.7);
  p.sides = {SideCondition{SideKind::velocity, {0.04, 0}, true, 1},
             SideCondition{SideKind::outflow, {0, 0}, false, 1}, wall(), wall()};
  auto method = started(p);
  method->advance(steps);
  return method;
}

void save(Method& method, const std::filesystem::path& file) {
  CheckpointWriter writer(file, "lbm_d2q9", "digest", 5);
  method.save(writer);
  writer.commit();
}

TEST(D2Q9Method, WarnsWhereTheMassOfAClosedDomainChanges) {
  // A driven cavity with walls at other places on the links than half-way.
  const auto problem = [](const std::string& walls) {
    return problem_of(R"({
      "precision": "double", "domain": {"nodes": [20, 20]},
      "fluid": {"reynolds": 10, "length": 12, "velocity": 0.1}, "collision": {"operator": "trt"},
      "geometry": {"walls": ")" +
                      walls + R"(", "solids": [
                   {"name": "w", "shape": "half-plane", "point": [4.3, 0], "normal": [1, 0]},
                   {"name": "e", "shape": "half-plane", "point": [15.6, 0], "normal": [-1, 0]},
                   {"name": "s", "shape": "half-plane", "point": [0, 4.2], "normal": [0, 1]},
                   {"name": "n", "shape": "half-plane", "point": [0, 15.7], "normal": [0, -1], "velocity": [1, 0]}]}})");
  };
  knudsen::test::expect_mass_warning(*problem("half-way"), *problem("interpolated"), "lbm_d2q9");
}

TEST(D2Q9Checkpoint, HoldsSidesInTheOrderWestSouthEastNorth) {
  const TemporaryDirectory directory;
  save(*channel_with_outflow(15), directory / "checkpoint.h5");  // the flow has reached the east
  constexpr std::size_t longest = 9;
  std::vector<double> published(2 * 4 * longest * 3);
  CheckpointReader(directory / "checkpoint.h5")
      .array("published", published.data(), {published.size()});
  for (std::size_t i = 0; i < published.size(); ++i) {
    const std::size_t side = i / 3 / longest % 4;
    const std::size_t y = i / 3 % longest;
    // Only the outflow copies from its inner neighbours.
    EXPECT_EQ(published[i] != 0, side == 2 && y < 7) << i;
  }
}

TEST(D2Q9Checkpoint, GoesOnBitForBit) {
  const TemporaryDirectory directory;
  const auto whole = channel_with_outflow(5);
  save(*whole, directory / "checkpoint.h5");
  whole->advance(4);
  const auto restarted = channel_with_outflow(0);
  restarted->load(CheckpointReader(directory / "checkpoint.h5"));
  restarted->advance(4);
  const Field expected = whole->field("velocity");
  const Field found = restarted->field("velocity");
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(found[i], expected[i]) << i;
}

}  // namespace
}  // namespace knudsen::lbm_d2q9
