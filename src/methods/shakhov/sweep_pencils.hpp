#pragma once

#include "methods/shakhov/boundary_values.hpp"
#include "methods/shakhov/equilibrium.hpp"
#include "methods/shakhov/sweep.hpp"
#include "velocity/moments.hpp"

namespace knudsen::shakhov {

/// One block of velocities and one pencil of cells a team (eq. (7) of the paper, all cells of a
/// pencil, x fastest). What enters along y and z comes from the two slices, and what leaves goes
/// back there for the pencils of the next diagonal; within the pencil values stay in scratch.
/// Moments of the team's velocities are added up from the items' power sums over z for a few cells
/// at a time.
///
/// With Order 2 the value at a downwind face is f + lean (f - upwind f), linear upwind; a wall
/// counts as an upwind value half a cell away.
template <class ExecutionSpace, class Real, CollisionModel Model, int Order>
struct SweepPencils {
  using Layout = BlockLayout<ExecutionSpace, Real>;
  using Member = TeamMember<ExecutionSpace>;
  static constexpr int depth = Layout::depth;
  static constexpr int items = Layout::items;
  static constexpr int table_size = 3 * block_edge;
  /// Planes of values that cells keep for their neighbours: f and, for order 2, the values at the
  /// three downwind faces.
  static constexpr int planes = Order == 1 ? 1 : 4;
  static constexpr int row_sums = 8;
  static constexpr int host_rows = 8;  ///< arrays over the lanes: coefficients, sums
  static constexpr int alignment = 64;

  SweepSpace<ExecutionSpace, Real> space;
  SweepStorage<ExecutionSpace, Real> storage;
  Batch batch;
  Diagonal diagonal;
  Real force[3];  ///< of the body, times two

  struct Scratch {
    Real* slots;     ///< (cell of the tile, plane, place): of the cells before along x
    Real* incoming;  ///< (axis, place): what comes in through faces
    Real* target;    ///< (cell of the chunk, number)
    Real* tables;    ///< (cell of the chunk, axis, place)
    Real* staged;    ///< GPU: (cell of the chunk, item, power); host: (row, lane)
    Real* rows;      ///< GPU: (cell of the chunk, row, sum)
  };

  KOKKOS_INLINE_FUNCTION int chunk_cells() const { return storage.chunk * storage.tile_cells(); }
  /// Rows of items that one work item of the reduction adds up.
  KOKKOS_INLINE_FUNCTION int rows_a_cell() const { return items / chunk_cells(); }

  static std::size_t scratch_bytes(int tile_cells, int chunk) {
    const int cells = tile_cells * chunk;
    const int staged = Layout::host ? host_rows * block_lanes : cells * items * 4;
    const int rows = Layout::host ? 0 : items * row_sums;
    const int values = tile_cells * planes * block_size + 3 * block_size + cells * target_size +
                       cells * table_size + staged + rows;
    return static_cast<std::size_t>(values) * sizeof(Real) + 6 * alignment;
  }

  KOKKOS_INLINE_FUNCTION Scratch take_scratch(const Member& team) const {
    const auto take = [&](int count) {
      return static_cast<Real*>(team.team_scratch(0).get_shmem_aligned(
          count * static_cast<int>(sizeof(Real)), alignment));
    };
    Scratch scratch;
    const int cells = chunk_cells();
    scratch.slots = take(storage.tile_cells() * planes * block_size);
    scratch.incoming = take(3 * block_size);
    scratch.target = take(cells * target_size);
    scratch.tables = take(cells * table_size);
    scratch.staged = take(Layout::host ? host_rows * block_lanes : cells * items * 4);
    scratch.rows = Layout::host ? nullptr : take(items * row_sums);
    return scratch;
  }

  /// body(i) for i in [0, count), spread over the team.
  template <class Body>
  KOKKOS_INLINE_FUNCTION static void each(const Member& team, int count, const Body& body) {
    if constexpr (Layout::host) {
      for (int i = 0; i < count; ++i) body(i);
    } else {
      for (int i = team.team_rank(); i < count; i += items) body(i);
    }
  }
  /// body(item) for the items: a SIMD loop on the host, each a thread on a GPU.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void each_item(const Member& team, const Body& body) {
    if constexpr (Layout::host) {
#if defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD)
#pragma omp simd
#endif
      for (int item = 0; item < items; ++item) body(item);
    } else {
      body(team.team_rank());
    }
  }

  KOKKOS_INLINE_FUNCTION void operator()(const Member& team) const {
    const int block_in_batch = team.league_rank() % batch.blocks;
    const int number = team.league_rank() / batch.blocks;
    const Block block(space, batch.first_block + block_in_batch);
    const Pencil pencil(space, storage, diagonal, number);
    const Scratch scratch = take_scratch(team);
    const int tile_cells = storage.tile_cells();
    // Slots stand in for values along axes that there are not.
    each(team, tile_cells * planes * block_size, [&](int i) { scratch.slots[i] = 0; });

    const int nx = space.cells[0];
    for (int begin = 0; begin < nx; begin += storage.chunk) {
      const int length = nx - begin < storage.chunk ? nx - begin : storage.chunk;
      const auto x_of = [&](int n) { return block.sign[0] > 0 ? begin + n : nx - 1 - begin - n; };
      team.team_barrier();
      load_targets(team, block, pencil, scratch, length, x_of);
      for (int n = 0; n < length; ++n) {
        for (int b = 0; b < storage.tile[1]; ++b) {
          for (int a = 0; a < storage.tile[0]; ++a) {
            const int cell = n * tile_cells + b * storage.tile[0] + a;
            if (a < pencil.count[0] && b < pencil.count[1]) {
              update_cell(team, block, pencil, scratch, cell, x_of(n), a, b, block_in_batch);
            } else {
              stage_nothing(team, scratch, cell);
            }
            if constexpr (Layout::host) {
              write_moments_of_lanes(
                  block, scratch,
                  partial_of(block_in_batch, number, x_of(n), b * storage.tile[0] + a));
            }
          }
        }
      }
      if constexpr (!Layout::host) {
        team.team_barrier();
        reduce_rows(team, block, scratch, length * tile_cells);
        team.team_barrier();
        write_moments_of_rows(team, block, scratch, length * tile_cells, [&](int cell) {
          return partial_of(block_in_batch, number, x_of(cell / tile_cells), cell % tile_cells);
        });
      }
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION Real* partial_of(int block_in_batch, int number, int x, int cell) const {
    const std::size_t row =
        std::size_t(block_in_batch) * std::size_t(diagonal.pencils) + std::size_t(number);
    return storage.partial.data() + ((row * std::size_t(space.cells[0]) + std::size_t(x)) *
                                         std::size_t(storage.tile_cells()) +
                                     std::size_t(cell)) *
                                        moment_count;
  }

  /// Numbers of the equilibria of the coming cells and tables of their exponentials.
  template <class XOf>
  KOKKOS_INLINE_FUNCTION void load_targets(const Member& team, const Block& block,
                                           const Pencil& pencil, const Scratch& scratch, int length,
                                           const XOf& x_of) const {
    const int tile_cells = storage.tile_cells();
    const auto target_of = [&](int cell) {
      const int in_tile = cell % tile_cells;
      const int a = in_tile % storage.tile[0];
      const int b = in_tile / storage.tile[0];
      // Beyond the edge any cell will do.
      const int y = pencil.at(0, a < pencil.count[0] ? a : 0);
      const int z = pencil.at(1, b < pencil.count[1] ? b : 0);
      return space.target.data() +
             std::size_t(space.cell_index(x_of(cell / tile_cells), y, z)) * target_size;
    };
    each(team, length * tile_cells * target_size,
         [&](int i) { scratch.target[i] = target_of(i / target_size)[i % target_size]; });
    each(team, length * tile_cells * table_size, [&](int i) {
      const int axis = i % table_size / block_edge;
      const int place = block.first[axis] + i % block_edge;
      scratch.tables[i] = table_entry<Model>(target_of(i / table_size), axis,
                                             space.nodes[axis](place), space.weights[axis](place));
    });
    team.team_barrier();
  }

  KOKKOS_INLINE_FUNCTION void stage_nothing(const Member& team, const Scratch& scratch,
                                            int cell) const {
    if constexpr (Layout::host) {
      for (int i = 0; i < 4 * block_lanes; ++i) scratch.staged[4 * block_lanes + i] = 0;
    } else {
      Real* staged = scratch.staged + (cell * items + team.team_rank()) * 4;
      for (int n = 0; n < 4; ++n) staged[n] = 0;
    }
  }

  /// What a cell's update needs along an axis.
  struct Upwind {
    const Real* face;    ///< values at the upwind face
    const Real* before;  ///< Order 2: values of the cell before
    Real inverse_width;
    Real lean;
  };

  /// Value of plane `plane` of a cell of the tile.
  KOKKOS_INLINE_FUNCTION Real* slot(const Scratch& scratch, int a, int b, int plane) const {
    return scratch.slots + ((b * storage.tile[0] + a) * planes + plane) * block_size;
  }
  /// Where the slices have the values of a plane for what flies along y (d 0) or z (d 1).
  KOKKOS_INLINE_FUNCTION Real* slice_values(int d, int x, int other, int block_in_batch,
                                            int plane) const {
    const std::size_t line = std::size_t(other) * std::size_t(space.cells[0]) + std::size_t(x);
    return storage.slice[d].data() + std::size_t(plane) * storage.slice_size[d] +
           (line * std::size_t(batch.blocks) + std::size_t(block_in_batch)) * block_size;
  }

  KOKKOS_INLINE_FUNCTION Upwind upwind(const Member& team, const Block& block, const Pencil& pencil,
                                       const Scratch& scratch, int axis, const int (&at)[3], int a,
                                       int b, int cell_class, int block_in_batch) const {
    Upwind result;
    result.inverse_width = space.inverse_width[axis](at[axis]);
    result.lean = Order == 1 ? Real(0) : space.lean[axis](block.sign[axis], at[axis]);
    const int side = block.upwind_side(axis);
    if ((cell_class >> side & 1) != 0) {
      // Only what an item writes here does it read: no barrier.
      Real* values = scratch.incoming + axis * block_size;
      const BoundaryValues<ExecutionSpace, Real> boundary(
          space, block, axis, space.faces(cell_class >> class_bits, side));
      each_item(team, [&](int item) {
        for (int n = 0; n < depth; ++n) {
          const int place = Layout::place(item, n);
          values[place] =
              boundary(Layout::x_of(item), Layout::y_of(item), Layout::first_z(item) + n, place);
        }
      });
      result.face = result.before = values;
      result.lean = Order == 1 ? Real(0) : Real(1);
      return result;
    }
    const int face_plane = Order == 1 ? 0 : 1 + axis;
    const bool in_tile = axis == 0 || (axis == 1 ? a > 0 : b > 0) || axis >= space.dimensions;
    if (in_tile) {
      const int a_before = axis == 1 && a > 0 ? a - 1 : a;
      const int b_before = axis == 2 && b > 0 ? b - 1 : b;
      result.face = slot(scratch, a_before, b_before, face_plane);
      result.before = slot(scratch, a_before, b_before, 0);
    } else {
      const int other = at[axis == 1 ? 2 : 1];
      result.face = slice_values(axis - 1, at[0], other, block_in_batch, 0);
      result.before =
          Order == 1 ? result.face : slice_values(axis - 1, at[0], other, block_in_batch, 1);
    }
    static_cast<void>(pencil);
    return result;
  }

  KOKKOS_INLINE_FUNCTION void update_cell(const Member& team, const Block& block,
                                          const Pencil& pencil, const Scratch& scratch, int cell,
                                          int x, int a, int b, int block_in_batch) const {
    const int at[3] = {x, pencil.at(0, a), pencil.at(1, b)};
    const int cell_class = space.cell_class(space.cell_index(at[0], at[1], at[2]));
    if ((cell_class & solid_bit) != 0) {
      stage_nothing(team, scratch, cell);
      return;
    }
    Upwind from[3];
    for (int axis = 0; axis < 3; ++axis) {
      from[axis] = upwind(team, block, pencil, scratch, axis, at, a, b, cell_class, block_in_batch);
    }
    const Real* target = scratch.target + cell * target_size;
    const Real* tables = scratch.tables + cell * table_size;
    Real* f = slot(scratch, a, b, 0);
    if constexpr (Layout::host) {
      relax_lanes(block, from, target, tables, scratch, f,
                  slot(scratch, a, b, planes == 1 ? 0 : 1));
    } else {
      relax_item(team.team_rank(), block, from, target, tables,
                 scratch.staged + (cell * items + team.team_rank()) * 4, f,
                 slot(scratch, a, b, planes == 1 ? 0 : 1));
    }
    hand_on(team, block, pencil, scratch, from, at, a, b, cell_class, block_in_batch);
  }

  /// Upwind speed over width along an axis.
  KOKKOS_FORCEINLINE_FUNCTION static Real rate_along(const Upwind& from, Real node) {
    return math::fabs(node) * from.inverse_width;
  }
  KOKKOS_FORCEINLINE_FUNCTION static Real inflow(const Upwind& from, int place) {
    if constexpr (Order == 1) return from.face[place];
    return from.face[place] + from.lean * from.before[place];
  }

  /// Writes a value in place of that of the cell before along x.
  KOKKOS_FORCEINLINE_FUNCTION static void store(const Upwind& along_x, int place, Real value,
                                                Real* f, Real* face_x) {
    if constexpr (Order == 2) {
      face_x[place] = value + along_x.lean * (value - along_x.before[place]);
    }
    f[place] = value;
  }

  /// Eq. (7) for the velocities of a GPU's thread.
  KOKKOS_INLINE_FUNCTION void relax_item(int item, const Block& block, const Upwind (&from)[3],
                                         const Real* target, const Real* tables, Real* staged,
                                         Real* f, Real* face_x) const {
    const int i = Layout::x_of(item);
    const int j = Layout::y_of(item);
    const int k = Layout::first_z(item);
    const Real vx = space.nodes[0](block.first[0] + i);
    const Real vy = space.nodes[1](block.first[1] + j);
    const Real* z = space.nodes[2].data() + block.first[2] + k;
    const TargetRow<Model, Real> row(target, tables[i] * tables[block_edge + j], vx, vy, force);
    const Real ax = rate_along(from[0], vx);
    const Real ay = rate_along(from[1], vy);
    const Real base = target[rate_number] + ax * (1 + from[0].lean) + ay * (1 + from[1].lean);
    const Real* table_z = tables + 2 * block_edge + k;
    Real value[depth];
    Real loss[depth];
    for (int n = 0; n < depth; ++n) {
      const int place = Layout::place(item, n);
      const Real az = rate_along(from[2], z[n]);
      loss[n] = base + az * (1 + from[2].lean);
      value[n] = row(table_z[n], z[n] - target[velocity_number + 2]) + ax * inflow(from[0], place) +
                 ay * inflow(from[1], place) + az * inflow(from[2], place);
    }
    divide(value, loss);
    Real sums[4] = {0, 0, 0, 0};
    for (int n = 0; n < depth; ++n) {
      store(from[0], Layout::place(item, n), value[n], f, face_x);
      const Real first = value[n] * z[n];
      const Real second = first * z[n];
      sums[0] += value[n];
      sums[1] += first;
      sums[2] += second;
      sums[3] += second * z[n];
    }
    for (int n = 0; n < 4; ++n) staged[n] = sums[n];
  }

  /// value / loss, with one division for two values.
  KOKKOS_FORCEINLINE_FUNCTION static void divide(Real (&value)[depth], const Real (&loss)[depth]) {
    static_assert(depth % 2 == 0);
    for (int n = 0; n < depth; n += 2) {
      const Real inverse = 1 / (loss[n] * loss[n + 1]);
      value[n] *= inverse * loss[n + 1];
      value[n + 1] *= inverse * loss[n];
    }
  }

  /// The same on the host: SIMD loops over the rows of equal x and y components.
  KOKKOS_INLINE_FUNCTION void relax_lanes(const Block& block, const Upwind (&from)[3],
                                          const Real* target, const Real* tables,
                                          const Scratch& scratch, Real* f, Real* face_x) const {
    Real* coefficients = scratch.staged;
    Real* sums = scratch.staged + 4 * block_lanes;
    Real base[block_lanes];
    Real ax[block_lanes];
    Real ay[block_lanes];
    const Real* nodes_x = space.nodes[0].data() + block.first[0];
    for (int j = 0; j < block_edge; ++j) {
      const Real vy = space.nodes[1](block.first[1] + j);
      const Real along_y = rate_along(from[1], vy);
#if defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD)
#pragma omp simd
#endif
      for (int i = 0; i < block_edge; ++i) {
        const int lane = j * block_edge + i;
        const TargetRow<Model, Real> row(target, tables[i] * tables[block_edge + j], nodes_x[i], vy,
                                         force);
        for (int n = 0; n < 4; ++n) {
          coefficients[n * block_lanes + lane] = row.c[n];
          sums[n * block_lanes + lane] = 0;
        }
        ax[lane] = rate_along(from[0], nodes_x[i]);
        ay[lane] = along_y;
        base[lane] =
            target[rate_number] + ax[lane] * (1 + from[0].lean) + along_y * (1 + from[1].lean);
      }
    }
    for (int k = 0; k < block_edge; ++k) {
      const Real z = space.nodes[2](block.first[2] + k);
      const Real cz = z - target[velocity_number + 2];
      const Real table_z = tables[2 * block_edge + k];
      const Real az = rate_along(from[2], z);
      const Real more = az * (1 + from[2].lean);
#if defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD)
#pragma omp simd
#endif
      for (int lane = 0; lane < block_lanes; ++lane) {
        const int place = k * block_lanes + lane;
        const TargetRow<Model, Real> row(coefficients[lane], coefficients[block_lanes + lane],
                                         coefficients[2 * block_lanes + lane],
                                         coefficients[3 * block_lanes + lane]);
        const Real value = (row(table_z, cz) + ax[lane] * inflow(from[0], place) +
                            ay[lane] * inflow(from[1], place) + az * inflow(from[2], place)) /
                           (base[lane] + more);
        store(from[0], place, value, f, face_x);
        const Real first = value * z;
        const Real second = first * z;
        sums[lane] += value;
        sums[block_lanes + lane] += first;
        sums[2 * block_lanes + lane] += second;
        sums[3 * block_lanes + lane] += second * z;
      }
    }
  }

  /// Gives a cell's values to the next pencils and to the sides of the box.
  KOKKOS_INLINE_FUNCTION void hand_on(const Member& team, const Block& block, const Pencil& pencil,
                                      const Scratch& scratch, const Upwind (&from)[3],
                                      const int (&at)[3], int a, int b, int cell_class,
                                      int block_in_batch) const {
    const Real* f = slot(scratch, a, b, 0);
    if constexpr (Order == 2) {
      for (int axis = 1; axis < space.dimensions; ++axis) {
        Real* face = slot(scratch, a, b, 1 + axis);
        const Real lean = from[axis].lean;
        const Real* before = from[axis].before;
        each_item(team, [&](int item) {
          for (int n = 0; n < depth; ++n) {
            const int place = Layout::place(item, n);
            face[place] = f[place] + lean * (f[place] - before[place]);
          }
        });
      }
    }
    const auto copy = [&](const Real* source, Real* to) {
      each_item(team, [&](int item) {
        for (int n = 0; n < depth; ++n) {
          to[Layout::place(item, n)] = source[Layout::place(item, n)];
        }
      });
    };
    const auto at_face = [&](int axis) { return Order == 1 ? f : slot(scratch, a, b, 1 + axis); };
    for (int d = 0; d < 2; ++d) {
      const bool last = (d == 0 ? a : b) == pencil.count[d] - 1;
      if (!last || pencil.step[d] == storage.tiles[d] - 1) continue;
      const int other = at[d == 0 ? 2 : 1];
      copy(at_face(1 + d), slice_values(d, at[0], other, block_in_batch, 0));
      if (Order == 2) copy(f, slice_values(d, at[0], other, block_in_batch, 1));
    }
    if ((cell_class & side_bits) == 0) return;
    for (int axis = 0; axis < space.dimensions; ++axis) {
      const int side = block.downwind_side(axis);
      const int last = block.sign[axis] > 0 ? space.cells[axis] - 1 : 0;
      if (at[axis] != last || space.left[side].data() == nullptr) continue;
      copy(at_face(axis),
           space.left[side].data() + block.left_place(space, axis, space.side_face(side, at)));
    }
  }

  // Moments of the block from power sums over z: first over y for equal x, then over x.

  /// GPU: items of a row have equal x.
  KOKKOS_INLINE_FUNCTION void reduce_rows(const Member& team, const Block& block,
                                          const Scratch& scratch, int cells) const {
    const int rows = rows_a_cell();
    const Real* nodes_y = space.nodes[1].data() + block.first[1];
    each(team, cells * rows, [&](int work) {
      const int row = work % rows;
      const Real* staged = scratch.staged + work / rows * items * 4;
      Real sum[row_sums] = {};
      for (int item = row; item < items; item += rows) {
        const Real* power = staged + item * 4;
        add_item(nodes_y[Layout::y_of(item)], power[0], power[1], power[2], power[3], sum);
      }
      for (int n = 0; n < row_sums; ++n) scratch.rows[work * row_sums + n] = sum[n];
    });
  }

  /// place for symmetry of the table.
  KOKKOS_FORCEINLINE_FUNCTION static void add_item(Real y, Real p0, Real p1, Real p2, Real p3,
                                                   Real (&sum)[row_sums]) {
    const Real first = y * p0;
    const Real second = y * first;
    const Real mixed = y * p1;
    sum[0] += p0;
    sum[1] += first;
    sum[2] += p1;
    sum[3] += second;
    sum[4] += p2;
    sum[5] += mixed;
    sum[6] += y * (second + p2);
    sum[7] += y * mixed + p3;
  }

  /// A moment of a row with x component `x` from its sums, in the order of RawMoments<13>.
  KOKKOS_FORCEINLINE_FUNCTION static Real row_moment(int moment, Real x, const Real* s) {
    switch (moment) {
      case 0:
        return s[0];
      case 1:
        return x * s[0];
      case 2:
        return s[1];
      case 3:
        return s[2];
      case 4:
        return x * x * s[0];
      case 5:
        return s[3];
      case 6:
        return s[4];
      case 7:
        return x * s[1];
      case 8:
        return s[5];
      case 9:
        return x * s[2];
      case 10:
        return x * (x * x * s[0] + s[3] + s[4]);
      case 11:
        return x * x * s[1] + s[6];
      default:
        return x * x * s[2] + s[7];
    }
  }

  template <class PartialOf>
  KOKKOS_INLINE_FUNCTION void write_moments_of_rows(const Member& team, const Block& block,
                                                    const Scratch& scratch, int cells,
                                                    const PartialOf& partial_of_cell) const {
    const int rows = rows_a_cell();
    const Real* nodes_x = space.nodes[0].data() + block.first[0];
    each(team, cells * moment_count, [&](int work) {
      const int moment = work % moment_count;
      const int cell = work / moment_count;
      Real sum = 0;
      for (int row = 0; row < rows; ++row) {
        sum += row_moment(moment, nodes_x[row % block_edge],
                          scratch.rows + (cell * rows + row) * row_sums);
      }
      partial_of_cell(cell)[moment] = sum;
    });
  }

  /// Host: from the sums of the lanes.
  KOKKOS_INLINE_FUNCTION void write_moments_of_lanes(const Block& block, const Scratch& scratch,
                                                     Real* moments) const {
    const Real* sums = scratch.staged + 4 * block_lanes;
    const Real* nodes_x = space.nodes[0].data() + block.first[0];
    Real rows[row_sums][block_edge] = {};
    for (int j = 0; j < block_edge; ++j) {
      const Real y = space.nodes[1](block.first[1] + j);
#if defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD)
#pragma omp simd
#endif
      for (int i = 0; i < block_edge; ++i) {
        const Real* power = sums + j * block_edge + i;
        Real sum[row_sums];
        for (int n = 0; n < row_sums; ++n) sum[n] = rows[n][i];
        add_item(y, power[0], power[block_lanes], power[2 * block_lanes], power[3 * block_lanes],
                 sum);
        for (int n = 0; n < row_sums; ++n) rows[n][i] = sum[n];
      }
    }
    for (int moment = 0; moment < moment_count; ++moment) {
      Real sum = 0;
      for (int i = 0; i < block_edge; ++i) {
        Real row[row_sums];
        for (int n = 0; n < row_sums; ++n) row[n] = rows[n][i];
        sum += row_moment(moment, nodes_x[i], row);
      }
      moments[moment] = sum;
    }
  }
};

}  // namespace knudsen::shakhov
