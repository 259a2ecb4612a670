#include "kinetic/maxwellian.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "kinetic/collision_target.hpp"
#include "kinetic/conservative_fit.hpp"

namespace knudsen {
namespace {

using Space = HostExecutionSpace;

/// Moments of f(x, y, z) on a velocity grid, summed in planes as the kernels do.
template <class Function>
RawMoments<13> moments_of(const VelocityGrid& grid, const Function& f) {
  RawMoments<13> raw;
  for (std::size_t i = 0; i < grid[0].nodes.size(); ++i) {
    for (std::size_t j = 0; j < grid[1].nodes.size(); ++j) {
      PlaneSums<13, double> sums;
      for (std::size_t k = 0; k < grid[2].nodes.size(); ++k) {
        const double y = grid[1].nodes[j];
        const double z = grid[2].nodes[k];
        const double value = grid[1].weights[j] * grid[2].weights[k] * f(grid[0].nodes[i], y, z);
        const double square = y * y + z * z;
        const double of[8] = {1, y, z, y * y, z * z, y * z, square * y, square * z};
        for (int n = 0; n < 8; ++n) sums.value[n] += value * of[n];
      }
      raw.add(grid[0].nodes[i], grid[0].weights[i], sums);
    }
  }
  return raw;
}

/// The Maxwellian as a function of the three velocity components.
auto function_of(const Maxwellian& m) {
  return [m](double x, double y, double z) {
    const double square = std::pow(x - m.velocity[0], 2) + std::pow(y - m.velocity[1], 2) +
                          std::pow(z - m.velocity[2], 2);
    return m.amplitude * std::exp(-square / m.temperature);
  };
}

/// `count` equidistant nodes from -range to range along each component.
VelocityGrid grid_of(double range, int count) {
  return {uniform_axis(-range, range, count), uniform_axis(-range, range, count),
          uniform_axis(-range, range, count)};
}

TEST(Moments, OfASkewedGaussian) {
  // A Gaussian with correlations and a mean velocity, times a polynomial that carries heat. The
  // reference sums use the peculiar velocity c directly.
  const VelocityGrid grid = grid_of(6, 30);
  const auto f = [](double x, double y, double z) {
    const double cx = x - 0.4;
    const double cy = y + 0.2;
    const double cz = z - 0.1;
    return std::exp(-cx * cx - 1.2 * cy * cy - 0.8 * cz * cz + 0.5 * cx * cy - 0.3 * cy * cz +
                    0.2 * cx * cz) *
           (1 + 0.01 * cx * cx * cx + 0.02 * cz * cy * cy);
  };
  const Macroscopic state = macroscopic(moments_of(grid, f));
  double stress[6] = {};
  double flux[3] = {};
  double trace = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    for (std::size_t j = 0; j < 30; ++j) {
      for (std::size_t k = 0; k < 30; ++k) {
        const double x = grid[0].nodes[i];
        const double y = grid[1].nodes[j];
        const double z = grid[2].nodes[k];
        const double c[3] = {x - state.velocity[0], y - state.velocity[1], z - state.velocity[2]};
        const double value = std::pow(grid[0].weights[0], 3) * f(x, y, z);
        const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
        trace += square * value;
        for (int d = 0; d < 3; ++d) {
          stress[d] += c[d] * c[d] * value;
          stress[3 + d] += c[d] * c[(d + 1) % 3] * value;
          flux[d] += 0.5 * square * c[d] * value;
        }
      }
    }
  }
  for (int d = 0; d < 3; ++d) {
    EXPECT_NEAR(state.stress[d], stress[d], 1e-12);
    EXPECT_NEAR(state.stress[3 + d], stress[3 + d], 1e-12);
    EXPECT_NEAR(state.heat_flux[d], flux[d], 1e-12);
  }
  EXPECT_NEAR(state.temperature, trace / (1.5 * state.density), 1e-12);
}

TEST(Moments, FiveGiveTheSameStateAsThirteen) {
  PlaneSums<5, double> few{{1.0, -0.2, 0.4, 0.9}};
  PlaneSums<13, double> all{{1.0, -0.2, 0.4, 0.3, 0.6, 0.05, -0.1, 0.2}};
  RawMoments<5> five;
  RawMoments<13> thirteen;
  for (int i = 0; i < 3; ++i) {
    five.add(0.3 * i, 1.1, few);
    thirteen.add(0.3 * i, 1.1, all);
  }
  const Macroscopic a = macroscopic(five);
  const Macroscopic b = macroscopic(thirteen);
  EXPECT_DOUBLE_EQ(a.density, b.density);
  EXPECT_DOUBLE_EQ(a.temperature, b.temperature);
  for (int d = 0; d < 3; ++d) EXPECT_DOUBLE_EQ(a.velocity[d], b.velocity[d]);
}

/// Of density, velocity and temperature.
double largest_difference(const Macroscopic& found, const Macroscopic& wanted) {
  double largest = std::abs(found.density - wanted.density);
  for (int d = 0; d < 3; ++d) {
    largest = std::max(largest, std::abs(found.velocity[d] - wanted.velocity[d]));
  }
  return std::max(largest, std::abs(found.temperature - wanted.temperature));
}

TEST(ConservativeMaxwellian, HasTheGivenMomentsOnACoarseGrid) {
  // On this coarse and narrow grid the moments of the continuous Maxwellian are wrong by more than
  // 0.1 %.
  const VelocityGrid grid = grid_of(2.5, 6);
  const auto space = make_velocity_space<Space, double>(grid);
  Macroscopic state;
  state.density = 1.7;
  state.velocity[0] = 0.3;
  state.velocity[1] = -0.2;
  state.velocity[2] = 0.1;
  state.temperature = 0.9;
  const auto error = [&](const Maxwellian& m) {
    return largest_difference(macroscopic(moments_of(grid, function_of(m))), state);
  };
  EXPECT_GT(error(maxwellian(state.density, state.velocity, state.temperature)), 1e-3);
  EXPECT_LT(error(conservative_maxwellian(space, state, 1e-13)), 1e-12);
}

TEST(ConservativeMaxwellian, FallsBackWhereTheGridCannotHoldTheState) {
  const auto space = make_velocity_space<Space, double>(grid_of(1, 4));
  Macroscopic state;
  state.density = 1;
  state.velocity[0] = 5;
  state.temperature = 1;
  const Maxwellian m = conservative_maxwellian(space, state, 1e-12);
  EXPECT_DOUBLE_EQ(m.velocity[0], 5);
  EXPECT_DOUBLE_EQ(m.temperature, 1);
  state.temperature = -1;
  EXPECT_DOUBLE_EQ(conservative_maxwellian(space, state, 1e-12).temperature, -1);
}

Maxwellian maxwellian_of(const FittedState& fit) {
  return maxwellian(fit.density, fit.velocity, fit.temperature);
}

/// A state, and coarse grids for it.
Macroscopic moving_state() {
  Macroscopic state;
  state.density = 1.7;
  state.velocity[0] = 0.5;
  state.velocity[1] = -0.2;
  state.temperature = 0.8;
  return state;
}
std::vector<VelocityGrid> coarse_grids() {
  const VelocityAxis half = half_range_axis(8, 1);
  return {grid_of(2.8, 7), VelocityGrid{half, half, half}};
}

TEST(FitConservative, HasTheGivenMomentsWithAHeatFlux) {
  const Macroscopic state = moving_state();
  const TargetShape shape{{0.08, -0.05, 0}, {}};
  const auto error = [&](const VelocityGrid& grid, const Maxwellian& m) {
    const auto f = [&](double x, double y, double z) {
      const double c[3] = {x - m.velocity[0], y - m.velocity[1], z - m.velocity[2]};
      const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
      const double along = shape.heat[0] * c[0] + shape.heat[1] * c[1] + shape.heat[2] * c[2];
      return function_of(m)(x, y, z) * (1 + along * (2 * square / m.temperature - 5));
    };
    return largest_difference(macroscopic(moments_of(grid, f)), state);
  };
  for (const VelocityGrid& grid : coarse_grids()) {
    const auto space = make_velocity_space<Space, double>(grid);
    EXPECT_GT(error(grid, maxwellian(state.density, state.velocity, state.temperature)), 1e-4);
    EXPECT_LT(error(grid, maxwellian_of(fit_conservative(space, state, shape, 1e-13))), 1e-12);
  }
}

TEST(FitConservative, HasTheGivenMomentsOfAGaussian) {
  const Macroscopic state = moving_state();
  const auto error = [&](const VelocityGrid& grid, const FittedState& fit,
                         const TargetShape& shape) {
    double v[6];
    for (int i = 0; i < 6; ++i) {
      v[i] = 0.5 * state.temperature * shape.stress[i] + (i < 3 ? 0.5 * fit.temperature : 0);
    }
    const double determinant = invert_symmetric(v);
    const double amplitude =
        fit.density / std::sqrt(std::pow(2 * std::numbers::pi, 3) * determinant);
    const auto f = [&](double x, double y, double z) {
      const double c[3] = {x - fit.velocity[0], y - fit.velocity[1], z - fit.velocity[2]};
      return amplitude *
             std::exp(-0.5 * (v[0] * c[0] * c[0] + v[1] * c[1] * c[1] + v[2] * c[2] * c[2]) -
                      v[3] * c[0] * c[1] - v[4] * c[1] * c[2] - v[5] * c[0] * c[2]);
    };
    return largest_difference(macroscopic(moments_of(grid, f)), state);
  };
  for (const VelocityGrid& grid : coarse_grids()) {
    const auto space = make_velocity_space<Space, double>(grid);
    const auto fit = [&](const TargetShape& shape) {
      return fit_conservative(space, state, shape, 1e-13);
    };
    FittedState plain;
    plain.density = state.density;
    for (int d = 0; d < 3; ++d) plain.velocity[d] = state.velocity[d];
    plain.temperature = state.temperature;
    const TargetShape along{{}, {0.5, -0.2, -0.3, 0, 0, 0}};
    EXPECT_GT(error(grid, plain, along), 1e-3);
    EXPECT_LT(error(grid, fit(along), along), 1e-12);
    // Covariances count in first order.
    const TargetShape all{{}, {0.05, -0.02, -0.03, 0.04, -0.02, 0.03}};
    EXPECT_LT(error(grid, fit(all), all), 0.05 * error(grid, plain, all));
  }
}

TEST(FitConservative, IsTheSameWithComponentsIntegratedOut) {
  // 24 nodes along the components that are integrated out leave no error there.
  Macroscopic state;
  state.density = 0.6;
  state.velocity[0] = 0.6;
  state.temperature = 0.7;
  const VelocityAxis x = half_range_axis(8, 1);
  const VelocityAxis across = gauss_hermite_axis(24, 0, 0.7);
  for (const TargetShape& shape :
       {TargetShape{{0.1, 0, 0}, {}}, TargetShape{{}, {0.1, -0.07, -0.03, 0, 0, 0}}}) {
    const auto of = [&](const VelocityGrid& grid) {
      return maxwellian_of(
          fit_conservative(make_velocity_space<Space, double>(grid), state, shape, 1e-13));
    };
    const Maxwellian whole = of({x, across, across});
    EXPECT_GT(std::abs(whole.temperature - 0.7), 5e-5);
    for (const VelocityGrid& grid :
         {VelocityGrid{x, across, integrated_axis(true)},
          VelocityGrid{x, integrated_axis(false), integrated_axis(true)}}) {
      const Maxwellian reduced = of(grid);
      EXPECT_NEAR(reduced.amplitude, whole.amplitude, 1e-9);
      EXPECT_NEAR(reduced.velocity[0], whole.velocity[0], 1e-9);
      EXPECT_NEAR(reduced.temperature, whole.temperature, 1e-9);
    }
  }
}

TEST(FitConservative, FallsBackWhereTheGridCannotHoldTheState) {
  const auto space = make_velocity_space<Space, double>(grid_of(1, 4));
  Macroscopic state;
  state.density = 1;
  state.velocity[0] = 5;
  state.temperature = 1;
  const TargetShape shape{{0.1, 0, 0}, {}};
  const FittedState fit = fit_conservative(space, state, shape, 1e-12);
  EXPECT_FALSE(fit.found);
  EXPECT_DOUBLE_EQ(fit.velocity[0], 5);
  EXPECT_DOUBLE_EQ(fit.temperature, 1);
  state.temperature = -1;
  EXPECT_DOUBLE_EQ(fit_conservative(space, state, shape, 1e-12).temperature, -1);
}

TEST(CollisionTarget, InvertsSymmetricMatrices) {
  double m[6] = {2, 3, 4, 0.5, -0.3, 0.7};
  const double a[3][3] = {{2, 0.5, 0.7}, {0.5, 3, -0.3}, {0.7, -0.3, 4}};
  const double determinant = invert_symmetric(m);
  const double b[3][3] = {{m[0], m[3], m[5]}, {m[3], m[1], m[4]}, {m[5], m[4], m[2]}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) sum += a[i][k] * b[k][j];
      EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-14);
    }
  }
  EXPECT_NEAR(determinant, 2 * (12 - 0.09) - 0.5 * (2 + 0.21) + 0.7 * (-0.15 - 2.1), 1e-13);
}

}  // namespace
}  // namespace knudsen
