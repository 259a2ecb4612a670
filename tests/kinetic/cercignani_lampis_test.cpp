#include "kinetic/cercignani_lampis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace knudsen {
namespace {

constexpr double coefficients[] = {0, 1e-4, 0.05, 0.3, 0.8, 0.999, 1};
constexpr double wall_velocity = 0.3;
constexpr double wall_temperature = 1.2;

std::vector<VelocityAxis> axes() {
  return {uniform_axis(-5, 5, 20), half_range_axis(16, 1), gauss_hermite_axis(12, 0, 1),
          stretched_axis(-8, 8, 24, 3), uniform_axis(-1, 1, 2)};
}

/// Shares of the molecules of the wall's Maxwellian at the nodes that a matrix is for.
std::vector<double> shares(const VelocityAxis& axis, bool normal) {
  std::vector<double> share;
  double sum = 0;
  for (std::size_t i = 0; i < axis.nodes.size(); ++i) {
    const double v = axis.nodes[i];
    if (normal && v < 0) continue;
    const double c = normal ? v : v - wall_velocity;
    share.push_back(axis.weights[i] * (normal ? v : 1) * std::exp(-c * c / wall_temperature));
    sum += share.back();
  }
  for (double& value : share) value /= sum;
  return share;
}

ScatteringMatrix matrix_of(const VelocityAxis& axis, bool normal, double coefficient) {
  return normal ? normal_scattering(axis, wall_temperature, coefficient)
                : tangential_scattering(axis, wall_velocity, wall_temperature, coefficient);
}

TEST(CercignaniLampis, KeepsMoleculesTheMaxwellianAndDetailedBalance) {
  for (const VelocityAxis& axis : axes()) {
    for (const bool normal : {false, true}) {
      const std::vector<double> share = shares(axis, normal);
      const std::size_t n = share.size();
      for (const double coefficient : coefficients) {
        const ScatteringMatrix matrix = matrix_of(axis, normal, coefficient);
        ASSERT_EQ(matrix.size(), n * n);
        for (std::size_t i = 0; i < n; ++i) {
          double returned = 0;
          double reflected = 0;
          for (std::size_t j = 0; j < n; ++j) {
            EXPECT_GE(matrix[i * n + j], 0);
            returned += matrix[j * n + i];
            reflected += matrix[i * n + j] * share[j];
            EXPECT_NEAR(matrix[i * n + j] * share[j], matrix[j * n + i] * share[i], 1e-14);
          }
          EXPECT_NEAR(returned, 1, 1e-14);
          EXPECT_NEAR(reflected, share[i], 1e-14) << coefficient;
        }
      }
    }
  }
}

/// Mean over the molecules from a node, of a power of their velocity after the wall.
double mean_after(const VelocityAxis& axis, const ScatteringMatrix& matrix, bool normal,
                  std::size_t from, int power) {
  const std::size_t n = shares(axis, normal).size();
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double v = axis.nodes[axis.nodes.size() - n + i] - (normal ? 0 : wall_velocity);
    sum += matrix[i * n + from] * std::pow(v, power);
  }
  return sum;
}

TEST(CercignaniLampis, OnFineVelocitiesHasTheMomentsOfTheKernel) {
  const VelocityAxis axis = uniform_axis(-7, 7, 70);
  for (const double coefficient : {0.1, 0.5, 0.9}) {
    const ScatteringMatrix along = matrix_of(axis, false, coefficient);
    const ScatteringMatrix across = matrix_of(axis, true, coefficient);
    const double r = 1 - coefficient;
    for (const std::size_t from : {20U, 33U, 40U, 48U}) {
      const double v = axis.nodes[from] - wall_velocity;
      EXPECT_NEAR(mean_after(axis, along, false, from, 1), r * v, 1e-6);
      EXPECT_NEAR(mean_after(axis, along, false, from, 2),
                  r * r * v * v + (1 - r * r) * wall_temperature / 2, 1e-6);
    }
    for (const std::size_t from : {2U, 9U, 16U}) {
      const double v = axis.nodes[35 + from];
      // Midpoints near zero see the kink of |v|.
      EXPECT_NEAR(mean_after(axis, across, true, from, 2),
                  r * v * v + coefficient * wall_temperature, 0.01);
    }
  }
}

TEST(CercignaniLampis, IsDiffuseAtOneAndAMirrorAtZero) {
  for (const VelocityAxis& axis : axes()) {
    for (const bool normal : {false, true}) {
      const std::vector<double> share = shares(axis, normal);
      const std::size_t n = share.size();
      const ScatteringMatrix diffuse = matrix_of(axis, normal, 1);
      const ScatteringMatrix mirror = matrix_of(axis, normal, 0);
      const ScatteringMatrix nearly = matrix_of(axis, normal, 1e-9);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          EXPECT_NEAR(diffuse[i * n + j], share[i], 1e-15);
          // A single node has nothing to keep.
          EXPECT_EQ(mirror[i * n + j], i == j ? 1 : 0);
          EXPECT_NEAR(nearly[i * n + j], mirror[i * n + j], 1e-4);
        }
      }
    }
  }
}

TEST(CercignaniLampis, OnComponentsIntegratedOutKeepsTheirEnergy) {
  VelocityGrid grid{half_range_axis(8, 1), integrated_axis(false), integrated_axis(true)};
  SideCondition wall{SideKind::wall, 1, {1, {0, 0, 0}, wall_temperature}};
  wall.cercignani_lampis = CercignaniLampis{0.4, 0.7};
  const auto plane = value_scattering(grid, wall, 0, false);
  const double kept = 0.6 * 0.6;
  EXPECT_EQ(plane[1], ScatteringMatrix{1});
  // Two components, each with T / 2.
  EXPECT_NEAR(plane[2][2], (1 - kept) * wall_temperature, 1e-15);
  EXPECT_NEAR(plane[2][3], kept, 1e-15);
  EXPECT_EQ(plane[2][0], 1);
  EXPECT_EQ(plane[2][1], 0);
  grid[1] = half_range_axis(8, 1);
  EXPECT_NEAR(value_scattering(grid, wall, 0, false)[2][2], (1 - kept) * wall_temperature / 2,
              1e-15);
}

}  // namespace
}  // namespace knudsen
