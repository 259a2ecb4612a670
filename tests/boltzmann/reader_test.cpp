#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "case/sample_reader.hpp"
#include "problem.hpp"
#include "support/si_case.hpp"
#include "support/steady_state.hpp"

namespace knudsen::boltzmann {
namespace {

using test::read;
using test::with;
using testing::HasSubstr;
using testing::IsEmpty;

std::string error(const std::string& patch) {
  return knudsen::test::input_error([&] { read(with(patch)); });
}

TEST(BoltzmannReader, BaseCase) {
  const auto problem = read(test::base_case());
  EXPECT_EQ(problem->variant, "nonlinear explicit reversible");
  EXPECT_EQ(problem->sizes.at("samples"), 2000);
  EXPECT_EQ(problem->updates_per_step, 64 * 512);
  EXPECT_EQ(problem->time_per_step, 0.01);
  EXPECT_THAT(problem->warnings, IsEmpty());
}

TEST(BoltzmannReader, ACaseInSiUnitsIsTheReferenceCase) {
  auto json = test::base_case();
  json["gas"] = knudsen::test::argon_gas();
  json["domain"]["size"] = {0.5, 0.5};
  json["boundaries"]["north"]["temperature"] = 1.25;
  json["initial"] = {{"density", 1.25}, {"wave", {{"amplitude", 0.125}}}};
  const SiReference r = knudsen::test::argon_reference();
  const double v = r.velocity();
  const auto si = knudsen::test::in_si(json, {{"/domain/size", r.length},
                                              {"/velocity_grid/minimum", v},
                                              {"/velocity_grid/maximum", v},
                                              {"/propagation/time_step", r.length / v},
                                              {"/initial/density", r.density()},
                                              {"/initial/wave/amplitude", v},
                                              {"/boundaries/north/velocity", v},
                                              {"/boundaries/north/temperature", r.temperature}});
  const auto problem = read(si);
  EXPECT_TRUE(problem->si->of_case);
  EXPECT_DOUBLE_EQ(problem->time_per_step, 0.01);
  const auto run = [](const nlohmann::json& of) {
    auto method = read(of)->create(default_backend());
    method->initialise();
    method->advance(2);
    return values_of(*method, "temperature_deviation");
  };
  const auto found = run(si);
  const auto expected = run(json);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
}

TEST(BoltzmannReader, RefusesWhatIsNoGas) {
  EXPECT_THAT(error(R"({"gas": {"rarefaction": 1e308}})"),
              HasSubstr("gas.rarefaction: found 1e+308, gives the rarefaction parameter 1e+308"));
  EXPECT_THAT(error(R"({"gas": {"rarefaction": 5e-324}})"), HasSubstr("gas.rarefaction"));
  EXPECT_THAT(error(R"({"gas": {"rarefaction": null, "knudsen": 5e-324}})"),
              HasSubstr("gas.knudsen: found 5e-324, gives the rarefaction parameter"));
  EXPECT_THAT(error(R"({"collision": {"body_force": [0, 1e300, 0]}})"),
              HasSubstr("body_force[1]: found 1e+300, must be from -1000 to 1000"));
}

TEST(BoltzmannReader, RefusesCellsWithoutWidth) {
  EXPECT_THAT(error(R"({"domain": {"progression": [1e-300, 1]}})"),
              HasSubstr("domain.progression: gives the width of the finest cell along x"));
}

TEST(BoltzmannReader, RefusesAFinestSideOfAnAxisThatIsNotThere) {
  EXPECT_THAT(error(R"({"domain": {"finest_z": "low"}})"),
              HasSubstr("domain.finest_z: found \"low\", the domain has 2 dimensions"));
}

TEST(BoltzmannReader, TheGridHasTheWidthsOfItsCells) {
  EXPECT_TRUE(read(test::base_case())->grid.uniform());
  const auto problem = read(with(R"({"domain": {"progression": [0.5, 1], "finest_x": "low"},
                                     "propagation": {"time_step": null}})"));
  const CartesianGrid& grid = problem->grid;
  ASSERT_EQ(grid.edges[0].size(), static_cast<std::size_t>(grid.cells[0]) + 1);
  EXPECT_TRUE(grid.edges[1].empty());
  EXPECT_NEAR(grid.edges[0].back(), grid.cells[0] * grid.spacing[0], 1e-12);
  for (std::size_t i = 0; i + 2 < grid.edges[0].size(); ++i) {
    EXPECT_NEAR(
        (grid.edges[0][i + 2] - grid.edges[0][i + 1]) / (grid.edges[0][i + 1] - grid.edges[0][i]),
        2, 1e-9);
  }
}

TEST(BoltzmannReader, TimeStepIsTheShorterLimit) {
  const auto step = [](const std::string& patch) { return read(with(patch))->time_per_step; };
  const std::string plain = R"("propagation": {"time_step": null, "courant": 0.5},
                               "collision": {"samples": 32000})";
  const double half = step("{" + plain + "}");
  EXPECT_LT(half, 0.5 / (2 * 2.4 * 8));
  EXPECT_GT(half, 0.5 / (2 * 3.0 * 8));
  EXPECT_LT(step("{" + plain + R"(, "gas": {"rarefaction": 20}})"), half);
}

TEST(BoltzmannReader, RefusesTimeStepsTooLongForTheStreaming) {
  EXPECT_THAT(
      error(R"({"propagation": {"time_step": 0.03}})"),
      HasSubstr("case.json: propagation: the time step 0.03 gives Courant numbers whose sum "
                "is 1.2"));
}

TEST(BoltzmannReader, OrderTwoTakesTheAxesOneAfterTheOther) {
  const auto step = [](const std::string& patch) {
    return read(with(R"({"gas": {"rarefaction": 0}, "propagation": {"time_step": null}})"))
               ->time_per_step /
           read(with(patch))->time_per_step;
  };
  EXPECT_NEAR(
      step(R"({"gas": {"rarefaction": 0}, "propagation": {"time_step": null, "order": 2}})"), 0.5,
      1e-12);
  const auto problem = read(with(R"({"propagation": {"order": 2, "limiter": "none"}})"));
  EXPECT_EQ(problem->variant, "nonlinear explicit reversible order 2");
  EXPECT_THAT(error(R"({"propagation": {"order": 3}})"), HasSubstr("propagation.order: found 3"));
  EXPECT_THAT(error(R"({"propagation": {"limiter": "none"}})"),
              HasSubstr("propagation.limiter: found \"none\", requires \"order\": 2"));
  EXPECT_THAT(error(R"({"propagation": {"order": 2, "limiter": "superbee"}})"),
              HasSubstr("propagation.limiter"));
  EXPECT_THAT(error(R"({"propagation": {"order": 2, "time_step": 0.05}})"),
              HasSubstr("the time step 0.05 gives a Courant number of 1.0"));
  EXPECT_THAT(error(R"({"domain": {"cells": [8, 1]}, "propagation": {"order": 2}})"),
              HasSubstr("\"order\": 2 requires at least two cells along y"));
}

TEST(BoltzmannReader, RefusesVelocitiesWithTooManyCollisionsInAStep) {
  EXPECT_THAT(
      error(R"({"gas": {"rarefaction": 40}})"),
      HasSubstr("propagation: the explicit collision step is unstable: the fastest molecules "
                "of \"velocity_grid\" have 1.6"));
}

TEST(BoltzmannReader, RefusesSamplesTooFewToBeStable) {
  const std::string message = error(R"({"collision": {"samples": 10}})");
  EXPECT_THAT(message, HasSubstr("collision: the explicit collision step is unstable: "));
  EXPECT_THAT(message,
              HasSubstr("less than one of the 10 samples represents, must be at most 0.5 %; "
                        "set \"samples\" to at least "));
}

TEST(BoltzmannReader, HotterSamplesSlowFewerCollisionsDown) {
  const auto error_of = [](const std::string& patch) {
    const auto problem = read(with(patch));
    for (const auto& entry : problem->resolved) {
      if (entry.name == "error of the viscosity by slowed collisions") {
        return std::stod(entry.value);
      }
    }
    return -1.0;
  };
  const double cold = error_of("{}");
  EXPECT_GT(cold, 0);
  EXPECT_LT(error_of(R"({"collision": {"sample_temperature": 2}})"), 0.2 * cold);
  EXPECT_LT(error_of(R"({"collision": {"samples": 8000}})"), 0.5 * cold);
  EXPECT_THAT(error(R"({"collision": {"sample_temperature": 0.5}})"),
              HasSubstr("collision.sample_temperature: found 0.5"));
}

TEST(BoltzmannReader, WarnsOfSlowedCollisions) {
  const auto problem = read(with(R"({"collision": {"samples": 1000}})"));
  ASSERT_EQ(problem->warnings.size(), 1U);
  EXPECT_THAT(problem->warnings[0],
              HasSubstr("collision: slowed collisions make the viscosity about 6.882 % too large; "
                        "use more \"samples\""));
}

TEST(BoltzmannReader, RefusesSampleCountsThatCannotBeNumbered) {
  EXPECT_THAT(error(R"({"collision": {"samples": 40000}})"),
              HasSubstr("collision.samples: found 40000"));
  EXPECT_THAT(error(R"({"collision": {"samples": 0}})"), HasSubstr("collision.samples: found 0"));
}

TEST(BoltzmannReader, RefusesVelocityGridsWithoutCells) {
  EXPECT_THAT(error(R"({"velocity_grid": {"type": "gauss-hermite", "minimum": null,
                                          "maximum": null, "ratio": null}})"),
              HasSubstr("velocity_grid: collisions are sampled into velocity cells"));
  EXPECT_THAT(
      error(R"({"velocity_grid": {"type": "uniform", "rule": "trapezoid", "ratio": null}})"),
      HasSubstr("velocity_grid: collisions are sampled into velocity cells"));
}

TEST(BoltzmannReader, TakesVelocityGridsOfGaussCells) {
  const auto json = [](const std::string& x, const std::string& y) {
    return with(R"({"velocity_grid": {"count": [12, 8, 8], "x": )" + x + R"(, "y": )" + y + "}}");
  };
  EXPECT_EQ(read(json(R"({"type": "graded", "maximum": 3, "innermost": 0.2})",
                      R"({"type": "half-range"})"))
                ->sizes.at("velocities"),
            12 * 8 * 8);
  const auto cold = json(R"({"type": "graded", "temperature": 0.9})", "{}");
  EXPECT_THAT(knudsen::test::input_error([&] { read(cold); }),
              HasSubstr("or \"graded\" or \"half-range\" with the temperature 1"));
}

/// A gas between walls.
nlohmann::json slab(const std::string& patch) {
  auto json = with(R"({"boundaries": {"south": null, "north": null}, "domain": {"cells": [8]},
                       "velocity_grid": {"count": [24, 8, 8]}, "propagation": null,
                       "collision": {"samples": 8000, "sample_temperature": 2}})");
  json["boundaries"]["west"]["velocity"] = {0, 0.01, 0};
  json.merge_patch(nlohmann::json::parse(patch));
  return json;
}

TEST(BoltzmannReader, WarnsWhereMoleculesThatGrazeTheWallsAreNotResolved) {
  const auto warnings = [](const std::string& patch) { return read(slab(patch))->warnings; };
  EXPECT_THAT(warnings(R"({"gas": {"rarefaction": 0.8}})"), IsEmpty());
  const auto found = warnings(R"({"gas": {"rarefaction": 0.08}})");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0], HasSubstr("velocity_grid: molecules that cross the gas along x slower than "
                                  "0.07184 v_ref collide before"));
  EXPECT_THAT(found[0],
              HasSubstr("use the type \"graded\" along x with \"innermost\" at most 0.07184"));
  EXPECT_THAT(warnings(R"({"gas": {"rarefaction": 0.08},
                           "velocity_grid": {"x": {"type": "graded"}}})"),
              IsEmpty());
  // Specular walls are no end of a flight; a box has no flights without end.
  EXPECT_THAT(warnings(R"({"gas": {"rarefaction": 0.08}, "boundaries": {
                           "east": {"accommodation": 0}}})"),
              IsEmpty());
  EXPECT_THAT(read(with(R"({"gas": {"rarefaction": 0.08}})"))->warnings, IsEmpty());
}

TEST(BoltzmannReader, WarnsOfStatesFarFromEquilibrium) {
  // Walls at Mach 2.7, first in units of the walls, then in those of a gas four times as hot.
  const auto warnings = [](const std::string& patch) {
    auto json = slab(R"({"gas": {"rarefaction": 8.9}, "collision": {"samples": 8000},
        "propagation": {"order": 2},
        "velocity_grid": {"type": "uniform", "ratio": null, "count": [20, 20, 16],
                          "minimum": [-5.5, -6.5, -5.5], "maximum": [5.5, 6.5, 5.5]},
        "boundaries": {"west": {"velocity": [0, -2.5, 0]}, "east": {"velocity": [0, 2.5, 0]}}})");
    json.merge_patch(nlohmann::json::parse(patch));
    json["initial"]["temperature"] = json["boundaries"]["east"].value("temperature", 1.0);
    return read(json)->warnings;
  };
  const std::string hot = R"("collision": {"sample_temperature": 2, "positivity": "limited"})";
  const auto cold = warnings(R"({"collision": {"sample_temperature": 3}})");
  ASSERT_EQ(cold.size(), 1U);
  EXPECT_THAT(cold[0], HasSubstr("collision: the gas of \"boundaries.west\" is far from"));
  EXPECT_THAT(cold[0], HasSubstr("set \"positivity\" to \"limited\""));
  EXPECT_THAT(cold[0], HasSubstr("a reference temperature T_ref about 5.167 times as high"));
  const auto limited = warnings("{" + hot + "}");
  ASSERT_EQ(limited.size(), 1U);
  EXPECT_THAT(limited[0], HasSubstr("and collide too seldom"));
  EXPECT_THAT(warnings("{" + hot + R"(, "velocity_grid": {"minimum": [-2.75, -3.25, -2.75],
      "maximum": [2.75, 3.25, 2.75]}, "boundaries": {
      "west": {"velocity": [0, -1.25, 0], "temperature": 0.25},
      "east": {"velocity": [0, 1.25, 0], "temperature": 0.25}}})"),
              IsEmpty());
}

TEST(BoltzmannReader, RefusesPositivityWhereItMeansNothing) {
  EXPECT_THAT(error(R"({"collision": {"positivity": "limited", "form": "linearised"}})"),
              HasSubstr("collision.positivity: found \"limited\", requires \"form\": "
                        "\"nonlinear\""));
  EXPECT_THAT(error(R"({"collision": {"positivity": "limited", "interpolation": "linear"}})"),
              HasSubstr("collision.positivity"));
}

TEST(BoltzmannReader, RefusesVelocityGridsOffTheGasAtRest) {
  EXPECT_THAT(error(R"({"velocity_grid": {"maximum": [4, 3, 3]}})"),
              HasSubstr("velocity_grid: must be symmetric about 0 along x"));
}

TEST(BoltzmannReader, RefusesTooManyVelocities) {
  EXPECT_THAT(
      error(R"({"velocity_grid": {"count": [40, 40, 42]}, "collision": {"samples": 32000}})"),
      HasSubstr("velocity_grid: has 70400 velocities"));
}

TEST(BoltzmannReader, RefusesVelocitiesTooNarrowForAHotWall) {
  EXPECT_THAT(error(R"({"boundaries": {"west": {"temperature": 4}}})"),
              HasSubstr("(temperature 4, velocity 0, 0, 0), may be at most 2 %; widen"));
}

TEST(BoltzmannReader, WarnsOfTruncation) {
  const auto problem = read(with(R"({"boundaries": {"west": {"temperature": 1.3}}})"));
  ASSERT_EQ(problem->warnings.size(), 1U);
  EXPECT_THAT(problem->warnings[0], HasSubstr("Maxwellian of \"boundaries.west\""));
}

TEST(BoltzmannReader, RefusesBadDomains) {
  EXPECT_THAT(error(R"({"domain": {"cells": []}})"), HasSubstr("must be a list of 1, 2 or 3"));
  EXPECT_THAT(error(R"({"domain": {"progression": [0.9]}})"),
              HasSubstr("must have as many numbers as \"cells\", 2"));
  EXPECT_THAT(error(R"({"domain": {"progression": [1.1, 1]}})"), HasSubstr("progression[0]"));
  EXPECT_THAT(error(R"({"domain": {"size": [1]}})"), HasSubstr("domain.size"));
  EXPECT_THAT(error(R"({"domain": {"finest_y": "top"}})"), HasSubstr("domain.finest_y"));
}

TEST(BoltzmannReader, RefusesBadGases) {
  EXPECT_THAT(error(R"({"gas": {"knudsen": 1}})"),
              HasSubstr("give either \"rarefaction\" or \"knudsen\""));
  EXPECT_THAT(error(R"({"gas": {"rarefaction": -1}})"), HasSubstr("must be at least 0"));
  EXPECT_THAT(error(R"({"gas": {"omega": 1.2}})"), HasSubstr("gas.omega: found 1.2"));
}

TEST(BoltzmannReader, RefusesBadSides) {
  EXPECT_THAT(error(R"({"boundaries": {"west": null}})"),
              HasSubstr("boundaries.west: is periodic, so the opposite side (east)"));
  EXPECT_THAT(
      error(R"({"boundaries": {"west": {"heat_flux": 0}}})"),
      HasSubstr("boundaries.west.heat_flux: is not available in this method; take \"bgkw\""));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"cercignani_lampis":
                        {"tangential": 1, "normal": 1}}}})"),
              HasSubstr("boundaries.west.cercignani_lampis: is not available in this method"));
  EXPECT_THAT(error(R"({"boundaries": {"top": {"type": "wall"}}})"),
              HasSubstr("boundaries.top: the domain has 2 dimensions"));
  EXPECT_THAT(error(R"({"boundaries": {"north": {"velocity": [0, 0.1, 0]}}})"),
              HasSubstr("a wall moves along itself only: the y component must be 0"));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"type": "walls"}}})"),
              HasSubstr("boundaries.west"));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"accommodation": 1.5}}})"),
              HasSubstr("boundaries.west.accommodation: found 1.5"));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"type": "symmetry", "temperature": 1}}})"),
              HasSubstr("boundaries.west"));
  EXPECT_THAT(error(R"({"velocity_grid": {"count": [7, 8, 8]}})"),
              HasSubstr("requires that no velocity along x is 0"));
  EXPECT_THAT(error(R"({"collision": {"form": "linearised"},
                        "boundaries": {"west": {"type": "vacuum"}}})"),
              HasSubstr("boundaries.west: a vacuum is far from equilibrium"));
}

TEST(BoltzmannReader, RefusesContradictions) {
  EXPECT_THAT(error(R"({"propagation": {"courant": 0.5}})"),
              HasSubstr("propagation.time_step: found 0.01, sets the step already"));
  EXPECT_THAT(
      error(R"({"statistics": {"every": 1}, "boundaries": {"south": {"velocity": [1, 0, 0]}}})"),
      HasSubstr("statistics: requires a driven cavity"));
  EXPECT_THAT(error(R"({"tuning": {"team_size": 100}})"), HasSubstr("must be a multiple of 32"));
  EXPECT_THAT(error(R"({"initial": {"wave": {"amplitude": 1, "kind": "thermal"}}})"),
              HasSubstr("the amplitude of a thermal wave must be below 1"));
  EXPECT_THAT(error(R"({"collision": {"equilibrium_part": "exact"}})"),
              HasSubstr("collision.equilibrium_part: found \"exact\", requires \"form\": "
                        "\"linearised\""));
}

TEST(BoltzmannReader, DescribesItselfWithoutADocument) {
  EXPECT_NO_THROW(describe_schema([](CaseNode& root) { read_problem(root); }, "boltzmann"));
}

}  // namespace
}  // namespace knudsen::boltzmann
