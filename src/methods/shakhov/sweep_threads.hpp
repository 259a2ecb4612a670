#pragma once

#include "methods/shakhov/cut_values.hpp"
#include "methods/shakhov/equilibrium.hpp"
#include "methods/shakhov/row_sums.hpp"
#include "methods/shakhov/sweep.hpp"

namespace knudsen::shakhov {

/// Sweep of a pencil on a GPU, eq. (7) of the paper. A team sweeps one block of velocities through
/// one pencil of cells; a thread has four velocities. Values within the pencil stay in registers.
/// Values that enter along y and z are prefetched from the two slices as soon as registers are
/// free. Values that leave are written back there for the pencils of the next diagonal. The
/// threads' sums over z are staged in scratch; every eight cells the team reduces them to block
/// sums (row_sums.hpp). All sums have a fixed order.
///
/// With Order 2 the value at a downwind face is f + extrapolation (f - upwind f), linear upwind. A
/// wall value counts as an upwind value half a cell away, beyond antisymmetric sides are cells. Cut
/// cells are of first order. Without General there are none, and no solids that scatter: their code
/// takes registers, of which a kernel without it has just enough. If Reduced, components of the
/// velocity are integrated out, and a thread has two entries.
template <class ExecutionSpace, class Real, class Model, int Order, int Dimensions, bool General,
          bool Reduced = false>
struct SweepThreads {
  using Layout = BlockLayout<ExecutionSpace, Real, Reduced>;
  using Member = TeamMember<ExecutionSpace>;
  static constexpr int depth = Layout::depth;
  static constexpr int items = Layout::items;
  static constexpr int tile_y = default_tuning(Dimensions).tile[0];
  static constexpr int tile_z = default_tuning(Dimensions).tile[1];
  static constexpr int tile_cells = tile_y * tile_z;
  static constexpr int chunk_cells = Reduced ? 4 : 8;     ///< cells between two reductions
  static constexpr int chunk = chunk_cells / tile_cells;  ///< tiles along x between two reductions
  static constexpr int rows = items / chunk_cells;        ///< threads that reduce one cell
  static constexpr int table_size = 3 * block_edge;
  static constexpr int alignment = 16;
  /// Teams that should fit into a multiprocessor at once; limits the registers of a thread.
  static constexpr int resident =
      (Reduced ? 2 : 1) * (sizeof(Real) == 8 ? 2 : (Order == 1 ? 4 : 3));
  /// Place in the tables of what integrated_component is for the entries along z.
  static constexpr int component_place = 2 * block_edge + 4;
  static_assert(rows % block_edge == 0 && chunk_cells * block_sum_count == items);

  struct alignas(depth * sizeof(Real) < alignment ? depth * sizeof(Real) : alignment) Values {
    Real v[depth];
  };

  SweepSpace<ExecutionSpace, Real> space;
  SweepStorage<ExecutionSpace, Real> storage;
  Batch batch;
  Diagonal diagonal;
  Real force[4];  ///< see set_force

  /// y, y^2 and y^3 of a node.
  struct alignas(alignment) Powers {
    Real v[4];
  };
  /// Scratch of a team in one struct, so that a thread keeps a single address in registers.
  struct alignas(alignment) Scratch {
    Values staged[chunk_cells][items];                         ///< each thread's sums over z
    Powers powers_y[block_edge];                               ///< of the block's nodes
    alignas(alignment) Real target[chunk_cells][target_size];  ///< equilibria of the chunk
    alignas(alignment) Real tables[chunk_cells][table_size];   ///< exponentials (axis, place)
    Real rows[items][row_sum_count];                           ///< row sums
    Real powers[block_sum_count][block_edge];                  ///< x^x_power(n)
    Real nodes[table_size];                                    ///< nodes of the block (axis, place)
    Real weights[table_size];                                  ///< their quadrature weights
    int classes[chunk_cells];                                  ///< classes of the chunk's cells
  };

  static std::size_t scratch_bytes() { return sizeof(Scratch) + alignment; }

  /// Velocities of a thread.
  struct Thread {
    int item;        ///< rank in the team
    int i;           ///< index along x in the block
    int j;           ///< index along y in the block
    int k;           ///< index along z in the block of the first velocity
    Real vx;         ///< x component of all its velocities
    Real vy;         ///< y component of all its velocities
    Real vz[depth];  ///< z components
  };
  /// Position of this thread's values in the slices along y (0) and z (1).
  struct Place {
    Values* here[2];  ///< value at the present x for the first row of the tile
    int ahead;        ///< distance to the next x
    int across;       ///< distance to the next row of the tile
  };
  /// State of the sweep for the cells of a tile.
  struct Cells {
    Real rate_y[tile_y];                                              ///< |v_y| / width along y
    Real per_width_z[tile_z];                                         ///< 1 / width along z
    Values f[tile_z][tile_y];                                         ///< values of the cells
    Values face_x[Order == 1 ? 1 : tile_z][Order == 1 ? 1 : tile_y];  ///< at the faces along x
  };
  /// Input of a cell's update along an axis.
  struct Upwind {
    Values face;             ///< values at the upwind face
    Values before;           ///< Order 2: values of the upwind cell
    Real extrapolation = 0;  ///< Order 2: weight of the upwind difference
  };
  /// Values that enter a tile at one x from the two slices.
  struct Incoming {
    Upwind y[tile_z];  ///< along y
    Upwind z[tile_y];  ///< along z
  };
  /// Value that a thread prefetches for the scratch of the next chunk.
  struct Load {
    Real number;     ///< one number of an equilibrium
    int cell_class;  ///< or the class of one cell
  };

  KOKKOS_INLINE_FUNCTION void operator()(const Member& team) const {
    const int block_in_batch = team.league_rank() % batch.blocks;
    const int number = team.league_rank() / batch.blocks;
    const Block block(space, batch.first_block + block_in_batch);
    const Pencil pencil(space, storage, diagonal, number);
    Scratch& scratch =
        *static_cast<Scratch*>(team.team_scratch(0).get_shmem_aligned(sizeof(Scratch), alignment));
    const Thread thread = make_thread(block, team.team_rank());
    store_nodes(thread, block, scratch);
    Cells cells = empty_cells(thread, pencil);

    const int nx = space.cells[0];
    const int x_step = block.sign[0] > 0 ? 1 : -1;
    const int x_first = block.sign[0] > 0 ? 0 : nx - 1;
    store(thread, scratch, load(thread, pencil, x_first, x_step, nx));
    Place place = first_place(thread, pencil, block_in_batch, x_first, x_step);
    Incoming incoming = first_incoming(pencil, place);
    team.team_barrier();
    for (int begin = 0; begin < nx; begin += chunk) {
      const int length = nx - begin < chunk ? nx - begin : chunk;
      const int x_begin = x_first + begin * x_step;
      fill_tables(thread, block, scratch);
      // Prefetched while this chunk is computed.
      Load next;
      if (begin + chunk < nx) {
        next = load(thread, pencil, x_begin + chunk * x_step, x_step, nx - begin - chunk);
      }
      team.team_barrier();
      update_chunk(team, thread, block, pencil, scratch, begin, length, x_begin, x_step, place,
                   incoming, cells, block_in_batch, number);
      team.team_barrier();
      add_rows(thread, scratch);
      if (begin + chunk < nx) store(thread, scratch, next);
      team.team_barrier();
      write_block_sums(thread, scratch, block_in_batch, number, length, x_begin, x_step);
    }
  }

 private:
  static constexpr int chunk_numbers = chunk_cells * target_size;
  static_assert(chunk_numbers + chunk_cells <= items);

  /// The velocities of the thread with this rank in the team.
  KOKKOS_FORCEINLINE_FUNCTION Thread make_thread(const Block& block, int rank) const {
    Thread thread;
    thread.item = rank;
    thread.i = Layout::x_of(thread.item);
    thread.j = Layout::y_of(thread.item);
    thread.k = Layout::first_z(thread.item);
    thread.vx = space.nodes[0](block.first[0] + thread.i);
    thread.vy = space.nodes[1](block.first[1] + thread.j);
    for (int n = 0; n < depth; ++n) thread.vz[n] = space.nodes[2](block.first[2] + thread.k + n);
    return thread;
  }

  /// Stores the nodes of the block, their weights and powers in scratch.
  KOKKOS_FORCEINLINE_FUNCTION void store_nodes(const Thread& thread, const Block& block,
                                               Scratch& scratch) const {
    for (int n = thread.item; n < block_sum_count * block_edge; n += items) {
      scratch.powers[n / block_edge][n % block_edge] =
          power_of(space.nodes[0](block.first[0] + n % block_edge), x_power(n / block_edge));
    }
    if (thread.item < block_edge) {
      const Real y = space.nodes[1](block.first[1] + thread.item);
      scratch.powers_y[thread.item] = Powers{{y, y * y, y * y * y, 0}};
    }
    for (int place = thread.item; place < table_size; place += items) {
      const int axis = place / block_edge;
      if (Reduced && axis == 2 && place % block_edge >= depth) break;
      const int at = block.first[axis] + place % block_edge;
      scratch.nodes[place] = space.nodes[axis](at);
      scratch.weights[place] = space.weights[axis](at);
    }
  }

  /// The cells of a tile before the first x, where all values are zero.
  KOKKOS_FORCEINLINE_FUNCTION Cells empty_cells(const Thread& thread, const Pencil& pencil) const {
    Cells cells;
    KNUDSEN_UNROLL
    for (int a = 0; a < tile_y; ++a) {
      cells.rate_y[a] = a < pencil.count[0]
                            ? math::fabs(thread.vy) * space.inverse_width[1](pencil.at(0, a))
                            : Real(0);
    }
    KNUDSEN_UNROLL
    for (int b = 0; b < tile_z; ++b) {
      cells.per_width_z[b] =
          b < pencil.count[1] ? space.inverse_width[2](pencil.at(1, b)) : Real(0);
      KNUDSEN_UNROLL
      for (int a = 0; a < tile_y; ++a) {
        KNUDSEN_UNROLL
        for (int n = 0; n < depth; ++n) {
          cells.f[b][a].v[n] = 0;
          if constexpr (Order == 2) cells.face_x[b][a].v[n] = 0;
        }
      }
    }
    return cells;
  }

  /// Position in the slices at the first x of the pencil.
  KOKKOS_FORCEINLINE_FUNCTION Place first_place(const Thread& thread, const Pencil& pencil,
                                                int block_in_batch, int x_first, int x_step) const {
    Place place;
    const int nx = space.cells[0];
    const int line = storage.blocks * items;
    place.ahead = x_step * line;
    place.across = nx * line;
    KNUDSEN_UNROLL
    for (int d = 0; d < 2; ++d) {
      place.here[d] = reinterpret_cast<Values*>(storage.slice[d].data()) +
                      (std::int64_t(pencil.place(storage, 1 - d, 0)) * nx + x_first) * line +
                      std::int64_t(block_in_batch) * items + thread.item;
    }
    return place;
  }

  /// Values that enter the tile at the first x.
  KOKKOS_FORCEINLINE_FUNCTION Incoming first_incoming(const Pencil& pencil,
                                                      const Place& place) const {
    Incoming incoming;
    KNUDSEN_UNROLL
    for (int b = 0; b < tile_z; ++b) fetch(pencil, place, 0, 0, b, incoming.y[b]);
    KNUDSEN_UNROLL
    for (int a = 0; a < tile_y; ++a) fetch(pencil, place, 1, 0, a, incoming.z[a]);
    return incoming;
  }

  /// Updates the `length` tiles of a chunk, which begins `begin` tiles downwind of the first x, at
  /// `x_begin`. Stages zeros for the tiles that the last chunk lacks.
  KOKKOS_FORCEINLINE_FUNCTION void update_chunk(const Member& team, const Thread& thread,
                                                const Block& block, const Pencil& pencil,
                                                Scratch& scratch, int begin, int length,
                                                int x_begin, int x_step, Place& place,
                                                Incoming& incoming, Cells& cells,
                                                int block_in_batch, int number) const {
    int classes = 0;
    for (int cell = 0; cell < chunk_cells; ++cell) classes |= scratch.classes[cell];
    const bool plain = classes == 0 && length == chunk && pencil.count[0] == tile_y &&
                       pencil.count[1] == tile_z && force[3] == 0;
    for (int n = 0; n < length; ++n) {
      const int x = x_begin + n * x_step;
      const int ahead = begin + n + 1 < space.cells[0] ? place.ahead : 0;
      if (plain) {
        update_column<true>(team, thread, block, pencil, scratch, x, n, place, ahead, incoming,
                            cells, block_in_batch, number);
      } else {
        update_column<false>(team, thread, block, pencil, scratch, x, n, place, ahead, incoming,
                             cells, block_in_batch, number);
      }
      KNUDSEN_UNROLL
      for (int d = 0; d < 2; ++d) place.here[d] += place.ahead;
    }
    for (int n = length; n < chunk; ++n) {
      for (int cell = 0; cell < tile_cells; ++cell) stage_nothing(thread, scratch, n, cell);
    }
  }

  /// Writes the block sums of a chunk: each thread forms one sum of one cell.
  KOKKOS_FORCEINLINE_FUNCTION void write_block_sums(const Thread& thread, Scratch& scratch,
                                                    int block_in_batch, int number, int length,
                                                    int x_begin, int x_step) const {
    const int cell = thread.item / block_sum_count;
    const int sum = thread.item % block_sum_count;
    if (cell >= length * tile_cells) return;
    const int in_tile = cell % tile_cells;
    storage.partial_of(space, diagonal, block_in_batch, number,
                       x_begin + cell / tile_cells * x_step, in_tile % tile_y,
                       in_tile / tile_y)[sum] = block_sum(scratch, cell, sum);
  }

  /// Loads this thread's share of the equilibria and classes of the chunk that begins at `x_begin`.
  /// Only `rest` tiles are left along x.
  KOKKOS_FORCEINLINE_FUNCTION Load load(const Thread& thread, const Pencil& pencil, int x_begin,
                                        int x_step, int rest) const {
    Load result{0, 0};
    const int cell =
        thread.item < chunk_numbers ? thread.item / target_size : thread.item - chunk_numbers;
    if (cell >= chunk_cells) return result;
    // Clamp to a cell of the domain; values beyond its edge are not used.
    const int n = cell / tile_cells;
    const int a = cell % tile_cells % tile_y;
    const int b = cell % tile_cells / tile_y;
    const int index = space.cell_index(x_begin + (n < rest ? n : 0) * x_step,
                                       pencil.at(0, a < pencil.count[0] ? a : 0),
                                       pencil.at(1, b < pencil.count[1] ? b : 0));
    if (thread.item < chunk_numbers) {
      result.number =
          space.target
              .data()[std::size_t(index) * target_size + std::size_t(thread.item % target_size)];
    } else {
      result.cell_class = space.cell_class(index);
    }
    return result;
  }

  KOKKOS_FORCEINLINE_FUNCTION static void store(const Thread& thread, Scratch& scratch,
                                                const Load& loaded) {
    if (thread.item < chunk_numbers) {
      scratch.target[thread.item / target_size][thread.item % target_size] = loaded.number;
    } else if (thread.item < chunk_numbers + chunk_cells) {
      scratch.classes[thread.item - chunk_numbers] = loaded.cell_class;
    }
  }

  /// Computes the tables of exponentials, as many at once as there are threads for whole tables.
  KOKKOS_FORCEINLINE_FUNCTION void fill_tables(const Thread& thread, const Block& block,
                                               Scratch& scratch) const {
    constexpr int at_once = items / table_size;
    if (thread.item >= at_once * table_size) return;
    const int place = thread.item % table_size;
    if constexpr (Reduced) {
      if (place >= 2 * block_edge) {
        fill_entries(thread, block, scratch, place, at_once);
        return;
      }
    }
    const Real node = scratch.nodes[place];
    const Real weight = scratch.weights[place];
    for (int cell = thread.item / table_size; cell < chunk_cells; cell += at_once) {
      const Real* target = scratch.target[cell];
      const Real factor =
          place < 2 * block_edge ? Real(1) : target_factor<Model>(space, block, target);
      scratch.tables[cell][place] =
          table_entry<Model>(target, place / block_edge, node, weight * factor);
    }
  }

  /// The tables of the entries along z.
  KOKKOS_FORCEINLINE_FUNCTION void fill_entries(const Thread& thread, const Block& block,
                                                Scratch& scratch, int place, int at_once) const {
    const bool is_component = place >= component_place;
    const int entry = place - (is_component ? component_place : 2 * block_edge);
    if (entry >= depth) return;
    const int integrated = space.velocities.integrated;
    for (int cell = thread.item / table_size; cell < chunk_cells; cell += at_once) {
      const Real* target = scratch.target[cell];
      const Real weight = scratch.weights[2 * block_edge + entry];
      scratch.tables[cell][place] =
          is_component
              ? integrated_component<Model>(target, integrated, entry)
              : integrated_table_entry<Model>(target, integrated, entry,
                                              weight * target_factor<Model>(space, block, target));
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static void stage_nothing(const Thread& thread, Scratch& scratch,
                                                        int n, int cell) {
    scratch.staged[n * tile_cells + cell][thread.item] = Values{};
  }

  /// Loads the values that enter the n-th row of the tile along y (d = 0) or z (d = 1), at a
  /// distance of `ahead` from the present x.
  KOKKOS_FORCEINLINE_FUNCTION void fetch(const Pencil& pencil, const Place& place, int d, int ahead,
                                         int n, Upwind& from) const {
    from = Upwind{};
    if (Dimensions < 2 + d || pencil.step[d] == 0 || n >= pencil.count[1 - d]) return;
    const Values* values = place.here[d] + ahead + n * place.across;
    from.face = *values;
    if (Order == 2) from.before = values[storage.slice_size[d] / depth];
  }
  /// Stores the values that leave along y (d = 0) or z (d = 1) for the downwind pencil.
  KOKKOS_FORCEINLINE_FUNCTION void hand_on(const Place& place, int d, int n, const Values& face,
                                           const Values& f) const {
    Values* values = place.here[d] + n * place.across;
    *values = face;
    if (Order == 2) values[storage.slice_size[d] / depth] = f;
  }

  /// Updates all cells of the tile at one x and prefetches the values that enter the next one.
  /// Plain: whole tiles of gas away from walls and sides, without a body force; no branches.
  template <bool Plain>
  KOKKOS_FORCEINLINE_FUNCTION void update_column(const Member& team, const Thread& thread,
                                                 const Block& block, const Pencil& pencil,
                                                 Scratch& scratch, int x, int n, const Place& place,
                                                 int ahead, Incoming& incoming, Cells& cells,
                                                 int block_in_batch, int number) const {
    const Real rate_x = math::fabs(thread.vx) * space.inverse_width[0](x);
    Incoming next;
    KNUDSEN_UNROLL
    for (int b = 0; b < tile_z; ++b) {
      KNUDSEN_UNROLL
      for (int a = 0; a < tile_y; ++a) {
        const int cell = n * tile_cells + b * tile_y + a;
        const int cell_class = Plain ? 0 : scratch.classes[cell];
        Upwind& from_y = incoming.y[b];
        Upwind& from_z = incoming.z[a];
        if (!Plain &&
            (a >= pencil.count[0] || b >= pencil.count[1] || (cell_class & solid_bit) != 0)) {
          stage_nothing(thread, scratch, n, b * tile_y + a);
          if (a == 0) fetch(pencil, place, 0, ahead, b, next.y[b]);
          if (b == 0) fetch(pencil, place, 1, ahead, a, next.z[a]);
          continue;
        }
        const int at[3] = {x, pencil.at(0, a), pencil.at(1, b)};
        Upwind from[3];
        from[0].before = cells.f[b][a];
        from[0].face =
            Order == 1 ? cells.f[b][a] : cells.face_x[Order == 1 ? 0 : b][Order == 1 ? 0 : a];
        from[1] = from_y;
        from[2] = from_z;
        if constexpr (Order == 2) {
          for (int axis = 0; axis < Dimensions; ++axis) {
            from[axis].extrapolation = space.extrapolation[axis](block.sign[axis], at[axis]);
          }
        }
        if (!Plain && (cell_class & side_bits) != 0) {
          take_from_walls(thread, block, cell_class, from);
        }
        if (Order == 2 && !Plain && (cell_class & first_order_bits) != 0) {
          for (int axis = 0; axis < 3; ++axis) from[axis].extrapolation = 0;
        }
        const auto whole = [&] {
          const Real rates[2] = {rate_x, cells.rate_y[a]};
          return relax<!Plain, false>(thread, from, rates, cells.per_width_z[b],
                                      scratch.target[cell], scratch.tables[cell],
                                      scratch.staged[cell][thread.item], nullptr, nullptr);
        };
        Values f;
        if constexpr (General && !Plain) {
          if ((cell_class & cut_bit) != 0) {
            Real* partial = storage.partial_of(space, diagonal, block_in_batch, number, x, a, b);
            f = relax_cut(team, thread, block, scratch, cell, cell_class, from,
                          {rate_x, cells.rate_y[a], cells.per_width_z[b]},
                          storage.facet_partial_of(partial));
          } else {
            f = whole();
          }
        } else {
          f = whole();
        }
        Values face[3];
        for (int axis = 0; axis < 3; ++axis) {
          for (int m = 0; m < depth; ++m) {
            face[axis].v[m] =
                Order == 1 ? f.v[m]
                           : f.v[m] + from[axis].extrapolation * (f.v[m] - from[axis].before.v[m]);
          }
        }
        cells.f[b][a] = f;
        if constexpr (Order == 2) cells.face_x[b][a] = face[0];
        from_y.face = face[1];
        from_z.face = face[2];
        if constexpr (Order == 2) from_y.before = from_z.before = f;
        if (a == 0) fetch(pencil, place, 0, ahead, b, next.y[b]);
        if (b == 0) fetch(pencil, place, 1, ahead, a, next.z[a]);
        const bool last_y = Plain
                                ? a == tile_y - 1
                                : a == pencil.count[0] - 1 && pencil.step[0] < storage.tiles[0] - 1;
        if (Dimensions > 1 && last_y) hand_on(place, 0, b, face[1], f);
        const bool last_z = Plain
                                ? b == tile_z - 1
                                : b == pencil.count[1] - 1 && pencil.step[1] < storage.tiles[1] - 1;
        if (Dimensions > 2 && last_z) hand_on(place, 1, a, face[2], f);
        if (!Plain && (cell_class & side_bits) != 0) {
          leave(thread, block, at, face, f);
          if constexpr (General) leave_to_solids(thread, block, cell_class, face);
        }
      }
    }
    incoming = next;
  }

  /// The same in a cut cell, see CutValues, where it is of first order. Sets `onto_facet` to the
  /// fluxes onto the surface. The whole team calls it. Uses scratch.rows.
  KOKKOS_INLINE_FUNCTION Values relax_cut(const Member& team, const Thread& thread,
                                          const Block& block, Scratch& scratch, int cell,
                                          int cell_class, Upwind (&from)[3],
                                          const Kokkos::Array<Real, 3>& rates,
                                          Real* onto_facet) const {
    const CutValues<ExecutionSpace, Real> cut(space, block, cell_class);
    const Real open_rates[2] = {rates[0] * cut.open[0], rates[1] * cut.open[1]};
    Real hits[3];
    const Values f =
        relax<true, true>(thread, from, open_rates, rates[2] * cut.open[2], scratch.target[cell],
                          scratch.tables[cell], scratch.staged[cell][thread.item], &cut, hits);
    Real(&own)[row_sum_count] = scratch.rows[thread.item];
    own[0] = hits[0];
    own[1] = hits[0] * thread.vx;
    own[2] = hits[0] * thread.vy;
    own[3] = hits[1];
    own[4] = hits[0] * (thread.vx * thread.vx + thread.vy * thread.vy) + hits[2];
    team.team_barrier();
    // First sums over parts of the threads, in the last column, then over the parts.
    constexpr int parts = 8;
    constexpr int part_items = items / parts;
    constexpr int last = row_sum_count - 1;
    static_assert(flux_count <= last);
    if (thread.item < parts * flux_count) {
      const int first = thread.item / flux_count * part_items;
      Real sum = 0;
      for (int n = 0; n < part_items; ++n) {
        sum += scratch.rows[first + n][thread.item % flux_count];
      }
      own[last] = sum;
    }
    team.team_barrier();
    if (thread.item < flux_count) {
      Real sum = 0;
      for (int part = 0; part < parts; ++part) {
        sum += scratch.rows[part * flux_count + thread.item][last];
      }
      onto_facet[thread.item] = sum * cut.inverse_area;
    }
    return f;
  }

  /// Eq. (7) for the velocities of a thread. Returns f and stages its sums over z. With Cut, sets
  /// `hits` to the sums over z of the flux onto the surface times 1, z, z^2.
  template <bool Force, bool Cut>
  KOKKOS_FORCEINLINE_FUNCTION Values relax(const Thread& thread, const Upwind (&from)[3],
                                           const Real (&rates)[2], Real per_width_z,
                                           const Real* numbers, const Real* tables, Values& staged,
                                           const CutValues<ExecutionSpace, Real>* cut,
                                           Real* hits) const {
    Real target[target_size];
    KNUDSEN_UNROLL
    for (int n = 0; n < target_size; n += depth) {
      const Values some = *reinterpret_cast<const Values*>(numbers + n);
      for (int m = 0; m < depth; ++m) target[n + m] = some.v[m];
    }
    const TargetRow<Model, Real, Force> row(
        target, tables[thread.i] * tables[block_edge + thread.j], thread.vx, thread.vy, force);
    const Values table_z = *reinterpret_cast<const Values*>(tables + 2 * block_edge + thread.k);
    const Real base = target[rate_number] + rates[0] * (1 + from[0].extrapolation) +
                      rates[1] * (1 + from[1].extrapolation);
    const Real mean_z = target[velocity_number + 2];
    Values value;
    Real loss[depth];
    [[maybe_unused]] Real hit[depth];
    KNUDSEN_UNROLL
    for (int n = 0; n < depth; ++n) {
      const Real rate_z = math::fabs(thread.vz[n]) * per_width_z;
      loss[n] = base + rate_z * (1 + from[2].extrapolation);
      const Real cz = Reduced ? tables[component_place + n] : thread.vz[n] - mean_z;
      value.v[n] = row(table_z.v[n], cz) + rates[0] * inflow(from[0], n) +
                   rates[1] * inflow(from[1], n) + rate_z * inflow(from[2], n);
      if constexpr (Cut) {
        const Real inwards = cut->inwards(thread.vx, thread.vy, thread.vz[n]);
        const Real emission = inwards > 0 ? inwards : Real(0);
        hit[n] = emission - inwards;
        value.v[n] +=
            emission * cut->wall(thread.i, thread.j, thread.k + n, Layout::place(thread.item, n));
        loss[n] += emission;
      }
    }
    if constexpr (Reduced) {
      for (int n = 0; n < depth; ++n) value.v[n] /= loss[n];
      staged = value;
      if constexpr (Cut) {
        hits[0] = hit[0] * value.v[0];
        hits[1] = 0;
        hits[2] = hit[1] * value.v[1];
      }
    } else {
      // One division for all four velocities.
      static_assert(depth == 4);
      const Real pair[2] = {loss[0] * loss[1], loss[2] * loss[3]};
      const Real inverse = 1 / (pair[0] * pair[1]);
      const Real inverse_pair[2] = {inverse * pair[1], inverse * pair[0]};
      value.v[0] *= inverse_pair[0] * loss[1];
      value.v[1] *= inverse_pair[0] * loss[0];
      value.v[2] *= inverse_pair[1] * loss[3];
      value.v[3] *= inverse_pair[1] * loss[2];
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
      if constexpr (Cut) {
        for (int m = 0; m < 3; ++m) hits[m] = 0;
        KNUDSEN_UNROLL
        for (int n = 0; n < depth; ++n) {
          const Real zero = hit[n] * value.v[n];
          const Real first = zero * thread.vz[n];
          hits[0] += zero;
          hits[1] += first;
          hits[2] += first * thread.vz[n];
        }
      }
    }
    return value;
  }
  KOKKOS_FORCEINLINE_FUNCTION static Real inflow(const Upwind& from, int n) {
    if constexpr (Order == 1) return from.face.v[n];
    return from.face.v[n] + from.extrapolation * from.before.v[n];
  }

  /// Replaces upwind values on walls and sides of the box by boundary values.
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
      if (Order == 2 && boundary.cells != nullptr) {
        from[axis].before = reinterpret_cast<const Values*>(boundary.cells)[thread.item];
        continue;
      }
      from[axis].before = from[axis].face;
      from[axis].extrapolation = Order == 1 ? Real(0) : Real(1);
    }
  }

  /// Stores values that leave through sides which reflect or are periodic.
  KOKKOS_INLINE_FUNCTION void leave(const Thread& thread, const Block& block, const int (&at)[3],
                                    const Values (&face)[3], const Values& f) const {
    KNUDSEN_UNROLL
    for (int axis = 0; axis < Dimensions; ++axis) {
      const int side = block.downwind_side(axis);
      const int last = block.sign[axis] > 0 ? space.cells[axis] - 1 : 0;
      if (at[axis] != last || space.outgoing[side].data() == nullptr) continue;
      Real* values = space.outgoing[side].data() +
                     block.outgoing_place(space, axis, space.side_face(side, at));
      reinterpret_cast<Values*>(values)[thread.item] = face[axis];
      if (!space.keeps_cells(side)) continue;
      values += space.outgoing[side].extent(0) / 2;
      reinterpret_cast<Values*>(values)[thread.item] = f;
    }
  }

  /// Stores values that leave towards solids that scatter.
  KOKKOS_INLINE_FUNCTION void leave_to_solids(const Thread& thread, const Block& block,
                                              int cell_class, const Values (&face)[3]) const {
    KNUDSEN_UNROLL
    for (int axis = 0; axis < Dimensions; ++axis) {
      Real* values = scattering_values(space, block, axis, cell_class);
      if (values != nullptr) reinterpret_cast<Values*>(values)[thread.item] = face[axis];
    }
  }

  /// Row sums: each thread sums items of equal x of one cell.
  KOKKOS_FORCEINLINE_FUNCTION static void add_rows(const Thread& thread, Scratch& scratch) {
    const int cell = thread.item / rows;
    const int row = thread.item % rows;
    Real sums[row_sum_count] = {};
    KNUDSEN_UNROLL
    for (int item = 0; item < items; item += rows) {
      const Values power = scratch.staged[cell][item + row];
      const Powers y = scratch.powers_y[Layout::y_of(item) + row / block_edge];
      if constexpr (Reduced) {
        add_to_row(y.v[0], y.v[1], y.v[2], power.v[0], Real(0), power.v[1], Real(0), sums);
      } else {
        add_to_row(y.v[0], y.v[1], y.v[2], power.v[0], power.v[1], power.v[2], power.v[3], sums);
      }
    }
    sums[8] = sums[3] + sums[4];
    for (int n = 0; n < row_sum_count; ++n) {
      scratch.rows[thread.item][n] = sums[n];
    }
  }

  /// Block sum n of a cell of the chunk.
  KOKKOS_FORCEINLINE_FUNCTION static Real block_sum(Scratch& scratch, int cell, int n) {
    const int of_rows = row_sum_of(n);
    Real sum = 0;
    KNUDSEN_UNROLL
    for (int row = 0; row < rows; ++row) {
      sum += scratch.powers[n][row % block_edge] * scratch.rows[cell * rows + row][of_rows];
    }
    return sum;
  }
};

}  // namespace knudsen::shakhov
