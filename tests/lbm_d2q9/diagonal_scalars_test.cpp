#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <numbers>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "lbm_d2q9/case_problem.hpp"
#include "output/checkpoint.hpp"
#include "output/temporary_directory.hpp"
#include "support/plain_scalar.hpp"
#include "support/steady_state.hpp"

// Passive scalars on D2Q9, beside those on D2Q5.

namespace knudsen::lbm_d2q9 {
namespace {

using testing::HasSubstr;
constexpr double pi = std::numbers::pi;

std::string case_of(int nx, int ny, const std::string& more) {
  return R"({"precision": "double", "domain": {"nodes": [)" + std::to_string(nx) + ", " +
         std::to_string(ny) + "]}, " + more + "}";
}
const std::string fluid = R"("fluid": {"kinematic_viscosity": 0.05}, )";

std::unique_ptr<Method> started(const Problem& problem) {
  auto method = problem.create(Backend::host);
  method->initialise();
  return method;
}
std::unique_ptr<Method> started(const std::string& text) { return started(*problem_of(text)); }

std::string stream(double u, double v) {
  return R"("initial": {"type": "uniform", "velocity": [)" + number_text(u) + ", " +
         number_text(v) + "]}, ";
}
std::string dye(const std::string& lattice, double diffusivity, const std::string& more) {
  return R"("scalars": [{"name": "dye", "lattice": ")" + lattice + R"(", "diffusivity": )" +
         number_text(diffusivity) + more + "}]";
}

// Transport without walls.

/// The velocities of all nodes.
std::vector<std::array<double, 3>> velocities_of(Method& method) {
  const Field field = method.field("velocity");
  std::vector<std::array<double, 3>> all(field.size() / 2);
  for (std::size_t i = 0; i < field.size(); ++i) all[i / 2][i % 2] = field[i];
  return all;
}

TEST(DiagonalScalarsD2Q9, ItIsThatOfAPlainSerialCode) {
  for (const char* scheme : {"in-place", "two-array", "shared-memory"}) {
    const auto method = started(
        case_of(7, 6,
                R"("propagation": {"scheme": ")" + std::string(scheme) + R"("}, )" + fluid +
                    R"("initial": {"type": "taylor-green", "amplitude": 0.1}, )" +
                    dye("D2Q9", 0.03, R"(, "magic": 0.2, "initial": "sin(x) + cos(2*y)*x")")));
    expect_values_of_plain_scalar<D2Q9>(
        *method, {7, 6, 1}, [&] { return values_of(*method, "dye"); },
        [&] { return velocities_of(*method); }, scheme);
  }
}

/// Error of a wave that diffuses along (1, 1) in a stream, over its amplitude, after n^2 steps.
double error_of_wave(const std::string& lattice, int n, const std::string& magic) {
  const double u = 0.4 / n;
  const double k = 2 * pi / n;
  const auto method =
      started(case_of(n, n,
                      fluid + stream(u, -u / 2) +
                          dye(lattice, 0.02,
                              R"(, "magic": )" + magic + R"(, "initial": "sin(2*pi/)" +
                                  std::to_string(n) + R"(*(x + y))*1")")));
  method->advance(n * n);
  const auto found = values_of(*method, "dye");
  const double decay = std::exp(-2 * k * k * 0.02 * n * n);
  double difference = 0;
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const double exact = decay * std::sin(k * (x + y + 1 - u / 2 * n * n));
      difference =
          std::max(difference, std::fabs(found[static_cast<std::size_t>(y * n + x)] - exact));
    }
  }
  return difference / decay;
}

TEST(DiagonalScalarsD2Q9, AWaveDiffusesWithSecondOrder) {
  for (const char* magic : {"0.25", "0.125"}) {
    const double coarse = error_of_wave("D2Q9", 16, magic);
    const double fine = error_of_wave("D2Q9", 32, magic);
    std::cout << "wave, magic " << magic << ": D2Q9 " << coarse << ", " << fine << ", D2Q5 "
              << error_of_wave("D2Q5", 16, magic) << ", " << error_of_wave("D2Q5", 32, magic)
              << '\n';
    EXPECT_LT(fine, 0.05);
    EXPECT_GT(std::log2(coarse / fine), 1.9);
  }
}

/// Second and fourth moments of a Gaussian about its centre of mass.
struct Moments {
  double along = 0, across = 0;  ///< variances along and across (1, 1)
  double fourth = 0;             ///< <x^4> + <y^4> - 6 <x^2 y^2>: 0 if it is round
};
Moments moments_of(const std::vector<double>& field, int n) {
  double mass = 0;
  double centre[2] = {0, 0};
  const auto for_all = [&](const auto& visit) {
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) visit(x, y, field[static_cast<std::size_t>(y * n + x)]);
    }
  };
  for_all([&](int x, int y, double value) {
    mass += value;
    centre[0] += value * x;
    centre[1] += value * y;
  });
  Moments found;
  for_all([&](int x, int y, double value) {
    const double dx = x - centre[0] / mass;
    const double dy = y - centre[1] / mass;
    const double share = value / mass;
    found.along += share * (dx + dy) * (dx + dy) / 2;
    found.across += share * (dx - dy) * (dx - dy) / 2;
    found.fourth += share * (dx * dx * dx * dx + dy * dy * dy * dy - 6 * dx * dx * dy * dy);
  });
  return found;
}

TEST(DiagonalScalarsD2Q9, AGaussianInADiagonalStreamStaysRound) {
  // Variance 16 + 2 D t. D2Q5 lacks (tau - 1/2) u u of the diffusivity along the stream.
  constexpr int n = 96;
  constexpr int steps = 300;
  constexpr double diffusivity = 0.05;
  constexpr double u = 0.1;
  for (const std::string lattice : {"D2Q5", "D2Q9"}) {
    const auto method = started(case_of(
        n, n,
        fluid + stream(u, u) +
            dye(lattice, diffusivity, R"(, "initial": "exp(-((x-33)^2 + (y-33)^2)/32)*1")")));
    method->advance(steps);
    const Moments found = moments_of(values_of(*method, "dye"), n);
    const double spread = 2 * diffusivity * steps;
    const double along = (found.along - 16) / spread - 1;
    const double across = (found.across - 16) / spread - 1;
    std::cout << lattice << ": error of the diffusivity along the stream " << along << ", across "
              << across << '\n';
    EXPECT_LT(std::fabs(across), 2e-3) << lattice;
    if (lattice == "D2Q5") {
      EXPECT_NEAR(along, -3 * 2 * u * u, 5e-3);
    } else {
      EXPECT_LT(std::fabs(along), 2e-3);
    }
  }
}

TEST(DiagonalScalarsD2Q9, AGaussianAtRestStaysRound) {
  // From a blob of 1.5 nodes. The fourth moment over the square of the variance.
  constexpr int n = 48;
  double found[2];
  int i = 0;
  for (const char* lattice : {"D2Q5", "D2Q9"}) {
    const auto method = started(case_of(
        n, n,
        fluid + dye(lattice, 0.1, R"(, "initial": "exp(-((x-24.5)^2 + (y-24.5)^2)/4.5)*1")")));
    method->advance(40);
    const Moments moments = moments_of(values_of(*method, "dye"), n);
    found[i] = moments.fourth / (moments.along * moments.across);
    std::cout << lattice << ": anisotropy of the fourth moment " << found[i++] << '\n';
  }
  EXPECT_LT(std::fabs(found[1]), 0.01);
  EXPECT_LT(std::fabs(found[1]), 0.05 * std::fabs(found[0]));
}

// Walls.

const std::vector<std::string> lattices{"D2Q5", "D2Q9"};

TEST(DiagonalScalarsD2Q9, LayersBetweenWallsAreExact) {
  // Between adiabatic walls, so that there are edges of all kinds. One end has a value, the other a
  // value, a flux or exchange.
  struct End {
    std::string block;
    double flux;  ///< into the fluid
  };
  const std::vector<End> ends{{R"({"value": 3})", 0.1 * 2 / 8},
                              {R"({"flux": 0.02})", 0.02},
                              {R"({"value": 2, "transfer_coefficient": 0.02})", 1.0 / 130},
                              {R"({"value": 2, "transfer_coefficient": 0.3})", 1 / (1 / 0.3 + 80)}};
  for (const std::string& lattice : lattices) {
    for (const bool along_x : {true, false}) {
      for (const End& end : ends) {
        const std::string low = along_x ? "west" : "south";
        const std::string high = along_x ? "east" : "north";
        const auto method = started(
            case_of(along_x ? 8 : 3, along_x ? 3 : 8,
                    fluid + R"("boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"},
                "west": {"type": "wall"}, "east": {"type": "wall"}}, )" +
                        dye(lattice, 0.1,
                            R"(, "magic": 0.2, "initial": 0.5, "sides": {")" + low +
                                "\": " + end.block + ", \"" + high + R"(": {"value": 1}})")));
        SCOPED_TRACE(lattice + ' ' + low + end.block);
        method->advance(12000);
        const auto found = values_of(*method, "dye");
        for (std::size_t i = 0; i < found.size(); ++i) {
          const double place = (along_x ? static_cast<double>(i % 8) : std::floor(i / 3.0)) + 0.5;
          EXPECT_NEAR(found[i], 1 + 10 * end.flux * (8 - place), 1e-11);
        }
        EXPECT_NEAR(method->monitor(low + ".dye_flow"), 3 * end.flux, 1e-12);
        EXPECT_NEAR(method->monitor(high + ".dye_flow"), -3 * end.flux, 1e-12);
      }
    }
  }
}

TEST(DiagonalScalarsD2Q9, ASolidGivesItsFluxThroughItsWholeSurface) {
  // Staircases, edges with the side and corners.
  for (const std::string& lattice : lattices) {
    const auto method = started(case_of(
        16, 14,
        fluid + R"("geometry": {"solids": [
            {"name": "step", "shape": "box", "from": [3, 0], "to": [7, 4]},
            {"name": "block", "shape": "circle", "centre": [10, 9], "radius": 2.7}]},
          "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"}}, )" +
            dye(lattice, 0.05, R"(, "sides": {"north": {"value": 0}, "south": {"flux": 0.002}},
              "solids": [{"name": "step", "flux": 0.001}, {"name": "block", "flux": 0.003}])")));
    method->advance(3);
    EXPECT_NEAR(method->monitor("step.dye_flow"), 12 * 0.001, 1e-15) << lattice;
    EXPECT_NEAR(method->monitor("south.dye_flow"), 12 * 0.002, 1e-15) << lattice;
    // A circle of that radius has as many faces as the square around it.
    EXPECT_NEAR(method->monitor("block.dye_flow"), 24 * 0.003, 1e-15) << lattice;
  }
}

TEST(DiagonalScalarsD2Q9, ATransportAlongAdiabaticWallsDoesNotSeeThem) {
  // A wave along x between walls that move with the stream.
  const double k = 2 * pi / 16;
  for (const std::string& lattice : lattices) {
    const auto run = [&](bool walls) {
      const std::string wall = R"({"type": "wall", "velocity": [0.05, 0]})";
      const auto method = started(case_of(
          16, 5,
          R"("fluid": {"kinematic_viscosity": 0.05}, )" + stream(0.05, 0) +
              (walls ? R"("boundaries": {"south": )" + wall + R"(, "north": )" + wall + "}, "
                     : std::string()) +
              dye(lattice, 0.1, R"(, "initial": "cos(2*pi/16*x)*1")")));
      method->advance(60);
      return values_of(*method, "dye");
    };
    const auto expected = run(false);
    const auto found = run(true);
    EXPECT_GT(*std::max_element(found.begin(), found.end()), 0.5 * std::exp(-k * k * 0.1 * 60));
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-13);
  }
}

TEST(DiagonalScalarsD2Q9, AClosedBoxKeepsWhatItHas) {
  for (const char* scheme : {"in-place", "two-array", "shared-memory"}) {
    const auto problem = problem_of(
        case_of(12, 11,
                R"("fluid": {"reynolds": 20, "velocity": 0.1}, "propagation": {"scheme": ")" +
                    std::string(scheme) + R"("}, "geometry": {"solids": [
           {"name": "post", "shape": "circle", "centre": [5, 5], "radius": 2},
           {"name": "foot", "shape": "box", "from": [8, 0], "to": [10, 3]}]},
         "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall", "velocity": [1, 0]},
                        "west": {"type": "wall"}, "east": {"type": "wall"}}, )" +
                    dye("D2Q9", 0.04, R"(, "initial": "sin(x)*cos(2*y) + 1")")));
    const auto method = started(*problem);
    const double before = method->monitor("mean_dye");
    const double range = method->monitor("max_dye") - method->monitor("min_dye");
    method->advance(500);
    EXPECT_NEAR(method->monitor("mean_dye"), before, 1e-13);
    EXPECT_LT(method->monitor("max_dye") - method->monitor("min_dye"), 0.5 * range);
    EXPECT_EQ(method->monitor("north.dye_flow"), 0);
    EXPECT_EQ(method->monitor("post.dye_flow"), 0);
  }
}

TEST(DiagonalScalarsD2Q9, WhatEntersStays) {
  const auto problem = problem_of(
      case_of(12, 11,
              fluid + R"("geometry": {"solids": [{"name": "post", "shape": "box", "from": [4, 4],
                  "to": [7, 8]}, {"name": "foot", "shape": "box", "from": [0, 0], "to": [3, 2]}]},
         "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"},
           "west": {"type": "velocity", "velocity": [0.05, 0]}, "east": {"type": "outflow"}}, )" +
                  dye("D2Q9", 0.03, R"(, "sides": {"north": {"flux": 0.001}, "west": {"value": 2},
             "south": {"value": 1, "transfer_coefficient": 0.1}},
           "solids": [{"name": "post", "value": 1}, {"name": "foot", "flux": 0.01}])")));
  const auto method = started(*problem);
  method->advance(101);
  for (int step = 0; step < 3; ++step) {
    const double before = method->monitor("mean_dye") * problem->updates_per_step;
    method->advance(1);
    const double gained = method->monitor("mean_dye") * problem->updates_per_step - before;
    double entered = 0;
    for (const char* surface : {"post", "foot", "north", "south", "west", "east"}) {
      entered += method->monitor(surface + std::string(".dye_flow"));
    }
    EXPECT_GT(std::fabs(method->monitor("post.dye_flow")), 0.01);
    EXPECT_NEAR(entered, gained, 1e-12);
  }
}

TEST(DiagonalScalarsD2Q9, AStreamCarriesItsValueThrough) {
  for (const char* east : {R"("outflow")", R"("pressure")"}) {
    const auto method = started(
        case_of(20, 4,
                fluid + stream(0.1, 0) + R"("boundaries": {
            "west": {"type": "velocity", "velocity": [0.1, 0]}, "east": {"type": )" +
                    east + "}}, " + dye("D2Q9", 0.02, R"(, "sides": {"west": {"value": 2}})")));
    method->advance(3000);
    for (const double value : values_of(*method, "dye")) EXPECT_NEAR(value, 2, 1e-10) << east;
    EXPECT_NEAR(method->monitor("west.dye_flow"), 4 * 2 * 0.1, 1e-9) << east;
    EXPECT_NEAR(method->monitor("east.dye_flow"), -4 * 2 * 0.1, 1e-9) << east;
  }
}

// Beside a scalar on D2Q5; restart; bad input.

TEST(DiagonalScalarsD2Q9, AUniformValueStaysUniformBesideVelocitySides) {
  // The speed falls to nothing at the walls beside the inlet. What is left is the compressibility,
  // 1.5 %, and less than half of a percent with diagonals.
  const auto method = started(case_of(60, 20, R"("fluid": {"relaxation_time": 0.7},
      "collision": {"operator": "trt"}, "heat": {"prandtl": 1},
      "initial": {"type": "uniform", "velocity": [0.03, 0], "temperature": 1},
      "scalars": [
        {"name": "a", "schmidt": 1, "initial": 1, "sides": {"west": {"value": 1}}},
        {"name": "b", "schmidt": 1, "lattice": "D2Q9", "initial": 1, "sides": {"west": {"value": 1}}}],
      "boundaries": {"west": {"type": "velocity", "velocity": [0.03, 0], "temperature": 1},
                     "east": {"type": "pressure"},
                     "north": {"type": "wall"}, "south": {"type": "wall"}})"));
  method->advance(3000);
  const std::vector<std::pair<std::string, double>> bounds{
      {"temperature", 0.002}, {"a", 0.002}, {"b", 0.005}};
  for (const auto& [name, bound] : bounds) {
    const auto values = values_of(*method, name);
    EXPECT_LT(*std::max_element(values.begin(), values.end()), 1 + bound) << name;
    EXPECT_GT(*std::min_element(values.begin(), values.end()), 1 - 0.015) << name;
    for (std::size_t y = 0; y < 20; ++y) EXPECT_NEAR(values[60 * y], 1, bound) << name;
  }
}

TEST(DiagonalScalarsD2Q9, SmallDiffusivitiesAreStableBesideOpenSides) {
  const std::string velocity =
      R"({"type": "velocity", "velocity": [1, 0], "profile": "fully-developed"})";
  for (const std::string& west :
       {velocity, std::string(R"({"type": "pressure", "density": 1.006})")}) {
    for (const double schmidt : {7.0, 40.0}) {
      const auto method = started(case_of(60, 20,
                                          R"("scalars": [
          {"name": "salt", "schmidt": )" + number_text(schmidt) +
                                              R"(, "lattice": "D2Q9",
           "sides": {"west": {"value": 1}}}],
          "fluid": {"relaxation_time": 0.587, "velocity": 0.04}, "collision": {"operator": "trt"},
          "initial": {"type": "uniform", "velocity": [1, 0]},
          "boundaries": {"west": )" + west + R"(, "east": {"type": "pressure"},
                         "north": {"type": "wall"}, "south": {"type": "wall"}})"));
      method->advance(6000);
      EXPECT_GT(method->monitor("min_salt"), 0) << west << schmidt;
      EXPECT_LT(method->monitor("max_salt"), 1.15) << west << schmidt;
    }
  }
}

TEST(DiagonalScalarsD2Q9, ScalarsOnBothLatticesKeepTheirPlaces) {
  const auto problem = problem_of(case_of(
      9, 7, fluid + R"("scalars": [{"name": "a", "lattice": "D2Q9", "schmidt": 1, "initial": 1},
          {"name": "b", "schmidt": 1, "initial": 2}, {"name": "c", "lattice": "D2Q9", "schmidt": 1,
           "initial": 3}])"));
  const auto method = started(*problem);
  method->advance(3);
  EXPECT_NEAR(method->monitor("mean_a"), 1, 1e-14);
  EXPECT_NEAR(method->monitor("mean_b"), 2, 1e-14);
  EXPECT_NEAR(method->monitor("mean_c"), 3, 1e-14);
  EXPECT_NEAR(values_of(*method, "b")[5], 2, 1e-14);
}

TEST(DiagonalScalarsD2Q9, ACheckpointGoesOnBitForBit) {
  const TemporaryDirectory directory;
  const auto problem = problem_of(case_of(20, 9, fluid + R"("boundaries": {
            "south": {"type": "wall"}, "north": {"type": "wall"}, "east": {"type": "outflow"},
            "west": {"type": "velocity", "velocity": [0.05, 0]}},
            "scalars": [{"name": "dye", "lattice": "D2Q9", "diffusivity": 0.04,
                         "sides": {"west": {"value": 1}}},
                        {"name": "salt", "diffusivity": 0.01, "initial": "x"}])"));
  const auto whole = started(*problem);
  whole->advance(7);
  const auto file = directory / "state.h5";
  CheckpointWriter writer(file, "lbm_d2q9", "digest", 7);
  whole->save(writer);
  writer.commit();
  const auto restarted = started(*problem);
  restarted->load(CheckpointReader(file));
  for (const int steps : {0, 5}) {
    whole->advance(steps);
    restarted->advance(steps);
    for (const char* name : {"dye", "salt"}) {
      EXPECT_EQ(values_of(*whole, name), values_of(*restarted, name));
    }
  }
  EXPECT_EQ(whole->monitor("east.dye_flow"), restarted->monitor("east.dye_flow"));
}

TEST(DiagonalScalarsD2Q9, AnUnknownLatticeIsRefused) {
  try {
    problem_of(case_of(8, 6, fluid + dye("D3Q19", 0.1, "")));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("Must be one of \"D2Q5\", \"D2Q9\""));
  }
}

TEST(DiagonalScalarsD2Q9, ATemperatureOnTheLargerLatticeIsRefused) {
  try {
    problem_of(case_of(8, 6, fluid + R"("heat": {"prandtl": 1, "lattice": "D2Q9"})"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("heat.lattice: found \"D2Q9\", must be \"D2Q5\" for a temperature; "
                          "without \"gravity\" list it in \"scalars\" with \"lattice\": \"D2Q9\""));
  }
}

}  // namespace
}  // namespace knudsen::lbm_d2q9
