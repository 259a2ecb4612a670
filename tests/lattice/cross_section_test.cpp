// Profiles of cross-sections against exact ones.

#include "methods/lattice/cross_section.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "case/sample_reader.hpp"

namespace knudsen::lbm {
namespace {

using test::input_error;
using testing::HasSubstr;

constexpr std::array<SectionEnd, 2> walls{SectionEnd::wall, SectionEnd::wall};
constexpr std::array<SectionEnd, 2> periodic{SectionEnd::periodic, SectionEnd::periodic};

CrossSection rectangle(int n, int m, std::array<SectionEnd, 2> lower,
                       std::array<SectionEnd, 2> higher) {
  CrossSection section;
  section.nodes = {n, m};
  section.is_open.assign(std::size_t(n) * std::size_t(m), 1);
  section.ends = {lower, higher};
  return section;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / double(values.size());
}

/// Velocity in a duct of the half-widths a and 1, times viscosity over pressure gradient, at (y, z)
/// from its axis (White, Viscous Fluid Flow, eq. 3-48).
double duct_series(double a, double y, double z) {
  double sum = 0;
  for (int i = 1; i < 200; i += 2) {
    const double k = i * std::numbers::pi / (2 * a);
    // cosh(k z) / cosh(k) without overflow
    const double ratio = (std::exp(k * (z - 1)) + std::exp(-k * (z + 1))) / (1 + std::exp(-2 * k));
    sum += ((i / 2) % 2 == 0 ? 1 : -1) * (1 - ratio) * std::cos(k * y) / (i * i * double(i));
  }
  return 16 * a * a / std::pow(std::numbers::pi, 3) * sum;
}

/// Largest error in a duct of n x 2 n nodes over the mean velocity.
double duct_error(int n) {
  const auto found = fully_developed_shape(rectangle(n, 2 * n, walls, walls));
  std::vector<double> exact;
  for (int k = 0; k < 2 * n; ++k) {
    for (int j = 0; j < n; ++j) {
      exact.push_back(duct_series(0.5, ((2 * j + 1.0) / n - 1) / 2, (2 * k + 1.0) / (2 * n) - 1));
    }
  }
  double worst = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    worst = std::max(worst, std::abs(found[i] - exact[i] / mean(exact)));
  }
  return worst;
}

TEST(FullyDeveloped, FollowsTheSeriesOfADuctWithSecondOrder) {
  const double coarse = duct_error(8);
  const double fine = duct_error(16);
  EXPECT_LT(fine, 5e-3);
  EXPECT_GT(std::log2(coarse / fine), 1.7);
}

TEST(FullyDeveloped, IsAParabolaBetweenPlates) {
  for (const int n : {1, 2, 3, 10}) {
    const auto found = fully_developed_shape(rectangle(3, n, periodic, walls));
    double sum = 0;
    for (int b = 0; b < n; ++b) sum += (b + 0.5) * (n - b - 0.5) / n;
    for (int b = 0; b < n; ++b) {
      for (int a = 0; a < 3; ++a) {
        EXPECT_NEAR(found[std::size_t(3 * b + a)], (b + 0.5) * (n - b - 0.5) / sum, 1e-9);
      }
    }
  }
}

TEST(FullyDeveloped, IsHalfAParabolaBesideAnOpenSide) {
  const auto found =
      fully_developed_shape(rectangle(4, 1, {SectionEnd::wall, SectionEnd::open}, periodic));
  const auto whole = fully_developed_shape(rectangle(8, 1, walls, periodic));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], whole[i], 1e-9);
}

/// Largest error in a round pipe, over the mean velocity.
double pipe_error(double radius) {
  const int n = int(2 * radius) + 3;
  const double centre = n / 2.0 + 0.13;
  CrossSection section = rectangle(n, n, walls, walls);
  const auto inside = [&](int a, int b) {
    return std::hypot(a + 0.5 - centre, b + 0.5 - centre) < radius;
  };
  for (int b = 0; b < n; ++b) {
    for (int a = 0; a < n; ++a) section.is_open[section.index(a, b)] = inside(a, b) ? 1 : 0;
  }
  section.wall_distance = [&](int a, int b, int axis, int direction) {
    const double along = (axis == 0 ? a : b) + 0.5 - centre;
    const double across = (axis == 0 ? b : a) + 0.5 - centre;
    return std::sqrt(radius * radius - across * across) - direction * along;
  };
  const auto found = fully_developed_shape(section);
  double sum = 0;
  double count = 0;
  std::vector<double> exact(found.size(), 0);
  for (int b = 0; b < n; ++b) {
    for (int a = 0; a < n; ++a) {
      if (!inside(a, b)) continue;
      const double r = std::hypot(a + 0.5 - centre, b + 0.5 - centre);
      exact[section.index(a, b)] = radius * radius - r * r;
      sum += exact[section.index(a, b)];
      ++count;
    }
  }
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    worst = std::max(worst, std::abs(found[i] - exact[i] * count / sum));
  }
  return worst;
}

TEST(FullyDeveloped, FollowsTheParabolaOfAPipe) {
  EXPECT_LT(pipe_error(8), 0.02);
  EXPECT_LT(pipe_error(16), 0.005);
}

TEST(FullyDeveloped, IsZeroInSolids) {
  CrossSection section = rectangle(7, 1, walls, periodic);
  section.is_open[3] = 0;
  const auto found = fully_developed_shape(section);
  EXPECT_EQ(found[3], 0);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], found[6 - i], 1e-9);
  EXPECT_NEAR(mean(found) * 7 / 6, 1, 1e-12);
}

TEST(PowerLaw, IsThatOfTheDistanceToTheWall) {
  const auto found = power_law_shape(rectangle(9, 1, walls, periodic), 7);
  for (std::size_t i = 0; i < 9; ++i) {
    const double distance = i < 5 ? double(i) + 0.5 : 8.5 - double(i);
    EXPECT_NEAR(found[i] / found[4], std::pow(distance / 4.5, 1.0 / 7), 1e-12);
  }
  EXPECT_NEAR(mean(found), 1, 1e-12);
  CrossSection around = rectangle(9, 9, periodic, periodic);
  around.is_open[around.index(4, 4)] = 0;
  const auto beside = power_law_shape(around, 2);
  // The distance to the nearest image of the solid node.
  EXPECT_NEAR(beside[around.index(8, 8)] / beside[around.index(4, 5)],
              std::sqrt((std::hypot(4, 4) - 0.5) / 0.5), 1e-12);
}

TEST(Shapes, NeedWallsAtRest) {
  CrossSection section = rectangle(3, 3, periodic, {SectionEnd::open, SectionEnd::open});
  EXPECT_THAT(input_error([&] { fully_developed_shape(section); }), HasSubstr("neither walls"));
  section.ends[0] = walls;
  section.walls_move = true;
  EXPECT_THAT(input_error([&] { power_law_shape(section, 7); }), HasSubstr("move"));
  section.is_open.assign(9, 0);
  EXPECT_THAT(input_error([&] { fully_developed_shape(section); }), HasSubstr("no open node"));
}

}  // namespace
}  // namespace knudsen::lbm
