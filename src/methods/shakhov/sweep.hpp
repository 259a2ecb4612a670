#pragma once

#include <algorithm>
#include <vector>

#include "methods/shakhov/flow_grid.hpp"
#include "methods/shakhov/row_sums.hpp"
#include "methods/shakhov/sweep_space.hpp"

namespace knudsen::shakhov {

/// Sizes that change the speed but not the result.
struct Tuning {
  int tile[2] = {2, 2};  ///< cells of a pencil's cross-section along y and z
};

/// Blocks that are swept together: contiguous, of one sign of the y component and one of z.
struct Batch {
  int first_block = 0;
  int blocks = 0;
};

/// The pencils of one diagonal: tile numbers counted in the direction of flight add up to it.
struct Diagonal {
  int number = 0;
  int first = 0;  ///< along y, counted in the direction of flight
  int pencils = 0;
  int sign[2] = {1, 1};  ///< of the velocities along y and z
};

/// What the sweeps keep between the pencils of a batch.
template <class ExecutionSpace, class Real>
struct SweepStorage {  // NOLINT: names in its implicit copy are the compiler's
  int tile[2] = {2, 2};
  int tiles[2] = {1, 1};
  /// The two slices: (order, z, x, block of the batch, place) what goes on along y; along z the
  /// same with y in place of z.
  View<Real*, ExecutionSpace> slice[2];
  std::size_t slice_size[2] = {0, 0};  ///< of one of the planes of `order`
  /// (block of the batch, pencil of the diagonal, x, cell of the tile, block sum).
  View<Real*, ExecutionSpace> partial;

  KOKKOS_INLINE_FUNCTION int tile_cells() const { return tile[0] * tile[1]; }
  /// The block sums of a cell: the n-th pencil of a diagonal, x, and cell (a, b) of the tile.
  KOKKOS_INLINE_FUNCTION Real* partial_of(const SweepSpace<ExecutionSpace, Real>& space,
                                          const Diagonal& diagonal, int block, int pencil, int x,
                                          int a, int b) const {
    const std::size_t row =
        std::size_t(block) * std::size_t(diagonal.pencils) + std::size_t(pencil);
    const std::size_t column = row * std::size_t(space.cells[0]) + std::size_t(x);
    return partial.data() +
           (column * std::size_t(tile_cells()) + std::size_t(b * tile[0] + a)) * block_sum_count;
  }
};

/// How an iteration is made.
template <class ExecutionSpace>
struct SweepContext {
  ExecutionSpace execution;
  CollisionModel model = CollisionModel::shakhov;
  Gas gas;
  bool conservative = false;  ///< exact discrete moments of the Maxwellian, bgk only
  double body_force[3] = {0, 0, 0};
};

/// The body force as sweeps want it: times two, and 1 last where there is one.
template <class ExecutionSpace, class Real>
void set_force(const SweepContext<ExecutionSpace>& context, Real (&force)[4]) {
  force[3] = 0;
  for (int d = 0; d < 3; ++d) {
    force[d] = static_cast<Real>(2 * context.body_force[d]);
    if (force[d] != 0) force[3] = 1;
  }
}

/// A pencil's cross-section in a flow of so many dimensions.
constexpr Tuning default_tuning(int dimensions) {
  return dimensions == 3 ? Tuning{{2, 2}} : (dimensions == 2 ? Tuning{{4, 1}} : Tuning{{1, 1}});
}

/// Batches of at most `most_blocks` blocks in the order in which they are to be swept: where one
/// side of an axis reflects, first those that fly towards it. By octant: none of two octants.
std::vector<Batch> make_batches(const FlowGrid& grid, int octant_blocks, int most_blocks,
                                bool by_octant = false);

/// Bytes that a batch of so many blocks takes in SweepStorage.
double storage_bytes(const FlowGrid& grid, const Tuning& tuning, int order, int blocks,
                     double value_bytes);

template <class ExecutionSpace, class Real>
SweepStorage<ExecutionSpace, Real> make_storage(const FlowGrid& grid, const Tuning& tuning,
                                                int order, int blocks);

/// The diagonals of a batch in the order in which they are swept.
template <class ExecutionSpace, class Real>
std::vector<Diagonal> diagonals_of(const SweepSpace<ExecutionSpace, Real>& space,
                                   const SweepStorage<ExecutionSpace, Real>& storage,
                                   const Batch& batch) {
  const Block block(space, batch.first_block);
  std::vector<Diagonal> diagonals;
  for (int number = 0; number < storage.tiles[0] + storage.tiles[1] - 1; ++number) {
    const int first = std::max(0, number - (storage.tiles[1] - 1));
    const int last = std::min(number, storage.tiles[0] - 1);
    diagonals.push_back({number, first, last - first + 1, {block.sign[1], block.sign[2]}});
  }
  return diagonals;
}

/// Sweeps a batch over all cells and adds what it contributes to `space.moments` and `space.flux`
/// (Algorithm 1 of the paper for a velocity group).
template <class ExecutionSpace, class Real>
void sweep_batch(const SweepContext<ExecutionSpace>& context,
                 const SweepSpace<ExecutionSpace, Real>& space,
                 const SweepStorage<ExecutionSpace, Real>& storage, const Batch& batch);

/// Cells of a pencil along y and z.
struct Pencil {
  int begin[2];
  int count[2];
  int sign[2];
  int step[2];  ///< tile number in the direction of flight

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
  /// Coordinate of the n-th cell in the direction of flight.
  KOKKOS_INLINE_FUNCTION int at(int d, int n) const {
    return begin[d] + (sign[d] > 0 ? n : count[d] - 1 - n);
  }
};

}  // namespace knudsen::shakhov
