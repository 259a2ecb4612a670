#include <utility>

#include "device/instantiate.hpp"
#include "methods/boltzmann/access.hpp"
#include "methods/boltzmann/step.hpp"
#include "methods/boltzmann/team.hpp"

namespace knudsen::boltzmann {
namespace {

/// Cells of a tile along x.
constexpr int tile_x = 4;
/// Cells of a tile along y.
constexpr int tile_y = 8;

/// Algorithm 1 on a tile of cells (GPU). Each thread has velocities of its own and walks over the
/// tile downstream, so that the upwind neighbours stay in registers; the paper's threads share them
/// through shared memory.
template <class ExecutionSpace, class Real, int Dimensions>
struct StreamTile {
  State<ExecutionSpace, Real> state;
  int tiles_x;      ///< tiles along x
  int tiles_y;      ///< tiles along y
  int parts;        ///< teams per tile, which share its velocities
  int part_chunks;  ///< chunks of velocities per team

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const int chunks = state.velocities.size() / values_per_access<Real>;
    const int part = team.league_rank() % parts;
    const int tile = team.league_rank() / parts;
    const int column = tile / tiles_x;
    const int first = part * part_chunks;
    const int last = first + part_chunks < chunks ? first + part_chunks : chunks;
    team_each(team, last - first, [&](int chunk) {
      walk((tile - column * tiles_x) * tile_x, (column % tiles_y) * tile_y, column / tiles_y,
           (first + chunk) * values_per_access<Real>);
    });
  }

 private:
  /// Streams the velocities at `place` over the tile with the corner (x0, y0).
  KOKKOS_INLINE_FUNCTION void walk(int x0, int y0, int z, int place) const {
    const auto& v = state.velocities;
    const int row = place / v.row_length;
    const int k0 = place - row * v.row_length;
    const int i = row / v.count[1];
    const Real vx = v.nodes[0](i);
    const Real vy = v.nodes[1](row - i * v.count[1]);
    const int dx = vx < 0 ? -1 : 1;
    const int dy = vy < 0 ? -1 : 1;
    const int columns = state.cells[0] - x0 < tile_x ? state.cells[0] - x0 : tile_x;
    const int rows =
        Dimensions == 1 ? 1 : (state.cells[1] - y0 < tile_y ? state.cells[1] - y0 : tile_y);
    const int x_begin = dx > 0 ? x0 : x0 + columns - 1;
    const int y_begin = dy > 0 ? y0 : y0 + rows - 1;
    const auto cell_at = [&](int x, int y) {
      return Cell{(z * state.cells[1] + y) * state.cells[0] + x, {x, y, z}};
    };

    Access<Real> behind[tile_x];
    if constexpr (Dimensions > 1) {
      for (int n = 0; n < tile_x; ++n) {
        if (n < columns) {
          behind[n] = read(neighbour(state, cell_at(x_begin + n * dx, y_begin), 1, -dy), place);
        }
      }
    }
    for (int m = 0; m < rows; ++m) {
      const int y = y_begin + m * dy;
      Access<Real> own[tile_x];
      for (int n = 0; n < tile_x; ++n) {
        if (n < columns) {
          own[n] = *reinterpret_cast<const Access<Real>*>(
              state.values(state.h, cell_at(x_begin + n * dx, y).index) + place);
        }
      }
      Access<Real> before = read(neighbour(state, cell_at(x_begin, y), 0, -dx), place);
      const Real courant_y = Dimensions > 1 ? math::fabs(vy) * state.ratio_at(1, y) : Real(0);
      for (int n = 0; n < tile_x; ++n) {
        if (n >= columns) continue;
        const int x = x_begin + n * dx;
        const Real courant_x = math::fabs(vx) * state.ratio_at(0, x);
        Access<Real> result;
        for (int k = 0; k < values_per_access<Real>; ++k) {
          const Real h = own[n].value[k];
          result.value[k] = h - courant_x * (h - before.value[k]);
          if constexpr (Dimensions > 1) result.value[k] -= courant_y * (h - behind[n].value[k]);
        }
        const Cell cell = cell_at(x, y);
        if constexpr (Dimensions == 3) {
          const Access<Real> below = read(neighbour(state, cell, 2, -1), place);
          const Access<Real> above = read(neighbour(state, cell, 2, 1), place);
          for (int k = 0; k < values_per_access<Real>; ++k) {
            const Real vz = v.nodes[2](k0 + k);
            const Real upwind = vz < 0 ? above.value[k] : below.value[k];
            result.value[k] -= math::fabs(vz) * state.ratio_at(2, z) * (own[n].value[k] - upwind);
          }
        }
        *reinterpret_cast<Access<Real>*>(state.values(state.next, cell.index) + place) = result;
        before = own[n];
        behind[n] = own[n];
      }
    }
  }
};

/// Algorithm 1 on one cell per team (host); the loop along v_z is the SIMD loop.
template <class ExecutionSpace, class Real, int Dimensions>
struct StreamCell {
  State<ExecutionSpace, Real> state;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const auto& v = state.velocities;
    const Cell cell = make_cell(state, team.league_rank());
    const Real* own = state.values(state.h, cell.index);
    Real* next = state.values(state.next, cell.index);
    Neighbour<Real> near[Dimensions][2];
    Real ratio[3] = {0, 0, 0};
    for (int d = 0; d < Dimensions; ++d) {
      near[d][0] = neighbour(state, cell, d, -1);
      near[d][1] = neighbour(state, cell, d, 1);
      ratio[d] = state.ratio_at(d, cell.at[d]);
    }
    for (int row = 0; row < v.rows(); ++row) {
      const int i = row / v.count[1];
      const int place = row * v.row_length;
      const Real along[2] = {v.nodes[0](i), v.nodes[1](row - i * v.count[1])};
      const Real* from = own + place;
      Real* to = next + place;
      for_lanes<0>(v.row_length, [&](int k) { to[k] = from[k]; });
      for (int d = 0; d < (Dimensions < 2 ? Dimensions : 2); ++d) {
        subtract_flux(near[d][along[d] < 0 ? 1 : 0], math::fabs(along[d]) * ratio[d], place, from,
                      to);
      }
      if constexpr (Dimensions == 3) {
        const Real* vz = v.nodes[2].data();
        const Neighbour<Real>& below = near[2][0];
        const Neighbour<Real>& above = near[2][1];
        for_lanes<0>(v.row_length, [&](int k) {
          const Neighbour<Real>& upwind = vz[k] < 0 ? above : below;
          Real value = upwind.values[place + k];
          if (upwind.gain != nullptr) value += upwind.density * upwind.gain[place + k];
          to[k] -= math::fabs(vz[k]) * ratio[2] * (from[k] - value);
        });
      }
    }
  }

 private:
  /// Subtracts courant (h - upwind h) for a row of velocities.
  KOKKOS_INLINE_FUNCTION void subtract_flux(const Neighbour<Real>& upwind, Real courant, int place,
                                            const Real* from, Real* to) const {
    const Real* values = upwind.values + place;
    const int length = state.velocities.row_length;
    if (upwind.gain == nullptr) {
      for_lanes<0>(length, [&](int k) { to[k] -= courant * (from[k] - values[k]); });
    } else {
      const Real* gain = upwind.gain + place;
      for_lanes<0>(length, [&](int k) {
        to[k] -= courant * (from[k] - values[k] - upwind.density * gain[k]);
      });
    }
  }
};

template <int Dimensions, class ExecutionSpace, class Real>
void launch(const StepContext<ExecutionSpace>& context, const State<ExecutionSpace, Real>& state) {
  const char* label = "knudsen/boltzmann/stream";
  if constexpr (is_host_backend<ExecutionSpace>) {
    const TeamPolicy<ExecutionSpace> policy(context.execution, state.cell_count(), 1, 1);
    Kokkos::parallel_for(label, policy, StreamCell<ExecutionSpace, Real, Dimensions>{state});
  } else {
    constexpr int team_size = 256;
    const auto tiles = [](int cells, int tile) { return (cells + tile - 1) / tile; };
    const int tiles_x = tiles(state.cells[0], tile_x);
    const int tiles_y = tiles(state.cells[1], tile_y);
    const int chunks = state.velocities.size() / values_per_access<Real>;
    const int parts = tiles(chunks, team_size);
    const TeamPolicy<ExecutionSpace> policy(
        context.execution, tiles_x * tiles_y * state.cells[2] * parts, team_size, 1);
    Kokkos::parallel_for(label, policy,
                         StreamTile<ExecutionSpace, Real, Dimensions>{state, tiles_x, tiles_y,
                                                                      parts, tiles(chunks, parts)});
  }
}

}  // namespace

template <class ExecutionSpace, class Real>
void stream(const StepContext<ExecutionSpace>& context, State<ExecutionSpace, Real>& state) {
  if (state.cell_count() == 0) return;
  if (state.dimensions == 1) {
    launch<1>(context, state);
  } else if (state.dimensions == 2) {
    launch<2>(context, state);
  } else {
    launch<3>(context, state);
  }
  std::swap(state.h, state.next);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                \
  template void stream<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&, \
                                             State<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann
