#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <numbers>
#include <string>
#include <vector>

#include "core/sides.hpp"
#include "core/text.hpp"
#include "device/backend.hpp"
#include "lbm_d3q27/case_problem.hpp"
#include "lbm_d3q27/diagonal_wave.hpp"
#include "output/checkpoint.hpp"
#include "output/temporary_directory.hpp"
#include "support/plain_scalar.hpp"
#include "support/steady_state.hpp"

// Passive scalars on D3Q19, beside those on D3Q7.

namespace knudsen::lbm_d3q27 {
namespace {

using testing::HasSubstr;
constexpr double pi = std::numbers::pi;

const std::vector<std::string> propagations{
    R"({"scheme": "esoteric-twist"})", R"({"nodes": "sparse"})", R"({"scheme": "esoteric-pull"})",
    R"({"scheme": "aa-pattern"})", R"({"scheme": "two-array"})"};
const std::vector<std::string> two_propagations{propagations[0], propagations[1]};

std::string case_of(const std::array<int, 3>& nodes, const std::string& propagation,
                    const std::string& more) {
  return R"({"precision": "double", "domain": {"nodes": [)" + std::to_string(nodes[0]) + ", " +
         std::to_string(nodes[1]) + ", " + std::to_string(nodes[2]) + R"(]}, "propagation": )" +
         propagation + ", " + more + "}";
}
const std::string fluid = R"("fluid": {"kinematic_viscosity": 0.05}, )";

std::unique_ptr<Method> started(const Problem& problem) {
  auto method = problem.create(default_backend());
  method->initialise();
  return method;
}
std::unique_ptr<Method> started(const std::string& text) { return started(*problem_of(text)); }

std::string dye(const std::string& lattice, double diffusivity, const std::string& more) {
  return R"("scalars": [{"name": "dye", "lattice": ")" + lattice + R"(", "diffusivity": )" +
         number_text(diffusivity) + more + "}]";
}

// Transport without walls.

/// The velocities of all nodes.
std::vector<std::array<double, 3>> velocities_of(Method& method) {
  const Field field = method.field("velocity");
  std::vector<std::array<double, 3>> all(field.size() / 3);
  for (std::size_t i = 0; i < field.size(); ++i) all[i / 3][i % 3] = field[i];
  return all;
}

TEST(DiagonalScalarsD3Q27, ItIsThatOfAPlainSerialCode) {
  for (const std::string& propagation : propagations) {
    const auto method = started(case_of(
        {6, 5, 4}, propagation,
        fluid + R"("initial": {"type": "taylor-green", "amplitude": 0.1}, )" +
            dye("D3Q19", 0.03, R"(, "magic": 0.2, "initial": "z*cos(z) + sin(x) + cos(2*y)*x")")));
    expect_values_of_plain_scalar<D3Q19>(
        *method, {6, 5, 4}, [&] { return values_of(*method, "dye"); },
        [&] { return velocities_of(*method); }, propagation);
  }
}

/// Relative error of the diffusivity of a wave along (1, 1, 0) in a stream along it.
double error_of_diffusivity(const std::string& lattice, const std::string& propagation) {
  constexpr int n = 24;
  const double k = 2 * pi / n;
  const auto method = started(
      case_of({n, n, 2}, propagation,
              fluid + R"("initial": {"type": "uniform", "velocity": [0.1, 0.1, 0]}, )" +
                  dye(lattice, 0.05, R"(, "magic": 0.125, "initial": "sin(2*pi/24*(x + y))*1")")));
  method->advance(400);
  double square = 0;
  for (const double value : values_of(*method, "dye")) square += value * value;
  const double amplitude = std::sqrt(2 * square / (n * n * 2));
  return -std::log(amplitude) / (2 * k * k * 400) / 0.05 - 1;
}

TEST(DiagonalScalarsD3Q27, TheDiffusivityDoesNotDependOnTheStream) {
  // D3Q7 lacks (tau - 1/2) u u: 4 u^2 along the stream.
  const double on_axes = error_of_diffusivity("D3Q7", propagations[0]);
  std::cout << "error of the diffusivity: D3Q7 " << on_axes;
  EXPECT_NEAR(on_axes, -4 * 0.02, 0.02);
  for (const std::string& propagation : two_propagations) {
    const double found = error_of_diffusivity("D3Q19", propagation);
    std::cout << ", D3Q19 " << found;
    EXPECT_LT(std::fabs(found), 5e-3) << propagation;
  }
  std::cout << '\n';
}

double error_of_wave(const std::string& lattice, int n) {
  const double u = 0.4 / n;
  const std::string size = std::to_string(n);
  const auto method = started(case_of(
      {n, n, n}, propagations[0],
      fluid + R"("initial": {"type": "uniform", "velocity": [)" + number_text(u) + R"(, 0, 0]}, )" +
          dye(lattice, 0.03,
              R"(, "magic": 0.125, "initial": "sin(2*pi/)" + size + R"(*(x + y - z))*1")")));
  method->advance(n * n);
  return error_of_diagonal_wave(values_of(*method, "dye"), n, 0.03, u);
}

TEST(DiagonalScalarsD3Q27, AWaveInAStreamDiffusesWithSecondOrder) {
  const double coarse = error_of_wave("D3Q19", 8);
  const double fine = error_of_wave("D3Q19", 16);
  std::cout << "wave: D3Q19 " << coarse << ", " << fine << ", D3Q7 " << error_of_wave("D3Q7", 8)
            << ", " << error_of_wave("D3Q7", 16) << '\n';
  EXPECT_LT(fine, 0.1);
  EXPECT_GT(std::log2(coarse / fine), 1.9);
}

// Walls.

TEST(DiagonalScalarsD3Q27, LayersBetweenWallsAreExact) {
  struct End {
    std::string block;
    double flux;  ///< into the fluid
  };
  const std::vector<End> ends{{R"({"value": 3})", 0.1 * 2 / 8},
                              {R"({"flux": 0.02})", 0.02},
                              {R"({"value": 2, "transfer_coefficient": 0.02})", 1.0 / 130}};
  int turn = 0;
  for (const std::string& propagation : propagations) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const End& end = ends[static_cast<std::size_t>(turn++) % 3];
      std::array<int, 3> nodes{3, 2, 2};
      nodes[axis] = 8;
      std::string walls;
      for (const std::string& side : side_names) {
        walls += (walls.empty() ? "\"" : ", \"") + side + R"(": {"type": "wall"})";
      }
      const std::string low = side_names[2 * axis];
      const std::string high = side_names[2 * axis + 1];
      const auto method =
          started(case_of(nodes, propagation,
                          fluid + "\"boundaries\": {" + walls + "}, " +
                              dye("D3Q19", 0.1,
                                  R"(, "magic": 0.2, "initial": 0.5, "sides": {")" + low +
                                      "\": " + end.block + ", \"" + high + R"(": {"value": 1}})")));
      SCOPED_TRACE(propagation + low + end.block);
      method->advance(12000);
      const auto found = values_of(*method, "dye");
      std::size_t i = 0;
      for (int z = 0; z < nodes[2]; ++z) {
        for (int y = 0; y < nodes[1]; ++y) {
          for (int x = 0; x < nodes[0]; ++x, ++i) {
            const double place = std::array{x, y, z}[axis] + 0.5;
            EXPECT_NEAR(found[i], 1 + 10 * end.flux * (8 - place), 1e-11);
          }
        }
      }
      const double area = nodes[(axis + 1) % 3] * nodes[(axis + 2) % 3];
      EXPECT_NEAR(method->monitor(low + ".dye_flow"), area * end.flux, 1e-12);
      EXPECT_NEAR(method->monitor(high + ".dye_flow"), -area * end.flux, 1e-12);
    }
  }
}

TEST(DiagonalScalarsD3Q27, ASolidGivesItsFluxThroughItsWholeSurface) {
  for (const std::string& propagation : two_propagations) {
    const auto method = started(case_of(
        {12, 11, 10}, propagation,
        fluid + R"("geometry": {"solids": [
            {"name": "step", "shape": "box", "from": [2, 0, 3], "to": [5, 4, 7]},
            {"name": "ball", "shape": "sphere", "centre": [8, 7, 5], "radius": 2.2}]},
          "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"}}, )" +
            dye("D3Q19", 0.05, R"(, "sides": {"north": {"value": 0}, "south": {"flux": 0.002}},
              "solids": [{"name": "step", "flux": 0.001}, {"name": "ball", "flux": 0.003}])")));
    method->advance(3);
    EXPECT_NEAR(method->monitor("step.dye_flow"), (2 * 3 * 4 + 2 * 4 * 4 + 3 * 4) * 0.001, 1e-14);
    EXPECT_NEAR(method->monitor("south.dye_flow"), (120 - 12) * 0.002, 1e-14);
    // 16 columns of nodes along each axis.
    EXPECT_NEAR(method->monitor("ball.dye_flow"), 6 * 16 * 0.003, 1e-14);
  }
}

TEST(DiagonalScalarsD3Q27, AClosedBoxKeepsWhatItHas) {
  for (const std::string& propagation : propagations) {
    const auto method = started(case_of(
        {9, 8, 7}, propagation,
        R"("fluid": {"reynolds": 20, "velocity": 0.1}, "geometry": {"solids": [{"name": "post",
               "shape": "sphere", "centre": [4, 4, 3], "radius": 1.6}, {"name": "foot",
               "shape": "box", "from": [6, 0, 0], "to": [8, 3, 2]}]},
         "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall", "velocity": [1, 0, 0]},
           "west": {"type": "wall"}, "east": {"type": "wall"}, "bottom": {"type": "wall"},
           "top": {"type": "wall"}}, )" +
            dye("D3Q19", 0.03, R"(, "initial": "sin(x)*cos(2*y)*cos(z) + 1")")));
    const double before = method->monitor("mean_dye");
    const double range = method->monitor("max_dye") - method->monitor("min_dye");
    method->advance(200);
    EXPECT_NEAR(method->monitor("mean_dye"), before, 1e-13) << propagation;
    EXPECT_LT(method->monitor("max_dye") - method->monitor("min_dye"), 0.5 * range);
    EXPECT_EQ(method->monitor("post.dye_flow"), 0);
  }
}

TEST(DiagonalScalarsD3Q27, WhatEntersStays) {
  for (const std::string& propagation : two_propagations) {
    const auto problem = problem_of(case_of(
        {11, 9, 12}, propagation,
        R"("fluid": {"reynolds": 20, "velocity": 0.05}, "geometry": {"walls": "half-way", "solids":
            [{"name": "ball", "shape": "sphere", "centre": [5, 4, 5], "radius": 1.8}]},
          "boundaries": {"bottom": {"type": "velocity", "velocity": [0, 0, 1]},
            "south": {"type": "wall"}, "north": {"type": "wall"}, "west": {"type": "wall"},
            "east": {"type": "wall"}, "top": {"type": "outflow"}}, )" +
            dye("D3Q19", 0.03, R"(, "sides": {"bottom": {"value": 1.5}, "south": {"flux": 0.02},
              "west": {"value": 0.5}, "north": {"value": 3, "transfer_coefficient": 0.3}},
              "solids": [{"name": "ball", "value": 2}])")));
    const auto method = started(*problem);
    method->advance(101);
    for (int step = 0; step < 2; ++step) {
      const double before = method->monitor("mean_dye") * problem->updates_per_step;
      method->advance(1);
      const double gained = method->monitor("mean_dye") * problem->updates_per_step - before;
      double entered = 0;
      for (const char* surface : {"bottom", "south", "north", "west", "top", "ball"}) {
        entered += method->monitor(surface + std::string(".dye_flow"));
      }
      EXPECT_NEAR(entered, gained, 1e-11) << propagation;
    }
  }
}

TEST(DiagonalScalarsD3Q27, AStreamCarriesItsValueThrough) {
  for (const char* east : {R"("outflow")", R"("pressure")"}) {
    const auto method = started(
        case_of({16, 3, 2}, propagations[0],
                fluid + R"("initial": {"type": "uniform", "velocity": [0.1, 0, 0]}, "boundaries": {
            "west": {"type": "velocity", "velocity": [0.1, 0, 0]}, "east": {"type": )" +
                    east + "}}, " + dye("D3Q19", 0.02, R"(, "sides": {"west": {"value": 2}})")));
    method->advance(3000);
    for (const double value : values_of(*method, "dye")) EXPECT_NEAR(value, 2, 1e-9) << east;
  }
}

TEST(DiagonalScalarsD3Q27, AUniformValueStaysUniformBesideVelocitySides) {
  // The speed falls to nothing at the walls beside the inlet. What is left is the compressibility.
  const auto method = started(case_of({30, 10, 1}, propagations[0], R"(
      "fluid": {"relaxation_time": 0.7}, "collision": {"operator": "trt"}, "heat": {"prandtl": 1},
      "initial": {"type": "uniform", "velocity": [0.02, 0, 0], "temperature": 1},
      "scalars": [{"name": "a", "schmidt": 1, "initial": 1, "sides": {"west": {"value": 1}}},
                  {"name": "b", "schmidt": 1, "lattice": "D3Q19", "initial": 1,
                   "sides": {"west": {"value": 1}}}],
      "boundaries": {
        "west": {"type": "velocity", "velocity": [0.02, 0, 0], "temperature": 1},
        "east": {"type": "pressure"}, "north": {"type": "wall"}, "south": {"type": "wall"}})"));
  method->advance(4000);
  const std::vector<std::pair<std::string, double>> bounds{
      {"temperature", 0.003}, {"a", 0.003}, {"b", 0.003}};
  for (const auto& [name, bound] : bounds) {
    const auto values = values_of(*method, name);
    EXPECT_LT(*std::max_element(values.begin(), values.end()), 1 + bound) << name;
    EXPECT_GT(*std::min_element(values.begin(), values.end()), 1 - 0.02) << name;
    for (std::size_t y = 0; y < 10; ++y) EXPECT_NEAR(values[30 * y], 1, bound) << name;
  }
}

TEST(DiagonalScalarsD3Q27, ACheckpointGoesOnBitForBit) {
  const TemporaryDirectory directory;
  int number = 0;
  for (const std::string& propagation : two_propagations) {
    const auto problem =
        problem_of(case_of({10, 7, 8}, propagation,
                           fluid + R"("geometry": {"solids": [{"name": "ball", "shape": "sphere",
              "centre": [4, 4, 4], "radius": 1.5}]}, "boundaries": {
            "south": {"type": "wall"}, "north": {"type": "wall"}, "east": {"type": "outflow"},
            "west": {"type": "velocity", "velocity": [0.05, 0, 0]}}, )" +
                               dye("D3Q19", 0.04, R"(, "sides": {"west": {"value": 1}})")));
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
      const Field expected = whole->field("dye");
      const Field found = restarted->field("dye");
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (std::isnan(expected[i])) continue;
        ASSERT_EQ(found[i], expected[i]) << propagation;
      }
    }
  }
}

TEST(DiagonalScalarsD3Q27, OtherLatticesAreRefused) {
  const auto message = [](const std::string& more) {
    try {
      problem_of(case_of({6, 5, 4}, propagations[0], fluid + more));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message(dye("D2Q9", 0.1, "")), HasSubstr("Must be one of \"D3Q7\", \"D3Q19\""));
  EXPECT_THAT(message(R"("heat": {"prandtl": 1, "lattice": "D3Q19"})"),
              HasSubstr("heat.lattice: found \"D3Q19\", must be \"D3Q7\" for a temperature"));
}

}  // namespace
}  // namespace knudsen::lbm_d3q27
