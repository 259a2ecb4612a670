#pragma once

#include <deque>
#include <vector>

#include "device/side_queue.hpp"
#include "methods/shakhov/flow_grid.hpp"
#include "methods/shakhov/row_sums.hpp"
#include "methods/shakhov/sweep_space.hpp"

namespace knudsen::shakhov {

/// Sizes that affect the speed but not the result.
struct Tuning {
  int tile[2] = {2, 2};  ///< cross-section of a pencil: cells along y and z
};

/// Contiguous velocity blocks that are swept together. They share the signs of v_y and v_z.
struct Batch {
  int first_block = 0;
  int blocks = 0;  ///< number of blocks
};

/// The pencils of one diagonal of the (y, z) plane, which are independent of each other. Tiles are
/// counted downwind; the sum of a pencil's tile indices along y and z is the diagonal's number.
struct Diagonal {
  int number = 0;
  int first = 0;         ///< tile index along y of the first pencil
  int pencils = 0;       ///< number of pencils
  int sign[2] = {1, 1};  ///< signs of v_y and v_z: 0 negative, 1 not negative
  /// First row (a block's sums of a pencil) in SweepStorage::partial.
  std::size_t first_row = 0;
};

/// Buffers of a batch.
template <class ExecutionSpace, class Real>
struct SweepStorage {     // NOLINT: names in its implicit copy are the compiler's
  int tile[2] = {2, 2};   ///< cells of a pencil along y and z
  int tiles[2] = {1, 1};  ///< number of pencils along y and z
  int blocks = 1;         ///< most of a batch
  /// Face values that pencils pass on downwind: slice[0] along y, indexed (order, z, x, block of
  /// the batch, place); slice[1] along z, with y in place of z. Here y and z are counted downwind,
  /// in whole tiles.
  View<Real*, ExecutionSpace> slice[2];
  std::size_t slice_size[2] = {0, 0};  ///< values of a slice for one index of `order`
  /// Block sums, indexed (block of the batch, pencil of the diagonal, x, cell of the tile, sum).
  View<Real*, ExecutionSpace> partial;
  /// The same for the fluxes onto the surfaces in cut cells; empty without such.
  View<Real*, ExecutionSpace> facet_partial;

  KOKKOS_INLINE_FUNCTION int tile_cells() const { return tile[0] * tile[1]; }
  /// Block sums of the cell at x and (a, b) in the tile, for a pencil of the diagonal.
  KOKKOS_INLINE_FUNCTION Real* partial_of(const SweepSpace<ExecutionSpace, Real>& space,
                                          const Diagonal& diagonal, int block, int pencil, int x,
                                          int a, int b) const {
    const std::size_t row = diagonal.first_row +
                            std::size_t(block) * std::size_t(diagonal.pencils) +
                            std::size_t(pencil);
    const std::size_t column = row * std::size_t(space.cells[0]) + std::size_t(x);
    return partial.data() +
           (column * std::size_t(tile_cells()) + std::size_t(b * tile[0] + a)) * block_sum_count;
  }
  /// The fluxes onto the surface in a cut cell, from the block sums of the cell.
  KOKKOS_INLINE_FUNCTION Real* facet_partial_of(const Real* of_cell) const {
    return facet_partial.data() +
           std::size_t(of_cell - partial.data()) / block_sum_count * flux_count;
  }
};

/// Parameters of an iteration.
template <class ExecutionSpace>
struct SweepContext {
  ExecutionSpace execution;  ///< instance that all kernels run on
  CollisionModel model = CollisionModel::shakhov;
  Gas gas;
  bool conservative = false;                   ///< exact discrete moments of the target
  double body_force[3] = {0, 0, 0};            ///< force on a unit mass, in 2 R T_ref / L
  double temperature_gradient[3] = {0, 0, 0};  ///< of ln T along periodic axes, in 1 / L
};

/// Sets `force` to twice the body force; the fourth entry is 1 if there is a force, else 0.
template <class ExecutionSpace, class Real>
void set_force(const SweepContext<ExecutionSpace>& context, Real (&force)[4]) {
  force[3] = 0;
  for (int d = 0; d < 3; ++d) {
    force[d] = static_cast<Real>(2 * context.body_force[d]);
    if (force[d] != 0) force[3] = 1;
  }
}

/// Default cross-section of a pencil in one, two or three dimensions.
constexpr Tuning default_tuning(int dimensions) {
  return dimensions == 3 ? Tuning{{2, 2}} : (dimensions == 2 ? Tuning{{4, 1}} : Tuning{{1, 1}});
}

/// Batches of at most `max_blocks` blocks, in the order of the sweeps. If one side of an axis
/// reflects, velocities towards it come first; if it is antisymmetric, those of all octants. With
/// `by_octant` no batch spans two octants. The batches hold the blocks of rank `rank` of `ranks`
/// (block_shares.hpp), which may have none.
std::vector<Batch> make_batches(const FlowGrid& grid, int octant_blocks, int max_blocks,
                                bool by_octant = false, int rank = 0, int ranks = 1);

/// Memory of a SweepStorage in bytes for batches of `blocks` blocks.
double storage_bytes(const FlowGrid& grid, const Tuning& tuning, int order, int blocks,
                     double value_bytes);

/// Allocates the buffers for batches of at most `blocks` blocks.
template <class ExecutionSpace, class Real>
SweepStorage<ExecutionSpace, Real> make_storage(const FlowGrid& grid, const Tuning& tuning,
                                                int order, int blocks);

/// Queues of sweep_batches: for each part of the batches one, and one for what it has to do of its
/// next batch.
template <class ExecutionSpace>
struct SweepQueues {
  struct Pair {
    SideQueue<ExecutionSpace> present, next;
    explicit Pair(const ExecutionSpace& main) : present(main), next(present.execution()) {}
  };
  std::deque<Pair> parts;  ///< which neither move nor are copied

  SweepQueues(const ExecutionSpace& main, int count) {
    for (int n = 0; n < count; ++n) parts.emplace_back(main);
  }
};

/// Number of parts that batches are best swept in, see sweep_batches: two on a GPU if their
/// launches have more teams than it runs at once, else one.
template <class ExecutionSpace, class Real>
int part_count(const SweepSpace<ExecutionSpace, Real>& space,
               const SweepStorage<ExecutionSpace, Real>& storage);

/// Sweeps batches one after the other over all cells and adds what they contribute to
/// `space.moments` and `space.flux` (Algorithm 1 of the paper for each velocity group).
///
/// The first diagonals of a batch are short, and so are the last ones: alone they leave most of a
/// GPU idle. So a batch begins while the one before it ends, on the `next` queue, in the places of
/// the slices that the latter has done with. Together the two always have as many pencils as the
/// longest diagonal.
///
/// And a diagonal begins when the last team of the one before it has ended, while the others wait.
/// So each batch may be in two parts, which have half of the blocks and the buffers each and know
/// nothing of each other: the teams of one run where the other waits. They add to the same sums,
/// which are exact, so their order does not matter (SplitSum).
template <class ExecutionSpace, class Real>
void sweep_batches(const SweepContext<ExecutionSpace>& context,
                   const SweepSpace<ExecutionSpace, Real>& space,
                   const SweepStorage<ExecutionSpace, Real>& storage,
                   const std::vector<Batch>& batches, SweepQueues<ExecutionSpace>& queues);

/// A pencil: all cells along x with a cross-section of one tile in y and z. Index 0 is y, 1 is z.
struct Pencil {
  int begin[2];  ///< lowest cell
  int count[2];  ///< number of cells, less than a tile at the end of the domain
  int sign[2];   ///< signs of v_y and v_z: 0 negative, 1 not negative
  int step[2];   ///< tile index, counted downwind

  template <class Space, class Storage>
  KOKKOS_INLINE_FUNCTION Pencil(const Space& space, const Storage& storage,
                                const Diagonal& diagonal, int number) {
    step[0] = diagonal.first + number;
    step[1] = diagonal.number - step[0];
    for (int d = 0; d < 2; ++d) {
      sign[d] = diagonal.sign[d];
      const int tile = sign[d] > 0 ? step[d] : storage.tiles[d] - 1 - step[d];
      begin[d] = tile * storage.tile[d];
      const int rest = space.cells[1 + d] - begin[d];
      count[d] = rest < storage.tile[d] ? rest : storage.tile[d];
    }
  }
  /// Place of the n-th cell, counted downwind, in the slice across this axis.
  template <class Storage>
  KOKKOS_INLINE_FUNCTION int place(const Storage& storage, int d, int n) const {
    return step[d] * storage.tile[d] + n;
  }
  /// Coordinate of the n-th cell, counted downwind.
  KOKKOS_INLINE_FUNCTION int at(int d, int n) const {
    return begin[d] + (sign[d] > 0 ? n : count[d] - 1 - n);
  }
};

}  // namespace knudsen::shakhov
