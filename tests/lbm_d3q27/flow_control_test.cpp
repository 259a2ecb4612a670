#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "flow_runner.hpp"
#include "lattice/highest_speed.hpp"
#include "lbm_d3q27/case_problem.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

/// Force over viscosity x mean velocity in a square duct of width n (White, Viscous Fluid Flow, eq.
/// 3-49).
double duct_resistance(int n) {
  double sum = 0;
  for (int i = 1; i < 60; i += 2) sum += std::tanh(i * std::numbers::pi / 2) / std::pow(i, 5);
  return 12 / (1 - 192 / std::pow(std::numbers::pi, 5) * sum) / (n * n);
}

/// The same of a duct along y in which the flow is held.
double held_resistance(int n, const std::string& propagation, const std::string& precision) {
  const std::string width = std::to_string(n);
  const auto method =
      problem_of(R"({"precision": ")" + precision + R"(", "domain": {"nodes": [)" + width +
                 ", 3, " + width +
                 R"(]}, "fluid": {"relaxation_time": 0.9}, "collision": {"flow_control":
    {"axis": "y", "mean_velocity": 0.01}}, "propagation": {)" +
                 propagation + R"(}, "boundaries": {"west": {"type": "wall"},
    "east": {"type": "wall"}, "bottom": {"type": "wall"}, "top": {"type": "wall"}}})")
          ->create(Backend::host);
  method->initialise();
  method->advance(2500);
  EXPECT_NEAR(method->monitor("mean_velocity_y") / 0.01, 1, precision == "double" ? 1e-9 : 1e-3);
  return method->monitor("driving_force") / (0.4 / 3 * 0.01);
}

TEST(FlowControl, finds_the_force_of_a_square_duct) {
  const double coarse = held_resistance(8, "", "double") / duct_resistance(8) - 1;
  const double fine = held_resistance(16, "", "double") / duct_resistance(16) - 1;
  EXPECT_NEAR(fine, 0, 0.005);
  EXPECT_GT(std::fabs(coarse / fine), 3.5);  // second order
}

TEST(FlowControl, is_the_same_in_every_scheme) {
  const double expected = held_resistance(8, "", "double");
  for (const char* scheme : {R"("scheme": "esoteric-pull")", R"("scheme": "aa-pattern")",
                             R"("scheme": "two-array")", R"("nodes": "sparse")"}) {
    EXPECT_NEAR(held_resistance(8, scheme, "double") / expected, 1, 1e-9) << scheme;
  }
  for (const char* nodes : {R"("nodes": "dense")", R"("nodes": "sparse")"}) {
    EXPECT_NEAR(held_resistance(8, nodes, "single") / expected, 1, 1e-3) << nodes;
    EXPECT_NEAR(held_resistance(8, nodes, "half-storage") / expected, 1, 0.02) << nodes;
  }
}

/// Permeability of a cubic array of spheres that takes 0.45 of the volume.
double permeability(const std::string& collision) {
  const auto method = problem_of(R"({"precision": "double", "domain": {"nodes": [14, 14, 14]},
    "fluid": {"relaxation_time": 1}, "propagation": {"nodes": "sparse"}, "collision": {)" +
                                 collision + R"(}, "geometry": {"solids": [{"shape": "sphere",
    "centre": [7, 7, 7], "radius": 6.5}]}})")
                          ->create(Backend::host);
  method->initialise();
  method->advance(1500);
  return method->monitor("permeability");
}

TEST(FlowControl, gives_the_permeability_of_a_given_force) {
  const double given = permeability(R"("body_force": [0, 0, 1e-8])");
  const double held = permeability(R"("flow_control": {"axis": "z", "mean_velocity": -1e-6})");
  EXPECT_NEAR(held / given, 1, 1e-5);
}

TEST(HighestSpeed, IsWarnedOfAtTheEnd) {
  lbm::test::expect_warning_of_the_highest_speed(problem_of, "[4, 12, 4]", ", 0, 0");
}

}  // namespace
}  // namespace knudsen::lbm_d3q27
