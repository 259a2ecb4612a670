#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "device/backend.hpp"
#include "lbm_d3q27/case_problem.hpp"
#include "lbm_d3q27/diagonal_wave.hpp"
#include "output/checkpoint.hpp"
#include "output/temporary_directory.hpp"
#include "support/scalar_as_temperature.hpp"
#include "support/steady_state.hpp"

// Passive scalars in three dimensions. What reads their keys is tested with lbm_d2q9.

namespace knudsen::lbm_d3q27 {
namespace {

constexpr double pi = std::numbers::pi;

const std::vector<std::string> propagations{
    R"({"scheme": "esoteric-twist"})", R"({"nodes": "sparse"})", R"({"scheme": "esoteric-pull"})",
    R"({"scheme": "aa-pattern"})", R"({"scheme": "two-array"})"};

std::string case_of(const std::array<int, 3>& nodes, const std::string& more,
                    const std::string& precision = "double") {
  return R"({"precision": ")" + precision + R"(", "domain": {"nodes": [)" +
         std::to_string(nodes[0]) + ", " + std::to_string(nodes[1]) + ", " +
         std::to_string(nodes[2]) + "]}, " + more + "}";
}
const std::string fluid = R"("fluid": {"kinematic_viscosity": 0.05}, )";

std::unique_ptr<Method> started(const Problem& problem) {
  auto method = problem.create(default_backend());
  method->initialise();
  return method;
}

/// Steps a case that has a temperature and the scalar "dye" with the same conditions, and compares
/// them.
void expect_equal(const std::string& text, const std::vector<std::string>& surfaces,
                  double tolerance) {
  const auto problem = problem_of(text);
  const auto method = problem->create(default_backend());
  std::vector<double> values;
  for (std::size_t i = 0; i < problem->grid.size(); ++i) {
    values.push_back(1.2 + 0.3 * std::sin(0.7 * static_cast<double>(i)));
  }
  expect_scalar_is_temperature(*method, values, {0, 1, 2, 30}, surfaces, tolerance,
                               100 * tolerance);
}

TEST(ScalarsD3Q27, AScalarIsATemperatureWithoutBuoyancy) {
  for (const std::string& propagation : propagations) {
    for (const auto& [precision, tolerance] : {std::pair{"double", 1e-13}, {"single", 2e-5}}) {
      const std::string common =
          R"("fluid": {"reynolds": 20, "velocity": 0.05}, "propagation": )" + propagation +
          R"(, "heat": {"diffusivity": 0.03, "magic": 0.2, "reference_temperature": 1}, )";
      const std::string dye =
          R"("scalars": [{"name": "dye", "diffusivity": 0.03, "magic": 0.2, "reference_value": 1)";
      // A stream past a ball between walls of all conditions.
      for (const char* top : {R"({"type": "outflow"})", R"({"type": "pressure"})",
                              R"({"type": "pressure", "temperature": 2})"}) {
        const bool has_value = std::string(top).find("temperature") != std::string::npos;
        expect_equal(
            case_of({11, 9, 12},
                    common + R"("geometry": {"walls": "half-way", "solids": [{"name": "ball",
                "shape": "sphere", "centre": [5, 4, 5], "radius": 1.8, "temperature": 2}]},
              "boundaries": {"bottom": {"type": "velocity", "velocity": [0, 0, 1],
                "temperature": 1.5}, "south": {"type": "wall", "heat_flux": 0.02},
                "north": {"type": "wall", "temperature": 3, "heat_transfer_coefficient": 0.3},
                "west": {"type": "wall", "temperature": 0.5}, "east": {"type": "wall"}, "top": )" +
                        top + "}, " + dye + R"(, "sides": {"bottom": {"value": 1.5},
                "south": {"flux": 0.02}, "west": {"value": 0.5},
                "north": {"value": 3, "transfer_coefficient": 0.3})" +
                        (has_value ? R"(, "top": {"value": 2})" : "") +
                        R"(}, "solids": [{"name": "ball", "value": 2}]}])",
                    precision),
            {"bottom", "top", "south", "north", "west", "east", "ball"}, tolerance);
      }
      // A periodic stream.
      expect_equal(case_of({10, 7, 6},
                           common + R"("initial": {"type": "uniform",
                                       "velocity": [0.5, 0.3, -0.4]}, )" +
                               dye + "}]",
                           precision),
                   {}, tolerance);
    }
  }
}

TEST(ScalarsD3Q27, ScalarsGoWithAllLatticesAndPrecisions) {
  // What has no temperature: D3Q19 and 16-bit storage.
  const auto found = [&](const std::string& lattice, const std::string& precision,
                         const std::string& walls) {
    const auto problem = problem_of(case_of(
        {10, 8, 9},
        fluid + R"("propagation": {"lattice": ")" + lattice + R"("}, "geometry": {"walls": ")" +
            walls + R"(", "solids": [{"name": "ball", "shape": "sphere", "centre": [4, 4, 4],
                                      "radius": 2}]},
            "collision": {"body_force": [1e-5, 0, 0]},
            "scalars": [{"name": "dye", "diffusivity": 0.04, "initial": "sin(x) + z",
                         "solids": [{"name": "ball", "value": 2}]}])",
        precision));
    const auto method = started(*problem);
    method->advance(60);
    EXPECT_GT(method->monitor("ball.dye_flow"), -100);
    return values_of(*method, "dye");
  };
  const auto half_way = found("D3Q27", "double", "half-way");
  const auto interpolated = found("D3Q27", "double", "interpolated");
  for (const auto& [lattice, precision, walls] : {std::array{"D3Q19", "double", "half-way"},
                                                  {"D3Q27", "half-storage", "half-way"},
                                                  {"D3Q19", "half-storage", "implicit"},
                                                  {"D3Q19", "double", "interpolated"},
                                                  {"D3Q27", "half-storage", "interpolated"}}) {
    const auto& reference = walls == std::string("interpolated") ? interpolated : half_way;
    const auto other = found(lattice, precision, walls);
    for (std::size_t i = 0; i < other.size(); ++i) {
      if (std::isnan(reference[i])) continue;
      ASSERT_NEAR(other[i], reference[i], 2e-3) << lattice << ' ' << precision << ' ' << walls;
    }
  }
}

TEST(ScalarsD3Q27, ImplicitWallsReturnAScalarAfterOneStep) {
  // A temperature comes back a step later, so that both agree when they have settled.
  for (const std::string& propagation : propagations) {
    const auto problem =
        problem_of(case_of({4, 6, 5}, fluid + R"("propagation": )" + propagation +
                                          R"(, "heat": {"diffusivity": 0.1}, "geometry": {
            "solids": [{"name": "ball", "shape": "box", "from": [1, 2, 1], "to": [3, 4, 4]}]},
          "boundaries": {"south": {"type": "wall", "heat_flux": 0.02},
          "north": {"type": "wall", "temperature": 1}},
          "scalars": [{"name": "dye", "diffusivity": 0.1,
            "sides": {"south": {"flux": 0.02}, "north": {"value": 1}}}])"));
    const auto method = started(*problem);
    method->advance(6000);
    const auto temperature = values_of(*method, "temperature");
    const auto dye = values_of(*method, "dye");
    for (std::size_t i = 0; i < dye.size(); ++i) {
      if (std::isnan(dye[i])) continue;
      ASSERT_NEAR(dye[i], temperature[i], 1e-10);
    }
    EXPECT_NEAR(method->monitor("south.dye_flow"), 20 * 0.02, 1e-12);
    EXPECT_NEAR(method->monitor("north.dye_flow"), -20 * 0.02, 1e-9);
  }
}

/// Error of a wave that diffuses in a stream, over its amplitude, in a box of n^3 nodes after n^2
/// steps.
double error_of_wave(int n, const std::string& propagation) {
  const double diffusivity = 0.03;
  const double u = 0.4 / n;
  const std::string size = std::to_string(n);
  const auto problem =
      problem_of(case_of({n, n, n}, fluid + R"("propagation": )" + propagation +
                                        R"(, "initial": {"type": "uniform", "velocity": [)" +
                                        std::to_string(u) + R"(, 0, 0]}, "scalars": [{"name": "dye",
             "diffusivity": 0.03, "initial": "sin(2*pi/)" +
                                        size + R"(*(x + y - z))*1"}])"));
  const auto method = started(*problem);
  method->advance(n * n);
  return error_of_diagonal_wave(values_of(*method, "dye"), n, diffusivity, u);
}

TEST(ScalarsD3Q27, AWaveInAStreamDiffusesWithSecondOrder) {
  for (const char* propagation : {R"({"nodes": "dense"})", R"({"nodes": "sparse"})"}) {
    const double coarse = error_of_wave(8, propagation);
    const double fine = error_of_wave(16, propagation);
    EXPECT_LT(fine, 0.1);
    EXPECT_GT(std::log2(coarse / fine), 1.9) << propagation;
  }
}

TEST(ScalarsD3Q27, AClosedBoxKeepsWhatItHas) {
  for (const std::string& propagation : propagations) {
    for (const char* walls : {"implicit", "half-way"}) {
      const auto problem = problem_of(
          case_of({9, 8, 7}, R"("fluid": {"reynolds": 20, "velocity": 0.1}, "propagation": )" +
                                 propagation + R"(, "geometry": {"walls": ")" + walls +
                                 R"(", "solids": [{"name": "post",
               "shape": "sphere", "centre": [4, 4, 3], "radius": 1.6}]},
         "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall", "velocity": [1, 0, 0]},
           "west": {"type": "wall"}, "east": {"type": "wall"}, "bottom": {"type": "wall"},
           "top": {"type": "wall"}},
         "scalars": [{"name": "dye", "schmidt": 2, "initial": "sin(x)*cos(2*y)*cos(z) + 1"}])"));
      const auto method = started(*problem);
      const double before = method->monitor("mean_dye");
      method->advance(200);
      EXPECT_NEAR(method->monitor("mean_dye"), before, 1e-13) << propagation << walls;
      EXPECT_EQ(method->monitor("post.dye_flow"), 0);
    }
  }
}

TEST(ScalarsD3Q27, ACheckpointGoesOnBitForBit) {
  const TemporaryDirectory directory;
  int number = 0;
  for (const std::string& propagation : propagations) {
    const auto problem = problem_of(
        case_of({10, 7, 8}, fluid + R"("propagation": )" + propagation +
                                R"(, "geometry": {"solids": [{"name": "ball", "shape": "sphere",
              "centre": [4, 4, 4], "radius": 1.5}]}, "boundaries": {
            "south": {"type": "wall"}, "north": {"type": "wall"}, "east": {"type": "outflow"},
            "west": {"type": "velocity", "velocity": [0.05, 0, 0]}},
            "scalars": [{"name": "dye", "diffusivity": 0.04, "sides": {"west": {"value": 1}}},
                        {"name": "salt", "diffusivity": 0.01, "initial": "x"}])"));
    const auto whole = started(*problem);
    whole->advance(7);
    const auto file = directory / ("checkpoint" + std::to_string(number++) + ".h5");
    CheckpointWriter writer(file, "lbm_d3q27", "digest", 7);
    whole->save(writer);
    writer.commit();
    const auto restarted = started(*problem);
    restarted->load(CheckpointReader(file));
    for (const int steps : {0, 5}) {
      whole->advance(steps);
      restarted->advance(steps);
      for (const char* name : {"dye", "salt"}) {
        const Field expected = whole->field(name);
        const Field found = restarted->field(name);
        for (std::size_t i = 0; i < expected.size(); ++i) {
          if (std::isnan(expected[i])) continue;
          ASSERT_EQ(found[i], expected[i]) << propagation;
        }
      }
    }
    EXPECT_EQ(whole->monitor("east.dye_flow"), restarted->monitor("east.dye_flow"));
  }
}

}  // namespace
}  // namespace knudsen::lbm_d3q27
