#pragma once

#include <algorithm>

#include "methods/boltzmann/collide_cells.hpp"

namespace knudsen::boltzmann {

/// Inverse of the matrix of eq. (26) at equilibrium; zero for Conservation::none.
template <class ExecutionSpace, class Real>
void invert_matrix(const State<ExecutionSpace, Real>& state, Conservation conservation,
                   Real (&inverse)[invariants][invariants]) {
  double products[product_moments];
  std::copy(std::begin(state.equilibrium_moments), std::end(state.equilibrium_moments), products);
  for (int b = 0; b < invariants; ++b) {
    double column[invariants] = {};
    if (conservation != Conservation::none) {
      column[b] = 1;
      solve_correction(products, column);
    }
    for (int a = 0; a < invariants; ++a) inverse[a][b] = static_cast<Real>(column[a]);
  }
}

/// Groups of cells across a strip. The cells that a GPU works on at once are then about as many
/// along x as along y.
inline constexpr int strip_width = 10;

/// Launches CollideCells with `Lanes` cells per team; on a GPU with fewer where its scratch memory
/// holds no more or `tuning.lanes` asks for fewer.
template <int Lanes, bool Streamed, class ExecutionSpace, class Real>
void launch_collisions(const StepContext<ExecutionSpace>& context,
                       const State<ExecutionSpace, Real>& state,
                       const CollisionSets<ExecutionSpace, Real>& sets, int set) {
  if (state.cell_count() == 0) return;
  const auto run = [&](auto is_weighted) {
    using Kernel = CollideCells<ExecutionSpace, Real, Lanes, is_weighted, Streamed>;
    const int team_size = std::min(context.tuning.team_size, Kernel::max_threads);
    const std::size_t bytes = Kernel::scratch_bytes(state.velocities, sets.samples, team_size);
    if constexpr (Lanes > 1 && !is_host_backend<ExecutionSpace>) {
      const bool wanted = context.tuning.lanes == 0 || context.tuning.lanes >= Lanes;
      if (!wanted || bytes > max_block_scratch<ExecutionSpace>()) {
        launch_collisions<Lanes / 2, Streamed>(context, state, sets, set);
        return;
      }
    }
    const int blocks = Streamed ? (state.cells[0] + Lanes - 1) / Lanes * state.cells[1]
                                : (state.cell_count() + Lanes - 1) / Lanes;
    const auto& v = state.velocities;
    const int row_chunks = v.row_length / Kernel::width;
    Kernel kernel{state,
                  sets,
                  set,
                  context.collision,
                  {blocks, strip_width, 1 / static_cast<float>(row_chunks),
                   1 / static_cast<float>(v.count[1])},
                  {}};
    invert_matrix(state, context.collision.conservation, kernel.inverse_matrix);
    launch_blocks("knudsen/boltzmann/collide", context.execution, blocks, team_size, bytes, kernel);
  };
  if (context.collision.conservation == Conservation::distribution) {
    run(std::true_type{});
  } else {
    run(std::false_type{});
  }
}

/// Largest number of cells per team.
template <class ExecutionSpace, class Real>
constexpr int max_lanes() {
  return is_host_backend<ExecutionSpace> ? 8 : values_per_access<Real>;
}

}  // namespace knudsen::boltzmann
