#pragma once

#include "methods/shakhov/boundary_values.hpp"
#include "methods/shakhov/equilibrium.hpp"
#include "methods/shakhov/row_sums.hpp"
#include "methods/shakhov/sweep.hpp"

namespace knudsen::shakhov {

/// The sweep of a pencil on a GPU: one block of velocities and one pencil of cells a team, four
/// velocities a thread (eq. (7) of the paper). Values within the pencil stay in registers; what
/// enters along y and z comes from the two slices, and what leaves goes back there for the pencils
/// of the next diagonal. The threads' power sums of a few cells wait in scratch until the team adds
/// them up (row_sums.hpp). The order of all sums is fixed.
///
/// With Order 2 the value at a downwind face is f + lean (f - upwind f), linear upwind; a wall
/// counts as an upwind value half a cell away.
template <class ExecutionSpace, class Real, CollisionModel Model, int Order, int Dimensions>
struct SweepThreads {
  using Layout = BlockLayout<ExecutionSpace, Real>;
  using Member = TeamMember<ExecutionSpace>;
  static constexpr int depth = Layout::depth;
  static constexpr int items = Layout::items;
  static constexpr int tile_y = default_tuning(Dimensions).tile[0];
  static constexpr int tile_z = default_tuning(Dimensions).tile[1];
  static constexpr int tile_cells = tile_y * tile_z;
  /// Cells between two reductions, and how many of them along x.
  static constexpr int chunk_cells = 8;
  static constexpr int chunk = chunk_cells / tile_cells;
  static constexpr int rows = items / chunk_cells;  ///< of row sums a cell
  static constexpr int table_size = 3 * block_edge;
  static constexpr int alignment = 16;
  /// Teams that a multiprocessor should hold at once: limits the registers of a thread.
  static constexpr int resident = sizeof(Real) == 4 && Order == 1 ? 4 : 3;
  static_assert(rows % block_edge == 0 && chunk_cells * block_sum_count == items);

  struct alignas(16) Values {
    Real v[depth];
  };

  SweepSpace<ExecutionSpace, Real> space;
  SweepStorage<ExecutionSpace, Real> storage;
  Batch batch;
  Diagonal diagonal;
  Real force[4];  ///< of the body, times two; 1 where there is one

  struct Scratch {
    Values* staged;  ///< (cell of the chunk, item): power sums
    Real* rows;      ///< (cell of the chunk, row, row sum)
    Real* target;    ///< (cell of the chunk, number)
    Real* tables;    ///< (cell of the chunk, axis, place)
    Real* powers;    ///< (block sum, place along x)
    Real* nodes_y;   ///< of the block
    int* classes;    ///< of the cells of the chunk
  };

  static std::size_t scratch_bytes() {
    const std::size_t values = chunk_cells * items * depth + items * row_sum_count +
                               chunk_cells * (target_size + table_size) +
                               block_sum_count * block_edge + block_edge;
    return values * sizeof(Real) + chunk_cells * sizeof(int) + std::size_t{7} * alignment;
  }

  template <class Value>
  KOKKOS_INLINE_FUNCTION static Value* take(const Member& team, int count) {
    return static_cast<Value*>(team.team_scratch(0).get_shmem_aligned(
        static_cast<std::size_t>(count) * sizeof(Value), alignment));
  }

  /// What a thread knows of its velocities.
  struct Thread {
    int item, i, j, k;
    Real vx, vy;
    Real vz[depth];
    Real speed_x, speed_y;
    int axis;  ///< of the table entries that the thread makes
    Real table_node, table_weight;
  };
  /// The pencil's cells, as the thread meets them.
  struct Cells {
    Real rate_y[tile_y];  ///< |v_y| over width
    Real per_width_z[tile_z];
    Values f[tile_z][tile_y];
    Values face_x[Order == 1 ? 1 : tile_z][Order == 1 ? 1 : tile_y];
  };
  /// Upwind values at a face and, for order 2, of the cell before, and the share of the difference.
  struct Upwind {
    Values face;
    Values before;
    Real lean = 0;
  };

  KOKKOS_INLINE_FUNCTION void operator()(const Member& team) const {
    const int block_in_batch = team.league_rank() % batch.blocks;
    const int number = team.league_rank() / batch.blocks;
    const Block block(space, batch.first_block + block_in_batch);
    const Pencil pencil(space, storage, diagonal, number);
    Scratch scratch;
    scratch.staged = take<Values>(team, chunk_cells * items);
    scratch.rows = take<Real>(team, items * row_sum_count);
    scratch.target = take<Real>(team, chunk_cells * target_size);
    scratch.tables = take<Real>(team, chunk_cells * table_size);
    scratch.powers = take<Real>(team, block_sum_count * block_edge);
    scratch.nodes_y = take<Real>(team, block_edge);
    scratch.classes = take<int>(team, chunk_cells);

    Thread thread;
    thread.item = team.team_rank();
    thread.i = Layout::x_of(thread.item);
    thread.j = Layout::y_of(thread.item);
    thread.k = Layout::first_z(thread.item);
    thread.vx = space.nodes[0](block.first[0] + thread.i);
    thread.vy = space.nodes[1](block.first[1] + thread.j);
    for (int n = 0; n < depth; ++n) thread.vz[n] = space.nodes[2](block.first[2] + thread.k + n);
    thread.speed_x = math::fabs(thread.vx);
    thread.speed_y = math::fabs(thread.vy);
    scratch.powers[thread.item] =
        power_of(space.nodes[0](block.first[0] + thread.item % block_edge),
                 x_power(thread.item / block_edge));

    if (thread.item < block_edge) {
      scratch.nodes_y[thread.item] = space.nodes[1](block.first[1] + thread.item);
    }
    const int place = thread.item % table_size;
    thread.axis = place / block_edge;
    for (int axis = 0; axis < 3; ++axis) {
      if (axis != thread.axis) continue;
      thread.table_node = space.nodes[axis](block.first[axis] + place % block_edge);
      thread.table_weight = space.weights[axis](block.first[axis] + place % block_edge);
    }

    Cells cells;
    for (int a = 0; a < tile_y; ++a) {
      cells.rate_y[a] =
          a < pencil.count[0] ? thread.speed_y * space.inverse_width[1](pencil.at(0, a)) : Real(0);
    }
    for (int b = 0; b < tile_z; ++b) {
      cells.per_width_z[b] =
          b < pencil.count[1] ? space.inverse_width[2](pencil.at(1, b)) : Real(0);
      for (int a = 0; a < tile_y; ++a) {
        for (int n = 0; n < depth; ++n) {
          cells.f[b][a].v[n] = 0;
          if constexpr (Order == 2) cells.face_x[b][a].v[n] = 0;
        }
      }
    }

    const int nx = space.cells[0];
    for (int begin = 0; begin < nx; begin += chunk) {
      const int length = nx - begin < chunk ? nx - begin : chunk;
      const int x_begin = block.sign[0] > 0 ? begin : nx - 1 - begin;
      const int x_step = block.sign[0] > 0 ? 1 : -1;
      team.team_barrier();
      load_targets(thread, pencil, scratch, x_begin, x_step, length);
      team.team_barrier();
      fill_tables(thread, scratch);
      team.team_barrier();
      for (int n = 0; n < length; ++n) {
        update_column(thread, block, pencil, scratch, x_begin + n * x_step, n, block_in_batch,
                      cells);
      }
      for (int n = length; n < chunk; ++n) {
        for (int cell = 0; cell < tile_cells; ++cell) stage_nothing(thread, scratch, n, cell);
      }
      team.team_barrier();
      add_rows(thread, scratch);
      team.team_barrier();
      // Each thread one of the block sums of one of the cells.
      const int cell = thread.item / block_sum_count;
      const int sum = thread.item % block_sum_count;
      if (cell < length * tile_cells) {
        const int in_tile = cell % tile_cells;
        storage.partial_of(space, diagonal, block_in_batch, number,
                           x_begin + cell / tile_cells * x_step, in_tile % tile_y,
                           in_tile / tile_y)[sum] = block_sum(scratch, cell, sum);
      }
    }
  }

 private:
  /// Numbers of the equilibria and classes of the coming cells.
  KOKKOS_FORCEINLINE_FUNCTION void load_targets(const Thread& thread, const Pencil& pencil,
                                                const Scratch& scratch, int x_begin, int x_step,
                                                int length) const {
    constexpr int numbers = chunk_cells * target_size;
    static_assert(numbers + chunk_cells <= items);
    const int cell = thread.item < numbers ? thread.item / target_size : thread.item - numbers;
    if (cell >= chunk_cells) return;
    // Beyond the edge any cell will do.
    const int n = cell / tile_cells;
    const int a = cell % tile_cells % tile_y;
    const int b = cell % tile_cells / tile_y;
    const int index = space.cell_index(x_begin + (n < length ? n : 0) * x_step,
                                       pencil.at(0, a < pencil.count[0] ? a : 0),
                                       pencil.at(1, b < pencil.count[1] ? b : 0));
    if (thread.item < numbers) {
      scratch.target[thread.item] =
          space.target
              .data()[std::size_t(index) * target_size + std::size_t(thread.item % target_size)];
    } else {
      scratch.classes[cell] = space.cell_class(index);
    }
  }

  /// Tables of exponentials, as many whole ones at once as there are threads for.
  KOKKOS_FORCEINLINE_FUNCTION void fill_tables(const Thread& thread, const Scratch& scratch) const {
    constexpr int at_once = items / table_size;
    if (thread.item >= at_once * table_size) return;
    for (int cell = thread.item / table_size; cell < chunk_cells; cell += at_once) {
      scratch.tables[cell * table_size + thread.item % table_size] = table_entry<Model>(
          scratch.target + cell * target_size, thread.axis, thread.table_node, thread.table_weight);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static void stage_nothing(const Thread& thread,
                                                        const Scratch& scratch, int n, int cell) {
    scratch.staged[(n * tile_cells + cell) * items + thread.item] = Values{};
  }

  /// Where a slice has this thread's values of a plane, for what flies along y (d 0) or z (d 1).
  KOKKOS_FORCEINLINE_FUNCTION Values* slice(const Thread& thread, int d, int x, int other,
                                            int block_in_batch, int plane) const {
    const std::size_t line = std::size_t(other) * std::size_t(space.cells[0]) + std::size_t(x);
    Real* values = storage.slice[d].data() + std::size_t(plane) * storage.slice_size[d] +
                   (line * std::size_t(batch.blocks) + std::size_t(block_in_batch)) * block_size;
    return reinterpret_cast<Values*>(values) + thread.item;
  }

  /// All cells of the tile at one x.
  KOKKOS_FORCEINLINE_FUNCTION void update_column(const Thread& thread, const Block& block,
                                                 const Pencil& pencil, const Scratch& scratch,
                                                 int x, int n, int block_in_batch,
                                                 Cells& cells) const {
    const Real rate_x = thread.speed_x * space.inverse_width[0](x);
    Upwind from_y[tile_z];
    Upwind from_z[tile_y];
    for (int b = 0; b < tile_z; ++b) {
      from_y[b] = Upwind{};
      if (Dimensions < 2 || pencil.step[0] == 0 || b >= pencil.count[1]) continue;
      from_y[b].face = *slice(thread, 0, x, pencil.at(1, b), block_in_batch, 0);
      if (Order == 2) from_y[b].before = *slice(thread, 0, x, pencil.at(1, b), block_in_batch, 1);
    }
    for (int a = 0; a < tile_y; ++a) {
      from_z[a] = Upwind{};
      if (Dimensions < 3 || pencil.step[1] == 0 || a >= pencil.count[0]) continue;
      from_z[a].face = *slice(thread, 1, x, pencil.at(0, a), block_in_batch, 0);
      if (Order == 2) from_z[a].before = *slice(thread, 1, x, pencil.at(0, a), block_in_batch, 1);
    }
    KNUDSEN_UNROLL
    for (int b = 0; b < tile_z; ++b) {
      KNUDSEN_UNROLL
      for (int a = 0; a < tile_y; ++a) {
        const int cell = n * tile_cells + b * tile_y + a;
        const int cell_class = scratch.classes[cell];
        if (a >= pencil.count[0] || b >= pencil.count[1] || (cell_class & solid_bit) != 0) {
          stage_nothing(thread, scratch, n, b * tile_y + a);
          continue;
        }
        const int at[3] = {x, pencil.at(0, a), pencil.at(1, b)};
        Upwind from[3];
        from[0].before = cells.f[b][a];
        from[0].face =
            Order == 1 ? cells.f[b][a] : cells.face_x[Order == 1 ? 0 : b][Order == 1 ? 0 : a];
        from[1] = from_y[b];
        from[2] = from_z[a];
        if constexpr (Order == 2) {
          for (int axis = 0; axis < Dimensions; ++axis) {
            from[axis].lean = space.lean[axis](block.sign[axis], at[axis]);
          }
        }
        if ((cell_class & side_bits) != 0) take_from_walls(thread, block, cell_class, from);
        const Real rates[2] = {rate_x, cells.rate_y[a]};
        Values f =
            relax(thread, from, rates, cells.per_width_z[b], scratch.target + cell * target_size,
                  scratch.tables + cell * table_size, scratch.staged[cell * items + thread.item]);
        Values face[3];
        for (int axis = 0; axis < 3; ++axis) {
          for (int m = 0; m < depth; ++m) {
            face[axis].v[m] =
                Order == 1 ? f.v[m] : f.v[m] + from[axis].lean * (f.v[m] - from[axis].before.v[m]);
          }
        }
        cells.f[b][a] = f;
        if constexpr (Order == 2) cells.face_x[b][a] = face[0];
        from_y[b].face = face[1];
        from_z[a].face = face[2];
        if constexpr (Order == 2) from_y[b].before = from_z[a].before = f;
        if (Dimensions > 1 && a == pencil.count[0] - 1 && pencil.step[0] < storage.tiles[0] - 1) {
          *slice(thread, 0, x, at[2], block_in_batch, 0) = face[1];
          if (Order == 2) *slice(thread, 0, x, at[2], block_in_batch, 1) = f;
        }
        if (Dimensions > 2 && b == pencil.count[1] - 1 && pencil.step[1] < storage.tiles[1] - 1) {
          *slice(thread, 1, x, at[1], block_in_batch, 0) = face[2];
          if (Order == 2) *slice(thread, 1, x, at[1], block_in_batch, 1) = f;
        }
        if ((cell_class & side_bits) != 0) leave(thread, block, at, face);
      }
    }
  }

  /// Eq. (7) for a thread's velocities.
  KOKKOS_FORCEINLINE_FUNCTION Values relax(const Thread& thread, const Upwind (&from)[3],
                                           const Real (&rates)[2], Real per_width_z,
                                           const Real* numbers, const Real* tables,
                                           Values& staged) const {
    Real target[target_size];
    KNUDSEN_UNROLL
    for (int n = 0; n < target_size; n += depth) {
      const Values some = *reinterpret_cast<const Values*>(numbers + n);
      for (int m = 0; m < depth; ++m) target[n + m] = some.v[m];
    }
    const TargetRow<Model, Real> row(target, tables[thread.i] * tables[block_edge + thread.j],
                                     thread.vx, thread.vy, force);
    const Values table_z = *reinterpret_cast<const Values*>(tables + 2 * block_edge + thread.k);
    const Real base =
        target[rate_number] + rates[0] * (1 + from[0].lean) + rates[1] * (1 + from[1].lean);
    const Real mean_z = target[velocity_number + 2];
    Values value;
    Real loss[depth];
    KNUDSEN_UNROLL
    for (int n = 0; n < depth; ++n) {
      const Real rate_z = math::fabs(thread.vz[n]) * per_width_z;
      loss[n] = base + rate_z * (1 + from[2].lean);
      value.v[n] = row(table_z.v[n], thread.vz[n] - mean_z) + rates[0] * inflow(from[0], n) +
                   rates[1] * inflow(from[1], n) + rate_z * inflow(from[2], n);
    }
    // One division for all.
    static_assert(depth == 4);
    const Real pair[2] = {loss[0] * loss[1], loss[2] * loss[3]};
    const Real inverse = 1 / (pair[0] * pair[1]);
    value.v[0] *= inverse * (pair[1] * loss[1]);
    value.v[1] *= inverse * (pair[1] * loss[0]);
    value.v[2] *= inverse * (pair[0] * loss[3]);
    value.v[3] *= inverse * (pair[0] * loss[2]);
    Values sums{};
    KNUDSEN_UNROLL
    for (int n = 0; n < depth; ++n) {
      const Real first = value.v[n] * thread.vz[n];
      const Real second = first * thread.vz[n];
      sums.v[0] += value.v[n];
      sums.v[1] += first;
      sums.v[2] += second;
      sums.v[3] += second * thread.vz[n];
    }
    staged = sums;
    return value;
  }
  KOKKOS_FORCEINLINE_FUNCTION static Real inflow(const Upwind& from, int n) {
    if constexpr (Order == 1) return from.face.v[n];
    return from.face.v[n] + from.lean * from.before.v[n];
  }

  /// Replaces what comes in through walls and sides of the box.
  KOKKOS_INLINE_FUNCTION void take_from_walls(const Thread& thread, const Block& block,
                                              int cell_class, Upwind (&from)[3]) const {
    KNUDSEN_UNROLL
    for (int axis = 0; axis < Dimensions; ++axis) {
      const int side = block.upwind_side(axis);
      if ((cell_class >> side & 1) == 0) continue;
      const BoundaryValues<ExecutionSpace, Real> boundary(
          space, block, axis, space.faces(cell_class >> class_bits, side));
      KNUDSEN_UNROLL
      for (int n = 0; n < depth; ++n) {
        from[axis].face.v[n] =
            boundary(thread.i, thread.j, thread.k + n, Layout::place(thread.item, n));
      }
      from[axis].before = from[axis].face;
      from[axis].lean = Order == 1 ? Real(0) : Real(1);
    }
  }

  /// Keeps what leaves through sides that reflect or are periodic.
  KOKKOS_INLINE_FUNCTION void leave(const Thread& thread, const Block& block, const int (&at)[3],
                                    const Values (&face)[3]) const {
    KNUDSEN_UNROLL
    for (int axis = 0; axis < Dimensions; ++axis) {
      const int side = block.downwind_side(axis);
      const int last = block.sign[axis] > 0 ? space.cells[axis] - 1 : 0;
      if (at[axis] != last || space.left[side].data() == nullptr) continue;
      Real* values =
          space.left[side].data() + block.left_place(space, axis, space.side_face(side, at));
      reinterpret_cast<Values*>(values)[thread.item] = face[axis];
    }
  }

  /// Row sums: each thread adds up items of equal x of one cell.
  KOKKOS_FORCEINLINE_FUNCTION static void add_rows(const Thread& thread, const Scratch& scratch) {
    const int cell = thread.item / rows;
    const int row = thread.item % rows;
    Real sums[row_sum_count] = {};
    KNUDSEN_UNROLL
    for (int item = 0; item < items; item += rows) {
      const Values power = scratch.staged[cell * items + item + row];
      add_to_row(scratch.nodes_y[Layout::y_of(item) + row / block_edge], power.v[0], power.v[1],
                 power.v[2], power.v[3], sums);
    }
    for (int n = 0; n < row_sum_count; ++n) {
      scratch.rows[thread.item * row_sum_count + n] = sums[n];
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static Real block_sum(const Scratch& scratch, int cell, int n) {
    const Real* values = scratch.rows + row_sum_of(n);
    const Real* powers = scratch.powers + n * block_edge;
    Real sum = 0;
    KNUDSEN_UNROLL
    for (int row = 0; row < rows; ++row) {
      const int place = (cell * rows + row) * row_sum_count;
      sum += powers[row % block_edge] * values[place];
    }
    return sum;
  }
};

}  // namespace knudsen::shakhov
