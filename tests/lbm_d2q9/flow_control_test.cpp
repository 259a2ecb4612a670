#include "methods/lattice/flow_control.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "flow_runner.hpp"
#include "lattice/highest_speed.hpp"
#include "lbm_d2q9/case_problem.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

// The rule, on flows whose mean velocity is a sum of modes that decay.

struct Mode {
  double weight;  ///< of the force
  double rate;    ///< 1 / step
};

/// How far the velocity is from 1 in each interval, from rest, over `response_times`.
std::vector<double> errors_of(const std::vector<Mode>& modes, lbm::FlowControl control,
                              double response_times) {
  control.velocity = 1;
  const auto interval = static_cast<double>(control.interval);
  std::vector<double> velocities(modes.size(), 0);
  lbm::DrivingForce driving;
  std::vector<double> errors;
  for (double time = 0; time < response_times * control.response_time; time += interval) {
    double velocity = 0;
    for (const double each : velocities) velocity += each;
    driving = adjusted(driving, velocity, control);
    errors.push_back(std::fabs(velocity - 1));
    for (std::size_t i = 0; i < modes.size(); ++i) {
      const double decay = std::exp(-modes[i].rate * interval);
      const double steady = modes[i].weight * driving.force / modes[i].rate;
      velocities[i] = steady + (velocities[i] - steady) * decay;
    }
  }
  return errors;
}

lbm::FlowControl control_of(std::int64_t interval, double response_time) {
  return {0, 1, interval, response_time};
}

TEST(FlowControl, ReachesTheVelocityOfAnyDragAsFast) {
  for (const double rate : {1e-8, 1e-4, 3e-3, 0.1, 1.0}) {
    for (const auto& control : {control_of(1, 50), control_of(10, 100), control_of(1000, 1000)}) {
      const std::vector<double> errors = errors_of({{1, rate}}, control, 40);
      EXPECT_LT(errors.back(), 1e-9) << rate << ' ' << control.interval;
      // No oscillation: the flow is too fast by a few percent at most.
      for (std::size_t i = 1; i < errors.size(); ++i) {
        EXPECT_LT(errors[i], 1) << rate << ' ' << control.interval;
      }
    }
  }
}

TEST(FlowControl, IsStableForFlowsOfManyModes) {
  // Slow and fast modes, the slow ones with most of the drag, or with hardly any.
  for (const double share : {0.01, 0.5, 0.99}) {
    const std::vector<Mode> modes{{share, 1e-5}, {0.7 * (1 - share), 1e-2}, {0.3 * (1 - share), 1}};
    EXPECT_LT(errors_of(modes, control_of(10, 100), 1e4).back(), 1e-6) << share;
    EXPECT_LT(errors_of(modes, control_of(200, 200), 1e4).back(), 1e-6) << share;
  }
}

TEST(FlowControl, KeepsItsForceWhereTheFlowIsNotFinite) {
  const lbm::DrivingForce last{1e-5, 0.02};
  EXPECT_EQ(adjusted(last, NAN, control_of(10, 100)).force, last.force);
}

// Flows.

/// A channel of h nodes across y with a mean velocity along x.
std::string channel(int nx, int h, double velocity, const std::string& tau,
                    const std::string& collision, const std::string& precision = "double") {
  return R"({"precision": ")" + precision + R"(", "domain": {"nodes": [)" + std::to_string(nx) +
         ", " + std::to_string(h) + R"(]}, "fluid": {"relaxation_time": )" + tau +
         R"(}, "collision": {"operator": "trt", )" + collision +
         R"("flow_control": {"axis": "x", "mean_velocity": )" + std::to_string(velocity) +
         R"(}}, "boundaries": {"north": {"type": "wall"}, "south": {"type": "wall"}}})";
}

/// Of the mean of s (h - s) over nodes at s = 1/2, 3/2...: 1 + 1 / (2 h^2) times h^2 / 6.
double channel_force(int h, double velocity, double viscosity) {
  return 12 * viscosity * velocity / (h * h + 0.5);
}

TEST(FlowControl, FindsTheForceOfPoiseuilleFlow) {
  for (const char* tau : {"0.506", "0.8", "2.5"}) {
    for (const char* forcing : {"guo", "velocity-shift"}) {
      for (const int nx : {1, 6}) {
        const auto problem = problem_of(
            channel(nx, 8, 0.02, tau, R"("forcing": ")" + std::string(forcing) + R"(", )"));
        const auto method = problem->create(Backend::host);
        method->initialise();
        method->advance(10000);
        const double viscosity = (std::stod(tau) - 0.5) / 3;
        EXPECT_NEAR(method->monitor("mean_velocity_x") / 0.02, 1, 1e-10) << tau << forcing;
        EXPECT_NEAR(method->monitor("driving_force") / channel_force(8, 0.02, viscosity), 1, 1e-9)
            << tau << ' ' << forcing << ' ' << nx;
      }
    }
  }
}

TEST(FlowControl, HoldsTheFlowInSinglePrecision) {
  const auto method = problem_of(channel(8, 12, -0.03, "0.6", "", "single"))->create(Backend::host);
  method->initialise();
  method->advance(5000);
  EXPECT_NEAR(method->monitor("mean_velocity_x") / -0.03, 1, 1e-5);
  EXPECT_NEAR(method->monitor("driving_force") / channel_force(12, -0.03, 0.1 / 3), 1, 1e-3);
}

TEST(FlowControl, SettlesSoThatRunsEndAtTheSteadyState) {
  const auto method = problem_of(channel(4, 12, 0.02, "0.8", ""))->create(Backend::host);
  method->initialise();
  for (int step = 0; step < 20000; step += 10) {
    method->advance(9);
    method->remember();
    method->advance(1);
    if (method->monitor("velocity_change") < 1e-10) break;
  }
  EXPECT_LT(method->monitor("velocity_change"), 1e-10);
  EXPECT_NEAR(method->monitor("mean_velocity_x") / 0.02, 1, 1e-6);
}

/// A square array of cylinders that takes 0.4 of the area.
double permeability(const std::string& collision, const std::string& tau, int nodes) {
  const std::string n = std::to_string(nodes);
  const auto problem = problem_of(
      R"({"precision": "double", "domain": {"nodes": [)" + n + ", " + n +
      R"(]}, "fluid": {"relaxation_time": )" + tau + R"(}, "collision": {"operator": "trt", )" +
      collision + R"(}, "geometry": {"solids": [{"shape": "circle", "centre": [)" +
      std::to_string(nodes / 2) + ", " + std::to_string(nodes / 2) + R"(], "radius": )" +
      std::to_string(nodes * std::sqrt(0.4 / M_PI)) + "}]}}");
  const auto method = problem->create(Backend::host);
  method->initialise();
  method->advance(6000);
  return method->monitor("permeability");
}

TEST(FlowControl, GivesThePermeabilityOfAGivenForce) {
  // Creeping flow: the time in which the drag stops it is 1e3 to 3 steps.
  for (const char* tau : {"0.53", "1", "20"}) {
    const double given = permeability(R"("body_force": [1e-9, 0])", tau, 16);
    const double held =
        permeability(R"("flow_control": {"axis": "x", "mean_velocity": 1e-6})", tau, 16);
    EXPECT_NEAR(held / given, 1, 2e-5) << tau;
  }
}

TEST(HighestSpeed, IsWarnedOfAtTheEnd) {
  lbm::test::expect_warning_of_the_highest_speed(problem_of, "[4, 12]", ", 0");
}

}  // namespace
}  // namespace knudsen::lbm_d2q9
