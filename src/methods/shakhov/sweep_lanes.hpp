#pragma once

#include "methods/shakhov/cut_values.hpp"
#include "methods/shakhov/equilibrium.hpp"
#include "methods/shakhov/row_sums.hpp"
#include "methods/shakhov/sweep.hpp"

namespace knudsen::shakhov {

/// Sweep of a pencil on the host, eq. (7) of the paper. A team is one thread; it sweeps one block
/// of velocities through one pencil of cells, tile by tile along x. Values that enter along y and z
/// are read from the two slices. Values that leave are written back there for the pencils of the
/// next diagonal. Values within the pencil stay in scratch. Loops over the 64 rows of equal x and y
/// components are SIMD loops.
///
/// With Order 2 the value at a downwind face is f + extrapolation (f - upwind f), linear upwind. A
/// wall value counts as an upwind value half a cell away, beyond antisymmetric sides are cells. Cut
/// cells are of first order.
template <class ExecutionSpace, class Real, class Model, int Order>
struct SweepLanes {
  using Layout = BlockLayout<ExecutionSpace, Real>;
  using Member = TeamMember<ExecutionSpace>;
  static constexpr int table_size = 3 * block_edge;
  /// Values that a cell keeps for its neighbours: f and, for order 2, the values at the three
  /// downwind faces.
  static constexpr int planes = Order == 1 ? 1 : 4;
  /// Coefficients of the equilibrium, and as many sums over z. With components integrated out the
  /// second entry has its sums from the third one on.
  static constexpr int lane_arrays = 4 + 4 + 2;
  static constexpr int alignment = 64;

  SweepSpace<ExecutionSpace, Real> space;
  SweepStorage<ExecutionSpace, Real> storage;
  Batch batch;
  Diagonal diagonal;
  Real force[4];  ///< see set_force

  struct Scratch {
    Real* slots;     ///< (cell of the tile, plane, place): values of the upwind tile along x
    Real* incoming;  ///< (axis, place): values that enter through boundary faces
    Real* tables;    ///< (axis, place): exponentials of the equilibrium
    Real* staged;    ///< (array, lane): coefficients of the equilibrium, sums over z
  };

  static std::size_t scratch_bytes(int tile_cells, int block_values) {
    const int values = tile_cells * planes * block_values + 3 * block_values + table_size +
                       lane_arrays * block_lanes;
    return static_cast<std::size_t>(values) * sizeof(Real) + std::size_t{4} * alignment;
  }

  KOKKOS_INLINE_FUNCTION Scratch take_scratch(const Member& team) const {
    const auto take = [&](int count) {
      return static_cast<Real*>(team.team_scratch(0).get_shmem_aligned(
          count * static_cast<int>(sizeof(Real)), alignment));
    };
    Scratch scratch;
    scratch.slots = take(storage.tile_cells() * planes * space.block_values());
    scratch.incoming = take(3 * space.block_values());
    scratch.tables = take(table_size);
    scratch.staged = take(lane_arrays * block_lanes);
    return scratch;
  }

  /// Calls body(item, n) for the n-th velocity of each item, in SIMD loops over the items.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void each_velocity(const Body& body) const {
    for (int n = 0; n < space.depth; ++n) {
      KNUDSEN_SIMD
      for (int item = 0; item < block_lanes; ++item) body(item, n);
    }
  }

  KOKKOS_INLINE_FUNCTION void operator()(const Member& team) const {
    const int block_in_batch = team.league_rank() % batch.blocks;
    const int number = team.league_rank() / batch.blocks;
    const Block block(space, batch.first_block + block_in_batch);
    const Pencil pencil(space, storage, diagonal, number);
    const Scratch scratch = take_scratch(team);
    // Slots are also read in place of neighbours along axes beyond the dimensions, times zero.
    const int slots = storage.tile_cells() * planes * space.block_values();
    for (int i = 0; i < slots; ++i) scratch.slots[i] = 0;
    const int nx = space.cells[0];
    for (int n = 0; n < nx; ++n) {
      const int x = block.sign[0] > 0 ? n : nx - 1 - n;
      for (int b = 0; b < pencil.count[1]; ++b) {
        for (int a = 0; a < pencil.count[0]; ++a) {
          Real* partial = storage.partial_of(space, diagonal, block_in_batch, number, x, a, b);
          update_cell(block, pencil, scratch, x, a, b, block_in_batch, partial);
        }
      }
    }
  }

 private:
  /// Input of a cell's update along an axis.
  struct Upwind {
    const Real* face;    ///< values at the upwind face
    const Real* before;  ///< Order 2: values of the upwind cell
    Real inverse_width;  ///< 1 / cell width
    Real extrapolation;  ///< Order 2: weight of the upwind difference
  };

  /// Values of a plane of cell (a, b) of the tile.
  KOKKOS_INLINE_FUNCTION Real* slot(const Scratch& scratch, int a, int b, int plane) const {
    return scratch.slots + ((b * storage.tile[0] + a) * planes + plane) * space.block_values();
  }
  /// Values in the slice along y (d = 0) or z (d = 1) at x and `place` (Pencil::place).
  KOKKOS_INLINE_FUNCTION Real* slice_values(int d, int x, int place, int block_in_batch,
                                            int plane) const {
    const std::size_t line = std::size_t(place) * std::size_t(space.cells[0]) + std::size_t(x);
    return storage.slice[d].data() + std::size_t(plane) * storage.slice_size[d] +
           (line * std::size_t(storage.blocks) + std::size_t(block_in_batch)) *
               std::size_t(space.block_values());
  }

  KOKKOS_INLINE_FUNCTION Upwind upwind(const Block& block, const Pencil& pencil,
                                       const Scratch& scratch, int axis, const int (&at)[3], int a,
                                       int b, int cell_class, int block_in_batch) const {
    Upwind result;
    result.inverse_width = space.inverse_width[axis](at[axis]);
    result.extrapolation =
        Order == 1 ? Real(0) : space.extrapolation[axis](block.sign[axis], at[axis]);
    const int side = block.upwind_side(axis);
    if ((cell_class >> side & 1) != 0) {
      Real* values = scratch.incoming + axis * space.block_values();
      const BoundaryValues<ExecutionSpace, Real> boundary(
          space, block, axis, space.faces(cell_class >> class_bits, side));
      each_velocity([&](int item, int n) {
        const int place = Layout::place(item, n);
        values[place] = boundary(Layout::x_of(item), Layout::y_of(item), n, place);
      });
      result.face = result.before = values;
      if (Order == 1 || boundary.cells == nullptr) {
        result.extrapolation = Order == 1 ? Real(0) : Real(1);
      } else {
        result.before = boundary.cells;
      }
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
      const int across = axis == 1 ? 1 : 0;
      const int place = pencil.place(storage, across, across == 1 ? b : a);
      result.face = slice_values(axis - 1, at[0], place, block_in_batch, 0);
      result.before =
          Order == 1 ? result.face : slice_values(axis - 1, at[0], place, block_in_batch, 1);
    }
    return result;
  }

  KOKKOS_INLINE_FUNCTION void update_cell(const Block& block, const Pencil& pencil,
                                          const Scratch& scratch, int x, int a, int b,
                                          int block_in_batch, Real* partial) const {
    const int at[3] = {x, pencil.at(0, a), pencil.at(1, b)};
    const int index = space.cell_index(at[0], at[1], at[2]);
    const int cell_class = space.cell_class(index);
    if ((cell_class & solid_bit) != 0) return;
    Upwind from[3];
    for (int axis = 0; axis < 3; ++axis) {
      from[axis] = upwind(block, pencil, scratch, axis, at, a, b, cell_class, block_in_batch);
      if (Order == 2 && (cell_class & first_order_bits) != 0) from[axis].extrapolation = 0;
    }
    const Real* target = space.target.data() + std::size_t(index) * target_size;
    const Real factor_z = target_factor<Model>(space, block, target);
    for (int axis = 0; axis < 3; ++axis) {
      const bool entries = axis == 2 && space.reduced();
      for (int i = 0; i < (entries ? space.depth : block_edge); ++i) {
        const int place = block.first[axis] + i;
        const Real weight = space.weights[axis](place) * (axis == 2 ? factor_z : Real(1));
        scratch.tables[axis * block_edge + i] =
            entries ? integrated_table_entry<Model>(target, space.velocities.integrated, i, weight)
                    : table_entry<Model>(target, axis, space.nodes[axis](place), weight);
      }
    }
    Real* f = slot(scratch, a, b, 0);
    Real* face_x = slot(scratch, a, b, planes == 1 ? 0 : 1);
    if ((cell_class & cut_bit) == 0) {
      relax_lanes<false>(block, from, target, scratch, f, face_x, nullptr, nullptr);
    } else {
      const CutValues<ExecutionSpace, Real> cut(space, block, cell_class);
      for (int axis = 0; axis < 3; ++axis) {
        from[axis].inverse_width *= cut.open[axis];
      }
      relax_lanes<true>(block, from, target, scratch, f, face_x, &cut,
                        storage.facet_partial_of(partial));
    }
    hand_on(block, pencil, scratch, from, at, a, b, cell_class, block_in_batch);
    write_block_sums(block, scratch, partial);
  }

  /// |v| / width along an axis.
  KOKKOS_FORCEINLINE_FUNCTION static Real rate_along(const Upwind& from, Real node) {
    return math::fabs(node) * from.inverse_width;
  }
  KOKKOS_FORCEINLINE_FUNCTION static Real inflow(const Upwind& from, int place) {
    if constexpr (Order == 1) return from.face[place];
    return from.face[place] + from.extrapolation * from.before[place];
  }

  /// Stores the new value of a cell over that of its upwind neighbour along x.
  KOKKOS_FORCEINLINE_FUNCTION static void store(const Upwind& along_x, int place, Real value,
                                                Real* f, Real* face_x) {
    if constexpr (Order == 2) {
      face_x[place] = value + along_x.extrapolation * (value - along_x.before[place]);
    }
    f[place] = value;
  }

  /// Eq. (7) for all velocities of the block, in SIMD loops over rows of equal x and y components.
  /// With Cut, that of CutValues; `onto_facet` is then set to the fluxes onto the surface. A
  /// function of its own, so that a test finds its vector operations.
  template <bool Cut>
  KNUDSEN_OUTLINED_FUNCTION void relax_lanes(const Block& block, const Upwind (&from)[3],
                                             const Real* target, const Scratch& scratch, Real* f,
                                             Real* face_x,
                                             const CutValues<ExecutionSpace, Real>* cut,
                                             Real* onto_facet) const {
    // Copies, which the compiler knows to stay the same in the loops.
    const Upwind along_x = from[0];
    const Upwind along_y = from[1];
    const Upwind along_z = from[2];
    const Real rate = target[rate_number];
    const Real* tables = scratch.tables;
    Real* coefficients = scratch.staged;
    Real* sums = scratch.staged + 4 * block_lanes;
    for (int i = 0; i < (lane_arrays - 4) * block_lanes; ++i) sums[i] = 0;
    Real base[block_lanes];
    Real ax[block_lanes];
    Real ay[block_lanes];
    // Of the surface in a cut cell, by lane: v_x and v_y along its normal, values from the wall
    // without the factor of v_z, and sums over z of the flux onto it times 1, z, z^2 (and two more
    // as in lane_arrays).
    constexpr int cut_lanes = Cut ? block_lanes : 1;
    Real normal[cut_lanes];
    Real emitted[cut_lanes];
    Real hits[5][cut_lanes];
    const Real* nodes_x = space.nodes[0].data() + block.first[0];
    for (int j = 0; j < block_edge; ++j) {
      const Real vy = space.nodes[1](block.first[1] + j);
      const Real table_y = tables[block_edge + j];
      const Real rate_y = rate_along(along_y, vy);
      KNUDSEN_SIMD
      for (int i = 0; i < block_edge; ++i) {
        const int lane = j * block_edge + i;
        const TargetRow<Model, Real> row(target, tables[i] * table_y, nodes_x[i], vy, force);
        for (int n = 0; n < 4; ++n) coefficients[n * block_lanes + lane] = row.c[n];
        ax[lane] = rate_along(along_x, nodes_x[i]);
        ay[lane] = rate_y;
        base[lane] =
            rate + ax[lane] * (1 + along_x.extrapolation) + rate_y * (1 + along_y.extrapolation);
        if constexpr (Cut) {
          normal[lane] = cut->into_gas[0] * nodes_x[i] + cut->into_gas[1] * vy;
          emitted[lane] = cut->wall.diffuse * cut->wall.factors[0][i] * cut->wall.factors[1][j];
          for (int n = 0; n < 5; ++n) hits[n][lane] = 0;
        }
      }
    }
    const bool reduced = space.reduced();
    for (int k = 0; k < space.depth; ++k) {
      const Real z = space.nodes[2](block.first[2] + k);
      const Real cz = reduced ? integrated_component<Model>(target, space.velocities.integrated, k)
                              : z - target[velocity_number + 2];
      // The sum of the second entry, whose node is 0, is that of f z^2.
      const int first_sum = reduced ? 2 * k : 0;
      Real* sums_k = sums + first_sum * block_lanes;
      [[maybe_unused]] auto* hits_k = hits + first_sum;
      const Real table_z = tables[2 * block_edge + k];
      const Real az = rate_along(along_z, z);
      const Real more = az * (1 + along_z.extrapolation);
      Real normal_z = 0;
      Real wall_z = 0;
      if constexpr (Cut) {
        normal_z = cut->into_gas[2];
        wall_z = cut->wall.factors[2][k];
      }
      KNUDSEN_SIMD
      for (int lane = 0; lane < block_lanes; ++lane) {
        const int place = k * block_lanes + lane;
        const Real relaxed = Model::row_value(coefficients[lane], coefficients[block_lanes + lane],
                                              coefficients[2 * block_lanes + lane],
                                              coefficients[3 * block_lanes + lane], table_z, cz);
        Real gain = relaxed + ax[lane] * inflow(along_x, place) +
                    ay[lane] * inflow(along_y, place) + az * inflow(along_z, place);
        Real loss = base[lane] + more;
        Real hit = 0;
        if constexpr (Cut) {
          const Real inwards = normal[lane] + normal_z * z;
          const Real emission = inwards > 0 ? inwards : Real(0);
          hit = emission - inwards;
          gain += emission * emitted[lane] * wall_z;
          loss += emission;
        }
        const Real value = gain / loss;
        store(along_x, place, value, f, face_x);
        const Real first = value * z;
        const Real second = first * z;
        sums_k[lane] += value;
        sums_k[block_lanes + lane] += first;
        sums_k[2 * block_lanes + lane] += second;
        sums_k[3 * block_lanes + lane] += second * z;
        if constexpr (Cut) {
          hits_k[0][lane] += hit * value;
          hits_k[1][lane] += hit * first;
          hits_k[2][lane] += hit * second;
        }
      }
    }
    if constexpr (Cut) {
      Real flux[flux_count] = {};
      for (int lane = 0; lane < block_lanes; ++lane) {
        const Real x = nodes_x[lane % block_edge];
        const Real y = space.nodes[1](block.first[1] + lane / block_edge);
        flux[0] += hits[0][lane];
        flux[1] += hits[0][lane] * x;
        flux[2] += hits[0][lane] * y;
        flux[3] += hits[1][lane];
        flux[4] += hits[0][lane] * (x * x + y * y) + hits[2][lane];
      }
      for (int n = 0; n < flux_count; ++n) onto_facet[n] = flux[n] * cut->inverse_area;
    }
  }

  /// Writes a cell's face values to the slices for the downwind pencils, and to the sides of the
  /// box that reflect or are periodic.
  KOKKOS_INLINE_FUNCTION void hand_on(const Block& block, const Pencil& pencil,
                                      const Scratch& scratch, const Upwind (&from)[3],
                                      const int (&at)[3], int a, int b, int cell_class,
                                      int block_in_batch) const {
    const Real* f = slot(scratch, a, b, 0);
    if constexpr (Order == 2) {
      for (int axis = 1; axis < space.dimensions; ++axis) {
        Real* face = slot(scratch, a, b, 1 + axis);
        const Real extrapolation = from[axis].extrapolation;
        const Real* before = from[axis].before;
        each_velocity([&](int item, int n) {
          const int place = Layout::place(item, n);
          face[place] = f[place] + extrapolation * (f[place] - before[place]);
        });
      }
    }
    const auto copy = [&](const Real* source, Real* to) {
      each_velocity(
          [&](int item, int n) { to[Layout::place(item, n)] = source[Layout::place(item, n)]; });
    };
    const auto at_face = [&](int axis) { return Order == 1 ? f : slot(scratch, a, b, 1 + axis); };
    for (int d = 0; d < 2; ++d) {
      const bool last = (d == 0 ? a : b) == pencil.count[d] - 1;
      if (!last || pencil.step[d] == storage.tiles[d] - 1) continue;
      const int place = pencil.place(storage, 1 - d, d == 0 ? b : a);
      copy(at_face(1 + d), slice_values(d, at[0], place, block_in_batch, 0));
      if (Order == 2) copy(f, slice_values(d, at[0], place, block_in_batch, 1));
    }
    if ((cell_class & side_bits) == 0) return;
    for (int axis = 0; axis < space.dimensions; ++axis) {
      const int side = block.downwind_side(axis);
      const int last = block.sign[axis] > 0 ? space.cells[axis] - 1 : 0;
      if (at[axis] != last || space.outgoing[side].data() == nullptr) continue;
      Real* to = space.outgoing[side].data() +
                 block.outgoing_place(space, axis, space.side_face(side, at));
      copy(at_face(axis), to);
      if (space.keeps_cells(side)) copy(f, to + space.outgoing[side].extent(0) / 2);
    }
    if (space.outgoing[leaving_to_solids].data() == nullptr) return;
    for (int axis = 0; axis < space.dimensions; ++axis) {
      Real* to = scattering_values(space, block, axis, cell_class);
      if (to != nullptr) copy(at_face(axis), to);
    }
  }

  /// Block sums of a cell from the sums over z of its lanes (row_sums.hpp).
  KOKKOS_INLINE_FUNCTION void write_block_sums(const Block& block, const Scratch& scratch,
                                               Real* partial) const {
    const Real* sums[4];
    for (std::size_t n = 0; n < 4; ++n) sums[n] = scratch.staged + (4 + n) * block_lanes;
    Real rows[row_sum_count][block_edge] = {};
    for (int j = 0; j < block_edge; ++j) {
      const Real y = space.nodes[1](block.first[1] + j);
      KNUDSEN_SIMD
      for (int i = 0; i < block_edge; ++i) {
        const int lane = j * block_edge + i;
        Real row[row_sum_count];
        for (int n = 0; n < row_sum_count; ++n) row[n] = rows[n][i];
        add_to_row(y, y * y, y * y * y, sums[0][lane], sums[1][lane], sums[2][lane], sums[3][lane],
                   row);
        for (int n = 0; n < row_sum_count; ++n) rows[n][i] = row[n];
      }
    }
    for (int i = 0; i < block_edge; ++i) rows[8][i] = rows[3][i] + rows[4][i];
    Real powers[4][block_edge];
    for (int i = 0; i < block_edge; ++i) {
      const Real x = space.nodes[0](block.first[0] + i);
      for (int power = 0; power < 4; ++power) powers[power][i] = power_of(x, power);
    }
    for (int n = 0; n < block_sum_count; ++n) {
      Real sum = 0;
      for (int i = 0; i < block_edge; ++i) sum += powers[x_power(n)][i] * rows[row_sum_of(n)][i];
      partial[n] = sum;
    }
  }
};

}  // namespace knudsen::shakhov
