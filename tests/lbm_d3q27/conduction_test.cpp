#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/sides.hpp"
#include "device/backend.hpp"
#include "lbm_d3q27/case_problem.hpp"
#include "support/composite_slab.hpp"
#include "support/steady_state.hpp"

// Solids that conduct heat in three dimensions. What reads their keys is tested with lbm_d2q9.

namespace knudsen::lbm_d3q27 {
namespace {

/// All propagations of a case.
const std::vector<std::string> propagations{
    R"({"scheme": "esoteric-twist"})", R"({"nodes": "sparse"})", R"({"scheme": "esoteric-pull"})",
    R"({"scheme": "aa-pattern"})", R"({"scheme": "two-array"})"};
const std::vector<std::string> wall_treatments{"implicit", "half-way"};

std::string number(double value) { return std::to_string(value); }
std::string place_text(const std::array<int, 3>& at) {
  return "[" + number(at[0]) + ", " + number(at[1]) + ", " + number(at[2]) + "]";
}

/// A case in double precision with these blocks.
std::string case_of(const std::array<int, 3>& nodes, const std::string& more) {
  return R"({"precision": "double", "domain": {"nodes": [)" + std::to_string(nodes[0]) + ", " +
         std::to_string(nodes[1]) + ", " + std::to_string(nodes[2]) + "]}, " + more + "}";
}
const std::string fluid = R"("fluid": {"kinematic_viscosity": 0.05}, )";

/// A box of nodes with these keys of its conduction; without them it is adiabatic.
std::string box(const std::string& name, const std::array<int, 3>& from,
                const std::array<int, 3>& to, const std::string& conduction) {
  return R"({"shape": "box", "name": ")" + name + R"(", "from": )" + place_text(from) +
         R"(, "to": )" + place_text(to) +
         (conduction.empty() ? "" : R"(, "conduction": {)" + conduction + "}") + "}";
}
std::string geometry(const std::string& walls, const std::string& solids) {
  return R"("geometry": {"walls": ")" + walls + R"(", "solids": [)" + solids + "]}";
}

TEST(ConductionD3Q27, SteadyLayersAreExact) {
  // From 1 to 0 through 3 / 3, 4 and 2 / 0.25 of the fluid's resistance.
  const double resistance = 1 + 4 + 8;
  int turn = 0;
  for (const std::string& propagation : propagations) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string walls = wall_treatments[static_cast<std::size_t>(turn++ % 2)];
      SCOPED_TRACE(propagation + " " + walls + " " + axis_names[axis]);
      std::array<int, 3> nodes{1, 2, 3};
      nodes[axis] = 9;
      std::array<int, 3> first_end = nodes;
      first_end[axis] = 3;
      std::array<int, 3> second{0, 0, 0};
      second[axis] = 7;
      const std::string capacity = turn % 3 == 0 ? "0.5" : "3";
      const auto problem = problem_of(case_of(
          nodes,
          fluid + R"("heat": {"diffusivity": 0.2}, "propagation": )" + propagation + ", " +
              geometry(walls,
                       box("lower", {0, 0, 0}, first_end,
                           R"("conductivity_ratio": 3, "heat_capacity_ratio": )" + capacity) +
                           ", " + box("upper", second, nodes, R"("conductivity_ratio": 0.25)")) +
              R"(, "boundaries": {")" + side_names[2 * axis] +
              R"(": {"type": "wall", "temperature": 1}, ")" + side_names[2 * axis + 1] +
              R"(": {"type": "wall", "temperature": 0}}, "initial": {"temperature": 0.3})"));
      const auto method = problem->create(default_backend());
      method->initialise();
      EXPECT_NEAR(method->monitor("lower.mean_temperature"), 0.3, 1e-14);
      method->advance(10000);
      const auto t = values_of(*method, "temperature");
      std::size_t index = 0;
      for (int z = 0; z < nodes[2]; ++z) {
        for (int y = 0; y < nodes[1]; ++y) {
          for (int x = 0; x < nodes[0]; ++x) {
            const double at = std::array{x, y, z}[axis] + 0.5;
            const double passed =
                std::min(at, 3.0) / 3 + std::clamp(at - 3, 0.0, 4.0) + std::max(at - 7, 0.0) / 0.25;
            EXPECT_NEAR(t[index++], 1 - passed / resistance, 1e-12);
          }
        }
      }
      const double flow = 0.2 / resistance * nodes[(axis + 1) % 3] * nodes[(axis + 2) % 3];
      EXPECT_NEAR(method->monitor(side_names[2 * axis] + ".heat_flow"), flow, 1e-12);
      EXPECT_NEAR(method->monitor("lower.heat_flow"), flow, 1e-12);
      EXPECT_NEAR(method->monitor("upper.heat_flow"), -flow, 1e-12);
      EXPECT_NEAR(method->monitor(side_names[2 * axis + 1] + ".heat_flow"), -flow, 1e-12);
    }
  }
}

/// Error of the slowest mode of two layers between walls at 0, a solid and the fluid, after it has
/// decayed for n^2 steps, over its amplitude then.
double error_of_mode(int n, double conductivity, double capacity, const std::string& propagation,
                     const std::string& walls) {
  const CompositeSlab slab(0.375 * n, n, 0.05, conductivity, capacity);
  const auto problem = problem_of(case_of(
      {1, 1, n}, fluid + R"("heat": {"diffusivity": 0.05}, "propagation": )" + propagation + ", " +
                     geometry(walls, box("layer", {0, 0, 0}, {1, 1, 3 * n / 8},
                                         R"("conductivity_ratio": )" + number(conductivity) +
                                             R"(, "heat_capacity_ratio": )" + number(capacity))) +
                     R"(, "boundaries": {"bottom": {"type": "wall", "temperature": 0},
                         "top": {"type": "wall", "temperature": 0}})"));
  const auto method = problem->create(default_backend());
  GivenFields given;
  for (int z = 0; z < n; ++z) given.temperature.push_back(slab.mode(z + 0.5));
  method->initialise(given);
  const int steps = n * n;
  method->advance(steps);
  const auto found = values_of(*method, "temperature");
  const double decay = std::exp(-slab.rate() * steps);
  double error = 0;
  for (int z = 0; z < n; ++z) {
    error =
        std::max(error, std::fabs(found[static_cast<std::size_t>(z)] / decay - slab.mode(z + 0.5)));
  }
  return error;
}

TEST(ConductionD3Q27, AModeOfTwoLayersDecaysWithSecondOrder) {
  int turn = 0;
  for (const std::string& propagation : propagations) {
    for (const auto& [conductivity, capacity] : {std::pair{4.0, 3.0}, {0.3, 0.4}}) {
      const std::string& walls = wall_treatments[static_cast<std::size_t>(turn++ % 2)];
      const double coarse = error_of_mode(32, conductivity, capacity, propagation, walls);
      const double fine = error_of_mode(64, conductivity, capacity, propagation, walls);
      EXPECT_LT(fine, 5e-3) << propagation << conductivity;
      EXPECT_GT(std::log2(coarse / fine), 1.9) << propagation << conductivity;
    }
  }
}

/// A closed box with a driven flow, buoyancy and solids, of which two conduct.
std::string stirred_box(const std::string& propagation, const std::string& walls) {
  return case_of(
      {11, 9, 10},
      R"("fluid": {"reynolds": 20, "velocity": 0.1}, "propagation": )" + propagation +
          R"(, "heat": {"prandtl": 0.8, "gravity": [1e-4, 2e-4, -1e-3], "expansion": 0.5}, )" +
          geometry(walls, box("floor", {0, 0, 0}, {11, 9, 3},
                              R"("conductivity_ratio": 3, "heat_capacity_ratio": 2)") +
                              ", " +
                              box("post", {4, 3, 2}, {7, 7, 6},
                                  R"("conductivity_ratio": 0.4, "heat_capacity_ratio": 0.6,
                                     "initial_temperature": 2)") +
                              ", " + box("insulator", {7, 2, 2}, {9, 6, 7}, "")) +
          R"(, "boundaries": {"bottom": {"type": "wall"},
               "top": {"type": "wall", "velocity": [1, 0, 0]}, "south": {"type": "wall"},
               "north": {"type": "wall"}, "west": {"type": "wall"}, "east": {"type": "wall"}},
             "initial": {"temperature": 0.5})");
}

TEST(ConductionD3Q27, HeatIsConservedAndSolidsGiveWhatTheFluidGains) {
  // Nodes of the floor less those of the post and the insulator in it, and of the post.
  const double floor = 11 * 9 * 3 - 3 * 4 - 2 * 4;
  const double post = 3 * 4 * 4;
  for (const std::string& propagation : propagations) {
    SCOPED_TRACE(propagation);
    // Implicit walls keep what they return for a step.
    const auto problem = problem_of(stirred_box(propagation, "half-way"));
    const auto method = problem->create(default_backend());
    method->initialise();
    const auto in_fluid = [&] {
      return method->monitor("mean_temperature") * problem->updates_per_step;
    };
    const auto heat = [&] {
      return in_fluid() + 2 * floor * method->monitor("floor.mean_temperature") +
             0.6 * post * method->monitor("post.mean_temperature");
    };
    EXPECT_NEAR(method->monitor("post.mean_temperature"), 2, 1e-13);
    EXPECT_NEAR(method->monitor("floor.mean_temperature"), 0.5, 1e-13);
    method->advance(1);
    const double before = heat();
    method->advance(150);
    EXPECT_NEAR(heat(), before, 1e-12 * before);
    EXPECT_GT(method->monitor("kinetic_energy"), 0);
    for (int step = 0; step < 2; ++step) {
      const double old = in_fluid();
      method->advance(1);
      EXPECT_GT(method->monitor("post.heat_flow"), 1e-4);
      EXPECT_NEAR(method->monitor("post.heat_flow") + method->monitor("floor.heat_flow"),
                  in_fluid() - old, 1e-11);
    }
  }
}

TEST(ConductionD3Q27, AllSchemesGiveTheSame) {
  for (const std::string& walls : wall_treatments) {
    std::vector<std::unique_ptr<Method>> methods;
    for (const std::string& propagation : propagations) {
      methods.push_back(problem_of(stirred_box(propagation, walls))->create(default_backend()));
      methods.back()->initialise();
    }
    for (const int steps : {0, 1, 1, 40}) {
      std::vector<std::vector<double>> found;
      for (const auto& method : methods) {
        method->advance(steps);
        found.push_back(values_of(*method, "temperature"));
        for (const double u : values_of(*method, "velocity")) found.back().push_back(u);
        for (const char* name : {"post.heat_flow", "floor.heat_flow", "post.force_z"}) {
          found.back().push_back(method->monitor(name));
        }
      }
      for (std::size_t i = 1; i < found.size(); ++i) {
        SCOPED_TRACE(propagations[i] + " " + walls);
        for (std::size_t k = 0; k < found[0].size(); ++k) {
          ASSERT_EQ(std::isnan(found[i][k]), std::isnan(found[0][k])) << k;
          if (std::isnan(found[0][k])) continue;
          ASSERT_NEAR(found[i][k], found[0][k], 1e-13) << k;
        }
      }
    }
  }
}

TEST(ConductionD3Q27, SparseLatticesStoreSolidsThatConduct) {
  const auto stored = [](const std::string& conduction) {
    return problem_of(
               case_of({16, 16, 16},
                       fluid + R"("heat": {"diffusivity": 0.05}, "propagation":
                                  {"nodes": "sparse"}, )" +
                           geometry("implicit", box("block", {0, 0, 2}, {16, 16, 12}, conduction))))
        ->sizes.at("stored_nodes");
  };
  EXPECT_EQ(stored(R"("conductivity_ratio": 2)"), 16 * 16 * 16);
  EXPECT_LT(stored(""), 16 * 16 * 8);
}

}  // namespace
}  // namespace knudsen::lbm_d3q27
