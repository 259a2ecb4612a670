#include "methods/shakhov/sweep.hpp"

#include <algorithm>
#include <utility>

#include "device/instantiate.hpp"
#include "kinetic/surface.hpp"
#include "methods/shakhov/block_shares.hpp"
#include "methods/shakhov/gather.hpp"
#include "methods/shakhov/launch_sweep.hpp"

namespace knudsen::shakhov {
namespace {

struct Sizes {
  int tiles[2];  ///< pencils along y and z
  int pencils;   ///< pencils of the longest diagonal
};

Sizes sizes_of(const FlowGrid& grid, const Tuning& tuning) {
  Sizes sizes{};
  for (std::size_t d = 0; d < 2; ++d) {
    sizes.tiles[d] = (grid.cells[1 + d] + tuning.tile[d] - 1) / tuning.tile[d];
  }
  sizes.pencils = std::min(sizes.tiles[0], sizes.tiles[1]);
  return sizes;
}

/// Values of a slice for one block; none along an axis with one pencil.
std::size_t slice_values(const FlowGrid& grid, const Tuning& tuning, const Sizes& sizes,
                         std::size_t d) {
  if (sizes.tiles[d] == 1) return 0;
  return static_cast<std::size_t>(sizes.tiles[1 - d] * tuning.tile[1 - d]) *
         static_cast<std::size_t>(grid.cells[0]) *
         static_cast<std::size_t>(block_lanes * block_depth(grid.velocities));
}

std::size_t partial_values(const FlowGrid& grid, const Tuning& tuning, const Sizes& sizes) {
  return static_cast<std::size_t>(sizes.pencils) * static_cast<std::size_t>(grid.cells[0]) *
         static_cast<std::size_t>(tuning.tile[0] * tuning.tile[1]) * block_sum_count;
}

/// Fluxes onto the surface in a cut cell for each block sum.
constexpr double facet_sums = double(flux_count) / block_sum_count;

}  // namespace

std::vector<Batch> make_batches(const FlowGrid& grid, int octant_blocks, int max_blocks,
                                bool by_octant, int rank, int ranks) {
  const BlockShares shares(grid, octant_blocks, by_octant, ranks);
  const auto reflects = [&](std::size_t side) { return surface_law(grid.sides[side]).specular; };
  // Sign of the velocities along an axis that are swept first.
  const auto first_sign = [&](std::size_t axis) {
    return reflects(2 * axis + 1) && !reflects(2 * axis) ? 1 : 0;
  };
  const bool x_reflects = reflects(west) || reflects(east);
  std::vector<Batch> batches;
  const auto add = [&](int octant, int octants) {
    // The blocks of a pair of octants are those at the end of the first one and at the beginning of
    // the other, or of one of them.
    int first = 0;
    int all = 0;
    for (int o = octant; o < octant + octants; ++o) {
      const BlockShares::Range own = shares.blocks_of(rank, o);
      if (own.begin == own.end) continue;
      if (all == 0) first = o * octant_blocks + own.begin;
      all += own.end - own.begin;
    }
    const int parts = (all + max_blocks - 1) / max_blocks;
    int begin = first;
    for (int part = 0; part < parts; ++part) {
      const int end = first + static_cast<int>(std::int64_t(all) * (part + 1) / parts);
      batches.push_back({begin, end - begin});
      begin = end;
    }
  };
  const bool pairs = !x_reflects && !by_octant;
  // Octants, or pairs of them, as numbers of flips from the first one.
  std::vector<int> order;
  for (int flips = 0; flips < 8; flips += pairs ? 2 : 1) order.push_back(flips);
  // What comes back through an antisymmetric side left in another pair.
  for (const std::size_t axis : {1, 0}) {
    if (surface_law(grid.sides[2 * axis]).turned == 0 &&
        surface_law(grid.sides[2 * axis + 1]).turned == 0) {
      continue;
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return (a >> axis & 1) < (b >> axis & 1); });
  }
  const int first = (pairs ? 0 : first_sign(0)) + 2 * first_sign(1) + 4 * first_sign(2);
  for (const int flips : order) {
    const int octant = first ^ flips;
    bool has_velocities = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (grid.velocities[axis].integrated) has_velocities &= (octant >> axis & 1) != 0;
    }
    if (has_velocities) add(octant, pairs ? 2 : 1);
  }
  return batches;
}

double storage_bytes(const FlowGrid& grid, const Tuning& tuning, int order, int blocks,
                     double value_bytes) {
  const Sizes sizes = sizes_of(grid, tuning);
  const auto slices = static_cast<double>(slice_values(grid, tuning, sizes, 0) +
                                          slice_values(grid, tuning, sizes, 1));
  return blocks * value_bytes *
         (slices * order + static_cast<double>(partial_values(grid, tuning, sizes)) *
                               (1 + (grid.has_cut_cells() ? facet_sums : 0)));
}

template <class ExecutionSpace, class Real>
SweepStorage<ExecutionSpace, Real> make_storage(const FlowGrid& grid, const Tuning& tuning,
                                                int order, int blocks) {
  const Sizes sizes = sizes_of(grid, tuning);
  SweepStorage<ExecutionSpace, Real> storage;
  const auto count = static_cast<std::size_t>(blocks);
  storage.blocks = blocks;
  for (std::size_t d = 0; d < 2; ++d) {
    storage.tile[d] = tuning.tile[d];
    storage.tiles[d] = sizes.tiles[d];
    storage.slice_size[d] = slice_values(grid, tuning, sizes, d) * count;
    // Zeros at first: behind a solid cell, which writes nothing, a kernel reads values that it then
    // replaces by those of the wall.
    storage.slice[d] = View<Real*, ExecutionSpace>(
        "slice", storage.slice_size[d] * static_cast<std::size_t>(order));
  }
  storage.partial = View<Real*, ExecutionSpace>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("partial moments")),
      partial_values(grid, tuning, sizes) * count);
  if (grid.has_cut_cells()) {
    storage.facet_partial = View<Real*, ExecutionSpace>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("partial facet fluxes")),
        storage.partial.extent(0) / block_sum_count * flux_count);
  }
  return storage;
}

namespace {

template <class ExecutionSpace, class Real>
Diagonal diagonal_of(const SweepSpace<ExecutionSpace, Real>& space,
                     const SweepStorage<ExecutionSpace, Real>& storage, const Batch& batch,
                     int number) {
  const Block block(space, batch.first_block);
  Diagonal diagonal;
  diagonal.number = number;
  diagonal.first = std::max(0, number - (storage.tiles[1] - 1));
  diagonal.pencils = std::min(number, storage.tiles[0] - 1) - diagonal.first + 1;
  for (int d = 0; d < 2; ++d) diagonal.sign[d] = block.sign[1 + d];
  return diagonal;
}

/// Blocks of each batch that are swept without regard to the others.
template <class ExecutionSpace, class Real>
struct Part {
  SweepContext<ExecutionSpace> present, next;
  SweepStorage<ExecutionSpace, Real> storage;
  std::vector<Batch> batches;
};

/// The first block of part `n` of `count`, in a batch or in the buffers. No part of a batch has
/// more blocks than that of the buffers, which have as many as the largest batch.
int first_of_part(int blocks, int n, int count) {
  return std::min(blocks, n * ((blocks + count - 1) / count));
}

template <class ExecutionSpace, class Real>
Part<ExecutionSpace, Real> make_part(const SweepContext<ExecutionSpace>& context,
                                     const SweepSpace<ExecutionSpace, Real>& space,
                                     const SweepStorage<ExecutionSpace, Real>& storage,
                                     const std::vector<Batch>& batches,
                                     SweepQueues<ExecutionSpace>& queues, int n) {
  const auto count = static_cast<int>(queues.parts.size());
  const auto& queue = queues.parts[static_cast<std::size_t>(n)];
  Part<ExecutionSpace, Real> part{context, context, storage, {}};
  part.present.execution = queue.present.execution();
  part.next.execution = queue.next.execution();
  const int first = first_of_part(storage.blocks, n, count);
  const auto from = [&](const View<Real*, ExecutionSpace>& all, int values_of_block) {
    const auto begin = static_cast<std::size_t>(first) * static_cast<std::size_t>(values_of_block);
    return View<Real*, ExecutionSpace>(all, std::make_pair(begin, all.extent(0)));
  };
  for (auto& slice : part.storage.slice) slice = from(slice, space.block_values());
  const auto of_block = [&](const auto& view) {
    return static_cast<int>(view.extent(0) / static_cast<std::size_t>(storage.blocks));
  };
  part.storage.partial = from(storage.partial, of_block(storage.partial));
  part.storage.facet_partial = from(storage.facet_partial, of_block(storage.facet_partial));
  for (const Batch& batch : batches) {
    const int begin = first_of_part(batch.blocks, n, count);
    const int end = first_of_part(batch.blocks, n + 1, count);
    if (begin < end) part.batches.push_back({batch.first_block + begin, end - begin});
  }
  return part;
}

}  // namespace

template <class ExecutionSpace, class Real>
int part_count(const SweepSpace<ExecutionSpace, Real>& space,
               const SweepStorage<ExecutionSpace, Real>& storage) {
  // What leaves through a side that is not diffuse may enter in a block of the other part.
  for (const auto& outgoing : space.outgoing) {
    if (outgoing.extent(0) > 0) return 1;
  }
  // Teams of the longest diagonal; with half as many one part is faster (NOTES.md). An H200 runs
  // 528 at once, four on each multiprocessor.
  constexpr int many = 1024;
  const int teams = std::min(storage.tiles[0], storage.tiles[1]) * storage.blocks;
  return is_host_backend<ExecutionSpace> || teams < many ? 1 : 2;
}

template <class ExecutionSpace, class Real>
void sweep_batches(const SweepContext<ExecutionSpace>& context,
                   const SweepSpace<ExecutionSpace, Real>& space,
                   const SweepStorage<ExecutionSpace, Real>& storage,
                   const std::vector<Batch>& batches, SweepQueues<ExecutionSpace>& queues) {
  const auto sweep = [&](const auto& where, const auto& buffers, const Batch& batch,
                         const Diagonal& diagonal) {
    dispatch_model(context.model, [&](auto model) {
      SweepLauncher<ExecutionSpace, Real, decltype(model)>::launch(where, space, buffers, batch,
                                                                   diagonal);
    });
    gather_moments(where, space, buffers, batch, diagonal);
  };
  std::vector<Part<ExecutionSpace, Real>> parts;
  for (auto& queue : queues.parts) {
    parts.push_back(make_part(context, space, storage, batches, queues, int(parts.size())));
    queue.present.begin_after_main();
  }
  const int diagonals = storage.tiles[0] + storage.tiles[1] - 1;
  // A batch begins so many diagonals after the one before it: then that one has done with the first
  // tile along y and z, next with the second one, and so on. What a mirror at a side returns on
  // diagonal n left on diagonal n + tiles - 1 of its axis, or before, which has ended by then.
  // (Antisymmetric sides are in two dimensions, where a batch waits for the end of the other.)
  const int lag = std::max(storage.tiles[0], storage.tiles[1]);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    // Its first diagonals were made beside the last ones of the batch before it.
    for (int number = i == 0 ? 0 : diagonals - lag; number < diagonals; ++number) {
      for (std::size_t n = 0; n < parts.size(); ++n) {
        const Part<ExecutionSpace, Real>& part = parts[n];
        if (i >= part.batches.size()) continue;
        Diagonal diagonal = diagonal_of(space, part.storage, part.batches[i], number);
        if (number >= lag && i + 1 < part.batches.size()) {
          const Batch& next = part.batches[i + 1];
          const Diagonal of_next = diagonal_of(space, part.storage, next, number - lag);
          queues.parts[n].next.begin_after_main();
          sweep(part.next, part.storage, next, of_next);
          // The rows of its next diagonal begin behind those of this one.
          diagonal.first_row =
              static_cast<std::size_t>(of_next.pencils) * static_cast<std::size_t>(next.blocks);
        }
        sweep(part.present, part.storage, part.batches[i], diagonal);
        if (number + 1 == diagonals) queues.parts[n].next.let_main_wait();
      }
    }
  }
  for (auto& queue : queues.parts) queue.present.let_main_wait();
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                        \
  template SweepStorage<ExecutionSpace, Real> make_storage<ExecutionSpace, Real>(        \
      const FlowGrid&, const Tuning&, int, int);                                         \
  template void sweep_batches<ExecutionSpace, Real>(                                     \
      const SweepContext<ExecutionSpace>&, const SweepSpace<ExecutionSpace, Real>&,      \
      const SweepStorage<ExecutionSpace, Real>&, const std::vector<Batch>&,              \
      SweepQueues<ExecutionSpace>&);                                                     \
  template int part_count<ExecutionSpace, Real>(const SweepSpace<ExecutionSpace, Real>&, \
                                                const SweepStorage<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
