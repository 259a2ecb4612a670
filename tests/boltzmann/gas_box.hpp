#pragma once

#include <random>
#include <vector>

#include "methods/boltzmann/diagnostics.hpp"
#include "methods/boltzmann/make_state.hpp"
#include "methods/boltzmann/sample.hpp"
#include "methods/boltzmann/velocity_cells.hpp"

namespace knudsen::boltzmann::test {

using Space = DeviceExecutionSpace;

inline VelocityGrid velocities(int count = 8) {
  return {stretched_axis(-3, 3, count, 1.5), stretched_axis(-3, 3, count, 1.4),
          stretched_axis(-3, 3, count, 1.3)};
}

/// A periodic line of cells in which nothing streams.
inline PhaseGrid still_grid(int cells, const VelocityGrid& grid) {
  PhaseGrid result;
  result.widths[0].assign(static_cast<std::size_t>(cells), 1.0);
  result.velocities = grid;
  return result;
}

inline StepContext<Space> context_for(const Collision& collision) {
  StepContext<Space> context;
  context.collision = collision;
  context.tuning = default_tuning<Space>();
  return context;
}

/// Values of h without the padding, as (cell, velocity).
template <class Real>
std::vector<std::vector<double>> download(const State<Space, Real>& state) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), state.h);
  const auto& v = state.velocities;
  std::vector<std::vector<double>> cells(host.extent(0));
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    for (int row = 0; row < v.rows(); ++row) {
      for (int k = 0; k < v.count[2]; ++k) {
        cells[cell].push_back(double(host(cell, static_cast<std::size_t>(row * v.row_length + k))));
      }
    }
  }
  return cells;
}

template <class Real>
void upload(const std::vector<std::vector<double>>& cells, State<Space, Real>& state) {
  const auto host = Kokkos::create_mirror_view(state.h);
  Kokkos::deep_copy(host, Real(0));
  const auto& v = state.velocities;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    std::size_t n = 0;
    for (int row = 0; row < v.rows(); ++row) {
      for (int k = 0; k < v.count[2]; ++k) {
        host(cell, static_cast<std::size_t>(row * v.row_length + k)) =
            static_cast<Real>(cells[cell][n++]);
      }
    }
  }
  Kokkos::deep_copy(state.h, host);
}

/// Numbers of order one, the same in every test.
inline std::vector<std::vector<double>> arbitrary(std::size_t cells, std::size_t velocities) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<std::vector<double>> values(cells, std::vector<double>(velocities));
  for (auto& cell : values) {
    for (double& value : cell) value = uniform(engine);
  }
  return values;
}

/// The nodes of a grid and its weights with the equilibrium, in the order of `download`.
struct Node {
  double v[3];
  double weight;
};

inline std::vector<Node> nodes(const VelocityGrid& grid) {
  const VelocityGrid weighted = equilibrium_weighted(grid);
  std::vector<Node> result;
  for (std::size_t i = 0; i < grid[0].nodes.size(); ++i) {
    for (std::size_t j = 0; j < grid[1].nodes.size(); ++j) {
      for (std::size_t k = 0; k < grid[2].nodes.size(); ++k) {
        result.push_back(
            {{grid[0].nodes[i], grid[1].nodes[j], grid[2].nodes[k]},
             weighted[0].weights[i] * weighted[1].weights[j] * weighted[2].weights[k]});
      }
    }
  }
  return result;
}

/// Moments 1, v_x, v_y, v_z, v^2 of a cell.
inline std::array<double, 5> invariants_of(const std::vector<Node>& nodes,
                                           const std::vector<double>& h) {
  std::array<double, 5> sums{};
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const double* v = nodes[n].v;
    const double amount = nodes[n].weight * h[n];
    sums[0] += amount;
    for (std::size_t d = 0; d < 3; ++d) sums[1 + d] += amount * v[d];
    sums[4] += amount * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  return sums;
}

using Cells = std::vector<std::vector<double>>;

/// A homogeneous gas of one or more cells that share the collisions. Sets are drawn for several
/// steps at once, which saves a GPU much time.
template <class Real>
struct Gas {
  VelocityGrid grid;
  std::vector<test::Node> nodes;
  Sampling sampling;
  CollisionSets<Space, Real> sets;
  State<Space, Real> state;
  StepContext<Space> context;
  static constexpr int batch = 30;
  std::uint64_t drawn_from = 0;
  bool drawn = false;

  Gas(const VelocityGrid& velocities, int cells, int samples, const Collision& collision,
      UniformSource uniforms = {1, false}, double time_step = 0.02)
      : grid(velocities),
        nodes(test::nodes(velocities)),
        sampling{variable_hard_spheres(1, 0.5), uniforms, time_step,
                 collision.estimator == Estimator::reversible},
        sets(make_collision_sets<Space, Real>(velocities, samples, batch)),
        state(make_state<Space, Real>(test::still_grid(cells, velocities), 1,
                                      collision.perturbation_parameter == 0)),
        context(test::context_for(collision)) {}

  Cells step(const Cells& h, std::uint64_t number) {
    test::upload(h, state);
    step(number);
    return test::download(state);
  }

  /// A step of `state`, without a download.
  void step(std::uint64_t number) {
    if (!drawn || number < drawn_from || number >= drawn_from + batch) {
      draw_collisions(context.execution, sampling, number, sets);
      drawn_from = number;
      drawn = true;
    }
    collide(context, state, sets, static_cast<int>(number - drawn_from));
  }
};

}  // namespace knudsen::boltzmann::test
