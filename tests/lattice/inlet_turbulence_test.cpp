// Turbulence of velocity sides: against a plain sum over all eddies, and its statistics.

#include "methods/lattice/inlet_turbulence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "case/sample_reader.hpp"
#include "device/launch_clock.hpp"
#include "methods/lattice/varying_sides.hpp"

namespace knudsen::lbm {
namespace {

using test::input_error;
using testing::HasSubstr;

constexpr double speed = 0.05;  // of the mean flow, in lattice units

/// A side across the axis `normal` with a uniform velocity.
OpenProfile::Place side_of(std::array<int, 2> nodes, SectionEnd ends, std::size_t normal = 0,
                           double inward = 1, int dimensions = 3) {
  OpenProfile::Place side;
  side.dimensions = dimensions;
  side.normal = normal;
  side.inward = inward;
  side.axes = {normal == 0 ? std::size_t{1} : 0, normal == 2 ? std::size_t{1} : 2};
  side.section.nodes = nodes;
  side.section.is_open.assign(std::size_t(nodes[0]) * std::size_t(nodes[1]), 1);
  side.section.ends = {{{ends, ends}, {ends, ends}}};
  side.velocity[normal] = inward * speed;
  return side;
}

/// The keys of a block "turbulence".
InletTurbulence::Keys keys_of(const std::string& block, std::size_t dimensions = 3) {
  std::optional<InletTurbulence::Keys> keys;
  read_case(CaseDocument::from_text(R"({"turbulence": )" + block + "}", "case.json"),
            [&](CaseNode& root) { keys = read_turbulence(root, dimensions); });
  return keys.value();
}

InletTurbulence turbulence(const OpenProfile::Place& side, const std::string& block) {
  const Prescribed mean{side.velocity[0], side.velocity[1], side.velocity[2], 0};
  return InletTurbulence::make(keys_of(block, std::size_t(side.dimensions)), side,
                               std::vector<Prescribed>(side.section.size(), mean));
}

/// Velocity along the inward normal and the axes of the side: a sum over all eddies of the cells
/// that are less than `reach` cells away, and over all their images.
std::array<double, 3> plain_sum(const EddyField& field, double a, double b, std::int64_t step,
                                std::int64_t reach) {
  std::array<double, 3> sum{};
  const double at[3] = {a * field.cells_a_node[0], b * field.cells_a_node[1],
                        double(step) * field.cells_a_step};
  const auto cell_of = [](double place) { return std::int64_t(std::floor(place)); };
  for (std::int64_t k = cell_of(at[2]) - reach; k <= cell_of(at[2]) + reach; ++k) {
    for (std::int64_t j = field.plane ? 0 : cell_of(at[1]) - reach;
         j <= (field.plane ? 0 : cell_of(at[1]) + reach); ++j) {
      for (std::int64_t i = cell_of(at[0]) - reach; i <= cell_of(at[0]) + reach; ++i) {
        const auto named = [&](std::int64_t index, int d) {
          const std::int64_t n = field.repeat[d];
          return std::uint64_t((n == 0 ? index : ((index % n) + n) % n) + 2);
        };
        const std::uint64_t bits = mixed_bits(mixed_bits(field.seed + std::uint64_t(k)) +
                                              (named(j, 1) << 32) + named(i, 0));
        const auto place = [&](int shift) {
          return (double((bits >> shift) % 1048576) + 0.5) / 1048576;
        };
        const double r[3] = {(double(k) + place(0) - at[2]) * field.cell[2],
                             (at[0] - double(i) - place(20)) * field.cell[0],
                             field.plane ? 0 : (at[1] - double(j) - place(40)) * field.cell[1]};
        const double inside = 1 - r[0] * r[0] - r[1] * r[1] - r[2] * r[2];
        if (inside <= 0) continue;
        double turn[3];
        for (int d = 0; d < 3; ++d) turn[d] = ((bits >> (60 + d)) & 1) != 0 ? 1 : -1;
        if (field.plane) turn[0] = turn[1] = 0;
        for (int d = 0; d < 3; ++d) {
          const int e = (d + 1) % 3;
          const int f = (d + 2) % 3;
          sum[std::size_t(d)] += field.amplitude * inside * (turn[e] * r[f] - turn[f] * r[e]);
        }
      }
    }
  }
  return sum;
}

TEST(InletTurbulence, IsASumOverAllEddies) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(0, 1);
  for (const int dimensions : {2, 3}) {
    for (const SectionEnd ends : {SectionEnd::wall, SectionEnd::periodic}) {
      const auto made = turbulence(side_of({20, dimensions == 3 ? 27 : 1}, ends, 0, 1, dimensions),
                                   R"({"intensity": 0.1, "length_scale": 3, "seed": 7})");
      const EddyField& field = made.fluctuations.eddies;
      for (int n = 0; n < 300; ++n) {
        const double a = 20 * place(random);
        const double b = dimensions == 3 ? 27 * place(random) : 0.5;
        const auto step = std::int64_t(n < 10 ? n : 1e9 * place(random));
        double found[3];
        field.velocity(a, b, step, found);
        const auto expected = plain_sum(field, a, b, step, 3);
        for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(found[d], expected[d], 1e-12);
      }
    }
  }
}

TEST(InletTurbulence, DependsOnSeedAndSide) {
  const std::string block = R"({"intensity": 0.1, "length_scale": 3, "seed": )";
  const auto at = [&](std::size_t normal, double inward, const std::string& seed) {
    const auto made =
        turbulence(side_of({20, 20}, SectionEnd::wall, normal, inward), block + seed + "}");
    double found[3];
    made.fluctuations.eddies.velocity(9.5, 9.5, 100, found);
    return found[0];
  };
  const std::vector<double> values{at(0, 1, "1"),  at(0, -1, "1"), at(1, 1, "1"),
                                   at(1, -1, "1"), at(2, 1, "1"),  at(0, 1, "2")};
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(values[i], values[j]);
  }
  EXPECT_EQ(at(0, 1, "1"), values[0]);
}

/// The pattern that passes has no divergence, seen from either side of an axis.
TEST(InletTurbulence, HasNoDivergence) {
  for (const int dimensions : {2, 3}) {
    for (const double inward : {1.0, -1.0}) {
      auto made = turbulence(
          side_of({40, dimensions == 3 ? 40 : 1}, SectionEnd::wall, 0, inward, dimensions),
          R"({"rms": )" + std::string(dimensions == 3 ? "[1, 1, 1]" : "[1, 1]") +
              R"(, "length_scale": 6})");
      Fluctuations& f = made.fluctuations;
      const double h = 1e-4;  // node spacings
      f.eddies.cells_a_step =
          h * (dimensions == 3 ? f.eddies.cells_a_node[1] : f.eddies.cells_a_node[0]);
      double largest = 0;
      double divergence = 0;
      for (int n = 0; n < 200; ++n) {
        const double a = 5 + 0.131 * n;
        const double b = dimensions == 3 ? 5 + 0.077 * n : 0.5;
        const std::int64_t step = 400000 + 13000 * n;
        const auto difference = [&](double da, double db, std::int64_t ds, int c) {
          double high[3];
          double low[3];
          f.eddies.velocity(a + da, b + db, step + ds, high);
          f.eddies.velocity(a - da, b - db, step - ds, low);
          return (high[c] - low[c]) / (2 * h);
        };
        const double along_normal = -difference(0, 0, 1, 0);
        const double along_a = difference(h, 0, 0, 1);
        const double along_b = dimensions == 3 ? difference(0, h, 0, 2) : 0;
        largest = std::max({largest, std::fabs(along_normal), std::fabs(along_a)});
        divergence = std::max(divergence, std::fabs(along_normal + along_a + along_b));
      }
      EXPECT_GT(largest, 0.1);
      EXPECT_LT(divergence, 1e-4 * largest);
    }
  }
}

/// Samples of the fluctuations at every fourth node and eighth of a radius.
struct Statistics {
  std::array<double, 3> mean{}, fourth{};
  std::array<std::array<double, 3>, 3> covariance{};
  std::array<double, 3> length{};  ///< integral over half of the correlation in time, in spacings
};

Statistics statistics_of(InletTurbulence made, double radius, int steps) {
  constexpr int a_radius = 8;
  constexpr int lags = 2 * a_radius;
  Fluctuations& f = made.fluctuations;
  f.eddies.cells_a_step = 1.0 / a_radius;
  Statistics found;
  std::array<std::array<double, lags + 1>, 3> correlation{};
  double samples = 0;
  double pairs = 0;
  std::vector<std::array<double, 3>> history(std::size_t(steps), std::array<double, 3>{});
  const auto nodes = std::int32_t(made.nodes.size());
  for (std::int32_t n = 0; n < nodes; ++n) {
    const bool plane = f.eddies.plane;
    if (n % f.nodes % 4 != 0 || (!plane && n / f.nodes % 4 != 0)) continue;
    for (int s = 0; s < steps; ++s) {
      double v[3];
      f.at(n, made.nodes[std::size_t(n)], s, v);
      for (std::size_t i = 0; i < 3; ++i) {
        history[std::size_t(s)][i] = v[i];
        found.mean[i] += v[i];
        found.fourth[i] += v[i] * v[i] * v[i] * v[i];
        for (std::size_t j = 0; j < 3; ++j) found.covariance[i][j] += v[i] * v[j];
      }
      ++samples;
      if (s < lags) continue;
      ++pairs;
      for (std::size_t i = 0; i < 3; ++i) {
        for (int lag = 0; lag <= lags; ++lag) {
          correlation[i][std::size_t(lag)] += v[i] * history[std::size_t(s - lag)][i];
        }
      }
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    found.mean[i] /= samples;
    found.fourth[i] /= samples;
    for (std::size_t j = 0; j < 3; ++j) found.covariance[i][j] /= samples;
    double sum = correlation[i][0] / 2;  // the trapezoidal rule; at the last lag it is 0
    for (int lag = 1; lag < lags; ++lag) sum += correlation[i][std::size_t(lag)];
    found.length[i] = sum / correlation[i][0] * radius / a_radius;
  }
  return found;
}

TEST(InletTurbulence, HasTheGivenStressesAndLengthScale) {
  const auto side = side_of({64, 64}, SectionEnd::wall);
  const auto found = statistics_of(
      turbulence(side, R"({"reynolds_stresses": {"uu": 4e-4, "vv": 1e-4, "ww": 2e-4, "uv": -1e-4,
                          "vw": 0.3e-4}, "length_scale": 4})"),
      4 * eddy_radius(3), 20000);
  const double stress[3][3] = {{4e-4, -1e-4, 0}, {-1e-4, 1e-4, 0.3e-4}, {0, 0.3e-4, 2e-4}};
  for (std::size_t i = 0; i < 3; ++i) {
    const double rms = std::sqrt(stress[i][i]);
    EXPECT_LT(std::fabs(found.mean[i]), 0.02 * rms);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(found.covariance[i][j], stress[i][j], 0.02 * rms * std::sqrt(stress[j][j]))
          << i << ' ' << j;
    }
  }
  EXPECT_NEAR(found.length[0], 4, 0.08);
}

TEST(InletTurbulence, HasHalfTheLengthAcrossTheFlow) {
  for (const SectionEnd ends : {SectionEnd::wall, SectionEnd::periodic}) {
    const auto found = statistics_of(
        turbulence(side_of({64, 64}, ends), R"({"rms": [1, 1, 1], "length_scale": 5})"),
        5 * eddy_radius(3), 20000);
    EXPECT_NEAR(found.length[0], 5, 0.1);
    EXPECT_NEAR(found.length[1], 2.5, 0.1);
    EXPECT_NEAR(found.length[2], 2.5, 0.1);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(found.covariance[i][i], 1, 0.03);
      const double kurtosis = found.fourth[i] / std::pow(found.covariance[i][i], 2);
      EXPECT_NEAR(kurtosis, 3.13, 0.05);
    }
  }
}

TEST(InletTurbulence, HasTheSameStatisticsInAPlane) {
  const auto found = statistics_of(turbulence(side_of({200, 1}, SectionEnd::wall, 0, 1, 2),
                                              R"({"rms": [1, 2], "length_scale": 5})"),
                                   5 * eddy_radius(2), 50000);
  EXPECT_NEAR(found.length[0], 5, 0.1);
  EXPECT_NEAR(found.covariance[0][0], 1, 0.03);
  EXPECT_NEAR(found.covariance[1][1], 4, 0.12);
  EXPECT_NEAR(found.covariance[0][1], 0, 0.05);
}

/// What a side sets at a step by the kernels: velocity and density deviation of each node.
class Sides {
 public:
  explicit Sides(OpenProfile::Place side, const std::string& block, const std::string& more = "")
      : values_("values", side.section.size()) {
    OpenProfile::Keys keys;
    const std::string text = R"({"turbulence": )" + block + more + "}";
    read_case(CaseDocument::from_text(text, "case.json"), [&](CaseNode& root) {
      read_velocity_profile(root, Fluid{}, std::size_t(side.dimensions), keys);
    });
    profile = std::make_shared<OpenProfile>(keys, side);
    std::vector<typename VaryingSides<DeviceExecutionSpace, double>::Node> nodes;
    for (std::uint32_t n = 0; n < side.section.size(); ++n) {
      if (side.section.is_open[n] != 0) nodes.push_back({n, n});
    }
    sides_.add(profile, nodes);
    sides_.declare(timers_);
  }
  std::vector<Prescribed> at(std::int64_t step) {
    sides_.set(execution_, timers_, step, {values_.data(), 4, {0, 1, 2, 3}});
    execution_.fence();
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values_);
    std::vector<Prescribed> found;
    for (std::size_t n = 0; n < host.extent(0); ++n) {
      found.push_back({host(n, 0), host(n, 1), host(n, 2), host(n, 3)});
    }
    return found;
  }
  std::shared_ptr<const OpenProfile> profile;

 private:
  DeviceExecutionSpace execution_;
  KernelTimers timers_{make_launch_clock(execution_)};
  VaryingSides<DeviceExecutionSpace, double> sides_;
  View<double* [4], DeviceExecutionSpace> values_;
};

TEST(InletTurbulence, LeavesTheFlowRateAsItIs) {
  auto side = side_of({24, 18}, SectionEnd::wall, 1, -1);
  for (std::size_t n = 60; n < 90; ++n) side.section.is_open[n] = 0;  // a solid
  Sides sides(side, R"({"intensity": 0.1, "length_scale": 3})", R"(, "waveform": {"factor": "2"})");
  const InletTurbulence& made = *sides.profile->turbulence();
  double change = 0;
  for (const std::int64_t step : {0, 7, 123456}) {
    const auto values = sides.at(step);
    double net = 0;
    for (std::size_t n = 0; n < made.nodes.size(); ++n) {
      double v[3];
      made.fluctuations.at(std::int32_t(n), made.nodes[n], step, v);
      net += v[1];
    }
    double sum = 0;
    for (std::size_t n = 0; n < made.nodes.size(); ++n) {
      if (side.section.is_open[n] == 0) continue;
      sum += values[n][1];
      double v[3];
      made.fluctuations.at(std::int32_t(n), made.nodes[n], step, v);
      EXPECT_NEAR(values[n][0], 2 * v[0], 1e-14);
      EXPECT_NEAR(values[n][1], 2 * (-speed + v[1] - net / 402), 1e-14);
      EXPECT_NEAR(values[n][2], 2 * v[2], 1e-14);
      EXPECT_EQ(values[n][3], 0);
    }
    EXPECT_NEAR(sum, -2 * speed * 402, 1e-12);
    change = std::max(change, std::fabs(net));
  }
  EXPECT_GT(change, 1e-4);  // there was something to take out
}

TEST(InletTurbulence, FollowsTheProfileOrFormulas) {
  auto side = side_of({16, 12}, SectionEnd::wall);
  side.parabola = {true, true};
  Sides parabola(side, R"({"intensity": 0.1, "length_scale": 3})", R"(, "profile": "parabolic")");
  const auto& nodes = parabola.profile->turbulence()->nodes;
  const auto& mean = parabola.profile->at_start().at_nodes;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    for (const int i : {0, 2, 5}) EXPECT_NEAR(nodes[n].factor[i], 0.1 * mean[n][0], 1e-15);
  }
  Sides formula(side, R"({"reynolds_stresses": {"uu": "1e-4*y/16", "uv": "-5e-5*y/16",
                          "vv": "1e-4*y/16"}, "length_scale": 3})");
  const EddyNode& node = formula.profile->turbulence()->nodes[16 * 4 + 7];
  const double uu = 1e-4 * 7.5 / 16;
  EXPECT_NEAR(node.factor[0] * node.factor[0], uu, 1e-18);
  EXPECT_NEAR(node.factor[0] * node.factor[1], -uu / 2, 1e-18);
  EXPECT_NEAR(node.factor[1] * node.factor[1] + node.factor[2] * node.factor[2], uu, 1e-18);
  EXPECT_EQ(node.factor[5], 0);
}

TEST(InletTurbulence, RefusesWhatCannotBe) {
  const auto message = [](const std::string& block, const OpenProfile::Place& side) {
    return input_error([&] { turbulence(side, block); });
  };
  const auto walls = side_of({32, 24}, SectionEnd::wall);
  const auto refused = [&](const std::string& block) { return message(block, walls); };
  EXPECT_THAT(refused(R"({"intensity": -0.1, "length_scale": 3})"),
              HasSubstr("case.json: turbulence.intensity: found -0.1, must be greater than 0"));
  EXPECT_THAT(refused(R"({"rms": [0.1, -0.1, 0], "length_scale": 3})"),
              HasSubstr("turbulence.rms"));
  EXPECT_THAT(refused(R"({"length_scale": 3})"), HasSubstr("must give one of \"intensity\""));
  EXPECT_THAT(refused(R"({"intensity": 0.1, "rms": [0.1, 0.1, 0.1], "length_scale": 3})"),
              HasSubstr("must give one of \"intensity\""));
  EXPECT_THAT(refused(R"({"intensity": 0.1})"), HasSubstr("length_scale"));
  EXPECT_THAT(
      refused(R"({"intensity": 0.1, "length_scale": 1.5})"),
      HasSubstr("turbulence.length_scale: found 1.5, is 1.5 node spacings, must be at least "
                "2 of them and at most 24, since the side has 24 nodes along z"));
  EXPECT_THAT(refused(R"({"intensity": 0.1, "length_scale": 25})"), HasSubstr("at most 24"));
  EXPECT_THAT(
      message(R"({"intensity": 0.1, "length_scale": 8})", side_of({32, 24}, SectionEnd::periodic)),
      HasSubstr("at most 7.875, since the side has 24 nodes along z and is periodic"));
  EXPECT_THAT(refused(R"({"reynolds_stresses": {"uu": 1e-4, "vv": 1e-4, "uv": 2e-4},
                          "length_scale": 3})"),
              HasSubstr("turbulence.reynolds_stresses: the tensor is not positive semidefinite at "
                        "x = 0, y = 0.5, z = 0.5"));
  EXPECT_THAT(refused(R"({"reynolds_stresses": {"uu": -1e-4}, "length_scale": 3})"),
              HasSubstr("turbulence.reynolds_stresses.uu"));
  EXPECT_THAT(refused(R"({"reynolds_stresses": {}, "length_scale": 3})"),
              HasSubstr("must give a stress"));
  auto outward = walls;
  outward.velocity = {-speed, 0, 0};
  EXPECT_THAT(message(R"({"intensity": 0.1, "length_scale": 3})", outward),
              HasSubstr("the mean velocity into the domain at step 0 is -0.05, must be greater"));
  EXPECT_THAT(input_error([&] { Sides(walls, R"({"rms": [0.04, 0, 0], "length_scale": 3})"); }),
              HasSubstr("with four times the rms of its turbulence, the speed 0.21 is Mach"));
}

}  // namespace
}  // namespace knudsen::lbm
