#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "case/sample_reader.hpp"
#include "problem.hpp"
#include "run/run.hpp"

namespace knudsen::bgkw {
namespace {

using test::read;
using test::with;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;

std::string error(const std::string& patch) {
  return knudsen::test::input_error([&] { read(with(patch)); });
}

TEST(Reader, BaseCase) {
  const auto problem = read(test::base_case());
  EXPECT_EQ(problem->variant, "fused bgk");
  EXPECT_EQ(problem->sizes.at("velocities"), 512);
  EXPECT_EQ(problem->updates_per_step, 8 * 512);
  EXPECT_EQ(problem->bytes_per_step, 8 * 512 * 16);
  EXPECT_NEAR(problem->time_per_step, 0.9 / 8 / 3.5, 1e-15);
  EXPECT_THAT(problem->warnings, IsEmpty());
}

TEST(Reader, TimeStepIsTheShorterLimit) {
  EXPECT_NEAR(read(with(R"({"gas": {"rarefaction": 100}})"))->time_per_step, 0.0025, 1e-15);
  EXPECT_NEAR(
      read(with(R"({"gas": {"rarefaction": 100}, "propagation": {"relaxation_fraction": 0.5}})"))
          ->time_per_step,
      0.005, 1e-15);
  EXPECT_EQ(read(with(R"({"propagation": {"time_step": 0.07}})"))->time_per_step, 0.07);
}

TEST(Reader, TimeStepOfImexSchemesIsThatOfTheCourantNumber) {
  const auto problem = read(with(R"({"gas": {"rarefaction": 1e6},
      "propagation": {"time_integration": "imex-2", "order": 2}})"));
  EXPECT_NEAR(problem->time_per_step, 0.9 / 8 / 3.5, 1e-15);
  EXPECT_EQ(problem->variant, "fused bgk order 2 imex-2");
  // Two states and the one that a stage keeps.
  const auto plain = read(with(R"({"tuning": {"single_pass": "never"}})"));
  EXPECT_EQ(problem->memory_bytes - plain->memory_bytes, 8U * 512 * 8);
  EXPECT_EQ(problem->bytes_per_step, 3 * plain->bytes_per_step);
  EXPECT_EQ(read(with(R"({"propagation": {"time_integration": "imex-1"}})"))->memory_bytes,
            plain->memory_bytes);
  const auto stated = [](const Problem& of) {
    for (const ResolvedValue& parameter : of.resolved) {
      if (parameter.name == "time step over relaxation time") return std::stod(parameter.value);
    }
    return 0.0;
  };
  // Rounded to four digits.
  EXPECT_NEAR(stated(*problem) / (1e6 * problem->time_per_step), 1, 1e-3);
  EXPECT_NEAR(stated(*plain) / plain->time_per_step, 1, 1e-3);
}

TEST(Reader, RefusesWhatImexSchemesExclude) {
  const auto refused = [](const std::string& propagation) {
    return error(R"({"propagation": {"time_integration": "imex-2", )" + propagation + "}}");
  };
  const std::string with_imex = R"(with "time_integration" "imex-1" or "imex-2")";
  EXPECT_THAT(refused(R"("scheme": "separate")"),
              HasSubstr("propagation.scheme: found \"separate\", must be \"fused\" " + with_imex));
  EXPECT_THAT(refused(R"("split": true)"),
              HasSubstr("propagation.split: found true, must be false " + with_imex));
  EXPECT_THAT(
      refused(R"("relaxation_fraction": 1)"),
      HasSubstr("propagation.relaxation_fraction: found 1, must not be given " + with_imex));
  EXPECT_THAT(refused(R"("courant": 1.1)"),
              HasSubstr("gives Courant numbers that add up to 1.1, must be at most 1 with an IMEX "
                        "scheme; reduce"));
  EXPECT_THAT(error(R"({"propagation": {"time_integration": "imex-1", "order": 2}})"),
              HasSubstr("propagation.order: found 2, must be 1 with"));
  EXPECT_THAT(error(R"({"domain": {"cells": [1]},
                        "propagation": {"time_integration": "imex-2", "order": 2}})"),
              HasSubstr("order 2 requires at least 2 cells of gas between two walls"));
  EXPECT_THAT(
      error(R"({"propagation": {"time_integration": "imex-2"},
                        "tuning": {"single_pass": "always"}})"),
      HasSubstr("tuning.single_pass: found \"always\", cannot be combined with an IMEX scheme"));
}

TEST(Reader, WarnsOfCollisionsThatAreASourceOfHeat) {
  const auto warnings = [](double rarefaction, bool conservative) {
    auto json = with(R"({"velocity_grid": {"minimum": [-3, -4, -4], "maximum": [3, 4, 4]},
                         "propagation": {"order": 2}})");
    json["gas"] = {{"rarefaction", rarefaction}};
    json["collision"]["conservative"] = conservative;
    return read(json)->warnings;
  };
  EXPECT_THAT(warnings(1, false), testing::IsEmpty());
  EXPECT_THAT(warnings(100, true), testing::IsEmpty());
  EXPECT_THAT(warnings(100, false),
              testing::ElementsAre(HasSubstr("which makes its 100 collisions on the way across the "
                                             "gas a source of heat, ")));
}

TEST(Reader, WarnsOfTruncation) {
  const auto problem =
      read(with(R"({"velocity_grid": {"minimum": [-2.5, -4, -4], "maximum": [2.5, 4, 4]}})"));
  ASSERT_EQ(problem->warnings.size(), 1U);
  EXPECT_THAT(problem->warnings[0],
              HasSubstr("velocity_grid: leaves out 0.0407 % of the Maxwellian of \"initial\""));
  EXPECT_THAT(problem->warnings[0], HasSubstr("and so for 2 more states"));
}

TEST(Reader, HalfRangeQuadratureLeavesNothingOut) {
  for (const int count : {4, 8, 16}) {
    const auto problem = read(with(R"({"velocity_grid": {"type": "half-range", "minimum": null,
        "maximum": null, "count": [)" +
                                   std::to_string(count) + ", 6, 6]}}"));
    EXPECT_THAT(problem->warnings, IsEmpty()) << count;
  }
}

TEST(Reader, IntegratedComponentsNeedNoCount) {
  const auto problem = read(with(R"({"reduced": true, "velocity_grid": {"count": [8],
                                     "minimum": null, "maximum": null}})"));
  EXPECT_EQ(problem->sizes.at("velocities"),
            read(with(R"({"reduced": true})"))->sizes.at("velocities"));
  EXPECT_THAT(error(R"({"velocity_grid": {"count": [8]}})"),
              HasSubstr("velocity_grid.count: found a list of 1, must be a list of 3 integers"));
  EXPECT_THAT(error(R"({"reduced": true, "velocity_grid": {"count": [8, 8]}})"),
              HasSubstr("with \"reduced\", of one for each of the 1 axes"));
}

TEST(Reader, RefusesWhatIsNoGas) {
  EXPECT_THAT(error(R"({"domain": {"size": [1e-308]}})"),
              HasSubstr("domain.size[0]: found 1e-308, must be from 1e-09 to 1000000000"));
  EXPECT_THAT(error(R"({"gas": {"rarefaction": 1e-300}})"), HasSubstr("gas.rarefaction"));
  EXPECT_THAT(error(R"({"gas": {"omega": 1e308}})"), HasSubstr("gas.omega"));
  EXPECT_THAT(error(R"({"propagation": {"courant": 1e-300}})"),
              HasSubstr("propagation: gives the time step"));
}

TEST(Reader, ADomainOfTwoThousandMillionCellsIsReadAtOnce) {
  // As an estimate, which builds no solids on so many cells.
  auto document = CaseDocument::from_text(with(R"({"domain": {"cells": [2000000000], "size": [1e6]},
      "geometry": {"solids": [{"shape": "box", "from": [0], "to": [500000]}]}})")
                                              .dump(),
                                          "case.json");
  document.set_estimating(true);
  std::unique_ptr<Problem> problem;
  read_case(document, [&](CaseNode& root) { problem = read_problem(root); });
  EXPECT_GT(problem->memory_bytes, 1000000000000U);
  EXPECT_TRUE(problem->estimated);
}

TEST(Reader, RefusesInletsWithoutAFlow) {
  EXPECT_THAT(
      error(R"({"boundaries": {"west": {"type": "inlet"}}})"),
      HasSubstr("boundaries.west: give \"mass_flux\", that of \"profile\", or \"mass_flow\""));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"type": "inlet", "mass_flux": 1,
                                                "si": {"mass_flow": 1e-9}}}})"),
              HasSubstr("boundaries.west.si: \"mass_flux\" gives the flow already"));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"type": "inlet", "mass_flow": 1,
                                                "profile": {"mass_flux": "1"}}}})"),
              HasSubstr("boundaries.west: \"mass_flow\" gives the flow already"));
  EXPECT_THAT(
      error(R"({"boundaries": {"west": {"type": "inlet", "si": {"mass_flow": 1e-9}}}})"),
      HasSubstr("boundaries.west.si: requires the reference state in SI units, \"gas.si\""));
  EXPECT_THAT(error(R"({
      "domain": {"cells": [4, 4], "size": [1, 1]},
      "gas": {"name": "argon", "rarefaction": null,
              "si": {"pressure": 10, "temperature": 300, "length": 1e-3}},
      "geometry": {"solids": [{"shape": "box", "from": [0, 0], "to": [0.25, 1]}]},
      "boundaries": {"west": {"type": "inlet", "si": {"mass_flow": 1e-9}}}})"),
              HasSubstr("no gas can enter, since solids cover the whole side"));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"type": "inlet", "mass_flux": -1}}})"),
              HasSubstr("boundaries.west.mass_flux: found -1"));
}

TEST(Reader, WarnsOfTooFewVelocities) {
  const auto problem = read(with(R"({"velocity_grid": {"count": [8, 8, 4]}})"));
  ASSERT_FALSE(problem->warnings.empty());
  EXPECT_THAT(problem->warnings[0], HasSubstr("too few velocities for \"initial\""));
}

TEST(Reader, RefusesVelocitiesTooNarrowForAHotWall) {
  EXPECT_THAT(error(R"({"boundaries": {"west": {"temperature": 20}}})"),
              HasSubstr("velocity_grid: leaves out 49.93 % of the Maxwellian of "
                        "\"boundaries.west\" (temperature 20, velocity 0, 0, 0), may be at most 2 "
                        "%; widen \"minimum\" and \"maximum\""));
}

TEST(Reader, RefusesVelocitiesTooNarrowForAFastWall) {
  EXPECT_THAT(
      error(R"({"boundaries": {"east": {"velocity": [0, 3, 0]}}})"),
      HasSubstr("of the Maxwellian of \"boundaries.east\" (temperature 1, velocity 0, 3, 0), "
                "may be at most 2 %; widen \"minimum\" and \"maximum\""));
}

TEST(Reader, RefusesMoreThanTheMemoryHolds) {
  ResolvedCase resolved;
  resolved.name = "case.json";
  resolved.problem = read(with(R"({
    "domain": {"cells": [20000, 20000]},
    "velocity_grid": {"count": [32, 32, 32]},
    "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"}}})"));
  EXPECT_GT(static_cast<double>(resolved.problem->memory_bytes), 2 * 8 * 4e8 * 32768);
  EXPECT_THAT(knudsen::test::input_error([&] { require_memory(resolved, default_backend()); }),
              HasSubstr("case.json: needs 2"));
}

TEST(Reader, RefusesAMachNumberBeyondTheVelocities) {
  EXPECT_THAT(error(R"({"initial": {"type": "shock", "mach": 8},
                        "boundaries": {"west": {"type": "reservoir"},
                                       "east": {"type": "reservoir"}}})"),
              HasSubstr("of the Maxwellian of \"initial, lower x\""));
}

TEST(Reader, RefusesBadNumbers) {
  EXPECT_EQ(error(R"({"gas": {"rarefaction": null, "knudsen": 0}})"),
            "case.json: gas.knudsen: found 0, must be greater than 0");
  EXPECT_THAT(error(R"({"gas": {"rarefaction": -1}})"), HasSubstr("must be at least 0"));
  EXPECT_EQ(error(R"({"boundaries": {"west": {"temperature": 0}}})"),
            "case.json: boundaries.west.temperature: found 0, must be from 1e-06 to 1000000");
  EXPECT_THAT(error(R"({"boundaries": {"west": {"accommodation": 1.5}}})"),
              HasSubstr("boundaries.west.accommodation: found 1.5"));
  EXPECT_THAT(error(R"({"initial": {"type": "shock", "mach": 1}})"), HasSubstr("initial.mach"));
}

TEST(Reader, RefusesContradictions) {
  EXPECT_THAT(error(R"({"gas": {"knudsen": 1}})"),
              HasSubstr("give either \"rarefaction\" or \"knudsen\" or \"si\""));
  EXPECT_THAT(error(R"({"gas": {"law": "maxwell", "omega": 0.7}})"), HasSubstr("gas.omega"));
  EXPECT_THAT(error(R"({"gas": {"prandtl": 0.7}})"), HasSubstr("belongs to the models"));
  EXPECT_THAT(error(R"({"propagation": {"limiter": "minmod"}})"),
              HasSubstr("propagation.limiter: found \"minmod\", requires \"order\" 2"));
  EXPECT_THAT(error(R"({"propagation": {"order": 2, "split": false}})"),
              HasSubstr("propagation.split: found false, must be true with \"order\" 2"));
  EXPECT_THAT(error(R"({"propagation": {"time_step": 0.1, "courant": 0.5}})"),
              HasSubstr("propagation.time_step"));
  EXPECT_THAT(error(R"({"domain": {"size": [1, 1]}})"), HasSubstr("domain.size"));
  EXPECT_THAT(error(R"({"domain": {"cells": [4, 4, 4, 4]}})"), HasSubstr("1, 2 or 3 integers"));
}

TEST(Reader, StepsOfOnePassAreForPlainBgk) {
  const auto one = read(with(R"({"tuning": {"single_pass": "always"}})"));
  const auto never = read(with(R"({"tuning": {"single_pass": "never"}})"));
  EXPECT_GT(one->memory_bytes, never->memory_bytes);
  EXPECT_THAT(
      error(R"({"tuning": {"single_pass": "always"}, "collision": {"model": "shakhov"}})"),
      HasSubstr("tuning.single_pass: found \"always\", requires model \"bgk\", order 1, no body "
                "force and no split"));
}

TEST(Reader, TilesAreForPlainBgk) {
  const auto tiles = read(with(R"({"propagation": {"scheme": "tiles"}})"));
  EXPECT_EQ(tiles->variant, "tiles bgk");
  const auto refusal = HasSubstr(
      "propagation.scheme: scheme \"tiles\" requires model \"bgk\", order 1, no body force and no "
      "split");
  EXPECT_THAT(error(R"({"propagation": {"scheme": "tiles", "order": 2}})"), refusal);
  EXPECT_THAT(
      error(R"({"propagation": {"scheme": "tiles"}, "collision": {"body_force": [0.1, 0, 0]}})"),
      refusal);
  EXPECT_THAT(error(R"({"propagation": {"scheme": "tiles"}, "collision": {"model": "shakhov"}})"),
              refusal);
  EXPECT_THAT(error(R"({"propagation": {"scheme": "tiles"}, "tuning": {"single_pass": "always"}})"),
              HasSubstr("tuning.single_pass: found \"always\", cannot be combined with scheme "
                        "\"tiles\""));
}

TEST(Reader, TakesOnePassWhereItPaysWithoutBeingAsked) {
  const auto memory = [](int cells, int velocities, const char* single_pass) {
    auto json = test::base_case();
    json["domain"]["cells"] = {cells};
    json["velocity_grid"]["count"] = {8, 8, velocities};
    if (single_pass != nullptr) json["tuning"]["single_pass"] = single_pass;
    return read(json)->memory_bytes;
  };
  for (const char* unasked : {static_cast<const char*>(nullptr), "automatic"}) {
    EXPECT_EQ(memory(20, 8, unasked), memory(20, 8, "always"));
    EXPECT_EQ(memory(1024, 6, unasked), memory(1024, 6, "never"));
  }
  EXPECT_LT(memory(1024, 8, "never"), memory(1024, 8, "always"));
}

TEST(Reader, RefusesAWallOppositeOfAPeriodicSide) {
  EXPECT_EQ(error(R"({"boundaries": {"west": null}})"),
            "case.json: boundaries.west: is periodic, so the opposite side (east) must be periodic "
            "too");
}

TEST(Reader, RefusesSidesThatAreNotThere) {
  EXPECT_THAT(error(R"({"boundaries": {"north": {"type": "wall"}, "south": {"type": "wall"}}})"),
              HasSubstr("boundaries.south: the domain has 1 dimension: there is no such side"));
}

TEST(Reader, RefusesAWallThatMovesIntoTheGas) {
  EXPECT_THAT(error(R"({"boundaries": {"east": {"velocity": [0.1, 0, 0]}}})"),
              HasSubstr("the x component must be 0"));
}

TEST(Reader, RefusesReflectionOfLopsidedVelocities) {
  EXPECT_THAT(error(R"({"boundaries": {"west": {"type": "symmetry"}},
                        "velocity_grid": {"maximum": [5, 4, 4]}})"),
              HasSubstr("boundaries.west: reflects specularly, so the velocities along x must be "
                        "symmetric about 0"));
}

TEST(Reader, RefusesTooLongTimeSteps) {
  EXPECT_THAT(error(R"({"domain": {"cells": [8, 8]}, "propagation": {"courant": 1.1}})"),
              HasSubstr("Courant numbers that add up to 1.1, must be at most 1 in two and three"));
  EXPECT_THAT(error(R"({"propagation": {"time_step": 10}})"),
              HasSubstr("must be at most 8, the smallest number of cells between two surfaces; "
                        "reduce \"time_step\" or \"courant\""));
}

const std::string square = R"("domain": {"cells": [8, 8]},
                              "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"}})";

std::string square_error(const std::string& rest) {
  return error("{" + square + ", " + rest + "}");
}

TEST(Reader, SplitAxesHaveAnyCourantNumber) {
  const auto problem =
      read(with("{" + square + R"(, "propagation": {"split": true, "courant": 1.5}})"));
  EXPECT_NEAR(problem->time_per_step, 1.5 / 8 / 3.5, 1e-15);
  EXPECT_EQ(problem->variant, "fused bgk split");
  EXPECT_EQ(problem->bytes_per_step, 64 * 512 * 8 * 4);
}

TEST(Reader, RefusesValuesJoinedByUnderscores) {
  EXPECT_THAT(error(R"({"gas": {"rarefaction": 1, "law": "hard_sphere"}})"),
              HasSubstr("gas.law: found \"hard_sphere\", did you mean \"hard-sphere\"?"));
}

TEST(Reader, SolidsMustEndOnGridLinesAndLeaveGas) {
  const auto solid = [](const std::string& rest) {
    return square_error(R"("geometry": {"solids": [{"shape": "box", )" + rest + "}]}");
  };
  const auto problem = read(with("{" + square + R"(, "geometry": {"solids": [
      {"shape": "box", "from": [0.25, 0.25], "to": [0.5, 1]},
      {"shape": "box", "name": "post", "from": [0.75, 0.25], "to": [0.875, 0.5]}]}})"));
  std::vector<std::string> names;
  for (const Quantity& monitor : problem->monitors) names.push_back(monitor.name);
  EXPECT_THAT(names, IsSupersetOf({"solid_0.force_x", "post.force_y", "post.mass_flux"}));
  EXPECT_THAT(solid(R"("from": [0.2, 0.25], "to": [0.5, 0.5])"),
              HasSubstr("geometry.solids[0].from: a box must end on grid lines; x = 0.2 lies "
                        "between those at 0.125 and 0.25"));
  EXPECT_THAT(solid(R"("from": [0.5, 0.25], "to": [0.5, 0.5])"),
              HasSubstr("must be greater than \"from\" along each axis"));
  // What lies beyond a side is cut off.
  read(with("{" + square + R"(, "geometry": {"solids": [
      {"shape": "box", "from": [0.5, 0.25], "to": [2, 0.5]}]}})"));
  EXPECT_THAT(solid(R"("from": [1, 0.25], "to": [2, 0.5])"),
              HasSubstr("this solid contains no cell centre"));
  EXPECT_THAT(solid(R"("from": [0.5], "to": [1, 0.5])"), HasSubstr("must be a list of 2"));
  EXPECT_THAT(solid(R"("from": [0, 0], "to": [1, 1])"),
              HasSubstr("the solids fill the domain and leave no gas"));
  EXPECT_THAT(solid(R"("from": [0.25, 0.25], "to": [0.5, 0.5], "velocity": [0.1, 0, 0])"),
              HasSubstr("a wall moves along itself only"));
  EXPECT_THAT(solid(R"("from": [0.25, 0.25], "to": [0.5, 0.5], "temperature": 20)"),
              HasSubstr("of the Maxwellian of \"geometry.solids, solid_0\""));
  EXPECT_THAT(solid(R"("name": "west", "from": [0.25, 0.25], "to": [0.5, 0.5])"),
              HasSubstr("is already the name of a side of the domain"));
}

TEST(Reader, RefusesAVelocityThatNeverMeetsAWall) {
  EXPECT_THAT(
      error(R"({"velocity_grid": {"count": [9, 8, 8]}})"),
      HasSubstr("boundaries.west: a wall or symmetry plane requires that no velocity along x "
                "is 0; take an even count"));
  EXPECT_THAT(error(R"({"velocity_grid": {"count": [1, 8, 8]}})"),
              HasSubstr("requires that no velocity along x is 0"));
}

TEST(Reader, ReducedDistributions) {
  const auto problem = read(with(R"({"reduced": true})"));
  EXPECT_EQ(problem->sizes.at("velocities"), 16);
  EXPECT_EQ(problem->variant, "fused bgk reduced");
  EXPECT_THAT(error(R"({"reduced": true, "boundaries": {"west": {"velocity": [0, 0.1, 0]}}})"),
              HasSubstr("reduced: found true, requires that no state moves along y, since this "
                        "velocity component "
                        "is integrated out; \"boundaries.west\" has the velocity 0.1"));
  EXPECT_THAT(error(R"({"reduced": true, "collision": {"body_force": [0, 0.1, 0]}})"),
              HasSubstr("collision.body_force: must be 0 along y"));
  EXPECT_THAT(error(R"({"reduced": true, "domain": {"cells": [4, 4, 4]}})"),
              HasSubstr("requires a domain of 1 or 2 dimensions"));
}

std::string resolved(const Problem& problem, const std::string& name) {
  for (const ResolvedValue& each : problem.resolved) {
    if (each.name == name) return each.value + " " + each.unit;
  }
  return "nothing";
}

TEST(Reader, TakesTheReferenceStateInSiUnits) {
  // Argon at 273 K: sqrt(2 k T / m) = 337.0 m/s.
  const auto problem = read(with(R"({"gas": {"rarefaction": null, "si": {
    "pressure": 100, "temperature": 273, "length": 1e-3, "molecule_mass": 6.63e-26,
    "viscosity": 2.117e-5}}})"));
  EXPECT_EQ(resolved(*problem, "reference velocity sqrt(2 R T)"), "337.2 m/s");
  EXPECT_EQ(resolved(*problem, "rarefaction parameter"), "14.01 1");
  const auto spheres = read(with(R"({"gas": {"rarefaction": null, "si": {
    "pressure": 100, "temperature": 273, "length": 1e-3, "molecule_mass": 6.63e-26,
    "molecule_diameter": 3.659e-10}}})"));
  EXPECT_EQ(resolved(*spheres, "reference viscosity"), "2.082e-05 Pa s");
  EXPECT_THAT(error(R"({"gas": {"rarefaction": null, "si": {
    "pressure": 100, "temperature": 273, "length": 1e-3, "molecule_mass": 6.63e-26}}})"),
              HasSubstr("gas.si: give either \"molecule_diameter\" or \"viscosity\""));
  EXPECT_THAT(error(R"({"gas": {"rarefaction": null, "si": {"pressure": 0}}})"),
              HasSubstr("gas.si.pressure: found 0, must be greater than 0"));
}

TEST(Reader, KnowsGasesByTheirNames) {
  const std::string state = R"("si": {"pressure": 10, "temperature": 300, "length": 1e-3)";
  const auto argon =
      read(with(R"({"gas": {"rarefaction": null, "name": "argon", )" + state + "}}}"));
  // p L / (mu sqrt(2 k T / m)) with mu = 2.117e-5 (300 / 273)^0.81
  EXPECT_EQ(resolved(*argon, "rarefaction parameter"), "1.238 1");
  EXPECT_EQ(resolved(*argon, "exponent of the viscosity law"), "0.81 1");
  EXPECT_EQ(resolved(*argon, "reference viscosity"), "2.285e-05 Pa s");
  EXPECT_EQ(argon->si->symbols.at("p_ref").factor, 10);
  const auto air = read(with(R"({"gas": {"name": "air"}})"));
  ASSERT_FALSE(air->warnings.empty());
  EXPECT_THAT(air->warnings[0], HasSubstr("air is computed as a monatomic gas"));
  const auto hot = read(with(R"({"gas": {"rarefaction": null, "name": "neon",
      "si": {"pressure": 10, "temperature": 900, "length": 1e-3}}})"));
  ASSERT_FALSE(hot->warnings.empty());
  EXPECT_THAT(hot->warnings[0], HasSubstr("is a fit for 200 to 500 K"));
  EXPECT_THAT(error(R"({"gas": {"name": "argn"}})"), HasSubstr("did you mean \"argon\"?"));
  EXPECT_THAT(error(R"({"gas": {"name": "argon", "law": "maxwell"}})"),
              HasSubstr("gas.law: found \"maxwell\", \"name\" sets the viscosity law already"));
  EXPECT_THAT(error(R"({"gas": {"rarefaction": null, "name": "argon", )" + state +
                    R"(, "viscosity": 1e-5}}})"),
              HasSubstr("gas.si.viscosity: found 1e-05, \"gas.name\" sets it already"));
  EXPECT_THAT(error(R"({"gas": {"rarefaction": null, )" + state + "}}}"),
              HasSubstr("gas.si.molecule_mass: is missing"));
}

TEST(Reader, ProbesLieInTheBox) {
  EXPECT_THAT(error(R"({"probes": [{"at": [1.2]}]})"),
              HasSubstr("probes[0].at: must be from 0 to 1"));
  EXPECT_THAT(error(R"({"probes": [{"at": [0.2, 0.3]}]})"), HasSubstr("a list of 1 numbers"));
}

TEST(Reader, ReservoirsTakeTheInitialStateBesideThem) {
  const auto problem = read(with(R"({
    "velocity_grid": {"count": [12, 10, 10], "minimum": [-5, -5, -5], "maximum": [6, 5, 5]},
    "initial": {"type": "shock", "mach": 1.5},
    "boundaries": {"west": {"type": "reservoir"}, "east": {"type": "reservoir"}}})"));
  bool thickness = false;
  for (const Quantity& monitor : problem->monitors) {
    thickness |= monitor.name == "density_thickness";
  }
  EXPECT_TRUE(thickness);
}

TEST(Reader, RefusesADefaultStateBesideASideAlongAStep) {
  const std::string plane = R"({"domain": {"cells": [8, 4]},
    "initial": {"type": "step", "left": {}, "right": {"density": 0.8}}, "boundaries": {)";
  EXPECT_THAT(error(plane + R"("south": {"type": "reservoir", "density": 1, "temperature": 1},
                               "north": {"type": "wall"}}})"),
              HasSubstr("boundaries.south.velocity: must be given"));
  read(with(plane + R"("south": {"type": "reservoir", "density": 1, "velocity": [0, 0, 0],
                                 "temperature": 1}, "north": {"type": "wall"}}})"));
  read(with(R"({"domain": {"cells": [8, 4]}, "initial": {"type": "uniform", "density": 0.8},
                "boundaries": {"south": {"type": "reservoir"}, "north": {"type": "wall"}}})"));
}

TEST(Reader, RefusesSecondOrderWhereWallsSeeEachOther) {
  EXPECT_THAT(error(R"({"domain": {"cells": [1]}, "propagation": {"order": 2}})"),
              HasSubstr("propagation: order 2 requires at least 2 cells of gas between two walls"));
  EXPECT_THAT(
      error(R"({"domain": {"cells": [3]}, "propagation": {"order": 2, "courant": 2.5}})"),
      HasSubstr("Courant number of 2.5, with order 2 must be at most 2, one less than the smallest "
                "number of cells between two walls"));
  EXPECT_THAT(error(R"({"domain": {"cells": [1]}, "propagation": {"order": 2},
        "boundaries": {"west": {"type": "symmetry"}, "east": {"type": "wall"}}})"),
              HasSubstr("between a symmetry side and another surface; there is a line with 1"));
  read(with(R"({"domain": {"cells": [4, 1]}, "propagation": {"order": 2},
    "boundaries": {"south": {"type": "symmetry"}, "north": {"type": "symmetry"}}})"));
  EXPECT_THAT(
      error(R"({"domain": {"cells": [2]}, "propagation": {"order": 2, "courant": 1.6},
        "boundaries": {"west": {"type": "symmetry"}, "east": {"type": "symmetry"}}})"),
      HasSubstr("must be at most 1, one less than the smallest number of cells between two walls"));
  EXPECT_THAT(error(R"({"domain": {"cells": [4, 4]}, "propagation": {"order": 2},
    "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"}},
    "geometry": {"solids": [{"shape": "box", "from": [0, 0.25], "to": [0.25, 0.5]}]}})"),
              HasSubstr("there is a line with 1"));
  read(with(R"({"domain": {"cells": [3]}, "propagation": {"order": 2, "courant": 2}})"));
  read(with(R"({"domain": {"cells": [2]}, "propagation": {"order": 2},
                "boundaries": {"east": {"type": "symmetry"}}})"));
}

}  // namespace
}  // namespace knudsen::bgkw
