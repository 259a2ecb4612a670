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

  /// Offset of the values of a cell in a slice.
  KOKKOS_INLINE_FUNCTION std::size_t cell_place(int x, int y) const {
    return (std::size_t(y) * std::size_t(space.cells[0]) + std::size_t(x)) *
           std::size_t(batch.blocks) * block_size;
  }
};

/// Algorithm 2: sweeps a slice row by row. The team stages the equilibria of a row's cells in
/// scratch.
template <class ExecutionSpace, class Real, class Model>
struct SweepSlice {
  using Layout = BlockLayout<ExecutionSpace, Real>;
  SliceWork<ExecutionSpace, Real> work;
  Real force[4];  ///< see set_force

  static std::size_t scratch_bytes() {
    return sizeof(Real) * staged_cells * target_size + sizeof(int) * staged_cells + 32;
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const auto& space = work.space;
    const auto& batch = work.batch;
    const int block_in_batch = team.league_rank() / groups;
    const int first_lane = team.league_rank() % groups * team_lanes;
    const Block block(space, batch.first_block + block_in_batch);
    auto* target = static_cast<Real*>(
        team.team_scratch(0).get_shmem_aligned(sizeof(Real) * staged_cells * target_size, 16));
    auto* classes =
        static_cast<int*>(team.team_scratch(0).get_shmem_aligned(sizeof(int) * staged_cells, 16));
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
          target[i] = space.target.data()[std::size_t(cell) * target_size + std::size_t(i)];
        });
        team_for(team, 0, length, [&](int i) { classes[i] = space.cell_class(cell + i); });
        team.team_barrier();
        for (int n = 0; n < length; ++n) {
          const int i = block.sign[0] > 0 ? n : length - 1 - n;
          if ((classes[i] & solid_bit) != 0) continue;
          const int at[3] = {x_first + i, y, work.z};
          const Real* numbers = target + i * target_size;
          const int cell_class = classes[i];
          team_for_once(team, team_lanes, [&](int lane) {
            update(block, block_in_batch, at, numbers, cell_class, first_lane + lane);
          });
        }
      }
    }
  }

 private:
  /// Eq. (7) for one velocity and one cell.
  KOKKOS_INLINE_FUNCTION void update(const Block& block, int block_in_batch, const int (&at)[3],
                                     const Real* target, int cell_class, int place) const {
    const auto& space = work.space;
    const std::size_t lane = std::size_t(block_in_batch) * block_size + std::size_t(place);
    const int item = Layout::item_of(place);
    const int in_block[3] = {Layout::x_of(item), Layout::y_of(item), Layout::z_of(place)};
    Real v[3];
    Real weight[3];
    Real entry[3];
    for (int d = 0; d < 3; ++d) {
      v[d] = space.nodes[d](block.first[d] + in_block[d]);
      weight[d] = space.weights[d](block.first[d] + in_block[d]);
      entry[d] = v[d] - target[velocity_number + d];
    }
    // Unlike the pencils, no table: each thread computes the exponential of all three components.
    Real exponential = 1;
    if constexpr (Model::factorises) {
      exponential = math::exp(-(entry[0] * entry[0] + entry[1] * entry[1] + entry[2] * entry[2]) *
                              target[inverse_temperature_number]);
    }
    const TargetRow<Model, Real> row(target, weight[0] * weight[1], v[0], v[1], force);
    Real gain = row(weight[2] * exponential, entry[2]);
    Real loss = target[rate_number];
    const bool walls = (cell_class & side_bits) != 0;
    Real open[3] = {1, 1, 1};
    if ((cell_class & cut_bit) != 0) {
      const CutValues<ExecutionSpace, Real> cut(space, block, cell_class);
      for (int d = 0; d < 3; ++d) open[d] = cut.open[d];
      const Real inwards = cut.inwards(v[0], v[1], v[2]);
      if (inwards > 0) {
        gain += inwards * cut.wall(in_block[0], in_block[1], in_block[2], place);
        loss += inwards;
      }
    }
    for (int axis = 0; axis < space.dimensions; ++axis) {
      const Real rate = math::fabs(v[axis]) * space.inverse_width[axis](at[axis]) * open[axis];
      const int side = block.upwind_side(axis);
      Real upwind = 0;
      if (walls && (cell_class >> side & 1) != 0) {
        const BoundaryValues<ExecutionSpace, Real> boundary(
            space, block, axis, space.faces(cell_class >> class_bits, side));
        upwind = boundary(in_block[0], in_block[1], in_block[2], place);
      } else if (axis == 2) {
        upwind = work.slices.before.data()[work.cell_place(at[0], at[1]) + lane];
      } else {
        const int step = block.sign[axis] > 0 ? -1 : 1;
        upwind = work.slices.present.data()[work.cell_place(at[0] + (axis == 0 ? step : 0),
                                                            at[1] + (axis == 1 ? step : 0)) +
                                            lane];
      }
      gain += rate * upwind;
      loss += rate;
    }
    const Real f = gain / loss;
    work.slices.present.data()[work.cell_place(at[0], at[1]) + lane] = f;
    if (!walls) return;
    for (int axis = 0; axis < space.dimensions; ++axis) {
      const int side = block.downwind_side(axis);
      const int last = block.sign[axis] > 0 ? space.cells[axis] - 1 : 0;
      if (at[axis] != last || space.outgoing[side].data() == nullptr) continue;
      space.outgoing[side].data()[block.outgoing_place(space, axis, space.side_face(side, at)) +
                                  std::size_t(place)] = f;
    }
    for (int axis = 0; axis < space.dimensions; ++axis) {
      Real* to = scattering_values(space, block, axis, cell_class);
      if (to != nullptr) to[place] = f;
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
    const std::size_t first = work.cell_place(at[0], at[1]);
    team_for_once(team, team_lanes, [&](int lane) {
      for (int m = 0; m < moment_count; ++m) sums[m * team_lanes + lane] = 0;
    });
    for (int group = 0; group < work.batch.blocks * groups; ++group) {
      const Block block(space, work.batch.first_block + group / groups);
      team_for_once(team, team_lanes, [&](int lane) {
        const int place = group % groups * team_lanes + lane;
        const std::size_t index =
            first + std::size_t(group / groups) * block_size + std::size_t(place);
        const Real f = work.slices.present.data()[index];
        work.slices.before.data()[index] = f;
        const int item = Layout::item_of(place);
        const Real x = space.nodes[0](block.first[0] + Layout::x_of(item));
        const Real y = space.nodes[1](block.first[1] + Layout::y_of(item));
        const Real z = space.nodes[2](block.first[2] + Layout::z_of(place));
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
    sum_onto_facet(team, sums, first, cell_class);
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

  /// The fluxes onto the surface in a cut cell, whose values are at `first` in the slice.
  KOKKOS_INLINE_FUNCTION void sum_onto_facet(const TeamMember<ExecutionSpace>& team, Real* sums,
                                             std::size_t first, int cell_class) const {
    const auto& space = work.space;
    team_for_once(team, team_lanes, [&](int lane) {
      for (int m = 0; m < flux_count; ++m) sums[m * team_lanes + lane] = 0;
    });
    for (int group = 0; group < work.batch.blocks * groups; ++group) {
      const Block block(space, work.batch.first_block + group / groups);
      const CutValues<ExecutionSpace, Real> cut(space, block, cell_class);
      team_for_once(team, team_lanes, [&](int lane) {
        const int place = group % groups * team_lanes + lane;
        const Real f =
            work.slices.present
                .data()[first + std::size_t(group / groups) * block_size + std::size_t(place)];
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
      launch("knudsen/shakhov/sweep_slice", context, sweep, batch.blocks * groups);
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
