#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "lattice/slip_channel.hpp"
#include "lattice/slip_refusals.hpp"
#include "lbm_d2q9/case_problem.hpp"
#include "lbm_d2q9/flow_runner.hpp"
#include "lbm_d2q9/stokes_cylinders.hpp"
#include "methods/lbm_d2q9/diagnostics.hpp"
#include "methods/lbm_d2q9/make_lattice.hpp"
#include "output/checkpoint.hpp"
#include "output/temporary_directory.hpp"

// Slip along solids with interpolated walls: straight walls, along which the scheme is exact,
// curved ones, and what they go together with.

namespace knudsen::lbm_d2q9 {
namespace {

using testing::HasSubstr;

/// The walls of a channel: accommodation, and how much farther the walls are than the outermost
/// nodes, in distances of layers of nodes.
struct Walls {
  std::array<double, 2> accommodation{1, 1};
  std::array<double, 2> beyond{0.5, 0.5};
};

/// A channel through a periodic domain whose walls are normal to (a, -b), with a number of layers
/// of nodes between them: a node is in the layer a x - b y, modulo the layers of the domain.
class InclinedChannel {
 public:
  InclinedChannel(int a, int b, int layers, double knudsen, const Walls& walls,
                  const lbm::SlipCoefficients& slip = {})
      : a_(a), b_(b), layers_(layers), walls_(walls) {
    const double length = std::hypot(a, b);
    spacing_ = 1 / length;
    normal_ = {a / length, -b / length};
    width_ = (layers - 1 + walls.beyond[0] + walls.beyond[1]) * spacing_;
    fluid.length = width_;
    const double path = knudsen * width_;
    fluid.relaxation_time = 0.5 + path * std::sqrt(6 / std::numbers::pi);
    fluid.kinematic_viscosity = (fluid.relaxation_time - 0.5) / 3;
    fluid.slip = slip;
  }

  /// Node spacings from the first wall.
  double place(int x, int y) const {
    return (layer(a_ * x - b_ * y) + walls_.beyond[0]) * spacing_;
  }
  double width() const { return width_; }
  std::array<double, 2> along() const { return {-normal_[1], normal_[0]}; }

  SlipChannel exact() const {
    SlipChannel flow;
    flow.width = width_;
    flow.viscosity = fluid.kinematic_viscosity;
    flow.mean_free_path = fluid.mean_free_path();
    flow.accommodation = walls_.accommodation;
    flow.slip = *fluid.slip;
    return flow;
  }

  /// Largest error of the steady velocity over the largest velocity. A force along the channel, and
  /// the speed of the second wall along it.
  double error(Propagation propagation, double force, double speed) const {
    const int n = nodes();
    std::vector<std::int16_t> body;
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const int at = layer(a_ * x - b_ * y);
        // Half of the layers of the solid belongs to each wall.
        body.push_back(at < layers_                ? std::int16_t{-1}
                       : at < layers_ + thickness_ ? std::int16_t{1}
                                                   : std::int16_t{0});
      }
    }
    const double magic = lbm::magic_with_slip(fluid);
    const WallDistance distance = [&](int x, int y, int q, int solid) {
      return distance_along(x, y, q, solid);
    };
    SolidSlip slip;
    slip.accommodation = {walls_.accommodation[0], walls_.accommodation[1]};
    slip.coefficients = *fluid.slip;
    slip.mean_free_path = fluid.mean_free_path();
    slip.relaxation_time = fluid.relaxation_time;
    slip.magic = magic;
    slip.surface = [&](int, int, int, int solid) {
      const double sign = solid == 0 ? 1 : -1;
      return std::optional(SurfaceElement{{sign * normal_[0], sign * normal_[1]}, 0});
    };
    slip.frame = [&](int x, int y, int, int solid) {
      const double from_first = place(x, y);
      return WallFrame{*slip.surface(x, y, 0, solid),
                       solid == 0 ? from_first : width_ - from_first};
    };
    const std::array<double, 2> way = along();
    const NodeMap map = make_node_map(n, n, body, {{0, 0}, {speed * way[0], speed * way[1]}}, {},
                                      WallTreatment::interpolated, distance, nullptr, {}, &slip);
    StepContext<HostExecutionSpace, double> context;
    context.parameters = rounded<double>(lbm::collision_parameters(
        fluid, Trt::name, magic, std::array<double, 2>{force * way[0], force * way[1]}));
    context.collision_operator = Trt::name;
    context.forcing = force != 0 ? Forcing::guo : Forcing::none;
    context.tuning = default_tuning<HostExecutionSpace>(propagation, sizeof(double));
    auto lattice = make_lattice<HostExecutionSpace, double>(map, propagation, context.tuning);
    // Slip makes a flow slower to become steady.
    const double slowness = 4 + 50 * fluid.knudsen();
    const auto steps =
        static_cast<int>(slowness * (20 + width_ * width_ / fluid.kinematic_viscosity)) / 2 * 2;
    for (int step = 0; step < steps; ++step) {
      if (propagation == Propagation::in_place) step_in_place(context, lattice, step % 2);
      if (propagation == Propagation::two_array) step_two_array(context, lattice, step % 2);
      if (propagation == Propagation::shared_memory) {
        collide_propagate(context, lattice, step % 2);
        exchange(context, lattice);
      }
    }
    const StepPhase phase{propagation == Propagation::in_place    ? Arrangement::in_place_even
                          : propagation == Propagation::two_array ? Arrangement::gather
                                                                  : Arrangement::scatter,
                          0};
    const auto u = node_values(context, lattice, phase, NodeQuantity::velocity_x);
    const auto v = node_values(context, lattice, phase, NodeQuantity::velocity_y);
    SlipChannel flow = exact();
    flow.force = force;
    flow.speed = speed;
    double worst = 0;
    double largest = 0;
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        if (layer(a_ * x - b_ * y) >= layers_) continue;
        const double expected = flow.velocity(place(x, y));
        const std::size_t node = map.extents.node(x, y);
        worst = std::max({worst, std::fabs(u(node) - expected * way[0]),
                          std::fabs(v(node) - expected * way[1])});
        largest = std::max(largest, std::fabs(expected));
      }
    }
    return worst / largest;
  }

  lbm::Fluid fluid;

 private:
  int nodes() const { return layers_ + 2 * thickness_; }
  int layer(int at) const {
    const int n = nodes();
    return (at % n + n) % n;
  }
  /// Of the link from a fluid node along c_q into the solid.
  double distance_along(int x, int y, int q, int solid) const {
    const double towards =
        (D2Q9::cx(q) * normal_[0] + D2Q9::cy(q) * normal_[1]) * (solid == 0 ? -1 : 1);
    const double from_first = place(x, y);
    return (solid == 0 ? from_first : width_ - from_first) / towards;
  }

  static constexpr int thickness_ = 6;  ///< layers of each wall
  int a_, b_, layers_;
  Walls walls_;
  double spacing_ = 1;
  double width_ = 1;
  std::array<double, 2> normal_{};
};

/// About five node spacings.
int layers_of(int a, int b) { return static_cast<int>(5 * std::hypot(a, b)) + 1; }

TEST(SolidSlip, PoiseuilleFlowIsExactForWallsAnywhereOnTheLinks) {
  for (const auto& [a, b] : {std::pair{0, -1}, {1, 0}, {1, -1}}) {
    for (const double knudsen : {0.005, 0.05, 0.5}) {
      for (const std::array<double, 2> beyond :
           {std::array<double, 2>{0.5, 0.5}, {0.02, 0.7}, {0.95, 0.3}}) {
        const InclinedChannel channel(a, b, layers_of(a, b), knudsen, {{1, 0.6}, beyond});
        EXPECT_LT(channel.error(Propagation::in_place, 1e-14, 0), 1e-10)
            << a << ' ' << b << ", Kn " << knudsen << ", walls " << beyond[0] << ' ' << beyond[1];
      }
    }
  }
}

TEST(SolidSlip, CouetteFlowIsExactForWallsAnywhereOnTheLinks) {
  for (const auto& [a, b] : {std::pair{0, -1}, {1, 1}, {1, 2}}) {
    for (const double knudsen : {0.005, 0.05, 0.5}) {
      for (const std::array<double, 2> beyond : {std::array<double, 2>{0.02, 0.7}, {0.95, 0.3}}) {
        const InclinedChannel channel(a, b, layers_of(a, b), knudsen, {{0.3, 1}, beyond}, {1.1, 0});
        EXPECT_LT(channel.error(Propagation::in_place, 0, 1e-12), 1e-10)
            << a << ' ' << b << ", Kn " << knudsen << ", walls " << beyond[0] << ' ' << beyond[1];
      }
    }
  }
}

// Along oblique walls the shear rate at the wall is that of the node: first order.
TEST(SolidSlip, PoiseuilleFlowConvergesAlongObliqueWalls) {
  for (const auto& [nodes, expected] : {std::pair{1, 0.0856}, {2, 0.0429}, {4, 0.0220}}) {
    const InclinedChannel channel(1, 2, nodes * layers_of(1, 2), 0.05, {{1, 0.6}, {0.3, 0.8}},
                                  {1.1, 0});
    EXPECT_NEAR(channel.error(Propagation::in_place, 1e-14, 0) / expected, 1, 0.01) << nodes;
  }
}

TEST(SolidSlip, IsThatOfTheGivenCoefficientsInEveryScheme) {
  for (const lbm::SlipCoefficients slip : {lbm::SlipCoefficients{1.11, 0.31}, {1, 0}, {0.5, 1.5}}) {
    for (const Propagation scheme :
         {Propagation::in_place, Propagation::two_array, Propagation::shared_memory}) {
      const InclinedChannel channel(1, 1, 7, 0.1, {{0.9, 1}, {0.3, 0.8}}, slip);
      EXPECT_LT(channel.error(scheme, 1e-11, 0), 1e-11) << slip.first_order;
    }
  }
}

/// A channel along x made of two half-planes, or of sides with slip, for the knudsen number 0.1.
std::string channel_case(const std::string& more, const std::string& low, const std::string& high,
                         const std::string& scheme = "in-place") {
  return R"({"precision": "double", "domain": {"nodes": [4, 14]},
    "fluid": {"knudsen": 0.1, "length": 10.1},
    "propagation": {"scheme": ")" +
         scheme + R"("},
    "collision": {"operator": "trt", "body_force": [1e-9, 0])" +
         more + R"(}, "geometry": {"walls": "interpolated", "solids": [
      {"shape": "half-plane", "name": "low", "point": [0, 1.7], "normal": [0, 1], )" +
         low + R"(}, {"shape": "box", "name": "high", "from": [-3, 11.8], "to": [7, 20], )" + high +
         "}]}}";
}

// The force on both walls is that on the fluid.
TEST(SolidSlip, CaseHasTheExactFlowAndTheForceOnItsWalls) {
  for (const std::string forcing : {"guo", "velocity-shift"}) {
    const auto problem =
        problem_of(channel_case(R"(, "forcing": ")" + forcing + R"(")", R"("accommodation": 1)",
                                R"("accommodation": 0.7)"));
    const auto method = problem->create(Backend::host);
    method->initialise();
    method->advance(6000);
    const std::vector<double> u = values_of(*method, "velocity");
    const double viscosity = 0.1 * 10.1 * std::sqrt(2 / std::numbers::pi) / std::sqrt(3.0);
    SlipChannel flow;
    flow.width = 10.1;
    flow.viscosity = viscosity;
    flow.mean_free_path = 1.01;
    flow.accommodation = {1, 0.7};
    flow.force = 1e-9;
    for (std::size_t y = 2; y < 12; ++y) {
      const double expected = flow.velocity(static_cast<double>(y) + 0.5 - 1.7);
      EXPECT_NEAR(u[4 * y] / expected, 1, 1e-6) << y;
    }
    const double slope_low = (flow.velocity(1) - flow.velocity(-1)) / 2;
    const double low = method->monitor("low.force_x");
    const double high = method->monitor("high.force_x");
    EXPECT_NEAR(low + high, 4 * 10 * 1e-9, 1e-14);
    // The cells of the nodes begin 0.3 spacings above the wall, so so much of the force is missing.
    EXPECT_NEAR(low, 4 * (viscosity * slope_low - 0.3e-9), 1e-14);
  }
}

TEST(SolidSlip, AtHalfTheLinkIsThatOfSides) {
  const std::string fluid =
      R"({"precision": "double", "domain": {"nodes": [NODES]}, "fluid": {"knudsen": 0.05, "length": 12},
      "collision": {"operator": "trt", "body_force": [1e-8, 0]}, )";
  const auto with_nodes = [&](const std::string& nodes) {
    std::string text = fluid;
    return text.replace(text.find("NODES"), 5, nodes);
  };
  const auto sides = problem_of(with_nodes("3, 12") +
                                R"("boundaries": {"north": {"type": "wall", "accommodation": 0.5},
                                "south": {"type": "wall", "accommodation": 0.5}}})");
  const auto solids =
      problem_of(with_nodes("3, 16") + R"("geometry": {"walls": "interpolated", "solids": [
    {"shape": "box", "inverted": true, "from": [-9, 2], "to": [12, 14], "accommodation": 0.5}]}})");
  std::vector<double> velocity[2];
  int i = 0;
  for (const auto* problem : {&sides, &solids}) {
    const auto method = (*problem)->create(Backend::host);
    method->initialise();
    method->advance(8000);
    velocity[i++] = values_of(*method, "velocity");
  }
  for (std::size_t y = 0; y < 12; ++y) {
    EXPECT_NEAR(velocity[1][3 * (y + 2)] / velocity[0][3 * y], 1, 1e-6) << y;
  }
}

/// Relative error of Stokes flow between two cylinders, of which the inner one moves to the right.
double error_between_cylinders(int n, double knudsen, double accommodation, double* force_error) {
  StokesBetweenCylinders exact;
  exact.outer = 0.5 * n - 1.3;
  exact.inner = 0.4 * exact.outer;
  exact.speed = 1e-5;
  const double gap = exact.outer - exact.inner;
  const double path = knudsen * gap;
  const double first =
      lbm::first_coefficient({}, accommodation) / std::max(accommodation, 1e-300) * path;
  exact.slip_length = first;
  exact.solve();
  const std::array<double, 2> centre{n / 2.0 + 0.13, n / 2.0 + 0.29};
  const auto number = [](double value) { return std::to_string(value); };
  const std::string circle = R"({"shape": "circle", "centre": [)" + number(centre[0]) + ", " +
                             number(centre[1]) + R"(], "accommodation": )" + number(accommodation);
  const auto problem = problem_of(
      R"({"precision": "double", "domain": {"nodes": [)" + std::to_string(n) + ", " +
      std::to_string(n) + R"(]}, "fluid": {"knudsen": )" + number(knudsen) + R"(, "length": )" +
      number(gap) + R"(, "velocity": 1e-5, "slip": {"second_order": 0}},
    "collision": {"operator": "trt"}, "geometry": {"walls": "interpolated", "solids": [)" +
      circle + R"(, "name": "shaft", "velocity": [1, 0], "radius": )" + number(exact.inner) +
      "}, " + circle + R"(, "name": "hull", "inverted": true, "radius": )" + number(exact.outer) +
      "}]}}");
  const auto method = problem->create(Backend::host);
  method->initialise();
  method->advance(static_cast<std::int64_t>(30 + 1.5 * gap * gap /
                                                     (path * std::sqrt(2 / std::numbers::pi / 3))));
  const std::vector<double> u = values_of(*method, "velocity", 0);
  const std::vector<double> v = values_of(*method, "velocity", 1);
  double error = 0;
  double all = 0;
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const auto node = static_cast<std::size_t>(y * n + x);
      if (std::isnan(u[node])) continue;
      const auto expected = exact.velocity(x + 0.5 - centre[0], y + 0.5 - centre[1]);
      error += std::pow(u[node] - expected[0], 2) + std::pow(v[node] - expected[1], 2);
      all += std::pow(expected[0], 2) + std::pow(expected[1], 2);
    }
  }
  const double viscosity = path * std::sqrt(2 / std::numbers::pi / 3);
  *force_error = method->monitor("shaft.force_x") / (viscosity * exact.force()) - 1;
  return std::sqrt(error / all);
}

// The table of src/methods/lattice/README.md.
TEST(SolidSlip, FlowBetweenCylindersConverges) {
  struct Entry {
    int nodes;
    double knudsen, accommodation, velocity, force;
  };
  for (const Entry& entry : {Entry{24, 0.05, 1, 0.0352, 0.0736},
                             {48, 0.05, 1, 0.0170, 0.0295},
                             {96, 0.05, 1, 0.0082, 0.0138},
                             {24, 0.2, 0.5, 0.0712, 0.1737},
                             {48, 0.2, 0.5, 0.0287, 0.0756},
                             {96, 0.2, 0.5, 0.0095, 0.0321}}) {
    double force = 0;
    const double velocity =
        error_between_cylinders(entry.nodes, entry.knudsen, entry.accommodation, &force);
    EXPECT_NEAR(velocity, entry.velocity, 3e-4) << entry.nodes << ", Kn " << entry.knudsen;
    EXPECT_NEAR(force, entry.force, 5e-4) << entry.nodes << ", Kn " << entry.knudsen;
  }
}

TEST(SolidSlip, FluidStreamsForEverAlongSolidsWithoutFriction) {
  const auto problem = problem_of(
      R"({"precision": "double", "domain": {"nodes": [3, 12]}, "fluid": {"knudsen": 0.1, "velocity": 0.01},
      "collision": {"operator": "trt"}, "initial": {"type": "uniform", "velocity": [1, 0]},
      "geometry": {"walls": "interpolated", "solids": [{"shape": "box", "inverted": true,
        "from": [-9, 2.1], "to": [12, 9.7], "accommodation": 0}]}})");
  const auto method = problem->create(Backend::host);
  method->initialise();
  method->advance(1000);
  const std::vector<double> u = values_of(*method, "velocity");
  for (std::size_t y = 2; y < 9; ++y) EXPECT_NEAR(u[3 * y], 0.01, 1e-8) << y;
}

/// A duct with a round and an inclined solid with slip of their own, and a moving box without.
std::string duct(const std::string& scheme, const std::string& precision,
                 const std::string& more = "") {
  return R"({"precision": ")" + precision +
         R"(", "domain": {"nodes": [36, 30]}, "fluid": {"knudsen": 0.03, "velocity": 0.02,
      "slip": {"second_order": 0}}, "collision": {"operator": "trt", "body_force": [1e-5, 2e-6]},
    "propagation": {"scheme": ")" +
         scheme + R"("}, "geometry": {"walls": "interpolated", "solids": [
      {"shape": "circle", "name": "rod", "centre": [10.2, 11.7], "radius": 5.3, "accommodation": 1},
      {"shape": "polygon", "name": "wedge", "points": [20, 6.5, 31, 14.2, 24, 13.6],
       "accommodation": 0.4, "velocity": [0.1, 0.2]},
      {"shape": "box", "name": "brick", "from": [12.2, 22.1], "to": [18, 25], "velocity": [0.5, 0]}]},
    "boundaries": {"north": {"type": "wall", "accommodation": 0.8}, "south": {"type": "wall"}})" +
         more + "}";
}

TEST(SolidSlip, AllSchemesAgree) {
  for (const std::string precision : {"single", "double"}) {
    const double rounding = precision == "single" ? 2e-6 : 1e-14;
    std::vector<double> expected;
    for (const std::string scheme : {"in-place", "two-array", "shared-memory"}) {
      const auto problem = problem_of(duct(scheme, precision));
      const auto method = problem->create(Backend::host);
      method->initialise();
      method->advance(301);
      std::vector<double> found = values_of(*method, "velocity");
      for (const char* body : {"rod", "wedge", "brick"}) {
        found.push_back(method->monitor(std::string(body) + ".force_x"));
        found.push_back(method->monitor(std::string(body) + ".force_y"));
      }
      if (expected.empty()) expected = found;
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (std::isnan(expected[i])) continue;
        ASSERT_NEAR(found[i], expected[i], rounding) << scheme << ' ' << precision << ' ' << i;
      }
    }
  }
}

// With a passive temperature the flow has the bits that it has without.
TEST(SolidSlip, TemperatureLeavesTheFlowAlone) {
  std::vector<double> velocity[2];
  int i = 0;
  for (const std::string heat : {"", R"(, "heat": {"prandtl": 0.7})"}) {
    const auto problem = problem_of(duct("in-place", "double", heat));
    const auto method = problem->create(Backend::host);
    method->initialise();
    method->advance(50);
    velocity[i++] = values_of(*method, "velocity");
  }
  for (std::size_t node = 0; node < velocity[0].size(); ++node) {
    if (!std::isnan(velocity[0][node])) {
      ASSERT_NEAR(velocity[0][node], velocity[1][node], 1e-15);
    }
  }
}

TEST(SolidSlip, ACheckpointGoesOnBitForBit) {
  const TemporaryDirectory directory;
  const auto problem = problem_of(duct("in-place", "single"));
  const auto whole = problem->create(Backend::host);
  whole->initialise();
  whole->advance(21);
  const auto file = directory / "state.h5";
  CheckpointWriter writer(file, "lbm_d2q9", "digest", 21);
  whole->save(writer);
  writer.commit();
  const auto restarted = problem->create(Backend::host);
  restarted->initialise();
  restarted->load(CheckpointReader(file));
  for (const int steps : {0, 9}) {
    whole->advance(steps);
    restarted->advance(steps);
    for (const char* name : {"rod.force_x", "wedge.force_y", "mass"}) {
      EXPECT_EQ(whole->monitor(name), restarted->monitor(name)) << name;
    }
  }
}

// In a corner between walls nothing slips, nor beside a wall side: the classes have no slip there.
TEST(SolidSlip, CornersDoNotSlip) {
  const auto problem = problem_of(
      R"({"domain": {"nodes": [12, 12]}, "fluid": {"knudsen": 0.1}, "collision": {"operator": "trt"},
      "geometry": {"walls": "interpolated", "solids": [{"shape": "box", "inverted": true,
        "from": [2.2, 2.2], "to": [9.8, 9.8], "accommodation": 1}]}})");
  EXPECT_NO_THROW(problem->create(Backend::host));
  Solids2D solids;
  Parameters p = domain(12, 12, 1);
  p.collision_operator = Trt::name;
  p.walls = WallTreatment::interpolated;
  p.solids.nx = p.solids.ny = 12;
  p.solids.bodies.push_back({"box", {0, 0}, inverted(box({2.2, 2.2}, {9.8, 9.8}))});
  p.accommodation = {1.0};
  for (int y = 0; y < 12; ++y) {
    for (int x = 0; x < 12; ++x) {
      const bool inside = x >= 2 && x <= 9 && y >= 2 && y <= 9;
      p.solids.body.push_back(inside ? std::int16_t{-1} : std::int16_t{0});
    }
  }
  const NodeMap map = p.node_map();
  const auto slips = [&](int x, int y) {
    return map.classes[map.node_class[map.extents.node(x, y)]].solid_slip != 0;
  };
  EXPECT_FALSE(slips(2, 2));
  EXPECT_FALSE(slips(9, 9));
  EXPECT_TRUE(slips(3, 2));
  EXPECT_TRUE(slips(9, 5));
  EXPECT_FALSE(slips(5, 5));
  EXPECT_LE(map.slip_classes.size(), 8U);
}

// Bad input.

const SlipCases cases{
    "[20, 20]",
    R"({"shape": "half-plane", "name": "floor", "point": [0, 2.3], "normal": [0, 1], "accommodation": 1})",
    R"({"shape": "circle", "name": "rod", "centre": [10, 10], "radius": 4, "accommodation": )"};

TEST(SolidSlip, WhatDoesNotGoWithItIsRefused) {
  expect_slip_refusals(problem_of, cases, {"half-way", "full-way"},
                       R"("rod" has an "accommodation", and walls that are curved)");
  expect_refusal(
      cases.with(R"({"shape": "polygon", "points": [5, 5, 15, 6, 10, 15], "accommodation": 1})"),
      "have slip of the first order alone");
  EXPECT_NO_THROW(problem_of(
      cases.with(R"({"shape": "polygon", "points": [5, 5, 15, 5, 10, 10], "accommodation": 1})")));
  expect_refusal(
      cases.with(R"({"shape": "box", "from": [0, 2.2], "to": [20, 6.1], "accommodation": 1})"),
      "extend the shape beyond the side");
  expect_refusal(
      cases.with(R"({"shape": "box", "from": [0, 8.2], "to": [3, 12], "accommodation": 1})"),
      "has a link through a periodic side to a solid with slip");
  expect_refusal(
      cases.with(
          cases.floor +
          R"(, {"shape": "box", "name": "lid", "from": [-2, 3.3], "to": [22, 9], "accommodation": 1})"),
      "is in a gap one node wide between walls");
}

}  // namespace
}  // namespace knudsen::lbm_d2q9
