#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "lattice/slip_channel.hpp"
#include "lbm_d2q9/case_problem.hpp"
#include "lbm_d2q9/flow_runner.hpp"

// Walls with slip: parallel flows, which the scheme has exactly, and what they go together with.

namespace knudsen::lbm_d2q9 {
namespace {

using testing::HasSubstr;

/// A channel of n nodes across x or y, with these accommodation coefficients, whose relaxation
/// times follow from the Knudsen number.
Parameters channel(int n, int across, double knudsen, std::array<double, 2> accommodation,
                   const lbm::SlipCoefficients& slip = {}) {
  const double path = knudsen * n;
  const double relaxation_time = 0.5 + path * std::sqrt(6 / std::numbers::pi);
  Parameters p = domain(across == 0 ? n : 1, across == 0 ? 1 : n, relaxation_time);
  p.length = n;
  p.slip = slip;
  p.collision_operator = Trt::name;
  p.magic = lbm::magic_with_slip(p);
  for (std::size_t i = 0; i < 2; ++i) {
    SideCondition& side = p.sides[2 * static_cast<std::size_t>(across) + i];
    side = wall();
    side.mirrored = lbm::mirrored_share(slip, accommodation[i]);
  }
  return p;
}

void set_force(Parameters& p, std::size_t axis, double force) {
  p.body_force[axis] = force;
  p.forcing = Forcing::guo;
}

SlipChannel exact(const Parameters& p, int n, std::array<double, 2> accommodation) {
  SlipChannel flow;
  flow.width = n;
  flow.viscosity = p.kinematic_viscosity;
  flow.mean_free_path = p.mean_free_path();
  flow.accommodation = accommodation;
  flow.slip = *p.slip;
  return flow;
}

/// Profile of the velocity along a channel at steady state.
std::vector<double> steady_profile(const Parameters& p, int n, std::size_t along,
                                   double slowness = 10) {
  const auto method = started(p);
  method->advance(static_cast<std::int64_t>(slowness * (20 + n * n / p.kinematic_viscosity)));
  return values_of(*method, "velocity", along);
}

/// Largest difference from the exact flow, over its largest velocity.
double error_of(const std::vector<double>& profile, const SlipChannel& flow) {
  double worst = 0;
  double largest = 0;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const double expected = flow.velocity(static_cast<double>(i) + 0.5);
    worst = std::max(worst, std::fabs(profile[i] - expected));
    largest = std::max(largest, std::fabs(expected));
  }
  return worst / largest;
}

TEST(Slip, PoiseuilleFlowIsExactAcrossEitherAxis) {
  const std::array<double, 2> walls{1, 0.7};
  for (const double knudsen : {0.01, 0.05, 0.2}) {
    for (const int n : {4, 5, 8}) {
      for (const std::size_t across : {0U, 1U}) {
        Parameters p = channel(n, static_cast<int>(across), knudsen, walls);
        set_force(p, 1 - across, 1e-10);
        SlipChannel flow = exact(p, n, walls);
        flow.force = 1e-10;
        EXPECT_LT(error_of(steady_profile(p, n, 1 - across), flow), 1e-11)
            << "Kn " << knudsen << ", " << n << " nodes across axis " << across;
      }
    }
  }
}

TEST(Slip, PoiseuilleFlowHasTheGivenCoefficients) {
  for (const lbm::SlipCoefficients slip :
       {lbm::SlipCoefficients{1.11, 0.31}, {1, 0}, {0.5, 1.5}, {2, 0.25}}) {
    Parameters p = channel(6, 1, 0.1, {1, 1}, slip);
    set_force(p, 0, 1e-10);
    SlipChannel flow = exact(p, 6, {1, 1});
    flow.force = 1e-10;
    EXPECT_LT(error_of(steady_profile(p, 6, 0), flow), 1e-11) << slip.first_order;
    p.forcing = Forcing::velocity_shift;
    EXPECT_LT(error_of(steady_profile(p, 6, 0), flow), 1e-11) << "velocity shift";
  }
}

TEST(Slip, CouetteFlowIsExact) {
  for (const double knudsen : {0.01, 0.1, 0.5}) {
    for (const std::array<double, 2> walls : {std::array<double, 2>{1, 1}, {0.3, 1}}) {
      Parameters p = channel(4, 1, knudsen, walls);
      p.sides[north].velocity = {1e-7, 0};
      SlipChannel flow = exact(p, 4, walls);
      flow.speed = 1e-7;
      EXPECT_LT(error_of(steady_profile(p, 4, 0, 40), flow), 1e-10) << knudsen << ' ' << walls[0];
    }
  }
}

TEST(Slip, FluidStreamsForEverAlongWallsWithoutFriction) {
  Parameters p = channel(5, 1, 0.1, {0, 0});
  p.initial = InitialState::uniform;
  p.initial_velocity = {0.05, 0};
  const auto method = started(p);
  method->advance(1000);
  for (const double u : values_of(*method, "velocity")) EXPECT_NEAR(u, 0.05, 1e-14);
}

/// Flow rate of a channel of n nodes over its width x height x pressure gradient / p, times the
/// rarefaction: G of the kinetic literature, delta / 6 without slip.
double flow_rate(int n, double rarefaction) {
  Parameters p = channel(n, 0, std::sqrt(std::numbers::pi) / (2 * rarefaction), {1, 1});
  const double force = 1e-10;
  set_force(p, 1, force);
  double mean = 0;
  for (const double u : steady_profile(p, n, 1, 4)) mean += u / n;
  return 2 * rarefaction * mean * p.kinematic_viscosity / (force * n * n);
}

TEST(Slip, FlowRateConvergesWithSecondOrder) {
  const double rarefaction = 10;
  Parameters p = channel(1, 1, std::sqrt(std::numbers::pi) / (2 * rarefaction), {1, 1});
  SlipChannel flow = exact(p, 1, {1, 1});
  flow.force = flow.viscosity;
  const double expected = 2 * rarefaction * flow.mean();
  const double coarse = std::fabs(flow_rate(5, rarefaction) - expected);
  const double fine = std::fabs(flow_rate(10, rarefaction) - expected);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 1e-4);
}

// The table of src/methods/lattice/README.md. BGK: Loyalka (1979). Shakhov's model: Sharipov
// (1999).
TEST(Slip, FlowRateIsThatOfTheKineticTables) {
  struct Entry {
    double rarefaction, flow_rate, tables;
  };
  for (const Entry& entry : {Entry{40, 7.710, 7.695},
                             {30.003, 6.0505, 6.040},
                             {20, 4.398, 4.393},
                             {14.999, 3.580, 3.577},
                             {10, 2.778, 2.772},
                             {10, 2.778, 2.7686},
                             {9.009, 2.623, 2.6092},
                             {8, 2.468, 2.456}}) {
    const double found = flow_rate(32, entry.rarefaction);
    EXPECT_NEAR(found, entry.flow_rate, 5e-4) << entry.rarefaction;
    EXPECT_NEAR(found / entry.tables, 1, 0.01) << entry.rarefaction;
  }
  // Beyond a Knudsen number of 0.1 it is more and more too high.
  EXPECT_NEAR(flow_rate(32, 5) / 1.9908, 1.024, 0.002);
  EXPECT_NEAR(flow_rate(32, 2) / 1.5948, 1.140, 0.003);
}

// Viscous slip of Shakhov's model between two walls that reflect half of the molecules diffusely,
// and a fifth: stress of Couette flow by `shakhov` at delta = 20, 80 cells, 32 half-range
// velocities.
TEST(Slip, FirstCoefficientIsThatOfMaxwellsCondition) {
  for (const auto& [accommodation, viscous] :
       {std::pair{1.0, 1.0185}, {0.5, 2.8667}, {0.2, 8.2333}}) {
    const double share = lbm::mirrored_share({}, accommodation);
    const double first = share / (1 - share) / std::sqrt(std::numbers::pi / 6);
    EXPECT_NEAR(first * std::sqrt(std::numbers::pi) / 2 / viscous, 1, 0.006) << accommodation;
  }
}

// Square cavity of 32 x 32 nodes at delta = 10. Kinetic theory has D = 0.412 to 0.415 and G = 0.145
// (Varoutis et al.), without slip D is 1.37.
TEST(Slip, LidOfACavityHasTheDragOfAGas) {
  constexpr std::size_t n = 32;
  const double lid = 0.01 * std::sqrt(2.0 / 3);
  const std::string wall = R"({"type": "wall", "accommodation": 1)";
  const auto problem = problem_of(
      R"({"precision": "double", "domain": {"nodes": [32, 32]}, "fluid": {"knudsen": )" +
      std::to_string(std::sqrt(std::numbers::pi) / 20) + R"(, "velocity": )" + std::to_string(lid) +
      R"(}, "collision": {"operator": "trt"}, "boundaries": {"west": )" + wall + R"(}, "east": )" +
      wall + R"(}, "south": )" + wall + R"(}, "north": )" + wall + R"(, "velocity": [1, 0]}}})");
  const auto method = problem->create(Backend::host);
  method->initialise();
  method->advance(1000);
  const auto stress = values_of(*method, "stress_xy");
  const auto u = values_of(*method, "velocity");
  double drag = 0;
  double flow = 0;
  for (std::size_t i = 0; i < n; ++i) {
    // At the wall, from the two rows of nodes beside it.
    drag += (1.5 * stress[(n - 1) * n + i] - 0.5 * stress[(n - 2) * n + i]) / n;
    flow += std::fabs(u[i * n + n / 2 - 1] + u[i * n + n / 2]) / 2 / n;
  }
  EXPECT_NEAR(drag * 3 * std::sqrt(2.0 / 3) / lid, 0.417, 0.001);
  EXPECT_NEAR(flow / lid, 0.120, 0.001);
}

/// A cavity with walls of different slip and a moving one.
std::string cavity(const std::string& scheme, const std::string& precision) {
  return R"({"precision": ")" + precision +
         R"(", "domain": {"nodes": [9, 8]}, "fluid": {"knudsen": 0.08, "velocity": 0.02},
    "collision": {"operator": "trt", "body_force": [1e-5, 2e-5]},
    "propagation": {"scheme": ")" +
         scheme + R"("},
    "boundaries": {"north": {"type": "wall", "velocity": [1, 0], "accommodation": 1},
      "south": {"type": "wall"}, "west": {"type": "wall", "accommodation": 0.2},
      "east": {"type": "wall", "accommodation": 0.6}}})";
}

TEST(Slip, WallsKeepTheMassAndAllSchemesAgree) {
  for (const std::string precision : {"single", "double"}) {
    const double rounding = precision == "single" ? 1e-6 : 1e-14;
    std::vector<double> expected;
    for (const std::string scheme : {"in-place", "two-array", "shared-memory"}) {
      const auto problem = problem_of(cavity(scheme, precision));
      const auto method = problem->create(Backend::host);
      method->initialise();
      const double mass = method->monitor("mass");
      method->advance(301);
      EXPECT_NEAR(method->monitor("mass") / mass, 1, rounding);
      const std::vector<double> found = values_of(*method, "velocity");
      if (expected.empty()) expected = found;
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i], expected[i], rounding) << scheme << ' ' << precision;
      }
    }
  }
}

// Bad input.

std::string with(const std::string& fluid, const std::string& more, const std::string& wall) {
  return R"({"domain": {"nodes": [4, 4]}, "fluid": )" + fluid + ", " + more +
         R"("boundaries": {"north": {"type": "wall")" + wall + R"(}, "south": {"type": "wall"}}})";
}
const std::string trt = R"("collision": {"operator": "trt"}, )";
const std::string gas = R"({"knudsen": 0.1})";
const std::string slipping = R"(, "accommodation": 1)";

TEST(Slip, WhatDoesNotGoWithItIsRefused) {
  EXPECT_NO_THROW(problem_of(with(gas, trt, slipping)));
  expect_refusal(with(gas, "", slipping), R"(needs the operator "trt")");
  expect_refusal(with(gas, trt, R"(, "accommodation": 1.5)"), "boundaries.north.accommodation");
  expect_refusal(with(gas, R"("collision": {"operator": "trt", "magic": 0.25}, )", slipping),
                 R"(collision.magic: follows from "fluid.slip.second_order" in a case with slip)");
  expect_refusal(with(gas, trt + R"("geometry": {"walls": "full-way"}, )", slipping),
                 R"(is not for "full-way" walls)");
  expect_refusal(with(R"({"knudsen": 0.1, "slip": {}})", trt, ""),
                 R"(fluid.slip: needs a wall with "accommodation")");
  expect_refusal(R"({"domain": {"nodes": [4, 4]}, "fluid": {"knudsen": 0.1, "slip": {}}})",
                 R"(fluid.slip: needs a wall with "accommodation")");
  expect_refusal(with(R"({"knudsen": 0.1, "slip": {"first_order": 0}})", trt, slipping),
                 "fluid.slip.first_order");
  expect_refusal(with(R"({"knudsen": 0.1, "slip": {"second_order": -1}})", trt, slipping),
                 "fluid.slip.second_order");
  expect_refusal(with(R"({"knudsen": 0.1, "relaxation_time": 1})", trt, ""),
                 R"("relaxation_time" already sets the viscosity)");
  expect_refusal(with(R"({"knudsen": 0.1, "reynolds": 1, "velocity": 0.1})", trt, ""),
                 "fluid.reynolds");
  expect_refusal(with(R"({"knudsen": 0})", trt, ""), "fluid.knudsen");
  expect_refusal(with(R"({"knudsen": 1e9})", trt, ""), "gives the relaxation time");
}

}  // namespace
}  // namespace knudsen::lbm_d2q9
