// Open sides whose values depend on place and time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "case/sample_reader.hpp"
#include "case_problem.hpp"
#include "output/temporary_directory.hpp"
#include "support/steady_state.hpp"
#include "support/womersley.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

using test::input_error;
using testing::HasSubstr;

/// A channel of 15 x 20 nodes along x.
std::string channel(const std::string& west, const std::string& east = R"({"type": "pressure"})",
                    const std::string& more = "") {
  return R"({"precision": "double", "domain": {"nodes": [15, 20]},
    "fluid": {"relaxation_time": 0.8, "velocity": 0.1}, "collision": {"operator": "trt"},
    "boundaries": {"north": {"type": "wall"}, "south": {"type": "wall"}, "west": )" +
         west + R"(, "east": )" + east + "}" + more + "}";
}

/// The read problem, whose files are relative to a directory.
std::unique_ptr<Problem> problem_in(const TemporaryDirectory& directory, const std::string& text) {
  std::unique_ptr<Problem> problem;
  read_case(CaseDocument::from_text(text, "case.json", directory.path()),
            [&](CaseNode& root) { problem = read_problem(root); });
  return problem;
}

std::unique_ptr<Method> started(const std::string& text) {
  auto method = problem_of(text)->create(Backend::host);
  method->initialise();
  return method;
}

/// Velocity along x of the first column after some steps.
std::vector<double> inflow(Method& method, int steps) {
  method.advance(steps);
  const auto u = values_of(method, "velocity");
  std::vector<double> column;
  for (std::size_t y = 0; y < 20; ++y) column.push_back(u[15 * y]);
  return column;
}

TEST(OpenSides, PressuresThatSwingDriveWomersleysFlow) {
  const Womersley flow{20, 0.1, 2 * 1e-3 / 3 / 14, 3000};
  const std::string swing = R"_("waveform": {"factor": "sin(2*pi*t)", "unit": 3000})_";
  const auto method = started(channel(R"({"type": "pressure", "density": 1.001, )" + swing + "}",
                                      R"({"type": "pressure", "density": 0.999, )" + swing + "}"));
  EXPECT_LT(flow.error(*method, 7, 15), 0.01);
}

/// The part of the velocity along the middle row of a channel of 20 rows that alternates in sign
/// from node to node, largest anywhere.
double alternating(Method& method, std::size_t nodes) {
  const auto u = values_of(method, "velocity");
  double largest = 0;
  for (std::size_t x = 2; x + 2 < nodes; ++x) {
    const double* at = &u[nodes * 10 + x];
    largest = std::max(largest, std::abs(at[-2] - 4 * at[-1] + 6 * at[0] - 4 * at[1] + at[2]) / 16);
  }
  return largest;
}

TEST(OpenSides, KeepNoWaveThatAlternatesFromNodeToNode) {
  const std::string inlet =
      R"({"type": "velocity", "velocity": [1, 0], "profile": "fully-developed"})";
  const std::string outlet = R"({"type": "velocity", "velocity": [-0.2, 0]})";
  const std::string pressure = R"({"type": "pressure"})";
  const std::vector<std::pair<std::string, std::string>> sides{
      {inlet, pressure},
      {pressure, outlet},
      {R"({"type": "pressure", "density": 1.004})", pressure},
      {inlet, R"({"type": "outflow"})"}};
  for (const std::string collision : {"trt", "bgk", "recursive-regularised"}) {
    for (const double time : {0.53, 0.8, 1.5}) {
      for (const std::size_t nodes : {30U, 31U}) {
        for (const auto& [west, east] : sides) {
          const auto method =
              started(R"({"precision": "double", "domain": {"nodes": [)" + std::to_string(nodes) +
                      R"(, 20]}, "fluid": {"velocity": 0.04, "relaxation_time": )" +
                      std::to_string(time) + R"(}, "collision": {"operator": ")" + collision +
                      R"("}, "boundaries": {"north": {"type": "wall"}, "south": {"type": "wall"},
                         "west": )" +
                      west + R"(, "east": )" + east + "}}");
          method->advance(3001);
          EXPECT_LT(alternating(*method, nodes), 1e-4 * 0.04)
              << collision << ", " << time << ", " << nodes << ": " << west << ", " << east;
        }
      }
    }
  }
}

TEST(OpenSides, AFormulaOfPlaceAndTimeIsAProfileTimesAWaveform) {
  const auto formula = started(channel(
      R"_({"type": "velocity", "profile": {"velocity_x": "0.4*y/20*(1 - y/20)*(1 + sin(t/9))"}})_"));
  const auto factor = started(channel(
      R"_({"type": "velocity", "velocity": [0.1, 0], "profile": "parabolic",
          "waveform": {"factor": "1 + sin(t)", "unit": 9}})_"));
  for (const int steps : {0, 1, 6, 27}) {
    const auto found = inflow(*formula, steps);
    const auto expected = inflow(*factor, steps);
    for (std::size_t y = 0; y < 20; ++y) EXPECT_NEAR(found[y], expected[y], 1e-14);
    if (steps < 27) continue;
    // At the step 34.
    for (std::size_t y = 0; y < 20; ++y) {
      const double s = (double(y) + 0.5) / 20;
      EXPECT_NEAR(found[y], 0.1 * 0.4 * s * (1 - s) * (1 + std::sin(34 / 9.0)), 1e-14);
    }
  }
}

TEST(OpenSides, AFullyDevelopedInletStaysAsItIs) {
  const auto method = started(
      channel(R"({"type": "velocity", "velocity": [0.2, 0], "profile": "fully-developed"})"));
  ASSERT_TRUE(run_to_steady_state(*method, 200, 1e-9, 40000));
  const auto u = values_of(*method, "velocity");
  for (std::size_t y = 0; y < 20; ++y) {
    const double s = (double(y) + 0.5) / 20;
    EXPECT_NEAR(u[15 * y + 7], 0.02 * 6 * s * (1 - s), 4e-4 * 0.02);
  }
}

TEST(OpenSides, AFlowRateIsTheSumOverTheOpenNodes) {
  for (const std::string profile : {"uniform", "parabolic", "power-law", "fully-developed"}) {
    const auto method = started(channel(R"({"type": "pressure"})",
                                        R"({"type": "velocity", "flow_rate": -2, "profile": ")" +
                                            profile + R"(", "waveform": {"factor": "1 + t/10"}})",
                                        R"(, "geometry": {"solids": [
          {"shape": "box", "from": [12, 0], "to": [15, 4]}]})"));
    method->advance(5);
    const auto u = values_of(*method, "velocity");
    double sum = 0;
    for (std::size_t y = 4; y < 20; ++y) sum += u[15 * y + 14];
    // 2 spacings x characteristic velocities leave; a length unit is a spacing.
    EXPECT_NEAR(sum, 1.5 * 2 * 0.1, 1e-13) << profile;
  }
}

TEST(OpenSides, TakeValuesAlongTheSideAndInTimeFromFiles) {
  const TemporaryDirectory files;
  write_all(files / "inlet.csv", "y,velocity_x\n20,0\n0,0\n10,0.1\n");
  write_all(files / "pulse.csv", "t,factor\n0,0\n100,1\n");
  auto problem = problem_in(files, channel(R"({"type": "velocity", "profile": {"file": "inlet.csv"},
                                              "waveform": {"file": "pulse.csv"}})"));
  auto method = problem->create(Backend::host);
  method->initialise();
  for (const int step : {10, 100, 150}) {
    const auto found = inflow(*method, step == 10 ? 10 : step == 100 ? 90 : 50);
    const double factor = std::min(1.0, step / 100.0);
    for (std::size_t y = 0; y < 20; ++y) {
      const double from_wall = std::min(double(y) + 0.5, 19.5 - double(y));
      EXPECT_NEAR(found[y], 0.1 * 0.01 * from_wall * factor, 1e-15) << step;
    }
  }
}

TEST(OpenSides, TakeTheUnitOfLengthOfTheCase) {
  const auto u = [](const std::string& domain, const std::string& formula) {
    const auto method =
        started(R"({"precision": "double", "domain": )" + domain +
                R"(, "fluid": {"relaxation_time": 0.8, "velocity": 0.1}, "boundaries": {
          "west": {"type": "velocity", "profile": {"velocity_x": ")" +
                formula + R"("}}, "east": {"type": "pressure"}}})");
    method->advance(3);
    return values_of(*method, "velocity");
  };
  EXPECT_EQ(u(R"({"nodes": [8, 4]})", "y/4"), u(R"({"size": [4, 2], "resolution": 2})", "y/2"));
}

TEST(OpenSides, FailDuringTheRunWithTheStep) {
  const auto error = [](const std::string& west) {
    const auto method = started(channel(west));
    return input_error([&] { method->advance(100); });
  };
  EXPECT_THAT(error(R"({"type": "velocity", "velocity": [1, 0], "waveform": {"factor": "t/10"}})"),
              HasSubstr("case.json: boundaries.west: speed 0.18 is Mach number 0.3118 at step 18, "
                        "must be at most 0.3"));
  EXPECT_THAT(error(R"_({"type": "velocity", "profile": {"velocity_y": "0.1/(t - 7)"}})_"),
              HasSubstr("boundaries.west.profile.velocity_y: found \"0.1/(t - 7)\", is inf at "
                        "(0.5, 0.5, 0.5) and t = 7, must be finite"));
  EXPECT_THAT(error(R"_({"type": "pressure", "profile": {"density": "1 + 0*sqrt(20 - t)"}})_"),
              HasSubstr("boundaries.west.profile.density"));
  EXPECT_THAT(error(R"({"type": "pressure", "density": 1.5, "waveform": {"factor": "-t/2"}})"),
              HasSubstr("boundaries.west: the density is 0 at step 4, must be"));
}

TEST(OpenSides, RefuseFlowRatesThatCannotBe) {
  const auto error = [](const std::string& west, const std::string& east,
                        const std::string& more = "") {
    return input_error([&] { started(channel(west, east, more)); });
  };
  const std::string pressure = R"({"type": "pressure"})";
  EXPECT_THAT(error(R"({"type": "velocity", "flow_rate": 1})", R"({"type": "wall"})"),
              HasSubstr("boundaries.west.flow_rate: needs another open side"));
  EXPECT_THAT(error(R"({"type": "velocity", "flow_rate": 1, "velocity": [1, 0]})", pressure),
              HasSubstr("boundaries.west.flow_rate: found 1, \"velocity\" is given too"));
  EXPECT_THAT(
      error(R"({"type": "velocity", "flow_rate": 1, "profile": {"velocity_x": "y"}})", pressure),
      HasSubstr("boundaries.west.flow_rate: found 1, belongs to the profiles"));
  EXPECT_THAT(
      error(R"({"type": "velocity", "flow_rate": 1})", pressure, R"(, "geometry":
      {"solids": [{"shape": "box", "from": [0, 0], "to": [1, 20]}]})"),
      HasSubstr("boundaries.west: solids cover the whole side, so it can have no flow_rate"));
  EXPECT_THAT(error(R"({"type": "velocity", "flow_rate": 100})", pressure),
              HasSubstr("boundaries.west: speed 0.5 is Mach number 0.866"));
}

TEST(OpenSides, RefuseBadInput) {
  const TemporaryDirectory files;
  const auto error = [&](const std::string& west, const std::string& more = "") {
    return input_error([&] { problem_in(files, channel(west, R"({"type": "pressure"})", more)); });
  };
  const auto profile = [&](const std::string& keys) {
    return error(R"({"type": "velocity", "profile": {)" + keys + "}}");
  };
  EXPECT_THAT(profile(""), HasSubstr("boundaries.west.profile: must give one of \"velocity_x\""));
  EXPECT_THAT(profile(R"("velocity_x": 0, "velocity_z": 1)"), HasSubstr("velocity_z"));
  EXPECT_THAT(profile(R"("velocity_x": "1 + yy")"), HasSubstr("at character 5: found \"yy\""));
  EXPECT_THAT(profile(R"_("velocity_x": "log(y - 3)")_"),
              HasSubstr("is nan at (0.5, 0.5, 0.5) and t = 0, must be finite"));
  EXPECT_THAT(profile(R"("velocity_x": "y")"),
              HasSubstr("boundaries.west: speed 1.95 is Mach number 3.3775 at step 0, must be"));
  write_all(files / "short.csv", "y,velocity_x\n0,0\n10,0\n");
  EXPECT_THAT(
      profile(R"("file": "short.csv")"),
      HasSubstr("velocity_x is not known at (0.5, 10.5, 0.5), since the table covers y from "
                "0 to 10"));
  write_all(files / "other.csv", "y,speed\n0,0\n20,0\n");
  EXPECT_THAT(profile(R"("file": "other.csv")"), HasSubstr("found the column \"speed\""));
  EXPECT_THAT(error(R"({"type": "velocity", "velocity": [1, 0], "profile": {"velocity_x": 0.1}})"),
              HasSubstr("boundaries.west.velocity: \"profile\" sets it already"));
  EXPECT_THAT(error(R"({"type": "velocity", "profile": "laminar"})"),
              HasSubstr("found \"laminar\", must be one of \"uniform\", \"parabolic\", "
                        "\"power-law\", \"fully-developed\""));
  EXPECT_THAT(error(R"({"type": "velocity", "profile": 7})"), HasSubstr("or an object"));
  EXPECT_THAT(error(R"({"type": "velocity", "exponent": 7})"),
              HasSubstr("boundaries.west.exponent: found 7, belongs to the profile \"power-law\""));
  EXPECT_THAT(
      error(R"({"type": "pressure", "profile": "parabolic"})"),
      HasSubstr("boundaries.west.profile: found \"parabolic\" (string), must be an object"));
  EXPECT_THAT(error(R"({"type": "velocity", "waveform": {}})"),
              HasSubstr("boundaries.west.waveform: must give \"factor\" or \"file\""));
  EXPECT_THAT(error(R"({"type": "velocity", "velocity": [1, 0], "profile": "power-law"})",
                    R"(, "geometry": {"solids": [{"shape": "box", "from": [0, 5], "to": [3, 8],
                        "velocity": [0.1, 0]}]})"),
              HasSubstr("boundaries.west.profile: found \"power-law\", walls or solids at the side "
                        "move"));
  write_all(files / "fast.csv", "t,factor\n0,0\n100,2\n");
  EXPECT_THAT(
      error(R"({"type": "velocity", "velocity": [1, 0], "waveform": {"file": "fast.csv"}})"),
      HasSubstr("boundaries.west: speed 0.2 is Mach number 0.3464, must be at most 0.3"));
}

}  // namespace
}  // namespace knudsen::lbm_d2q9
