#pragma once

#include "device/block_launch.hpp"
#include "device/kokkos.hpp"
#include "methods/boltzmann/collision_scratch.hpp"

namespace knudsen::boltzmann {

/// The cells that a team works on at once: `count` of the `Lanes` from `first` on.
struct CellGroup {
  int first;
  int count;
  int x, y;  ///< of the first
};

/// Where a chunk of velocities stands: in a row of equal x and y components, with indices i, j.
struct ChunkPlace {
  int chunk;
  int row;
  int first;  ///< index of the z component of its first velocity
  int i, j;
};

/// How groups of cells and chunks of velocities are numbered.
struct CollisionOrder {
  int block_count;   ///< of the groups of cells that a team works on at once
  int strip_blocks;  ///< of those side by side, along x, in a strip
  float inverse_row_chunks;
  float inverse_plane_rows;
};

/// Brings `Lanes` cells into scratch memory; with `Streamed` as streaming leaves them (eq. (17),
/// two dimensions, first order).
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

  /// Group `number`.
  KOKKOS_FORCEINLINE_FUNCTION Cells cells_of(int number) const {
    if constexpr (Streamed) {
      // In strips along y, that the cells above and below stay near in the cache.
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

  /// Time step over width: of a cell along x, or, behind the last, of all along y.
  KOKKOS_FORCEINLINE_FUNCTION Real ratio(const Cells& cells, int lane) const {
    if constexpr (Streamed) {
      if (lane == Lanes) return state.ratio[1](cells.y);
      return state.ratio[0](cells.x + (lane < cells.count ? lane : 0));
    } else {
      return 0;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Place place_of(int chunk) const {
    const auto& v = state.velocities;
    const int row = quotient(chunk, order.inverse_row_chunks);
    const int i = quotient(row, order.inverse_plane_rows);
    return {chunk, row, chunk * width - row * v.row_length, i, row - i * v.count[1]};
  }

  /// What the streamed values of a chunk are made of: those of the cells, of the one before or
  /// behind them along x, of those below or above.
  struct Loaded {
    Access<Real> own[Lanes];
    Access<Real> end;
    Access<Real> under[Lanes];
  };

  /// Asks for the values of a chunk; cells beyond the last one are the last one.
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
      if (x >= 0 && x < state.cells[0]) {
        loaded.end = access(from + (last + step_x) * size);
      } else {
        const Cell beside{cells.first + last, {cells.x + last, cells.y, 0}};
        loaded.end = read(neighbour(state, beside, 0, step_x), at);
      }
      const int step_y = scratch.nodes[1][place.j] < 0 ? 1 : -1;
      const int y = cells.y + step_y;
      if (y >= 0 && y < state.cells[1]) {
        const Real* under = from + step_y * state.cells[0] * size;
        KNUDSEN_UNROLL
        for (int l = 0; l < Lanes; ++l) loaded.under[l] = access(under + cell(l) * size);
      } else {
        KNUDSEN_UNROLL
        for (int l = 0; l < Lanes; ++l) {
          const Cell beside{cells.first + cell(l), {cells.x + cell(l), cells.y, 0}};
          loaded.under[l] = read(neighbour(state, beside, 1, step_y), at);
        }
      }
    }
  }

  /// Puts values into scratch memory, with `Streamed` by eq. (17).
  KOKKOS_FORCEINLINE_FUNCTION void keep(const Scratch& scratch, const Cells& cells,
                                        const Place& place, Loaded& loaded) const {
    Access<Real>(&values)[Lanes] = loaded.own;
    if constexpr (Streamed) {
      const Real vx = scratch.nodes[0][place.i];
      const Real vy = scratch.nodes[1][place.j];
      const Real courant_y = math::fabs(vy) * scratch.ratios[Lanes];
      KNUDSEN_UNROLL
      for (int l = 1; l < Lanes; ++l) {
        if (l >= cells.count) values[l] = loaded.end;  // what the cell before it has behind it
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
          const Real before = l > 0 ? values[l > 0 ? l - 1 : 0].value[k] : loaded.end.value[k];
          const Real behind =
              l + 1 < Lanes ? values[l + 1 < Lanes ? l + 1 : 0].value[k] : loaded.end.value[k];
          streamed[l] = h - courant_x[l] * (h - (vx < 0 ? behind : before)) -
                        courant_y * (h - loaded.under[l].value[k]);
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

  template <class Team>
  KOKKOS_INLINE_FUNCTION void load_all(const Team& team, const Scratch& scratch,
                                       const Cells& cells) const {
    each(team, state.velocities.size() / width, [&](int chunk) {
      const Place place = place_of(chunk);
      Loaded loaded;
      load(scratch, cells, place, loaded);
      keep(scratch, cells, place, loaded);
    });
  }

  /// With streaming the cells above, which no team has had yet.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_cells(const Team& team, const Cells& cells) const {
    if constexpr (!is_host_backend<ExecutionSpace>) {
      constexpr int line = 128 / static_cast<int>(sizeof(Real));
      const bool above = Streamed && cells.y + 1 < state.cells[1];
      const Real* from = state.values(state.h, cells.first + (above ? state.cells[0] : 0));
      each(team, cells.count * state.velocities.size() / line,
           [&](int n) { prefetch(from + static_cast<std::ptrdiff_t>(n) * line); });
    }
  }

 private:
  /// Of numbers below 2^16, where the inverse of the divisor is at hand.
  KOKKOS_FORCEINLINE_FUNCTION static int quotient(int number, float inverse) {
    return static_cast<int>((static_cast<float>(number) + 0.5F) * inverse);
  }
};

}  // namespace knudsen::boltzmann
