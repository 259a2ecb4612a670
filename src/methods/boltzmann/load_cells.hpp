#pragma once

#include "device/block_launch.hpp"
#include "device/kokkos.hpp"
#include "methods/boltzmann/collision_scratch.hpp"

namespace knudsen::boltzmann {

/// Consecutive cells that a team works on together.
struct CellGroup {
  int first;  ///< index of the first cell
  int count;  ///< at most `Lanes`
  int x, y;   ///< position of the first cell, with `Streamed`
};

/// A chunk of velocities, moved by one access, in a row of equal x and y components.
struct ChunkPlace {
  int chunk;  ///< number among the chunks of a cell
  int row;    ///< number of the row
  int first;  ///< z index of its first velocity
  int i, j;   ///< x and y indices of the row
};

/// Numbering of the groups of cells and of the chunks of velocities.
struct CollisionOrder {
  int block_count;           ///< groups of cells
  int strip_blocks;          ///< groups across a strip, along x
  float inverse_row_chunks;  ///< 1 / chunks of a row
  float inverse_plane_rows;  ///< 1 / rows of a plane
};

/// Loads `Lanes` cells into scratch memory; with `Streamed` advanced by a streaming step of first
/// order in two dimensions, eq. (17).
template <class ExecutionSpace, class Real, int Lanes, bool Streamed>
struct LoadCells {
  using Values = Pack<Real, Lanes>;
  using Scratch = CollisionScratch<Real, Lanes>;
  using Cells = CellGroup;
  using Place = ChunkPlace;
  static constexpr int width = values_per_access<Real>;
  static constexpr bool streamed = Streamed;

  const State<ExecutionSpace, Real>& state;
  const CollisionOrder& order;

  /// The cells of group `number`.
  KOKKOS_FORCEINLINE_FUNCTION Cells cells_of(int number) const {
    if constexpr (Streamed) {
      // Strips along y keep the neighbours along y in the L2 cache.
      const int nx = state.cells[0];
      const int row = (nx + Lanes - 1) / Lanes;
      const int strip = number / (order.strip_blocks * state.cells[1]);
      const int within = number - strip * order.strip_blocks * state.cells[1];
      const int left = row - strip * order.strip_blocks;
      const int across = left < order.strip_blocks ? left : order.strip_blocks;
      const int y = within / across;
      const int x = (strip * order.strip_blocks + within - y * across) * Lanes;
      return {y * nx + x, nx - x < Lanes ? nx - x : Lanes, x, y};
    } else {
      const int first = number * Lanes;
      const int left = state.cell_count() - first;
      return {first, left < Lanes ? left : Lanes, 0, 0};
    }
  }

  /// Time step over width: along x of the cell of a lane, or along y of all for `lane` == Lanes.
  KOKKOS_FORCEINLINE_FUNCTION Real ratio(const Cells& cells, int lane) const {
    if constexpr (Streamed) {
      if (lane == Lanes) return state.ratio_at(1, cells.y);
      return state.ratio_at(0, cells.x + (lane < cells.count ? lane : 0));
    } else {
      return 0;
    }
  }

  /// The chunk with this number.
  KOKKOS_FORCEINLINE_FUNCTION Place place_of(int chunk) const {
    const auto& v = state.velocities;
    const int row = quotient(chunk, order.inverse_row_chunks);
    const int i = quotient(row, order.inverse_plane_rows);
    return {chunk, row, chunk * width - row * v.row_length, i, row - i * v.count[1]};
  }

  /// Values of a chunk at the points of the upwind stencil.
  struct Loaded {
    Access<Real> own[Lanes];       ///< the cells
    Access<Real> upwind_x;         ///< upwind neighbour of the group along x, with `Streamed`
    Access<Real> upwind_y[Lanes];  ///< upwind neighbours along y, with `Streamed`
  };

  /// Loads a chunk; lanes beyond the last cell repeat it.
  KOKKOS_FORCEINLINE_FUNCTION void load(const Scratch& scratch, const Cells& cells,
                                        const Place& place, Loaded& loaded) const {
    const auto size = static_cast<std::ptrdiff_t>(state.velocities.size());
    const int at = place.chunk * width;
    const Real* from = state.values(state.h, cells.first) + at;
    const auto access = [](const Real* values) {
      return *reinterpret_cast<const Access<Real>*>(values);
    };
    const auto cell = [&](int l) { return l < cells.count ? l : cells.count - 1; };
    KNUDSEN_UNROLL
    for (int l = 0; l < Lanes; ++l) loaded.own[l] = access(from + cell(l) * size);
    if constexpr (Streamed) {
      const int step_x = scratch.nodes[0][place.i] < 0 ? 1 : -1;
      const int last = step_x > 0 ? cells.count - 1 : 0;
      const int x = cells.x + last + step_x;
      if (x >= state.begin[0] && x < state.end[0]) {
        loaded.upwind_x = access(from + (last + step_x) * size);
      } else {
        const Cell beside{cells.first + last, {cells.x + last, cells.y, 0}};
        loaded.upwind_x = read(neighbour(state, beside, 0, step_x), at);
      }
      const int step_y = scratch.nodes[1][place.j] < 0 ? 1 : -1;
      const int y = cells.y + step_y;
      if (y >= state.begin[1] && y < state.end[1]) {
        const Real* row = from + step_y * state.cells[0] * size;
        KNUDSEN_UNROLL
        for (int l = 0; l < Lanes; ++l) loaded.upwind_y[l] = access(row + cell(l) * size);
      } else {
        KNUDSEN_UNROLL
        for (int l = 0; l < Lanes; ++l) {
          const Cell beside{cells.first + cell(l), {cells.x + cell(l), cells.y, 0}};
          loaded.upwind_y[l] = read(neighbour(state, beside, 1, step_y), at);
        }
      }
    }
  }

  /// Writes a loaded chunk to scratch memory, with `Streamed` after eq. (17).
  KOKKOS_FORCEINLINE_FUNCTION void store(const Scratch& scratch, const Cells& cells,
                                         const Place& place, Loaded& loaded) const {
    Access<Real>(&values)[Lanes] = loaded.own;
    if constexpr (Streamed) {
      const Real vx = scratch.nodes[0][place.i];
      const Real vy = scratch.nodes[1][place.j];
      const Real courant_y = math::fabs(vy) * scratch.ratios[Lanes];
      KNUDSEN_UNROLL
      for (int l = 1; l < Lanes; ++l) {
        if (l >= cells.count) values[l] = loaded.upwind_x;  // east neighbour of the last cell
      }
      Real courant_x[Lanes];
      KNUDSEN_UNROLL
      for (int l = 0; l < Lanes; ++l) {
        courant_x[l] = math::fabs(vx) * scratch.ratios[l];
      }
      KNUDSEN_UNROLL
      for (int k = 0; k < width; ++k) {
        Real streamed[Lanes];
        KNUDSEN_UNROLL
        for (int l = 0; l < Lanes; ++l) {
          const Real h = values[l].value[k];
          const Real lower = l > 0 ? values[l > 0 ? l - 1 : 0].value[k] : loaded.upwind_x.value[k];
          const Real upper =
              l + 1 < Lanes ? values[l + 1 < Lanes ? l + 1 : 0].value[k] : loaded.upwind_x.value[k];
          streamed[l] = h - courant_x[l] * (h - (vx < 0 ? upper : lower)) -
                        courant_y * (h - loaded.upwind_y[l].value[k]);
        }
        KNUDSEN_UNROLL
        for (int l = 0; l < Lanes; ++l) values[l].value[k] = streamed[l];
      }
    }
    KNUDSEN_UNROLL
    for (int k = 0; k < width; ++k) {
      Values side_by_side;
      for (int l = 0; l < Lanes; ++l) side_by_side.lane[l] = values[l].value[k];
      if (place.first + k < state.velocities.count[2]) {
        scratch.h[place_in_scratch(state.velocities, place.row, place.first + k)] = side_by_side;
      }
    }
  }

  /// Loads all chunks of the cells.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void load_all(const Team& team, const Scratch& scratch,
                                       const Cells& cells) const {
    team_each(team, state.velocities.size() / width, [&](int chunk) {
      const Place place = place_of(chunk);
      Loaded loaded;
      load(scratch, cells, place, loaded);
      store(scratch, cells, place, loaded);
    });
  }

  /// Prefetches the cells into L2; with `Streamed` those above them, since the cells themselves
  /// were loaded before as neighbours.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_cells(const Team& team, const Cells& cells) const {
    if constexpr (!is_host_backend<ExecutionSpace>) {
      constexpr int line = 128 / static_cast<int>(sizeof(Real));
      const bool above = Streamed && cells.y + 1 < state.cells[1];
      const Real* from = state.values(state.h, cells.first + (above ? state.cells[0] : 0));
      team_each(team, cells.count * state.velocities.size() / line,
                [&](int n) { prefetch(from + static_cast<std::ptrdiff_t>(n) * line); });
    }
  }

 private:
  /// number / divisor for a number below 2^16, from the inverse of the divisor.
  KOKKOS_FORCEINLINE_FUNCTION static int quotient(int number, float inverse) {
    return static_cast<int>((static_cast<float>(number) + 0.5F) * inverse);
  }
};

}  // namespace knudsen::boltzmann
