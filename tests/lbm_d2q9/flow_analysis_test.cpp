#include "methods/lbm_d2q9/flow_analysis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace knudsen::lbm_d2q9 {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

using Function = std::function<double(double x, double y)>;

/// Samples a velocity at the nodes, (x + 0.5, y + 0.5).
PlaneFlow sample(int nx, int ny, const Function& u, const Function& v,
                 std::array<bool, 2> periodic = {false, false}) {
  std::vector<double> velocity_x;
  std::vector<double> velocity_y;
  for (int y = 0; y < ny; ++y) {
    for (int x = 0; x < nx; ++x) {
      velocity_x.push_back(u(x + 0.5, y + 0.5));
      velocity_y.push_back(v(x + 0.5, y + 0.5));
    }
  }
  return {nx, ny, velocity_x, velocity_y, periodic};
}

std::vector<double>& doubles(FieldValues& values) { return std::get<std::vector<double>>(values); }

void make_solid(PlaneFlow& flow, int x, int y) {
  doubles(flow.velocity_x)[flow.node(x, y)] = nan;
  doubles(flow.velocity_y)[flow.node(x, y)] = nan;
}

std::vector<double> vorticity_of(const PlaneFlow& flow) {
  return std::get<std::vector<double>>(vorticity(flow));
}

TEST(Vorticity, OfALinearFlowIsExactEverywhere) {
  const PlaneFlow flow = sample(
      7, 5, [](double x, double y) { return 0.3 * x - 0.2 * y; },
      [](double x, double y) { return 0.5 * x + 0.1 * y; });
  for (const double value : vorticity_of(flow)) EXPECT_NEAR(value, 0.7, 1e-14);
}

TEST(Vorticity, LooksAcrossPeriodicSides) {
  const double k = 2 * std::numbers::pi / 64;
  const PlaneFlow flow = sample(
      64, 48, [](double, double) { return 0.0; }, [&](double x, double) { return std::sin(k * x); },
      {true, true});
  const auto values = vorticity_of(flow);
  // Central differences of a sine are exact but for the factor sin(k) / k.
  for (int x = 0; x < 64; ++x) {
    EXPECT_NEAR(values[flow.node(x, 0)], std::sin(k) * std::cos(k * (x + 0.5)), 1e-14);
  }
}

TEST(Vorticity, AtSolidsIsOneSidedAndOfFluidNodesOnly) {
  PlaneFlow flow = sample(
      6, 6, [](double, double y) { return 0.4 * y; }, [](double, double) { return 0.0; });
  make_solid(flow, 2, 2);
  make_solid(flow, 2, 4);
  const auto values = vorticity_of(flow);
  EXPECT_TRUE(std::isnan(values[flow.node(2, 2)]));
  EXPECT_NEAR(values[flow.node(2, 1)], -0.4, 1e-14);
  // Solid above and below: nothing to take a difference with.
  EXPECT_EQ(values[flow.node(2, 3)], 0);
  EXPECT_NEAR(values[flow.node(3, 3)], -0.4, 1e-14);
}

TEST(StreamFunction, OfAUniformFlowIsExact) {
  const PlaneFlow flow = sample(
      9, 7, [](double, double) { return 0.3; }, [](double, double) { return -0.2; });
  const auto psi = stream_function(flow);
  for (int y = 0; y < 7; ++y) {
    for (int x = 0; x < 9; ++x) {
      EXPECT_NEAR(psi[flow.node(x, y)], 0.3 * (y + 0.5) + 0.2 * (x + 0.5), 1e-14);
    }
  }
}

/// A closed eddy in a square with all sides at rest: psi = sin^2(pi x) sin^2(pi y).
struct Eddy {
  int n;
  double psi(double x, double y) const {
    return std::pow(std::sin(std::numbers::pi * x / n) * std::sin(std::numbers::pi * y / n), 2);
  }
  PlaneFlow flow() const {
    const double k = std::numbers::pi / n;
    return sample(
        n, n,
        [=](double x, double y) { return k * std::pow(std::sin(k * x), 2) * std::sin(2 * k * y); },
        [=](double x, double y) {
          return -k * std::sin(2 * k * x) * std::pow(std::sin(k * y), 2);
        });
  }
  double largest_error() const {
    const PlaneFlow eddy = flow();
    const auto values = stream_function(eddy);
    double largest = 0;
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        largest = std::max(largest, std::fabs(values[eddy.node(x, y)] - psi(x + 0.5, y + 0.5)));
      }
    }
    return largest;
  }
};

TEST(StreamFunction, ConvergesAtSecondOrder) {
  const double coarse = Eddy{32}.largest_error();
  const double fine = Eddy{64}.largest_error();
  EXPECT_LT(fine, 2e-3);
  EXPECT_GT(std::log2(coarse / fine), 1.9);
}

TEST(StreamFunction, SolidsAreAtRestAndHaveNoValue) {
  PlaneFlow flow = sample(
      4, 8, [](double, double) { return 0.2; }, [](double, double) { return 0.0; });
  make_solid(flow, 1, 3);
  make_solid(flow, 1, 4);
  const auto psi = stream_function(flow);
  EXPECT_TRUE(std::isnan(psi[flow.node(1, 3)]));
  EXPECT_TRUE(std::isnan(psi[flow.node(1, 4)]));
  // Of the five spacings from row 2 to row 7, one lies in the solid and two lead half out of it.
  EXPECT_NEAR(psi[flow.node(1, 7)] - psi[flow.node(1, 2)], 0.2 * 3, 1e-14);
}

TEST(Vortices, CentreIsFoundWithinAFractionOfASpacing) {
  // psi of an eddy whose centre lies between nodes.
  const auto psi_at = [](double x, double y) {
    return -std::exp(-(std::pow(x - 20.3, 2) + std::pow(y - 13.8, 2)) / 60);
  };
  PlaneFlow flow = sample(40, 30, psi_at, psi_at);
  const auto found = vortices(flow, doubles(flow.velocity_x), 4, 1e-3);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].x, 20.3, 0.02);
  EXPECT_NEAR(found[0].y, 13.8, 0.02);
  EXPECT_NEAR(found[0].stream_function, -1, 0.01);
}

TEST(Vortices, StrongestFirstWeakOnesLeftOut) {
  const auto psi_at = [](double x, double y) {
    const auto bump = [&](double at_x, double at_y) {
      return std::exp(-(std::pow(x - at_x, 2) + std::pow(y - at_y, 2)) / 8);
    };
    return 0.2 * bump(10, 10) - bump(30, 10) + 0.5 * bump(30, 30) - 1e-3 * bump(10, 30);
  };
  PlaneFlow flow = sample(40, 40, psi_at, psi_at);
  const auto found = vortices(flow, doubles(flow.velocity_x), 4, 1e-2);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NEAR(found[0].stream_function, -1, 0.07);
  EXPECT_NEAR(found[0].x, 30, 0.05);
  EXPECT_NEAR(found[1].stream_function, 0.5, 0.05);
  EXPECT_NEAR(found[1].y, 30, 0.05);
  EXPECT_NEAR(found[2].stream_function, 0.2, 0.05);
  EXPECT_EQ(vortices(flow, doubles(flow.velocity_x), 2, 1e-2).size(), 2U);
  EXPECT_EQ(vortices(flow, doubles(flow.velocity_x), 4, 1e-4).size(), 4U);
}

TEST(Vortices, CentreMidwayBetweenNodesCountsOnce) {
  const auto psi_at = [](double x, double y) {
    return std::exp(-(std::pow(x - 8, 2) + std::pow(y - 8, 2)) / 16);
  };
  PlaneFlow flow = sample(16, 16, psi_at, psi_at);
  const auto found = vortices(flow, doubles(flow.velocity_x), 4, 1e-3);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].x, 8, 1e-9);
  EXPECT_NEAR(found[0].y, 8, 1e-9);
}

TEST(Vortices, NoneInAUniformStreamOrInAFluidAtRest) {
  const PlaneFlow stream = sample(
      8, 8, [](double, double) { return 0.1; }, [](double, double) { return 0.0; });
  EXPECT_TRUE(vortices(stream, stream_function(stream), 4, 1e-6).empty());
  const PlaneFlow rest = sample(
      8, 8, [](double, double) { return 0.0; }, [](double, double) { return 0.0; });
  EXPECT_TRUE(vortices(rest, stream_function(rest), 4, 1e-6).empty());
}

TEST(Vortices, NoneBesideASolid) {
  PlaneFlow flow = Eddy{16}.flow();
  make_solid(flow, 7, 7);
  make_solid(flow, 8, 8);
  EXPECT_TRUE(vortices(flow, stream_function(flow), 4, 1e-6).empty());
}

TEST(Vortices, OfAnEddyFromItsVelocity) {
  const Eddy eddy{33};
  const PlaneFlow flow = eddy.flow();
  const auto found = vortices(flow, stream_function(flow), 4, 1e-3);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].x, 16.5, 0.05);
  EXPECT_NEAR(found[0].y, 16.5, 0.05);
  EXPECT_NEAR(found[0].stream_function, 1, 0.01);
}

}  // namespace
}  // namespace knudsen::lbm_d2q9
