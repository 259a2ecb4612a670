#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/sides.hpp"
#include "core/text.hpp"
#include "device/backend.hpp"
#include "lattice/collision_operators.hpp"
#include "lattice/d3q27.hpp"
#include "lbm_d3q27/case_problem.hpp"
#include "lbm_d3q27/heated_cube.hpp"
#include "support/steady_state.hpp"

// The temperature that a flow carries in three dimensions: diffusion, walls, buoyancy. What reads
// its keys is tested with lbm_d2q9.

namespace knudsen::lbm_d3q27 {
namespace {

using testing::HasSubstr;
constexpr double pi = std::numbers::pi;

/// All propagations of a case.
const std::vector<std::string> propagations{
    R"({"scheme": "esoteric-twist"})", R"({"nodes": "sparse"})", R"({"scheme": "esoteric-pull"})",
    R"({"scheme": "aa-pattern"})", R"({"scheme": "two-array"})"};

std::string number(double value) { return std::to_string(value); }

/// A case in double precision with these blocks.
std::string case_of(const std::array<int, 3>& nodes, const std::string& more) {
  return R"({"precision": "double", "domain": {"nodes": [)" + std::to_string(nodes[0]) + ", " +
         std::to_string(nodes[1]) + ", " + std::to_string(nodes[2]) + "]}, " + more + "}";
}
const std::string fluid = R"("fluid": {"kinematic_viscosity": 0.05}, )";

/// Calls body(index, x, y, z) for the nodes of a domain, at whose centres the coordinates are.
template <class Body>
void for_nodes_of(const Problem& problem, const Body& body) {
  std::size_t index = 0;
  for (int z = 0; z < problem.grid.cells[2]; ++z) {
    for (int y = 0; y < problem.grid.cells[1]; ++y) {
      for (int x = 0; x < problem.grid.cells[0]; ++x) body(index++, x + 0.5, y + 0.5, z + 0.5);
    }
  }
}

/// The method of a case, begun with a temperature that depends on the place of a node.
std::unique_ptr<Method> begun(const Problem& problem,
                              const std::function<double(double, double, double)>& temperature) {
  auto method = problem.create(default_backend());
  GivenFields given;
  for_nodes_of(problem, [&](std::size_t, double x, double y, double z) {
    given.temperature.push_back(temperature(x, y, z));
  });
  method->initialise(given);
  return method;
}

// Without walls.

/// Error of a wave along x and z of the temperature in a uniform stream, over its amplitude, in a
/// box of n x 2 x n nodes after n^2 steps.
double error_of_wave(int n, double velocity_times_nodes, const std::string& propagation) {
  const double diffusivity = 0.02;
  const double u = velocity_times_nodes / n;
  const auto problem = problem_of(
      case_of({n, 2, n}, fluid + R"("heat": {"diffusivity": 0.02}, "propagation": )" + propagation +
                             R"(, "initial": {"type": "uniform", "velocity": [)" + number(u) +
                             ", " + number(u) + ", " + number(-u / 2) + "]}"));
  const double k = 2 * pi / n;
  const auto wave = [&](double time, double x, double, double z) {
    return std::exp(-2 * k * k * diffusivity * time) * std::sin(k * (x - z - 1.5 * u * time));
  };
  const auto method =
      begun(*problem, [&](double x, double y, double z) { return wave(0, x, y, z); });
  const int steps = n * n;
  method->advance(steps);
  const auto found = values_of(*method, "temperature");
  double largest = 0;
  double difference = 0;
  for_nodes_of(*problem, [&](std::size_t i, double x, double y, double z) {
    const double exact = wave(steps, x, y, z);
    largest = std::max(largest, std::fabs(exact));
    difference = std::max(difference, std::fabs(found[i] - exact));
  });
  return difference / largest;
}

TEST(HeatD3Q27, AWaveDiffusesWithSecondOrder) {
  for (const std::string& propagation : propagations) {
    const double coarse = error_of_wave(16, 0, propagation);
    const double fine = error_of_wave(32, 0, propagation);
    EXPECT_LT(fine, 0.01) << propagation;
    EXPECT_GT(std::log2(coarse / fine), 1.9) << propagation;
  }
}

TEST(HeatD3Q27, AWaveInAStreamFollowsItWithSecondOrder) {
  const double coarse = error_of_wave(16, 0.4, propagations[0]);
  const double fine = error_of_wave(32, 0.4, propagations[0]);
  EXPECT_LT(fine, 0.05);
  EXPECT_GT(std::log2(coarse / fine), 1.9);
}

// Walls.

TEST(HeatD3Q27, ConductionBetweenPlatesIsExact) {
  int turn = 0;
  for (const std::string& propagation : propagations) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string diffusivity = std::array{"0.01", "0.125", "0.5"}[turn % 3];
      const std::string walls = turn++ % 2 == 0 ? "implicit" : "half-way";
      std::array<int, 3> nodes{1, 2, 3};
      nodes[axis] = 9;
      const std::string& low = side_names[2 * axis];
      const std::string& high = side_names[2 * axis + 1];
      const auto problem = problem_of(
          case_of(nodes, fluid + R"("heat": {"temperature_difference": 2, "diffusivity": )" +
                             diffusivity + R"(}, "geometry": {"walls": ")" + walls +
                             R"("}, "propagation": )" + propagation + R"(, "boundaries": {")" +
                             low + R"(": {"type": "wall", "temperature": 3}, ")" + high +
                             R"(": {"type": "wall", "temperature": 1}})"));
      SCOPED_TRACE(propagation + ", " + low + ", " + walls);
      const auto exact = [&](double x, double y, double z) {
        return 3 - 2 * std::array{x, y, z}[axis] / 9;
      };
      const auto method = begun(*problem, exact);
      method->advance(4000);
      const auto t = values_of(*method, "temperature");
      for_nodes_of(*problem, [&](std::size_t i, double x, double y, double z) {
        EXPECT_NEAR(t[i], exact(x, y, z), 2e-13);
      });
      const double area = nodes[(axis + 1) % 3] * nodes[(axis + 2) % 3];
      const double scale = problem->scales.at("length") / 9;
      EXPECT_NEAR(method->monitor(low + ".nusselt_number"), scale, 1e-10);
      EXPECT_NEAR(method->monitor(high + ".nusselt_number"), -scale, 1e-10);
      EXPECT_NEAR(method->monitor(low + ".heat_flow"), area * std::stod(diffusivity) * 2 / 9,
                  1e-12);
      EXPECT_NEAR(method->monitor("mean_temperature"), 2, 1e-12);
    }
  }
}

TEST(HeatD3Q27, ConductionSettlesFromAnyState) {
  for (const std::string& propagation : propagations) {
    const auto problem =
        problem_of(case_of({2, 3, 8}, fluid + R"("heat": {"diffusivity": 0.1}, "propagation": )" +
                                          propagation + R"(, "boundaries": {
          "bottom": {"type": "wall", "heat_flux": 0.02},
          "top": {"type": "wall", "temperature": 1}}, "initial": {"temperature": 0.3})"));
    const auto method = problem->create(default_backend());
    method->initialise();
    EXPECT_NEAR(method->monitor("mean_temperature"), 0.3, 1e-15) << propagation;
    method->advance(8000);
    // Flux 0.02 = - 0.1 dT/dz.
    const auto t = values_of(*method, "temperature");
    for_nodes_of(*problem, [&](std::size_t i, double, double, double z) {
      EXPECT_NEAR(t[i], 1 + 0.2 * (8 - z), 1e-11) << propagation;
    });
    EXPECT_NEAR(method->monitor("bottom.heat_flow"), 6 * 0.02, 1e-14);
    EXPECT_NEAR(method->monitor("top.heat_flow"), -6 * 0.02, 1e-12);
  }
}

TEST(HeatD3Q27, ConvectiveExchangeIsAResistanceInSeries) {
  // From 2 through 1 / 0.02 and 8 / 0.1 to 1: a flux of 1 / 130. At 1/4 a population leaves no
  // trace at the wall.
  for (const auto& each : {std::pair{0.02, 1.0 / 130}, {1.0 / 4, 1.0 / 84}}) {
    const double coefficient = each.first;
    const double flux = each.second;
    const auto problem = problem_of(case_of(
        {8, 2, 1},
        fluid + R"("heat": {"diffusivity": 0.1, "reference_temperature": 0.5}, "boundaries": {
          "west": {"type": "wall", "temperature": 2, "heat_transfer_coefficient": )" +
            number(coefficient) + R"(}, "east": {"type": "wall", "temperature": 1}})"));
    const auto method = problem->create(default_backend());
    method->initialise();
    method->advance(12000);
    EXPECT_NEAR(method->monitor("west.heat_flow"), 2 * flux, 1e-12);
    EXPECT_NEAR(method->monitor("east.heat_flow"), -method->monitor("west.heat_flow"), 1e-13);
    const auto t = values_of(*method, "temperature");
    for_nodes_of(*problem, [&](std::size_t i, double x, double, double) {
      EXPECT_NEAR(t[i], 1 + 10 * flux * (8 - x), 1e-11);
    });
  }
}

/// Sides of a closed box whose lid moves.
std::string closed_box(const std::string& north) {
  return R"("boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"},
            "south": {"type": "wall"}, "bottom": {"type": "wall"}, "top": {"type": "wall"},
            "north": {"type": "wall", "velocity": [1, 0, 0])" +
         north + "}}";
}

TEST(HeatD3Q27, AdiabaticWallsKeepTheHeat) {
  for (const std::string& propagation : propagations) {
    const auto problem =
        problem_of(case_of({9, 8, 7},
                           R"("fluid": {"reynolds": 20, "velocity": 0.1}, "heat": {"prandtl": 2},
         "propagation": )" + propagation +
                               R"(, "geometry": {"walls": "half-way", "solids": [{"name": "post",
           "shape": "sphere", "centre": [5, 4, 3], "radius": 2}]}, )" +
                               closed_box("")));
    const auto method = begun(*problem, [](double x, double y, double z) {
      return 1 + std::sin(x) * std::cos(2 * y + z);
    });
    const double before = method->monitor("mean_temperature");
    method->advance(301);
    EXPECT_NEAR(method->monitor("mean_temperature"), before, 1e-13) << propagation;
    EXPECT_EQ(method->monitor("north.heat_flow"), 0);
    EXPECT_EQ(method->monitor("post.heat_flow"), 0);
    EXPECT_GT(method->monitor("kinetic_energy"), 0);
  }
}

TEST(HeatD3Q27, TheHeatOfASolidIsWhatTheFluidGains) {
  for (const std::string& propagation : propagations) {
    const auto problem = problem_of(
        case_of({9, 8, 7},
                R"("fluid": {"reynolds": 20, "velocity": 0.1}, "heat": {"diffusivity": 0.03},
         "propagation": )" +
                    propagation + R"(, "geometry": {"walls": "half-way", "solids": [{"name": "post",
           "shape": "box", "from": [3, 3, 2], "to": [6, 6, 5], "temperature": 1}]}, )" +
                    closed_box(R"(, "heat_flux": 0.001)")));
    const auto method = problem->create(default_backend());
    method->initialise();
    method->advance(101);
    const double fluid_nodes = problem->updates_per_step;
    for (int step = 0; step < 3; ++step) {
      const double before = method->monitor("mean_temperature") * fluid_nodes;
      method->advance(1);
      const double gained = method->monitor("mean_temperature") * fluid_nodes - before;
      EXPECT_GT(method->monitor("post.heat_flow"), 0.01);
      EXPECT_NEAR(method->monitor("north.heat_flow"), 9 * 7 * 0.001, 1e-15);
      EXPECT_NEAR(method->monitor("post.heat_flow") + method->monitor("north.heat_flow"), gained,
                  2e-13)
          << propagation;
    }
  }
}

// Open sides.

TEST(HeatD3Q27, AStreamCarriesItsTemperatureThrough) {
  int turn = 0;
  for (const char* east : {R"("outflow")", R"("pressure")"}) {
    for (const std::string& propagation : propagations) {
      if (turn++ % 2 != 0) continue;
      SCOPED_TRACE(east + propagation);
      const auto problem = problem_of(case_of(
          {20, 3, 2}, fluid + R"("heat": {"diffusivity": 0.01}, "propagation": )" + propagation +
                          R"(, "initial": {"type": "uniform", "velocity": [0.05, 0, 0]},
            "boundaries": {"west": {"type": "velocity", "velocity": [0.05, 0, 0], "temperature": 2},
                           "east": {"type": )" +
                          east + "}}"));
      const auto method = problem->create(default_backend());
      method->initialise();
      for (const double t : values_of(*method, "temperature")) EXPECT_NEAR(t, 0, 1e-15);
      method->advance(4000);
      for (const double t : values_of(*method, "temperature")) EXPECT_NEAR(t, 2, 1e-4);
      // What enters by the flow less nothing by diffusion.
      EXPECT_NEAR(method->monitor("west.heat_flow"), 6 * 2 * 0.05, 1e-3);
      EXPECT_NEAR(method->monitor("east.heat_flow"), -6 * 2 * 0.05, 1e-3);
    }
  }
}

TEST(HeatD3Q27, ABoundaryLayerUpstreamOfAnOutletIsExponential) {
  // u dT/dz = D T'' with T(0) = 0 and T(L) = 1: (exp(u z / D) - 1) / (exp(u L / D) - 1).
  const auto problem = problem_of(case_of({1, 1, 40}, fluid + R"("heat": {"diffusivity": 0.1},
          "initial": {"type": "uniform", "velocity": [0, 0, 0.01]},
          "boundaries": {"bottom": {"type": "velocity", "velocity": [0, 0, 0.01]},
                         "top": {"type": "pressure", "temperature": 1}})"));
  const auto method = problem->create(default_backend());
  method->initialise();
  method->advance(40000);
  const auto t = values_of(*method, "temperature");
  for_nodes_of(*problem, [&](std::size_t i, double, double, double z) {
    EXPECT_NEAR(t[i], std::expm1(0.1 * z) / std::expm1(4), 2e-3);
  });
}

// A serial reference.

/// Steps of a closed box with half-way walls and buoyancy, one node after the other. The collision
/// of the flow is the library's, with the force of the node.
class HeatReference {
 public:
  using Flow = std::array<double, 27>;
  using Scalar = std::array<double, 7>;

  HeatReference(const std::array<int, 3>& nodes, double temperature,
                const CollisionParameters<double>& flow, const std::array<double, 2>& rates,
                const std::array<double, 3>& buoyancy, const std::array<double, 6>& walls)
      : nodes_(nodes), parameters_(flow), rates_(rates), buoyancy_(buoyancy), walls_(walls) {
    const std::size_t count = index_of(nodes[0] - 1, nodes[1] - 1, nodes[2] - 1) + 1;
    Scalar h{};
    for (std::size_t q = 0; q < 7; ++q) h[q] = weight(q) * temperature;
    h_.assign(count, h);
    // At rest with half a step of the force yet to come; what walls return was sent by such a node.
    Flow f{};
    const auto local = parameters_of(h);
    for (int q = 0; q < 27; ++q) {
      for (int a = 0; a < 3; ++a) {
        f[static_cast<std::size_t>(q)] -=
            1.5 * D3Q27::weight<double>(q) * D3Q27::velocity(q, a) * local.force[a];
      }
    }
    f_.assign(count, f);
    stream(f_, std::vector<Flow>(f_), [](std::size_t, std::size_t, double back) { return back; });
  }

  double temperature(std::size_t i) const { return sum_of(h_[i]); }
  FlowState3D<double> state(std::size_t i) const {
    return flow_state<D3Q27>(array_of(f_[i]), parameters_of(h_[i]).force);
  }

  void step() {
    std::vector<Flow> f = f_;
    std::vector<Scalar> h = h_;
    for (std::size_t i = 0; i < f.size(); ++i) {
      const FlowState3D<double> flow = state(i);
      const double t = temperature(i);
      double g[27];
      std::copy(f_[i].begin(), f_[i].end(), g);
      NodeCollision<Trt, Forcing::guo>::collide<D3Q27>(g, parameters_of(h_[i]));
      std::copy(g, g + 27, f[i].begin());
      for (std::size_t q = 0; q < 7; ++q) {
        const auto o = static_cast<std::size_t>(D3Q27::opposite(static_cast<int>(q)));
        double along = 0;
        for (int a = 0; a < 3; ++a)
          along += D3Q27::velocity(static_cast<int>(q), a) * flow.velocity[a];
        h[i][q] = h_[i][q] - rates_[0] * (0.5 * (h_[i][q] + h_[i][o]) - weight(q) * t) -
                  rates_[1] * (0.5 * (h_[i][q] - h_[i][o]) - weight(q) * t * 4 * along);
      }
    }
    stream(f_, f, [](std::size_t, std::size_t, double back) { return back; });
    stream(h_, h, [&](std::size_t side, std::size_t q, double back) {
      return std::isnan(walls_[side]) ? back : 2 * weight(q) * walls_[side] - back;
    });
  }

 private:
  std::size_t index_of(int x, int y, int z) const {
    const auto nx = static_cast<std::size_t>(nodes_[0]);
    const auto ny = static_cast<std::size_t>(nodes_[1]);
    return (static_cast<std::size_t>(z) * ny + static_cast<std::size_t>(y)) * nx +
           static_cast<std::size_t>(x);
  }
  static double weight(std::size_t q) { return q == 0 ? 0.25 : 0.125; }
  static double sum_of(const Scalar& h) {
    double sum = 0;
    for (const double each : h) sum += each;
    return sum;
  }
  static const double (&array_of(const Flow& f))[27] {
    return *reinterpret_cast<const double(*)[27]>(f.data());
  }
  CollisionParameters<double> parameters_of(const Scalar& h) const {
    CollisionParameters<double> local = parameters_;
    for (std::size_t a = 0; a < 3; ++a) local.force[a] += buoyancy_[a] * sum_of(h);
    return local;
  }

  /// Moves populations; returned(side, q, sent) is what comes back from a side along an axis.
  template <class Populations, class Returned>
  void stream(std::vector<Populations>& to, const std::vector<Populations>& from,
              const Returned& returned) const {
    std::size_t here = 0;
    for (int z = 0; z < nodes_[2]; ++z) {
      for (int y = 0; y < nodes_[1]; ++y) {
        for (int x = 0; x < nodes_[0]; ++x, ++here) {
          for (std::size_t q = 0; q < to[here].size(); ++q) {
            const int p = static_cast<int>(q);
            int at[3] = {x, y, z};
            std::size_t side = 6;
            for (std::size_t a = 0; a < 3; ++a) {
              at[a] -= D3Q27::velocity(p, static_cast<int>(a));
              if (at[a] < 0) side = 2 * a;
              if (at[a] >= nodes_[a]) side = 2 * a + 1;
            }
            to[here][q] =
                side < 6
                    ? returned(side, q, from[here][static_cast<std::size_t>(D3Q27::opposite(p))])
                    : from[index_of(at[0], at[1], at[2])][q];
          }
        }
      }
    }
  }

  std::array<int, 3> nodes_;
  CollisionParameters<double> parameters_;
  std::array<double, 2> rates_;  ///< symmetric, antisymmetric
  std::array<double, 3> buoyancy_;
  std::array<double, 6> walls_;  ///< temperatures less the reference; NaN: adiabatic
  std::vector<Flow> f_;
  std::vector<Scalar> h_;
};

TEST(HeatD3Q27, EachSchemeFollowsTheSerialReference) {
  const std::array<int, 3> nodes{19, 5, 4};
  for (const std::string& propagation : propagations) {
    const auto problem =
        problem_of(
            case_of(nodes, R"("fluid": {"relaxation_time": 0.8}, "geometry": {"walls": "half-way"},
            "propagation": )" + propagation +
                               R"(, "heat": {"diffusivity": 0.05, "magic": 0.2, "expansion": 0.5,
                  "gravity": [1e-4, -3e-4, -2e-3], "reference_temperature": 1},
              "initial": {"temperature": 1.25}, "boundaries": {
              "west": {"type": "wall", "temperature": 2}, "east": {"type": "wall", "temperature": 0},
              "south": {"type": "wall"}, "north": {"type": "wall", "temperature": 0.5},
              "bottom": {"type": "wall", "temperature": 0.7}, "top": {"type": "wall"}})"));
    CollisionParameters<double> flow{1 / 0.8};
    flow.antisymmetric_rate = 1 / (3.0 / 16 / 0.3 + 0.5);
    HeatReference reference(nodes, 0.25, flow, {1 / (0.2 / 0.2 + 0.5), 1 / 0.7},
                            {-0.5e-4, 1.5e-4, 1e-3}, {1, -1, NAN, -0.5, -0.3, NAN});
    const auto method = problem->create(default_backend());
    method->initialise();
    for (const int steps : {0, 1, 1, 3, 40}) {
      method->advance(steps);
      for (int step = 0; step < steps; ++step) reference.step();
      const auto t = values_of(*method, "temperature");
      for (std::size_t a = 0; a < 3; ++a) {
        const auto u = values_of(*method, "velocity", a);
        for (std::size_t i = 0; i < t.size(); ++i) {
          ASSERT_NEAR(t[i], 1 + reference.temperature(i), 2e-14) << propagation << steps;
          ASSERT_NEAR(u[i], reference.state(i).velocity[a], 1e-15) << propagation << steps;
        }
      }
    }
  }
}

// Populations in 16 bits.

/// A box with every condition of walls, a solid that conducts and one that heats, and buoyancy. All
/// temperatures are `unit` times as large, and the expansion is that much smaller.
std::string stored_case(const std::string& precision, const std::string& nodes, double unit,
                        double reference) {
  const auto t = [&](double value) { return number_text(reference + unit * value); };
  return R"({"precision": ")" + precision + R"(", "domain": {"nodes": [21, 12, 9]},
      "fluid": {"relaxation_time": 0.6}, "propagation": {"nodes": ")" +
         nodes + R"("}, "heat": {"diffusivity": 0.03, "expansion": )" + number_text(0.5 / unit) +
         R"(, "gravity": [0, -3e-4, -1e-4], "reference_temperature": )" + t(0) +
         R"(, "temperature_difference": )" + number_text(unit) + R"(},
      "initial": {"temperature": )" +
         t(0.25) + R"(}, "geometry": {"walls": "half-way", "solids": [
        {"name": "plate", "shape": "box", "from": [5, 0, 0], "to": [9, 4, 9],
         "conduction": {"conductivity_ratio": 3, "heat_capacity_ratio": 1.5,
                        "initial_temperature": )" +
         t(0.5) + R"(}},
        {"name": "post", "shape": "sphere", "centre": [14, 7, 5], "radius": 2, "temperature": )" +
         t(-0.5) + R"(}]}, "boundaries": {
        "south": {"type": "wall", "heat_flux": )" +
         number_text(0.002 * unit) + R"(}, "north": {"type": "wall", "temperature": )" + t(-1) +
         R"(}, "west": {"type": "velocity", "velocity": [0.02, 0, 0], "temperature": )" + t(1) +
         R"(}, "east": {"type": "pressure"},
        "bottom": {"type": "wall", "heat_transfer_coefficient": 0.05, "temperature": )" +
         t(0.75) + R"(}, "top": {"type": "wall"}}})";
}

TEST(HeatD3Q27, HalfStorageFollowsSinglePrecision) {
  for (const auto& [nodes, reference] : {std::pair{"dense", 0}, {"sparse", 300}}) {
    std::unique_ptr<Method> single;
    std::unique_ptr<Method> half;
    for (auto* method : {&single, &half}) {
      const auto problem =
          problem_of(stored_case(method == &half ? "half-storage" : "single", nodes, 1, reference));
      *method = problem->create(default_backend());
      (*method)->initialise();
      (*method)->advance(400);
    }
    const auto expected = values_of(*single, "temperature");
    const auto found = values_of(*half, "temperature");
    double largest = 0;
    double squares = 0;
    double count = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(std::isnan(expected[i]), std::isnan(found[i]));
      if (std::isnan(found[i])) continue;
      const double difference = std::fabs(found[i] - expected[i]);
      largest = std::max(largest, difference);
      squares += difference * difference;
      ++count;
    }
    std::cout << nodes << ": temperatures differ by at most " << largest << ", rms "
              << std::sqrt(squares / count) << '\n';
    EXPECT_LT(largest, 1e-4);
    EXPECT_LT(std::sqrt(squares / count), 3e-5);
    for (const char* monitor : {"mean_temperature", "plate.mean_temperature"}) {
      EXPECT_NEAR(half->monitor(monitor), single->monitor(monitor), 3e-5) << monitor;
    }
    for (const char* surface : {"south", "north", "west", "bottom", "plate", "post"}) {
      const std::string monitor = surface + std::string(".heat_flow");
      EXPECT_NEAR(half->monitor(monitor), single->monitor(monitor),
                  1e-3 * std::fabs(single->monitor(monitor)) + 1e-4)
          << monitor;
    }
  }
}

TEST(HeatD3Q27, HalfStorageHasTheSameDigitsInEveryUnitOfTemperature) {
  // By powers of two, which change no digit.
  std::vector<std::vector<double>> found;
  for (const double unit : {1.0, 1024.0, 1.0 / 1024}) {
    const auto problem = problem_of(stored_case("half-storage", "dense", unit, 0));
    const auto method = problem->create(default_backend());
    method->initialise();
    method->advance(50);
    found.push_back(values_of(*method, "temperature"));
    for (double& value : found.back()) value /= unit;
    found.push_back(values_of(*method, "velocity", 1));
    found.push_back({method->monitor("north.heat_flow") / unit,
                     method->monitor("mean_temperature") / unit,
                     method->monitor("plate.mean_temperature") / unit});
  }
  for (std::size_t i = 3; i < found.size(); ++i) {
    for (std::size_t k = 0; k < found[i].size(); ++k) {
      if (std::isnan(found[i][k])) continue;
      ASSERT_EQ(found[i][k], found[i % 3][k]);
    }
  }
}

TEST(HeatD3Q27, DiffusionInHalfStorageDoesNotComeToRest) {
  // Across 64 nodes, half of them in a solid, a step changes what a node holds by 1e-5 of it.
  for (const char* capacity : {"1", "20"}) {
    double mean[2];
    double in_solid[2];
    for (const int half : {0, 1}) {
      const auto problem =
          problem_of(R"({"precision": ")" + std::string(half != 0 ? "half-storage" : "single") +
                     R"(", "domain": {"nodes": [64, 1, 1]}, "fluid": {"kinematic_viscosity": 0.05},
           "heat": {"diffusivity": 0.1}, "geometry": {"solids": [{"name": "plate",
             "shape": "box", "from": [32, 0, 0], "to": [64, 1, 1], "conduction": {
               "conductivity_ratio": 2, "heat_capacity_ratio": )" +
                     capacity + R"(}}]}, "boundaries": {"west": {"type": "wall", "temperature": 1},
                                             "east": {"type": "wall"}}})");
      const auto method = problem->create(default_backend());
      method->initialise();
      method->advance(20000);
      mean[half] = method->monitor("mean_temperature");
      in_solid[half] = method->monitor("plate.mean_temperature");
    }
    std::cout << "heat capacity " << capacity << ": mean temperatures " << mean[0] << ", "
              << mean[1] << " of the fluid, " << in_solid[0] << ", " << in_solid[1]
              << " of the solid\n";
    EXPECT_GT(mean[0], 0.5);
    EXPECT_NEAR(mean[1], mean[0], 2e-3 * mean[0]);
    EXPECT_NEAR(in_solid[1], in_solid[0], 5e-3 * in_solid[0]);
  }
}

TEST(HeatD3Q27, AdiabaticWallsKeepTheHeatInHalfStorage) {
  for (const char* nodes : {"dense", "sparse"}) {
    const auto problem = problem_of(
        R"({"precision": "half-storage", "domain": {"nodes": [9, 8, 7]},
         "fluid": {"reynolds": 20, "velocity": 0.1},
         "heat": {"prandtl": 2, "temperature_difference": 1}, "propagation": {"nodes": ")" +
        std::string(nodes) +
        R"("}, "geometry": {"walls": "half-way", "solids": [{"name": "post",
           "shape": "sphere", "centre": [5, 4, 3], "radius": 2}]}, )" +
        closed_box("") + "}");
    const auto method = begun(
        *problem, [](double x, double y, double z) { return std::sin(x) * std::cos(2 * y + z); });
    const double before = method->monitor("mean_temperature");
    method->advance(301);
    std::cout << nodes << ": mean temperature changed by "
              << method->monitor("mean_temperature") - before << '\n';
    EXPECT_NEAR(method->monitor("mean_temperature"), before, 1e-6);
    EXPECT_EQ(method->monitor("north.heat_flow"), 0);
  }
}

// Convection.

TEST(HeatD3Q27, ACubeHasThePublishedNusseltNumber) {
  // Tric, Labrosse and Betrouni (2000).
  expect_nusselt_number(24, 1e4, 0.03, 2.054);
  expect_nusselt_number(24, 1e4, 0.03, 2.054, "half-storage");
}

TEST(HeatD3Q27, APassiveScalarLeavesTheFlowAsItIs) {
  for (const char* collision : {"bgk", "cumulant", "cascaded", "recursive-regularised"}) {
    const std::string flow = R"("fluid": {"reynolds": 20, "velocity": 0.1},
        "collision": {"operator": ")" +
                             std::string(collision) + R"("}, "boundaries": {
        "south": {"type": "wall"}, "north": {"type": "wall", "velocity": [1, 0, 0]}})";
    const auto plain = problem_of(case_of({9, 8, 3}, flow))->create(Backend::host);
    const auto heated = problem_of(case_of({9, 8, 3}, flow + R"(, "heat": {"prandtl": 1},
        "initial": {"temperature": 3})"))
                            ->create(Backend::host);
    for (Method* method : {plain.get(), heated.get()}) {
      method->initialise();
      method->advance(21);
    }
    for (std::size_t a = 0; a < 3; ++a) {
      const auto expected = values_of(*plain, "velocity", a);
      const auto found = values_of(*heated, "velocity", a);
      // The compiler may fuse other products and sums.
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-15);
    }
  }
}

// Bad input.

std::string refusal(const std::string& more, const std::string& precision = "double") {
  try {
    problem_of(R"({"precision": ")" + precision +
               R"(", "domain": {"nodes": [8, 7, 6]}, "fluid": {"kinematic_viscosity": 0.05}, )" +
               more + "}");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(HeatD3Q27, BadInputIsRefused) {
  const std::string heat = R"("heat": {"prandtl": 1})";
  EXPECT_THAT(refusal(R"("heat": {"prandtl": 1, "gravity": [0, -1], "expansion": 1})"),
              HasSubstr("heat.gravity"));
  EXPECT_THAT(refusal(heat, "half-storage"),
              HasSubstr("precision: found \"half-storage\", stores temperatures in 16 bits, for "
                        "which it takes the largest difference from "
                        "\"heat.reference_temperature\" of those that the case gives, and there is "
                        "none; give a \"heat.temperature_difference\", or choose \"single\""));
  EXPECT_THAT(refusal(heat + R"(, "propagation": {"lattice": "D3Q19"})"),
              HasSubstr("propagation.lattice: found \"D3Q19\", must be \"D3Q27\" in a case with "
                        "\"heat\""));
  EXPECT_THAT(
      refusal(R"("boundaries": {"west": {"type": "pressure", "temperature": 1},
                                        "east": {"type": "wall"}})"),
      HasSubstr("boundaries.west.temperature: found 1, needs the temperature of the fluid"));
  EXPECT_THAT(refusal(R"("boundaries": {"top": {"type": "wall", "temperature": 1},
                                        "bottom": {"type": "wall"}})"),
              HasSubstr("boundaries.top.temperature: found 1, needs the temperature of the fluid, "
                        "but the case has no block \"heat\""));
  EXPECT_THAT(refusal(R"("geometry": {"solids": [{"shape": "sphere", "centre": [4, 4, 3],
                                        "radius": 2, "heat_flux": 1}]})"),
              HasSubstr("no block \"heat\""));
  EXPECT_THAT(refusal(R"("initial": {"temperature": 1})"), HasSubstr("no block \"heat\""));
}

}  // namespace
}  // namespace knudsen::lbm_d3q27
