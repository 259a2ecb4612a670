#include "methods/shakhov/slices.hpp"

#include "device/instantiate.hpp"
#include "methods/shakhov/cut_values.hpp"
#include "methods/shakhov/equilibrium.hpp"
#include "methods/shakhov/gather.hpp"

namespace knudsen::shakhov {
namespace {

constexpr int team_lanes = 128;   ///< velocities that a team handles at once, one for each thread
constexpr int staged_cells = 64;  ///< cells of a row whose equilibria are in scratch at once
constexpr int groups = block_size / team_lanes;  ///< groups of team_lanes velocities in a block
/// Velocities of a team that sweeps: on the host a block, whose tables are made once.
template <class ExecutionSpace>
constexpr int sweep_lanes = is_host_backend<ExecutionSpace> ? block_size : team_lanes;

std::size_t slice_size(const FlowGrid& grid, int blocks) {
  return static_cast<std::size_t>(grid.cells[0]) * static_cast<std::size_t>(grid.cells[1]) *
         static_cast<std::size_t>(blocks) * block_size;
}

/// Arguments of both kernels.
template <class ExecutionSpace, class Real>
struct SliceWork {
  SweepSpace<ExecutionSpace, Real> space;
  Slices<ExecutionSpace, Real> slices;
  Batch batch;
  int z;  ///< coordinate of the slice

  /// Offset of the values of a block in a cell of a slice. The cell is the slower index, as in the
  /// paper, but on the host, where a team would read another page for each cell.
  KOKKOS_INLINE_FUNCTION std::size_t place(int x, int y, int block_in_batch) const {
    const std::size_t cell = std::size_t(y) * std::size_t(space.cells[0]) + std::size_t(x);
    const auto block = std::size_t(block_in_batch);
    const std::size_t cells = std::size_t(space.cells[0]) * std::size_t(space.cells[1]);
    return block_size *
           (is_host_backend<ExecutionSpace> ? block * cells + cell
                                            : cell * std::size_t(batch.blocks) + block);
  }
};

/// Calls body(lane, i, j, k) for the velocities of a group, whose first place in their block is
/// `first`: `lane` counts them, (i, j, k) are their indices in the block. A velocity for each
/// thread on a GPU, SIMD loops over rows of equal j and k on the host.
template <class Layout, int Lanes, class Member, class Body>
KOKKOS_FORCEINLINE_FUNCTION void each_velocity(const Member& team, int first, const Body& body) {
  if constexpr (Layout::host) {
    for (int begin = 0; begin < Lanes; begin += block_edge) {
      const int j = Layout::y_of(Layout::item_of(first + begin));
      const int k = Layout::z_of(first + begin);
      KNUDSEN_SIMD
      for (int i = 0; i < block_edge; ++i) body(begin + i, i, j, k);
    }
  } else {
    const int lane = team.team_rank();
    const int item = Layout::item_of(first + lane);
    body(lane, Layout::x_of(item), Layout::y_of(item), Layout::z_of(first + lane));
  }
}

/// Algorithm 2: sweeps a slice row by row. The team stages the equilibria of a row's cells and
/// their tables (equilibrium.hpp) in scratch.
template <class ExecutionSpace, class Real, class Model>
struct SweepSlice {
  using Layout = BlockLayout<ExecutionSpace, Real>;
  using Member = TeamMember<ExecutionSpace>;
  static constexpr int table_size = 3 * block_edge;
  static constexpr int lanes = sweep_lanes<ExecutionSpace>;

  SliceWork<ExecutionSpace, Real> work;
  Real force[4];  ///< see set_force

  struct Scratch {
    Real target[staged_cells * target_size];
    Real tables[staged_cells * table_size];  ///< (cell, axis, place)
    Real entering[3][lanes];                 ///< through the boundary faces of a cell, by axis
    Real from_surface[lanes];                ///< from the surface in a cut cell
    int classes[staged_cells];
  };
  static std::size_t scratch_bytes() { return sizeof(Scratch) + 16; }

  /// What all velocities of a group have in common.
  struct Group {
    Block block;
    int block_in_batch;
    int first;  ///< place of the first velocity in the block
  };
  /// Input of a cell's update along an axis.
  struct Upwind {
    const Real* values;  ///< of the group's velocities
    Real inverse_width;  ///< times the open share of the face; zero along an axis without extent
  };

  KOKKOS_INLINE_FUNCTION void operator()(const Member& team) const {
    const auto& space = work.space;
    const int block_in_batch = team.league_rank() / (block_size / lanes);
    const int first = team.league_rank() % (block_size / lanes) * lanes;
    const Group group{Block(space, work.batch.first_block + block_in_batch), block_in_batch, first};
    const Block& block = group.block;
    auto& scratch =
        *static_cast<Scratch*>(team.team_scratch(0).get_shmem_aligned(sizeof(Scratch), 16));
    const int nx = space.cells[0];
    const int ny = space.cells[1];
    for (int row = 0; row < ny; ++row) {
      const int y = block.sign[1] > 0 ? row : ny - 1 - row;
      for (int begin = 0; begin < nx; begin += staged_cells) {
        const int length = nx - begin < staged_cells ? nx - begin : staged_cells;
        const int x_first = block.sign[0] > 0 ? begin : nx - begin - length;
        const int cell = space.cell_index(x_first, y, work.z);
        team.team_barrier();
        team_for(team, 0, length * target_size, [&](int i) {
          scratch.target[i] = space.target.data()[std::size_t(cell) * target_size + std::size_t(i)];
        });
        team_for(team, 0, length, [&](int i) { scratch.classes[i] = space.cell_class(cell + i); });
        team.team_barrier();
        team_for(team, 0, length * table_size, [&](int i) {
          const int axis = i % table_size / block_edge;
          const int place = block.first[axis] + i % block_edge;
          scratch.tables[i] =
              table_entry<Model>(scratch.target + i / table_size * target_size, axis,
                                 space.nodes[axis](place), space.weights[axis](place));
        });
        team.team_barrier();
        for (int n = 0; n < length; ++n) {
          const int i = block.sign[0] > 0 ? n : length - 1 - n;
          if ((scratch.classes[i] & solid_bit) != 0) continue;
          const int at[3] = {x_first + i, y, work.z};
          update(team, group, scratch, i, at);
        }
      }
    }
  }

 private:
  /// The group's values in a cell of a slice.
  KOKKOS_FORCEINLINE_FUNCTION Real* values(const View<Real*, ExecutionSpace>& slice,
                                           const Group& group, int x, int y) const {
    return slice.data() + work.place(x, y, group.block_in_batch) + group.first;
  }

  /// Eq. (7) for a cell, the `i`-th in scratch.
  KOKKOS_FORCEINLINE_FUNCTION void update(const Member& team, const Group& group, Scratch& scratch,
                                          int i, const int (&at)[3]) const {
    const auto& space = work.space;
    const Block& block = group.block;
    const int cell_class = scratch.classes[i];
    const bool walls = (cell_class & side_bits) != 0;
    Real* f = values(work.slices.present, group, at[0], at[1]);
    Upwind from[3];
    for (int axis = 0; axis < 3; ++axis) {
      from[axis].values = f;
      from[axis].inverse_width = 0;
      if (axis >= space.dimensions) continue;
      from[axis].inverse_width = space.inverse_width[axis](at[axis]);
      const int side = block.upwind_side(axis);
      const int step = block.sign[axis] > 0 ? -1 : 1;
      if (walls && (cell_class >> side & 1) != 0) {
        const BoundaryValues<ExecutionSpace, Real> boundary(
            space, block, axis, space.faces(cell_class >> class_bits, side));
        Real* entering = scratch.entering[axis];
        each_velocity<Layout, lanes>(team, group.first, [&](int lane, int x, int y, int z) {
          entering[lane] = boundary(x, y, z, group.first + lane);
        });
        from[axis].values = entering;
      } else if (axis == 2) {
        from[axis].values = values(work.slices.before, group, at[0], at[1]);
      } else {
        from[axis].values = values(work.slices.present, group, at[0] + (axis == 0 ? step : 0),
                                   at[1] + (axis == 1 ? step : 0));
      }
    }
    if ((cell_class & cut_bit) == 0) {
      const Real no_surface[3] = {0, 0, 0};
      relax<false>(team, group, scratch, i, from, no_surface, f);
    } else {
      const CutValues<ExecutionSpace, Real> cut(space, block, cell_class);
      for (int axis = 0; axis < 3; ++axis) from[axis].inverse_width *= cut.open[axis];
      each_velocity<Layout, lanes>(team, group.first, [&](int lane, int x, int y, int z) {
        scratch.from_surface[lane] = cut.wall(x, y, z, group.first + lane);
      });
      relax<true>(team, group, scratch, i, from, cut.into_gas, f);
    }
    if (!walls) return;
    const auto copy = [&](Real* to) {
      each_velocity<Layout, lanes>(team, group.first,
                                   [&](int lane, int, int, int) { to[lane] = f[lane]; });
    };
    for (int axis = 0; axis < space.dimensions; ++axis) {
      const int side = block.downwind_side(axis);
      const int last = block.sign[axis] > 0 ? space.cells[axis] - 1 : 0;
      if (at[axis] != last || space.outgoing[side].data() == nullptr) continue;
      copy(space.outgoing[side].data() +
           block.outgoing_place(space, axis, space.side_face(side, at)) + group.first);
    }
    for (int axis = 0; axis < space.dimensions; ++axis) {
      Real* to = scattering_values(space, block, axis, cell_class);
      if (to != nullptr) copy(to + group.first);
    }
  }

  template <bool Cut>
  KOKKOS_FORCEINLINE_FUNCTION void relax(const Member& team, const Group& group,
                                         const Scratch& scratch, int i, const Upwind (&from)[3],
                                         const Real (&into_gas)[3], Real* f) const {
    if constexpr (Layout::host) {
      relax_lanes<Cut>(team, group, scratch, i, from, into_gas, f);
    } else {
      relax_velocities<Cut>(team, group, scratch, i, from, into_gas, f);
    }
  }

  /// A function of its own, so that a test finds its vector operations.
  template <bool Cut>
  KNUDSEN_OUTLINED_FUNCTION void relax_lanes(const Member& team, const Group& group,
                                             const Scratch& scratch, int i, const Upwind (&from)[3],
                                             const Real (&into_gas)[3], Real* f) const {
    relax_velocities<Cut>(team, group, scratch, i, from, into_gas, f);
  }

  /// What the velocities of a row, with equal y and z components, have in common.
  struct Row {
    Real target[target_size];
    Real force[4];
    Real vy;
    Real table_y;
    Real table_z;
    Real cz;      ///< peculiar velocity along z
    Real rate_y;  ///< |v_y| / width along y
    Real rate_z;
    Real into_gas_x;  ///< of CutValues
    Real inwards_yz;  ///< the part of CutValues::inwards that is not x
  };

  /// Eq. (7) for one velocity. A function without references to what differs between velocities:
  /// else g++ 12 vectorises no loop around it.
  template <bool Cut>
  KOKKOS_FORCEINLINE_FUNCTION static Real relaxed(const Row& row, Real vx, Real table_x,
                                                  Real inverse_width_x, Real from_x, Real from_y,
                                                  Real from_z, Real from_surface) {
    const TargetRow<Model, Real> target(row.target, table_x * row.table_y, vx, row.vy, row.force);
    Real gain = target(row.table_z, row.cz);
    Real loss = row.target[rate_number];
    if constexpr (Cut) {
      const Real inwards = row.into_gas_x * vx + row.inwards_yz;
      const Real emission = inwards > 0 ? inwards : Real(0);
      gain += emission * from_surface;
      loss += emission;
    }
    const Real rate_x = math::fabs(vx) * inverse_width_x;
    gain += rate_x * from_x + row.rate_y * from_y + row.rate_z * from_z;
    loss += rate_x + row.rate_y + row.rate_z;
    return gain / loss;
  }

  /// Eq. (7) for the group's velocities. With Cut, that of CutValues.
  template <bool Cut>
  KOKKOS_FORCEINLINE_FUNCTION void relax_velocities(const Member& team, const Group& group,
                                                    const Scratch& scratch, int i,
                                                    const Upwind (&from)[3],
                                                    const Real (&into_gas)[3], Real* f) const {
    // Copies, which the compiler knows to stay the same in the loops.
    const Upwind along_x = from[0];
    const Upwind along_y = from[1];
    const Upwind along_z = from[2];
    const Real* tables = scratch.tables + i * table_size;
    const Real* nodes_x = work.space.nodes[0].data() + group.block.first[0];
    const Real* nodes_y = work.space.nodes[1].data() + group.block.first[1];
    const Real* nodes_z = work.space.nodes[2].data() + group.block.first[2];
    Row row;
    for (int n = 0; n < target_size; ++n) row.target[n] = scratch.target[i * target_size + n];
    for (int n = 0; n < 4; ++n) row.force[n] = force[n];
    constexpr int rows = Layout::host ? lanes / block_edge : 1;
    for (int number = 0; number < rows; ++number) {
      const int begin = Layout::host ? number * block_edge : team.team_rank();
      const int item = Layout::item_of(group.first + begin);
      const int first = Layout::x_of(item);  // 0 on the host
      const int last = Layout::host ? block_edge - 1 : first;
      const int j = Layout::y_of(item);
      const int k = Layout::z_of(group.first + begin);
      row.vy = nodes_y[j];
      row.table_y = tables[block_edge + j];
      row.table_z = tables[2 * block_edge + k];
      row.cz = nodes_z[k] - row.target[velocity_number + 2];
      row.rate_y = math::fabs(nodes_y[j]) * along_y.inverse_width;
      row.rate_z = math::fabs(nodes_z[k]) * along_z.inverse_width;
      row.into_gas_x = into_gas[0];
      row.inwards_yz = into_gas[1] * nodes_y[j] + into_gas[2] * nodes_z[k];
      KNUDSEN_SIMD
      for (int x = first; x <= last; ++x) {
        const int lane = begin + x - first;
        f[lane] = relaxed<Cut>(row, nodes_x[x], tables[x], along_x.inverse_width,
                               along_x.values[lane], along_y.values[lane], along_z.values[lane],
                               Cut ? scratch.from_surface[lane] : Real(0));
      }
    }
  }
};

/// Algorithm 3: each thread sums over every 128th velocity of the batch, then the team reduces the
/// threads' sums in a binary tree. Copies the slice to the upwind one.
template <class ExecutionSpace, class Real>
struct SliceMoments {
  using Layout = BlockLayout<ExecutionSpace, Real>;
  SliceWork<ExecutionSpace, Real> work;

  static std::size_t scratch_bytes() { return sizeof(Real) * moment_count * team_lanes + 16; }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const auto& space = work.space;
    const int at[3] = {team.league_rank() % space.cells[0], team.league_rank() / space.cells[0],
                       work.z};
    const int cell = space.cell_index(at[0], at[1], at[2]);
    const int cell_class = space.cell_class(cell);
    if ((cell_class & solid_bit) != 0) return;
    auto* sums = static_cast<Real*>(
        team.team_scratch(0).get_shmem_aligned(sizeof(Real) * moment_count * team_lanes, 16));
    team_for_once(team, team_lanes, [&](int lane) {
      for (int m = 0; m < moment_count; ++m) sums[m * team_lanes + lane] = 0;
    });
    for (int group = 0; group < work.batch.blocks * groups; ++group) {
      const Block block(space, work.batch.first_block + group / groups);
      const int place = group % groups * team_lanes;
      const std::size_t index = work.place(at[0], at[1], group / groups) + std::size_t(place);
      const Real* present = work.slices.present.data() + index;
      Real* before = work.slices.before.data() + index;
      const Real* nodes_x = space.nodes[0].data() + block.first[0];
      const Real* nodes_y = space.nodes[1].data() + block.first[1];
      const Real* nodes_z = space.nodes[2].data() + block.first[2];
      each_velocity<Layout, team_lanes>(team, place, [&](int lane, int i, int j, int k) {
        const Real f = present[lane];
        before[lane] = f;
        const Real x = nodes_x[i];
        const Real y = nodes_y[j];
        const Real z = nodes_z[k];
        const Real square = x * x + y * y + z * z;
        const Real powers[moment_count] = {1,          x,          y,         z,     x * x,
                                           y * y,      z * z,      x * y,     y * z, x * z,
                                           square * x, square * y, square * z};
        for (int m = 0; m < moment_count; ++m) sums[m * team_lanes + lane] += f * powers[m];
      });
    }
    add_lanes(team, sums, moment_count);
    team_for_once(team, moment_count, [&](int m) {
      SplitSum sum;
      sum.add(double(sums[std::size_t(m) * team_lanes]), space.rounding[m]);
      space.add_to_moment(cell, m, sum);
      if ((cell_class & side_bits) == 0 || m == 0) return;
      const Block block(space, work.batch.first_block);
      add_to_fluxes(space, at, block.sign, m, sum);
    });
    if ((cell_class & cut_bit) == 0) return;
    team.team_barrier();
    sum_onto_facet(team, sums, at, cell_class);
  }

 private:
  /// Adds up `count` sums of all lanes, which are then those of the first lane.
  KOKKOS_INLINE_FUNCTION static void add_lanes(const TeamMember<ExecutionSpace>& team, Real* sums,
                                               int count) {
    for (int half = team_lanes / 2; half > 0; half /= 2) {
      team.team_barrier();
      team_for_once(team, half, [&](int lane) {
        for (int m = 0; m < count; ++m) {
          Real* sum = &sums[m * team_lanes + lane];
          sum[0] += sum[half];
        }
      });
    }
    team.team_barrier();
  }

  /// The fluxes onto the surface in a cut cell.
  KOKKOS_INLINE_FUNCTION void sum_onto_facet(const TeamMember<ExecutionSpace>& team, Real* sums,
                                             const int (&at)[3], int cell_class) const {
    const auto& space = work.space;
    team_for_once(team, team_lanes, [&](int lane) {
      for (int m = 0; m < flux_count; ++m) sums[m * team_lanes + lane] = 0;
    });
    for (int group = 0; group < work.batch.blocks * groups; ++group) {
      const Block block(space, work.batch.first_block + group / groups);
      const CutValues<ExecutionSpace, Real> cut(space, block, cell_class);
      team_for_once(team, team_lanes, [&](int lane) {
        const int place = group % groups * team_lanes + lane;
        const Real f = work.slices.present
                           .data()[work.place(at[0], at[1], group / groups) + std::size_t(place)];
        const int item = Layout::item_of(place);
        const Real x = space.nodes[0](block.first[0] + Layout::x_of(item));
        const Real y = space.nodes[1](block.first[1] + Layout::y_of(item));
        const Real z = space.nodes[2](block.first[2] + Layout::z_of(place));
        const Real inwards = cut.inwards(x, y, z);
        const Real hit = inwards < 0 ? -inwards * cut.inverse_area * f : Real(0);
        const Real powers[flux_count] = {1, x, y, z, x * x + y * y + z * z};
        for (int m = 0; m < flux_count; ++m) sums[m * team_lanes + lane] += hit * powers[m];
      });
    }
    add_lanes(team, sums, flux_count);
    team_for_once(team, flux_count, [&](int m) {
      SplitSum sum;
      sum.add(double(sums[std::size_t(m) * team_lanes]), space.rounding[facet_moment(m)]);
      space.add_to_flux(space.faces(cell_class >> class_bits, facet_side), m, sum);
    });
  }
};

template <class Kernel, class ExecutionSpace>
void launch(const char* name, const SweepContext<ExecutionSpace>& context, const Kernel& kernel,
            int teams) {
  TeamPolicy<ExecutionSpace> policy(context.execution, teams,
                                    is_host_backend<ExecutionSpace> ? 1 : team_lanes, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes())));
  Kokkos::parallel_for(name, policy, kernel);
}

}  // namespace

double slices_bytes(const FlowGrid& grid, int blocks, double value_bytes) {
  return 2 * static_cast<double>(slice_size(grid, blocks)) * value_bytes;
}

template <class ExecutionSpace, class Real>
Slices<ExecutionSpace, Real> make_slices(const FlowGrid& grid, int blocks) {
  const std::size_t size = slice_size(grid, blocks);
  return {View<Real*, ExecutionSpace>("preceding slice", size),
          View<Real*, ExecutionSpace>("slice", size)};
}

template <class ExecutionSpace, class Real>
void sweep_slices(const SweepContext<ExecutionSpace>& context,
                  const SweepSpace<ExecutionSpace, Real>& space,
                  const Slices<ExecutionSpace, Real>& slices, const Batch& batch) {
  const Block block(space, batch.first_block);
  const int nz = space.cells[2];
  dispatch_model(context.model, [&](auto model) {
    for (int n = 0; n < nz; ++n) {
      const SliceWork<ExecutionSpace, Real> work{space, slices, batch,
                                                 block.sign[2] > 0 ? n : nz - 1 - n};
      SweepSlice<ExecutionSpace, Real, decltype(model)> sweep{work, {}};
      set_force(context, sweep.force);
      launch("knudsen/shakhov/sweep_slice", context, sweep,
             batch.blocks * (block_size / sweep_lanes<ExecutionSpace>));
      launch("knudsen/shakhov/slice_moments", context, SliceMoments<ExecutionSpace, Real>{work},
             space.cells[0] * space.cells[1]);
    }
  });
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                \
  template Slices<ExecutionSpace, Real> make_slices<ExecutionSpace, Real>(const FlowGrid&, int); \
  template void sweep_slices<ExecutionSpace, Real>(                                              \
      const SweepContext<ExecutionSpace>&, const SweepSpace<ExecutionSpace, Real>&,              \
      const Slices<ExecutionSpace, Real>&, const Batch&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
