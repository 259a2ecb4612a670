#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "case_problem.hpp"
#include "flow_runner.hpp"
#include "lattice/slip_channel.hpp"
#include "lattice/slip_refusals.hpp"
#include "lattice_runner.hpp"
#include "lbm_d2q9/stokes_cylinders.hpp"
#include "methods/lattice/slip.hpp"
#include "output/checkpoint.hpp"
#include "output/temporary_directory.hpp"

// Slip along solids with interpolated walls in three dimensions: straight walls, along which the
// scheme is exact, curved ones, and what they go together with.

namespace knudsen::lbm_d3q27 {
namespace {

using Place = std::array<int, 3>;

/// The walls of a channel: accommodation, and how much farther the walls are than the outermost
/// nodes, in distances of layers of nodes.
struct Walls {
  std::array<double, 2> accommodation{1, 1};
  std::array<double, 2> beyond{0.5, 0.5};
};

/// A channel through a periodic domain between walls with a normal of integer components, with a
/// number of layers of nodes between them: a node is in the layer normal . (x, y, z), modulo the
/// layers of the domain.
class InclinedChannel {
 public:
  InclinedChannel(const Place& normal, int layers, double knudsen, const Walls& walls,
                  const lbm::SlipCoefficients& slip = {})
      : steps_(normal), layers_(layers), walls_(walls) {
    const double length = std::hypot(normal[0], normal[1], normal[2]);
    spacing_ = 1 / length;
    for (std::size_t a = 0; a < 3; ++a) normal_[a] = normal[a] / length;
    width_ = (layers - 1 + walls.beyond[0] + walls.beyond[1]) * spacing_;
    fluid.length = width_;
    const double path = knudsen * width_;
    fluid.relaxation_time = 0.5 + path * std::sqrt(6 / std::numbers::pi);
    fluid.kinematic_viscosity = (fluid.relaxation_time - 0.5) / 3;
    fluid.slip = slip;
    // A direction along the walls that is none of the lattice.
    const Point3D other{0.36, 0.48, 0.8};
    const double part = vector_3d::dot(other, normal_);
    double square = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      along_[a] = other[a] - part * normal_[a];
      square += along_[a] * along_[a];
    }
    for (double& component : along_) component /= std::sqrt(square);
  }

  double place(const Place& at) const { return (layer(at) + walls_.beyond[0]) * spacing_; }

  Domain domain() const {
    Domain domain;
    for (std::size_t a = 0; a < 3; ++a) domain.nodes[a] = steps_[a] == 0 ? 1 : all_layers();
    domain.body = &body_;
    domain.treatment = WallTreatment::interpolated;
    domain.wall_distance = [this](int x, int y, int z, int q, int solid) {
      double towards = 0;
      for (int a = 0; a < 3; ++a) {
        towards += D3Q27::velocity(q, a) * normal_[static_cast<std::size_t>(a)];
      }
      const double from_first = place({x, y, z});
      return solid == 0 ? -from_first / towards : (width_ - from_first) / towards;
    };
    SolidSlip slip;
    slip.accommodation = {walls_.accommodation[0], walls_.accommodation[1]};
    slip.coefficients = *fluid.slip;
    slip.mean_free_path = fluid.mean_free_path();
    slip.relaxation_time = fluid.relaxation_time;
    slip.magic = lbm::magic_with_slip(fluid);
    slip.normal = [this](int, int, int, int, int solid) {
      using vector_3d::operator*;
      return std::optional(normal_ * (solid == 0 ? 1.0 : -1.0));
    };
    slip.frame = [this, normal = slip.normal](int x, int y, int z, int q, int solid) {
      const double from_first = place({x, y, z});
      return WallFrame3D{
          *normal(x, y, z, q, solid), solid == 0 ? from_first : width_ - from_first, {}};
    };
    domain.slip = slip;
    return domain;
  }

  /// Largest error of the steady velocity over the largest velocity. A force along the channel, and
  /// the speed of the second wall along it.
  template <class Velocities>
  double error(Propagation propagation, bool sparse, double force, double speed) {
    Domain domain = this->domain();
    const auto for_nodes = [&](const auto& body) {
      for (int z = 0; z < domain.nodes[2]; ++z) {
        for (int y = 0; y < domain.nodes[1]; ++y) {
          for (int x = 0; x < domain.nodes[0]; ++x) body(Place{x, y, z});
        }
      }
    };
    body_.clear();
    for_nodes([&](const Place& at) {
      // Half of the layers of the solid belongs to each wall.
      const int here = layer(at);
      body_.push_back(here < layers_                ? std::int16_t{-1}
                      : here < layers_ + thickness_ ? std::int16_t{1}
                                                    : std::int16_t{0});
    });
    domain.body_velocities = {{0, 0, 0}, {speed * along_[0], speed * along_[1], speed * along_[2]}};
    domain.populations = Velocities::populations;
    Runner<Lattice<TestSpace, DoublePrecision, Velocities>> runner(
        domain, propagation, sparse,
        lbm::collision_parameters(
            fluid, Trt::name, domain.slip->magic,
            std::array<double, 3>{force * along_[0], force * along_[1], force * along_[2]}),
        Trt::name, {});
    // Slip makes a flow slower to become steady.
    const double slowness = 4 + 50 * fluid.knudsen();
    runner.advance(static_cast<int>(slowness * (20 + width_ * width_ / fluid.kinematic_viscosity)));
    const auto flow = runner.flow();
    SlipChannel exact;
    exact.width = width_;
    exact.viscosity = fluid.kinematic_viscosity;
    exact.mean_free_path = fluid.mean_free_path();
    exact.accommodation = walls_.accommodation;
    exact.slip = *fluid.slip;
    exact.force = force;
    exact.speed = speed;
    double worst = 0;
    double largest = 0;
    std::size_t i = 0;
    for_nodes([&](const Place& at) {
      if (layer(at) < layers_) {
        const double expected = exact.velocity(place(at));
        for (std::size_t a = 0; a < 3; ++a) {
          worst = std::max(worst, std::fabs(flow[1 + a][i] - expected * along_[a]));
        }
        largest = std::max(largest, std::fabs(expected));
      }
      ++i;
    });
    return worst / largest;
  }

  lbm::Fluid fluid;

 private:
  int all_layers() const { return layers_ + 2 * thickness_; }
  int layer(const Place& at) const {
    const int n = all_layers();
    const int sum = steps_[0] * at[0] + steps_[1] * at[1] + steps_[2] * at[2];
    return (sum % n + n) % n;
  }

  static constexpr int thickness_ = 4;  ///< layers of each wall
  Place steps_;
  int layers_;
  Walls walls_;
  double spacing_ = 1;
  double width_ = 1;
  Point3D normal_{};
  Point3D along_{};
  std::vector<std::int16_t> body_;
};

/// About three node spacings.
int layers_of(const Place& normal) {
  return static_cast<int>(3 * std::hypot(normal[0], normal[1], normal[2])) + 1;
}

const std::array<double, 2> places[] = {{0.5, 0.5}, {0.02, 0.7}, {0.95, 0.3}};

TEST(SolidSlip3D, PoiseuilleFlowIsExactForWallsAnywhereOnTheLinks) {
  for (const Place& normal :
       {Place{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {0, 1, -1}, {1, 0, 1}}) {
    for (const double knudsen : {0.005, 0.5}) {
      for (const auto& beyond : places) {
        InclinedChannel channel(normal, layers_of(normal), knudsen, {{1, 0.6}, beyond});
        const auto twist = Propagation::esoteric_twist;
        EXPECT_LT(channel.error<D3Q27>(twist, false, 1e-14, 0), 1e-10)
            << testing::PrintToString(normal) << ", Kn " << knudsen << ' ' << beyond[0];
        EXPECT_LT(channel.error<D3Q19>(twist, false, 1e-14, 0), 1e-10)
            << testing::PrintToString(normal) << ", Kn " << knudsen << ' ' << beyond[0];
      }
    }
  }
}

TEST(SolidSlip3D, CouetteFlowIsExactForWallsAnywhereOnTheLinks) {
  for (const Place& normal : {Place{1, 0, 0}, {0, 0, 1}, {1, 1, 0}, {1, 2, 0}, {1, 1, 1}}) {
    for (const double knudsen : {0.02, 0.5}) {
      InclinedChannel channel(normal, layers_of(normal), knudsen, {{0.3, 1}, {0.02, 0.7}},
                              {1.1, 0});
      EXPECT_LT(channel.error<D3Q27>(Propagation::esoteric_twist, false, 0, 1e-12), 1e-10)
          << testing::PrintToString(normal) << ", Kn " << knudsen;
      EXPECT_LT(channel.error<D3Q19>(Propagation::esoteric_twist, false, 0, 1e-12), 1e-10)
          << testing::PrintToString(normal) << ", Kn " << knudsen;
    }
  }
}

TEST(SolidSlip3D, IsTheSameInAllSchemes) {
  InclinedChannel channel({1, 0, 1}, 5, 0.1, {{0.9, 1}, {0.3, 0.8}}, {1.11, 0.31});
  for (const Propagation scheme :
       {Propagation::esoteric_pull, Propagation::aa_pattern, Propagation::two_array}) {
    EXPECT_LT(channel.error<D3Q27>(scheme, false, 1e-11, 1e-11), 1e-10) << static_cast<int>(scheme);
  }
  EXPECT_LT(channel.error<D3Q27>(Propagation::esoteric_twist, true, 1e-11, 1e-11), 1e-10);
}

/// A channel across an axis made of a half-space and a box, for the Knudsen number 0.1.
std::string channel_case(std::size_t across, const std::string& propagation) {
  std::array<int, 3> nodes{3, 3, 3};
  nodes[across] = 14;
  const auto vector = [&](double others, double value) {
    std::array<double, 3> v{others, others, others};
    v[across] = value;
    return "[" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) +
           "]";
  };
  std::array<double, 3> force{0, 0, 0};
  force[(across + 1) % 3] = 1e-9;
  const auto text = [](const auto& v) {
    std::string all;
    for (const auto& each : v) {
      std::ostringstream number;
      number << each;
      all += (all.empty() ? "[" : ", ") + number.str();
    }
    return all + "]";
  };
  return R"({"precision": "double", "domain": {"nodes": )" + text(nodes) +
         R"(}, "fluid": {"knudsen": 0.1, "length": 10.1}, "propagation": )" + propagation +
         R"(, "collision": {"operator": "trt", "body_force": )" + text(force) +
         R"(}, "geometry": {"walls": "interpolated", "solids": [
      {"shape": "half-space", "name": "low", "point": )" +
         vector(0, 1.7) + R"(, "normal": )" + vector(0, 1) +
         R"(, "accommodation": 1}, {"shape": "box", "name": "high", "from": )" + vector(-5, 11.8) +
         R"(, "to": )" + vector(9, 15) + R"(, "accommodation": 0.7}]}})";
}

// The force on both walls is that on the fluid.
TEST(SolidSlip3D, CaseHasTheExactFlowAndTheForceOnItsWalls) {
  for (const std::size_t across : {0U, 1U, 2U}) {
    const std::size_t along = (across + 1) % 3;
    const auto problem = problem_of(
        channel_case(across, across == 0 ? R"({"nodes": "sparse"})" : R"({"lattice": "D3Q19"})"));
    const auto method = problem->create(Backend::host);
    method->initialise();
    const double mass = method->monitor("mass");
    method->advance(6000);
    EXPECT_NEAR(method->monitor("mass") / mass, 1, 1e-13);
    const std::vector<double> u = values_of(*method, "velocity", along);
    const double viscosity = 0.1 * 10.1 * std::sqrt(2 / std::numbers::pi) / std::sqrt(3.0);
    SlipChannel flow;
    flow.width = 10.1;
    flow.viscosity = viscosity;
    flow.mean_free_path = 1.01;
    flow.accommodation = {1, 0.7};
    flow.force = 1e-9;
    std::size_t step = 1;
    for (std::size_t a = 0; a < across; ++a) step *= 3;
    for (std::size_t i = 2; i < 12; ++i) {
      const double expected = flow.velocity(static_cast<double>(i) + 0.5 - 1.7);
      EXPECT_NEAR(u[step * i] / expected, 1, 1e-6) << i;
    }
    const double slope_low = (flow.velocity(1) - flow.velocity(-1)) / 2;
    const std::string name = std::string(".force_") + "xyz"[along];
    const double low = method->monitor("low" + name);
    const double high = method->monitor("high" + name);
    EXPECT_NEAR(low + high, 9 * 10 * 1e-9, 3e-14);
    // The cells of the nodes begin 0.3 spacings above the wall, so so much of the force is missing.
    EXPECT_NEAR(low, 9 * (viscosity * slope_low - 0.3e-9), 3e-14);
  }
}

// A slice of the flow between cylinders has the errors that lbm_d2q9 has (table of
// src/methods/lattice/README.md).
TEST(SolidSlip3D, FlowBetweenCylindersIsThatOfTwoDimensions) {
  lbm_d2q9::StokesBetweenCylinders exact;
  const int n = 24;
  exact.outer = 0.5 * n - 1.3;
  exact.inner = 0.4 * exact.outer;
  exact.speed = 1e-5;
  const double gap = exact.outer - exact.inner;
  const double path = 0.05 * gap;
  exact.slip_length = lbm::first_coefficient({}, 1) * path;
  exact.solve();
  const std::array<double, 2> centre{n / 2.0 + 0.13, n / 2.0 + 0.29};
  const auto number = [](double value) { return std::to_string(value); };
  const auto tube = [&](double radius) {
    const std::string place = number(centre[0]) + ", " + number(centre[1]) + "]";
    return R"({"shape": "cylinder", "from": [0, )" + place + R"(, "to": [2, )" + place +
           R"(, "infinite": true, "accommodation": 1, "radius": )" + number(radius);
  };
  const auto problem = problem_of(
      R"({"precision": "double", "domain": {"nodes": [2, 24, 24]}, "fluid": {"knudsen": 0.05, "length": )" +
      number(gap) + R"(, "velocity": 1e-5, "slip": {"second_order": 0}},
    "collision": {"operator": "trt"}, "geometry": {"walls": "interpolated", "solids": [)" +
      tube(exact.inner) + R"(, "name": "shaft", "velocity": [0, 1, 0]}, )" + tube(exact.outer) +
      R"(, "name": "hull", "inverted": true}]}})");
  const auto method = problem->create(Backend::host);
  method->initialise();
  method->advance(1200);
  const std::vector<double> u = values_of(*method, "velocity", 1);
  const std::vector<double> v = values_of(*method, "velocity", 2);
  double error = 0;
  double all = 0;
  for (int z = 0; z < n; ++z) {
    for (int y = 0; y < n; ++y) {
      const auto node = static_cast<std::size_t>(2 * (z * n + y));
      if (std::isnan(u[node])) continue;
      const auto expected = exact.velocity(y + 0.5 - centre[0], z + 0.5 - centre[1]);
      error += std::pow(u[node] - expected[0], 2) + std::pow(v[node] - expected[1], 2);
      all += std::pow(expected[0], 2) + std::pow(expected[1], 2);
    }
  }
  EXPECT_NEAR(std::sqrt(error / all), 0.0352, 3e-4);
  const double viscosity = path * std::sqrt(2 / std::numbers::pi / 3);
  EXPECT_NEAR(method->monitor("shaft.force_y") / (2 * viscosity * exact.force()) - 1, 0.0736, 5e-4);
}

/// Relative error of the drag of a sphere with slip in a cubic array. Alone in Stokes flow it has
/// the drag 6 pi mu R U (1 + 2 s) / (1 + 3 s), s: slip length over radius (Basset 1888); what a
/// dilute array adds follows from Hasimoto (1959) and the law of Faxen for such a sphere (Keh and
/// Chen 1996).
double drag_error(int n, double slip_length, double accommodation) {
  Parameters p = domain(n, n, n, 1);
  p.collision_operator = Trt::name;
  p.walls = WallTreatment::interpolated;
  const double radius = 0.2 * n + 0.01;
  p.slip = lbm::SlipCoefficients{1.1466, 0};
  const double path =
      slip_length * radius * accommodation / lbm::first_coefficient(*p.slip, accommodation);
  p.relaxation_time = 0.5 + path * std::sqrt(6 / std::numbers::pi);
  p.kinematic_viscosity = (p.relaxation_time - 0.5) / 3;
  p.length = radius;
  p.body_force[0] = 1e-9;
  p.accommodation = {accommodation};
  const double middle = 0.5 * n + 0.13;
  add_body(p, "ball", ellipsoid({middle, middle - 0.3, middle}, {radius, radius, radius}));
  const auto method = started(p);
  const double volume = std::pow(n, 3);
  const double found = volume / (6 * std::numbers::pi * radius *
                                 limit_of(*method, "permeability", n * n / 10, 3e-5));
  const double share = 4 * std::numbers::pi / 3 * std::pow(radius, 3) / volume;
  const double expected = 1 / ((1 + 3 * slip_length) / (1 + 2 * slip_length) -
                               1.7601 * std::cbrt(share) + share / (1 + 2 * slip_length));
  return found / expected - 1;
}

// The table of src/methods/lattice/README.md.
TEST(SolidSlip3D, DragOfASphere) {
  struct Entry {
    int nodes;
    double slip_length, accommodation, error;
  };
  for (const Entry& entry : {Entry{20, 0.05, 1, 0.0120},
                             {20, 0.2, 1, 0.0482},
                             {20, 0.5, 0.5, 0.0738},
                             {40, 0.5, 0.5, 0.0357}}) {
    EXPECT_NEAR(drag_error(entry.nodes, entry.slip_length, entry.accommodation), entry.error, 1e-3)
        << entry.nodes << ", slip length " << entry.slip_length;
  }
}

TEST(SolidSlip3D, FluidStreamsForEverAlongSolidsWithoutFriction) {
  const auto problem = problem_of(
      R"({"precision": "double", "domain": {"nodes": [3, 12, 3]}, "fluid": {"knudsen": 0.1, "velocity": 0.01},
      "collision": {"operator": "trt"}, "initial": {"type": "uniform", "velocity": [1, 0, 0.5]},
      "geometry": {"walls": "interpolated", "solids": [{"shape": "box", "inverted": true,
        "from": [-9, 2.1, -9], "to": [12, 9.7, 12], "accommodation": 0}]}})");
  const auto method = problem->create(Backend::host);
  method->initialise();
  method->advance(1000);
  const std::vector<double> u = values_of(*method, "velocity");
  const std::vector<double> w = values_of(*method, "velocity", 2);
  for (std::size_t y = 2; y < 9; ++y) {
    EXPECT_NEAR(u[3 * y], 0.01, 1e-8) << y;
    EXPECT_NEAR(w[3 * y], 0.005, 1e-8) << y;
  }
}

/// A duct with a round and an inclined solid with slip of their own, and a moving box without.
std::string duct(const std::string& propagation, const std::string& precision,
                 const std::string& more = "") {
  return R"({"precision": ")" + precision +
         R"(", "domain": {"nodes": [26, 18, 20]}, "fluid": {"knudsen": 0.04, "length": 16, "velocity": 0.02,
      "slip": {"second_order": 0}}, "collision": {"operator": "trt", "body_force": [1e-5, 2e-6, 4e-6]},
    "propagation": {)" +
         propagation + R"(}, "geometry": {"walls": "interpolated", "solids": [
      {"shape": "sphere", "name": "ball", "centre": [7.2, 9.7, 9.1], "radius": 5.3, "accommodation": 1},
      {"shape": "box", "name": "wedge", "from": [16, 5, 6], "to": [22, 12, 13],
       "angles_degrees": [20, 10, 30], "accommodation": 0.4, "velocity": [0.1, 0.2, -0.1]},
      {"shape": "box", "name": "brick", "from": [12.2, 14.1, 2], "to": [18, 16, 8], "velocity": [0.5, 0, 0]}]},
    "boundaries": {"north": {"type": "wall", "accommodation": 0.8}, "south": {"type": "wall"}})" +
         more + "}";
}

/// Velocities and loads after some steps.
std::vector<double> flow_of(const std::string& text, int steps) {
  const auto problem = problem_of(text);
  const auto method = problem->create(Backend::host);
  method->initialise();
  method->advance(steps);
  std::vector<double> found;
  for (const char* body : {"ball", "wedge", "brick"}) {
    for (const char* load : {".force_x", ".force_y", ".force_z", ".torque_y"}) {
      found.push_back(method->monitor(std::string(body) + load));
    }
  }
  for (std::size_t a = 0; a < 3; ++a) {
    for (const double u : values_of(*method, "velocity", a)) {
      if (!std::isnan(u)) found.push_back(u);
    }
  }
  return found;
}

TEST(SolidSlip3D, AllSchemesAndStoragesAgree) {
  const std::string twist = R"("scheme": "esoteric-twist")";
  for (const std::string lattice : {"D3Q27", "D3Q19"}) {
    const std::string set = R"("lattice": ")" + lattice + R"(", )";
    const std::vector<double> expected = flow_of(duct(set + twist, "double"), 101);
    for (const std::string scheme : {R"("scheme": "two-array")", R"("scheme": "aa-pattern")",
                                     R"("scheme": "esoteric-pull")", R"("nodes": "sparse")"}) {
      EXPECT_LT(largest_difference(flow_of(duct(set + scheme, "double"), 101), expected), 1e-13)
          << lattice << scheme;
    }
    EXPECT_LT(largest_difference(flow_of(duct(set + twist, "single"), 101), expected), 2e-5);
    for (const std::string& scheme : {twist, std::string(R"("nodes": "sparse")")}) {
      EXPECT_LT(largest_difference(flow_of(duct(set + scheme, "half-storage"), 101), expected),
                2e-2)
          << lattice << scheme;
    }
  }
}

// With a passive temperature the flow is that without.
TEST(SolidSlip3D, TemperatureLeavesTheFlowAlone) {
  EXPECT_LT(largest_difference(flow_of(duct("", "double"), 50),
                               flow_of(duct("", "double", R"(, "heat": {"prandtl": 0.7})"), 50)),
            1e-14);
}

TEST(SolidSlip3D, ACheckpointGoesOnBitForBit) {
  const TemporaryDirectory directory;
  const auto problem = problem_of(duct(R"("nodes": "sparse")", "single"));
  const auto whole = problem->create(Backend::host);
  whole->initialise();
  whole->advance(21);
  const auto file = directory / "state.h5";
  CheckpointWriter writer(file, "lbm_d3q27", "digest", 21);
  whole->save(writer);
  writer.commit();
  const auto restarted = problem->create(Backend::host);
  restarted->initialise();
  restarted->load(CheckpointReader(file));
  for (const int steps : {0, 9}) {
    whole->advance(steps);
    restarted->advance(steps);
    for (const char* name : {"ball.force_x", "wedge.force_z", "mass"}) {
      EXPECT_EQ(whole->monitor(name), restarted->monitor(name)) << name;
    }
  }
}

// In a corner between walls nothing slips, nor beside a side of the domain.
TEST(SolidSlip3D, CornersDoNotSlip) {
  Parameters p = domain(12, 12, 12, 1);
  p.collision_operator = Trt::name;
  p.walls = WallTreatment::interpolated;
  p.sides[top].kind = p.sides[bottom].kind = SideKind::wall;
  p.accommodation = {1.0};
  add_body(p, "box", inverted(cuboid({2.2, 2.2, -5}, {9.8, 9.8, 20})));
  const NodeMap map = make_node_map(p.domain(), false, false, 4);
  const auto slips = [&](int x, int y, int z) {
    const auto node = std::lower_bound(
        map.special.begin(), map.special.end(), map.index(x, y, z),
        [](const BoundaryNode& entry, std::uint64_t number) { return entry.node < number; });
    return node != map.special.end() && node->node == map.index(x, y, z) &&
           node->kind == BoundaryKind::solid_slip;
  };
  EXPECT_FALSE(slips(2, 2, 5));
  EXPECT_FALSE(slips(9, 9, 5));
  EXPECT_FALSE(slips(3, 2, 0));
  EXPECT_TRUE(slips(3, 2, 5));
  EXPECT_TRUE(slips(9, 5, 10));
  EXPECT_FALSE(slips(5, 5, 5));
  EXPECT_LE(map.slip_classes.size(), 40U);
}

// Bad input.

const SlipCases cases{
    "[20, 20, 4]",
    R"({"shape": "half-space", "name": "floor", "point": [0, 2.3, 0], "normal": [0, 1, 0], "accommodation": 1})",
    R"({"shape": "cylinder", "from": [10, 10, 0], "to": [10, 10, 4], "radius": 5, "infinite": true, "accommodation": )"};

TEST(SolidSlip3D, WhatDoesNotGoWithItIsRefused) {
  expect_slip_refusals(problem_of, cases, {"implicit", "half-way"}, "that is curved or oblique");
  const auto refuses = [](const std::string& text, const std::string& message) {
    EXPECT_THAT([&] { problem_of(text); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr(message)));
  };
  refuses(cases.with(cases.floor, "interpolated", R"({"operator": "trt", "smagorinsky": 0.1})"),
          "without an eddy viscosity");
  refuses(cases.with(R"({"shape": "half-space", "point": [0, 4, 0], "normal": [0, 1, 0.1],
      "accommodation": 1})"),
          "that is curved or oblique");
  EXPECT_NO_THROW(problem_of(cases.with(R"({"shape": "half-space", "point": [0, 4, 0],
      "normal": [0, 1, -1], "accommodation": 1})")));
}

TEST(SolidSlip3D, GapsOneNodeWideGiveAWarning) {
  const auto problem = problem_of(cases.with(
      cases.floor +
      R"(, {"shape": "box", "name": "lid", "from": [-2, 3.3, -2], "to": [22, 9, 9], "accommodation": 1})"));
  EXPECT_THAT(problem->warnings,
              testing::Contains(testing::HasSubstr("80 nodes beside solids with slip")));
}

}  // namespace
}  // namespace knudsen::lbm_d3q27
