#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "lbm_d2q9/case_problem.hpp"
#include "output/checkpoint.hpp"
#include "output/temporary_directory.hpp"
#include "support/scalar_as_temperature.hpp"
#include "support/steady_state.hpp"

// Passive scalars besides the temperature.

namespace knudsen::lbm_d2q9 {
namespace {

using testing::HasSubstr;
constexpr double pi = std::numbers::pi;

std::string case_of(int nx, int ny, const std::string& more, const std::string& precision) {
  return R"({"precision": ")" + precision + R"(", "domain": {"nodes": [)" + std::to_string(nx) +
         ", " + std::to_string(ny) + "]}, " + more + "}";
}
std::string case_of(int nx, int ny, const std::string& more) {
  return case_of(nx, ny, more, "double");
}
const std::string fluid = R"("fluid": {"kinematic_viscosity": 0.05}, )";

std::unique_ptr<Method> started(const Problem& problem) {
  auto method = problem.create(Backend::host);
  method->initialise();
  return method;
}

// Equality with a temperature without buoyancy.

/// Steps a case that has a temperature and the scalar "dye" with the same conditions, and compares
/// fields and monitors.
void expect_equal(const std::string& text, const std::vector<std::string>& surfaces,
                  double tolerance) {
  const auto problem = problem_of(text);
  const auto method = problem->create(Backend::host);
  std::vector<double> values;
  for (int y = 0; y < problem->grid.cells[1]; ++y) {
    for (int x = 0; x < problem->grid.cells[0]; ++x) {
      values.push_back(1.2 + 0.3 * std::sin(x + 2 * y));
    }
  }
  expect_scalar_is_temperature(*method, values, {0, 1, 2, 30, 41}, surfaces, tolerance,
                               20 * tolerance);
}

TEST(ScalarsD2Q9, AScalarIsATemperatureWithoutBuoyancy) {
  for (const char* scheme : {"in-place", "two-array"}) {
    for (const auto& [precision, tolerance] : {std::pair{"double", 1e-13}, {"single", 2e-5}}) {
      const std::string common =
          R"("fluid": {"reynolds": 20, "velocity": 0.1}, "propagation": {"scheme": ")" +
          std::string(scheme) + R"("}, "heat": {"diffusivity": 0.03, "magic": 0.2,
            "reference_temperature": 1}, )";
      const std::string dye =
          R"("scalars": [{"name": "dye", "diffusivity": 0.03, "magic": 0.2, "reference_value": 1)";
      // Walls with all conditions and solids.
      expect_equal(
          case_of(23, 14,
                  common + R"("geometry": {"solids": [
            {"name": "post", "shape": "circle", "centre": [6, 6], "radius": 2, "temperature": 2},
            {"name": "box", "shape": "box", "from": [14, 5], "to": [17, 9], "heat_flux": 0.01}]},
            "boundaries": {"south": {"type": "wall", "temperature": 0.5},
              "north": {"type": "wall", "velocity": [1, 0], "heat_flux": 0.02},
              "west": {"type": "wall"}, "east": {"type": "wall", "temperature": 3,
                                                 "heat_transfer_coefficient": 0.3}}, )" +
                      dye + R"(, "sides": {"south": {"value": 0.5}, "north": {"flux": 0.02},
              "east": {"value": 3, "transfer_coefficient": 0.3}},
            "solids": [{"name": "box", "flux": 0.01}, {"name": "post", "value": 2}]}])",
                  precision),
          {"south", "north", "west", "east", "post", "box"}, tolerance);
      // Open sides.
      for (const char* east : {R"({"type": "outflow"})", R"({"type": "pressure"})",
                               R"({"type": "pressure", "temperature": 2})"}) {
        const bool has_value = std::string(east).find("temperature") != std::string::npos;
        expect_equal(
            case_of(20, 9,
                    common + R"("boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"},
                "west": {"type": "velocity", "velocity": [0.8, 0], "profile": "parabolic",
                         "temperature": 1.5}, "east": )" +
                        east + "}, " + dye + R"(, "sides": {"west": {"value": 1.5})" +
                        (has_value ? R"(, "east": {"value": 2})" : "") + "}}]",
                    precision),
            {"west", "east"}, tolerance);
      }
      // A periodic stream around a solid.
      expect_equal(case_of(17, 12,
                           common + R"("initial": {"type": "uniform", "velocity": [0.5, 0.3]},
            "geometry": {"solids": [{"name": "post", "shape": "circle", "centre": [6, 6],
                                     "radius": 2}]}, )" +
                               dye + "}]",
                           precision),
                   {"post"}, tolerance);
    }
  }
}

TEST(ScalarsD2Q9, AScalarBesideBuoyantHeatMovesWithItsFlow) {
  // The temperature itself, as a scalar.
  expect_equal(case_of(12, 11, fluid + R"("heat": {"diffusivity": 0.04, "gravity": [0, -1e-4],
            "expansion": 1}, "boundaries": {"south": {"type": "wall", "temperature": 2},
            "north": {"type": "wall", "temperature": 1}},
            "scalars": [{"name": "dye", "diffusivity": 0.04, "sides": {"south": {"value": 2},
                         "north": {"value": 1}}}])"),
               {"south", "north"}, 1e-13);
}

TEST(ScalarsD2Q9, AScalarIsTheSameInAllSchemesAndWalls) {
  // Full-way walls and schemes, which have no temperature. The flow differs by rounding.
  std::vector<std::vector<double>> found;
  for (const char* scheme : {"in-place", "two-array", "shared-memory"}) {
    for (const char* walls : {"half-way", "full-way"}) {
      const auto problem = problem_of(case_of(
          19, 12,
          fluid + R"("propagation": {"scheme": ")" + scheme + R"("}, "geometry": {"walls": ")" +
              walls + R"(", "solids": [{"name": "post", "shape": "box", "from": [6, 4],
                          "to": [9, 7]}]},
            "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"}},
            "scalars": [{"name": "dye", "diffusivity": 0.04, "initial": "sin(y) + x",
              "sides": {"south": {"value": 2}}, "solids": [{"name": "post", "flux": 0.1}]}])"));
      const auto method = started(*problem);
      method->advance(100);
      found.push_back(values_of(*method, "dye"));
    }
  }
  for (const auto& each : found) {
    for (std::size_t i = 0; i < each.size(); ++i) {
      if (std::isnan(found[0][i])) continue;
      ASSERT_NEAR(each[i], found[0][i], 1e-12);
    }
  }
}

TEST(ScalarsD2Q9, InterpolatedWallsKeepAScalar) {
  const auto problem = problem_of(
      case_of(19, 12, fluid + R"("geometry": {"walls": "interpolated", "solids": [{"name": "post",
            "shape": "circle", "centre": [9.3, 5.2], "radius": 2.4}]},
            "collision": {"body_force": [1e-5, 0]},
            "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"}},
            "scalars": [{"name": "dye", "diffusivity": 0.04, "initial": "x"}])"));
  const auto method = started(*problem);
  const double mean = method->monitor("mean_dye");
  method->advance(300);
  EXPECT_NEAR(method->monitor("mean_dye"), mean, 1e-12);
  EXPECT_GT(method->monitor("max_speed"), 1e-4);
}

// Exact solutions.

/// Error of a wave that diffuses in a stream, over its amplitude, in a box of n x n nodes after
/// n^2 steps.
double error_of_wave(int n, double velocity_times_nodes) {
  const double diffusivity = 0.02;
  const double u = velocity_times_nodes / n;
  const double k = 2 * pi / n;
  const auto problem =
      problem_of(case_of(n, n,
                         fluid + R"("initial": {"type": "uniform", "velocity": [)" +
                             std::to_string(u) + R"(, 0]}, "scalars": [{"name": "dye",
             "diffusivity": 0.02, "initial": "sin(2*pi/)" +
                             std::to_string(n) + "*(x + y))\"}]"));
  const auto method = started(*problem);
  method->advance(n * n);
  const auto found = values_of(*method, "dye");
  const double decay = std::exp(-2 * k * k * diffusivity * n * n);
  double difference = 0;
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const double exact = decay * std::sin(k * (x + y + 1 - u * n * n));
      difference =
          std::max(difference, std::fabs(found[static_cast<std::size_t>(y * n + x)] - exact));
    }
  }
  return difference / decay;
}

TEST(ScalarsD2Q9, AWaveDiffusesWithSecondOrder) {
  for (const double velocity : {0.0, 0.4}) {
    const double coarse = error_of_wave(16, velocity);
    const double fine = error_of_wave(32, velocity);
    EXPECT_LT(fine, 0.05);
    EXPECT_GT(std::log2(coarse / fine), 1.9) << velocity;
  }
}

TEST(ScalarsD2Q9, TwoGaussiansSpreadByTheirDiffusivities) {
  // Variance 64 + 2 D t about the place to which the stream has carried them.
  constexpr int n = 96;
  constexpr int steps = 400;
  constexpr double u = 0.05;
  const double width[2] = {0.01, 0.04};
  const auto blob = [](const std::string& name, double diffusivity) {
    return R"({"name": ")" + name + R"(", "diffusivity": )" + std::to_string(diffusivity) +
           R"(, "initial": "exp(-((x-30)^2 + (y-48)^2)/128)*1"})";
  };
  const auto problem = problem_of(
      case_of(n, n,
              fluid + R"("initial": {"type": "uniform", "velocity": [0.05, 0]}, "scalars": [)" +
                  blob("slow", width[0]) + ", " + blob("fast", width[1]) + "]"));
  EXPECT_EQ(problem->variant, "in-place bgk 2 scalars");
  const auto method = started(*problem);
  method->advance(steps);
  for (std::size_t s = 0; s < 2; ++s) {
    const auto found = values_of(*method, s == 0 ? "slow" : "fast");
    const double variance = 64 + 2 * width[s] * steps;
    double worst = 0;
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const double dx = x + 0.5 - 30 - u * steps;
        const double dy = y + 0.5 - 48;
        const double exact = 64 / variance * std::exp(-(dx * dx + dy * dy) / (2 * variance));
        worst = std::max(worst, std::fabs(found[static_cast<std::size_t>(y * n + x)] - exact));
      }
    }
    EXPECT_LT(worst, 0.01) << s;
  }
  EXPECT_LT(method->monitor("max_fast"), method->monitor("max_slow"));
}

TEST(ScalarsD2Q9, AClosedBoxKeepsWhatItHas) {
  const auto problem = problem_of(case_of(12, 11,
                                          R"("fluid": {"reynolds": 20, "velocity": 0.1},
         "geometry": {"solids": [{"name": "post", "shape": "circle", "centre": [5, 5],
                                  "radius": 2}]},
         "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall", "velocity": [1, 0]},
                        "west": {"type": "wall"}, "east": {"type": "wall"}},
         "scalars": [{"name": "dye", "schmidt": 2, "initial": "sin(x)*cos(2*y) + 1"}])"));
  const auto method = started(*problem);
  const double before = method->monitor("mean_dye");
  const double range = method->monitor("max_dye") - method->monitor("min_dye");
  EXPECT_GT(range, 1);
  method->advance(500);
  EXPECT_NEAR(method->monitor("mean_dye"), before, 1e-13);
  EXPECT_LT(method->monitor("max_dye") - method->monitor("min_dye"), 0.5 * range);
  EXPECT_EQ(method->monitor("north.dye_flow"), 0);
  EXPECT_EQ(method->monitor("post.dye_flow"), 0);
}

TEST(ScalarsD2Q9, MonitorsFollowFieldsThatAreSetAnew) {
  const auto problem = problem_of(
      case_of(9, 7, fluid + R"("scalars": [{"name": "dye", "schmidt": 1, "initial": 0.5}])"));
  const auto method = started(*problem);
  EXPECT_NEAR(method->monitor("mean_dye"), 0.5, 1e-14);
  EXPECT_NEAR(method->monitor("mean_velocity_x"), 0, 1e-14);
  GivenFields given;
  given.scalars["dye"].assign(63, 2);
  for (int cell = 0; cell < 63; ++cell) given.velocity.insert(given.velocity.end(), {0.03, 0});
  method->initialise(given);
  EXPECT_NEAR(method->monitor("mean_dye"), 2, 1e-14);
  EXPECT_NEAR(method->monitor("mean_velocity_x"), 0.03, 1e-14);
}

TEST(ScalarsD2Q9, WhatEntersStays) {
  const auto problem = problem_of(case_of(
      12, 11, fluid + R"("geometry": {"solids": [{"name": "post", "shape": "box", "from": [4, 4],
                  "to": [7, 8]}]},
         "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"}},
         "scalars": [{"name": "dye", "diffusivity": 0.03, "sides": {"north": {"flux": 0.001}},
                      "solids": [{"name": "post", "value": 1}]}])"));
  const auto method = started(*problem);
  method->advance(101);
  for (int step = 0; step < 3; ++step) {
    const double before = method->monitor("mean_dye") * problem->updates_per_step;
    const double entered = method->monitor("post.dye_flow") + method->monitor("north.dye_flow");
    method->advance(1);
    // The flow of a step is what its nodes have loaded, of which the value is already made.
    const double gained = method->monitor("mean_dye") * problem->updates_per_step - before;
    EXPECT_GT(method->monitor("post.dye_flow"), 0.01);
    EXPECT_NEAR(method->monitor("post.dye_flow") + method->monitor("north.dye_flow"), gained,
                1e-13);
    EXPECT_GT(entered, gained);
  }
}

TEST(ScalarsD2Q9, TheFlowIsThatWithoutScalars) {
  const std::string flow = R"("fluid": {"reynolds": 20, "velocity": 0.1},
      "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall", "velocity": [1, 0]}})";
  const auto plain = started(*problem_of(case_of(9, 8, flow)));
  const auto carried = started(*problem_of(
      case_of(9, 8, flow + R"(, "scalars": [{"name": "dye", "schmidt": 1, "initial": 3}])")));
  plain->advance(21);
  carried->advance(21);
  EXPECT_EQ(values_of(*plain, "velocity"), values_of(*carried, "velocity"));
  for (const double value : values_of(*carried, "dye")) EXPECT_NEAR(value, 3, 1e-13);
}

// Units, restart.

TEST(ScalarsD2Q9, SiUnitsAreThoseOfTheLatticeScaled) {
  // Spacing 2^-10 m, time step 2^-14 s: all scales are powers of two.
  const auto scalar = [](const std::string& diffusivity, const std::string& x,
                         const std::string& coefficient) {
    return R"("boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"}},
      "scalars": [{"name": "dye", "diffusivity": )" +
           diffusivity + R"(, "initial": "sin()" + x + R"(*x)*1", "sides": {"north": {"value": 2,
           "transfer_coefficient": )" +
           coefficient + R"(}, "south": {"flux": )" + coefficient + "}}}]";
  };
  const auto in_si = problem_of(
      R"({"precision": "double", "domain": {"size": [0.015625, 0.0078125], "spacing": 0.0009765625},
          "fluid": {"si": {"density": 1024, "kinematic_viscosity": 0.00048828125, "velocity": 0.5,
                           "length": 0.0078125, "time_step": 0.00006103515625}}, )" +
      scalar("0.00390625", "1024", "0.5") + "}");
  const auto in_lattice = problem_of(
      case_of(16, 8,
              R"("fluid": {"velocity": 0.03125, "kinematic_viscosity": 0.03125, "length": 8}, )" +
                  scalar("0.25", "1", "0.03125")));
  const auto one = started(*in_si);
  const auto other = started(*in_lattice);
  one->advance(40);
  other->advance(40);
  EXPECT_EQ(values_of(*one, "dye"), values_of(*other, "dye"));
}

TEST(ScalarsD2Q9, ACheckpointGoesOnBitForBit) {
  const TemporaryDirectory directory;
  for (const char* scheme : {"in-place", "two-array", "shared-memory"}) {
    const auto problem = problem_of(
        case_of(20, 9, fluid + R"("propagation": {"scheme": ")" + scheme + R"("}, "boundaries": {
            "south": {"type": "wall"}, "north": {"type": "wall"}, "east": {"type": "outflow"},
            "west": {"type": "velocity", "velocity": [0.05, 0]}},
            "scalars": [{"name": "dye", "diffusivity": 0.04, "sides": {"west": {"value": 1}}},
                        {"name": "salt", "diffusivity": 0.01, "initial": "x"}])"));
    const auto whole = started(*problem);
    whole->advance(7);
    const auto file = directory / (std::string(scheme) + ".h5");
    CheckpointWriter writer(file, "lbm_d2q9", "digest", 7);
    whole->save(writer);
    writer.commit();
    const auto restarted = started(*problem);
    restarted->load(CheckpointReader(file));
    for (const int steps : {0, 5}) {
      whole->advance(steps);
      restarted->advance(steps);
      for (const char* name : {"dye", "salt"}) {
        EXPECT_EQ(values_of(*whole, name), values_of(*restarted, name)) << scheme;
      }
    }
    EXPECT_EQ(whole->monitor("east.dye_flow"), restarted->monitor("east.dye_flow"));
  }
}

TEST(ScalarsD2Q9, AStateThatIsNotFiniteIsFound) {
  const auto problem =
      problem_of(case_of(8, 6, fluid + R"("scalars": [{"name": "dye", "diffusivity": 0.04}])"));
  const auto method = problem->create(Backend::host);
  GivenFields given;
  given.scalars["dye"].assign(48, 1.0);
  method->initialise(given);
  EXPECT_FALSE(method->find_divergence());
  given.scalars["dye"][17] = HUGE_VAL;
  method->initialise(given);
  const auto found = method->find_divergence();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->what, "the scalar dye is not finite");
}

// Bad input.

std::string refusal(const std::string& scalars, const std::string& more = "") {
  try {
    problem_of(case_of(20, 10, fluid + more + "\"scalars\": [" + scalars + "]"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ScalarsD2Q9, BadInputIsRefused) {
  const auto dye = [](const std::string& keys) { return R"({"name": "dye", )" + keys + "}"; };
  EXPECT_EQ(refusal(dye(R"("diffusivity": 0.1)")), "");
  EXPECT_THAT(refusal(R"({"diffusivity": 0.1})"), HasSubstr("scalars[0].name"));
  EXPECT_THAT(refusal(R"({"name": "dye"})"), HasSubstr("give \"diffusivity\" or \"schmidt\""));
  EXPECT_THAT(refusal(dye(R"("diffusivity": 0.1, "schmidt": 1)")),
              HasSubstr("scalars[0].schmidt: found 1, \"diffusivity\" sets it already"));
  EXPECT_THAT(refusal(dye(R"("diffusivity": 1e-20)")),
              HasSubstr("the diffusivity is too small for the lattice"));
  EXPECT_THAT(refusal(dye(R"("diffusivity": 1e9)")), HasSubstr("relaxation time of the scalar"));
  EXPECT_THAT(refusal(dye(R"("diffusivity": 0.1, "magic": 0)")), HasSubstr("scalars[0].magic"));
  EXPECT_THAT(refusal(dye(R"("diffusivity": 0.1, "gravity": [0, 1])")), HasSubstr("gravity"));
  EXPECT_THAT(refusal(dye(R"("diffusivity": 0.1)") + ", " + dye(R"("diffusivity": 0.2)")),
              HasSubstr("scalars[1].name: found \"dye\", is already the name of another scalar"));
  for (const char* name : {"density", "velocity", "velocity_x", "temperature", "heat"}) {
    EXPECT_THAT(refusal(R"({"diffusivity": 0.1, "name": ")" + std::string(name) + "\"}"),
                HasSubstr("is a quantity of the method; choose another name"))
        << name;
  }
  for (const char* name : {"1st", "a-b", "a b", ""}) {
    EXPECT_THAT(refusal(R"({"diffusivity": 0.1, "name": ")" + std::string(name) + "\"}"),
                HasSubstr("scalars[0].name: found \"" + std::string(name) + "\""))
        << name;
  }
  EXPECT_THAT(refusal(dye(R"("diffusivity": 0.1, "sides": {"north": {"value": 1}})")),
              HasSubstr("scalars[0].sides.north: is periodic (boundaries.north)"));
  const std::string channel = R"("boundaries": {"west": {"type": "velocity", "velocity": [0.1, 0]},
      "east": {"type": "outflow"}, "south": {"type": "wall"}, "north": {"type": "wall"}}, )";
  EXPECT_THAT(refusal(dye(R"("diffusivity": 0.1, "sides": {"east": {"value": 1}})"), channel),
              HasSubstr("is an outflow (boundaries.east)"));
  EXPECT_THAT(refusal(dye(R"("diffusivity": 0.1, "sides": {"west": {"flux": 1}})"), channel),
              HasSubstr("scalars[0].sides.west.flux: found 1, is for walls and solids"));
  EXPECT_THAT(
      refusal(dye(R"("diffusivity": 0.1, "sides": {"north": {"flux": 1, "value": 1}})"), channel),
      HasSubstr("scalars[0].sides.north.flux: found 1, \"value\" is given already"));
  EXPECT_THAT(refusal(dye(R"("diffusivity": 0.1, "sides": {"north": {"transfer_coefficient": 1}})"),
                      channel),
              HasSubstr("needs \"value\""));
  EXPECT_THAT(refusal(dye(R"("diffusivity": 0.1, "solids": [{"name": "post"}])")),
              HasSubstr("the case has none"));
  EXPECT_THAT(refusal(dye(R"("diffusivity": 0.1, "solids": [{"name": "pots"}])"),
                      R"("geometry": {"solids": [{"name": "post", "shape": "circle",
                         "centre": [8, 5], "radius": 2}]}, )"),
              HasSubstr("must be one of \"post\""));
  const auto problem = problem_of(case_of(
      8, 6,
      fluid + R"("scalars": [{"name": "dye", "diffusivity": 0.1, "initial": "1/(x-0.5)+0"}])"));
  EXPECT_THROW(started(*problem), InputError);
}

}  // namespace
}  // namespace knudsen::lbm_d2q9
