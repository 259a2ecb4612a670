#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "methods/shakhov/iteration.hpp"
#include "methods/shakhov/make_sweep_space.hpp"
#include "methods/shakhov/parameters.hpp"
#include "problem.hpp"

namespace knudsen::shakhov {
namespace {

/// Densities after one sweep of a box with n cells an axis. A stream enters through all sides, and
/// the equilibria are those of a smooth hump of the density.
std::vector<double> densities_around_a_hump(int dimensions, int n, int order) {
  Parameters p;
  p.order = order;
  p.grid.dimensions = dimensions;
  for (auto& axis : p.grid.velocities) axis = uniform_axis(-3.5, 3.5, 6);
  p.gas = {1.3, 0.81, 2.0 / 3};
  p.tuning = default_tuning(dimensions);
  p.initial = {1, {0.2, 0.1, 0}, 1};
  for (auto& side : p.grid.sides) side = {SideKind::reservoir, 1, p.initial};
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
    p.grid.cells[d] = n;
    p.grid.edges[d].clear();
    for (int i = 0; i <= n; ++i) p.grid.edges[d].push_back(double(i) / n);
  }
  using Execution =
      std::conditional_t<has_device_backend, DeviceExecutionSpace, HostExecutionSpace>;
  SweepContext<Execution> context;
  context.model = CollisionModel::bgk;
  context.gas = p.gas;
  auto space = make_sweep_space<Execution, double>(p.grid, order);
  const auto storage = make_storage<Execution, double>(p.grid, p.tuning, order, p.batch_blocks);
  set_uniform(context, space, p.initial);
  const auto moments = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.moments);
  for (std::size_t cell = 0; cell < p.grid.cell_count(); ++cell) {
    double hump = 1;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
      hump *= std::pow(std::sin(std::numbers::pi * (p.grid.at(cell)[d] + 0.5) / n), 2);
    }
    for (std::size_t m = 0; m < moment_count; ++m) moments(cell, m) *= 1 + 0.5 * hump;
  }
  Kokkos::deep_copy(space.moments, moments);
  begin_iteration(context, space);
  SweepQueues<Execution> queues(context.execution, 1);
  sweep_batches(context, space, storage,
                make_batches(p.grid, space.octant_blocks(), p.batch_blocks), queues);
  finish_iteration(context, space, 0);
  Kokkos::deep_copy(moments, space.moments);
  std::vector<double> densities;
  for (std::size_t cell = 0; cell < p.grid.cell_count(); ++cell) {
    densities.push_back(moments(cell, 0));
  }
  return densities;
}

/// Root mean square of the difference between a grid of n cells an axis and one twice as fine,
/// averaged over the coarse cells.
double distance(int dimensions, std::size_t n, const std::vector<double>& coarse,
                const std::vector<double>& fine) {
  std::vector<double> mean(coarse.size(), 0);
  for (std::size_t i = 0; i < fine.size(); ++i) {
    const std::size_t z = i / (4 * n * n);
    mean[((z / 2) * n + i / (2 * n) % (2 * n) / 2) * n + i % (2 * n) / 2] +=
        fine[i] / std::pow(2, dimensions);
  }
  double sum = 0;
  for (std::size_t i = 0; i < coarse.size(); ++i) sum += std::pow(mean[i] - coarse[i], 2);
  return std::sqrt(sum / double(coarse.size()));
}

/// Order of convergence from the differences between grids of n, 2n and 4n cells an axis.
double observed_order(int dimensions, int n, int order) {
  const auto coarse = densities_around_a_hump(dimensions, n, order);
  const auto middle = densities_around_a_hump(dimensions, 2 * n, order);
  const auto fine = densities_around_a_hump(dimensions, 4 * n, order);
  const auto cells = static_cast<std::size_t>(n);
  return std::log2(distance(dimensions, cells, coarse, middle) /
                   distance(dimensions, 2 * cells, middle, fine));
}

TEST(Sweep, IsOfItsOrderWhereTheFlowIsSmooth) {
  EXPECT_NEAR(observed_order(1, 48, 1), 1, 0.1);
  EXPECT_NEAR(observed_order(1, 48, 2), 2, 0.15);
  EXPECT_NEAR(observed_order(2, 48, 1), 1, 0.2);
  EXPECT_NEAR(observed_order(2, 48, 2), 2, 0.1);
  // Still far from the limit: in three dimensions the hump is only 12 to 48 cells wide.
  EXPECT_GT(observed_order(3, 12, 2), 1.65);
}

/// Velocity along a square duct driven by a force, on the centre line of its cross-section; n is
/// even.
std::vector<double> duct_profile(int n, int order) {
  auto json =
      test::with(R"({"domain": {"cells": [1, 1]}, "boundaries": {"bottom": null, "top": null,
      "north": {"velocity": [0, 0, 0]}}, "collision": {"body_force": [0, 0, 0.005]},
      "velocity_grid": {"count": [16, 16, 16], "rule": "trapezoid"}})");
  json["domain"]["cells"] = {n, n};
  json["propagation"]["order"] = order;
  const auto method = test::start(json);
  EXPECT_LE(test::converge(*method, 1e-9, 60), 60);
  const Field velocity = method->field("velocity");
  std::vector<double> profile;
  for (int y = 0; y < n; ++y)
    profile.push_back(velocity[static_cast<std::size_t>(3 * (y * n + n / 2) + 2)]);
  return profile;
}

TEST(Duct, KinksThatLeaveTheEdgesLimitTheOrder) {
  double changes[2] = {};
  for (const int order : {1, 2}) {
    const auto coarse = duct_profile(8, order);
    const auto middle = duct_profile(16, order);
    const auto fine = duct_profile(32, order);
    EXPECT_NEAR(std::log2(distance(1, 8, coarse, middle) / distance(1, 16, middle, fine)),
                order == 1 ? 0.58 : 1.48, 0.05);
    const auto mean = [](const std::vector<double>& profile) {
      return std::accumulate(profile.begin(), profile.end(), 0.0) / double(profile.size());
    };
    changes[order - 1] = mean(fine) / mean(middle) - 1;
  }
  EXPECT_NEAR(changes[0], 4.3e-3, 1e-4);
  EXPECT_NEAR(changes[1], 9e-4, 1e-4);
}

}  // namespace
}  // namespace knudsen::shakhov
