#include "methods/lbm_d3q27/ghost_slots.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "methods/lbm_d3q27/instantiate.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

/// Copies crossing slots of the nodes of a plane to a buffer or back.
template <class LatticeType>
struct CopySlots {
  using Storage = typename LatticeType::Storage;

  LatticeType lattice;
  CrossingSlots slots;
  NodeIndex plane;  ///< of a dense lattice
  NodeIndex first;  ///< of a sparse one: the first of the nodes that hold the slots
  NodeIndex count;  ///< of these nodes
  bool to_buffer;
  Storage* buffer;  ///< (slot, node)

  KOKKOS_INLINE_FUNCTION NodeIndex node(int k, NodeIndex i) const {
    if (lattice.sparse) return first + i;
    const int beside = static_cast<int>(plane) + slots.next[k];
    const int planes = static_cast<int>(lattice.extents.nz);
    return static_cast<NodeIndex>(beside < 0 ? planes - 1 : beside % planes) * count + i;
  }
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const auto k = static_cast<int>(i / count);
    const NodeIndex n = node(k, static_cast<NodeIndex>(i - std::int64_t{k} * count));
    Storage& slot = lattice.populations.data()[lattice.slot(n, slots.population[k])];
    if (to_buffer) {
      buffer[i] = slot;
    } else {
      slot = buffer[i];
    }
  }
};

}  // namespace

template <class LatticeType>
GhostSlots<LatticeType>::GhostSlots(const LatticePart& part)
    : active_(!part.slab().whole()),
      axis_(part.axis()),
      top_(part.slab().owned() - 1),
      ghost_(part.slab().ghost()) {
  if (!active_) return;
  const lbm::Slab& slab = part.slab();
  std::size_t after = slab.layer;  // nodes
  std::size_t before = slab.layer;
  if (part.sparse()) {
    first_ = {0, part.first_plane()};
    ghosts_ = {static_cast<NodeIndex>(part.owned_nodes()),
               static_cast<NodeIndex>(part.whole_numbers().size())};
    after = ghosts_.end - ghosts_.begin;
    before = first_.end;
  }
  // Messages up have tag 0, messages down tag 1.
  const auto crossing =
      static_cast<std::size_t>(crossing_slots<typename LatticeType::Velocities>(
                                   Propagation::esoteric_twist, axis_, 0, true, SlotUse::loaded)
                                   .count);
  to_after_ = exchange_.template add_send<Storage>(slab.rank_after(), 0, crossing * after);
  to_before_ = exchange_.template add_send<Storage>(slab.rank_before(), 1, crossing * before);
  from_before_ = exchange_.template add_receive<Storage>(slab.rank_before(), 0, crossing * before);
  from_after_ = exchange_.template add_receive<Storage>(slab.rank_after(), 1, crossing * after);
}

template <class LatticeType>
void GhostSlots<LatticeType>::copy(const ExecutionSpace& execution, const LatticeType& lattice,
                                   const Part& up, const Part& down, bool to_buffer,
                                   std::int64_t most_threads) {
  const auto kernel = [&](const Part& part) {
    const NodeIndex count = lattice.sparse ? part.nodes.end - part.nodes.begin
                                           : lattice.extents.pitch * lattice.extents.ny;
    return CopySlots<LatticeType>{lattice,
                                  part.slots,
                                  part.plane,
                                  part.nodes.begin,
                                  count,
                                  to_buffer,
                                  exchange_.buffer(part.message)};
  };
  const CopySlots<LatticeType> first = kernel(up);
  const CopySlots<LatticeType> second = kernel(down);
  launch_both(execution, "knudsen/lbm_d3q27/copy_slots", std::int64_t{up.slots.count} * first.count,
              first, std::int64_t{down.slots.count} * second.count, second, most_threads);
}

template <class LatticeType>
void GhostSlots<LatticeType>::update(const ExecutionSpace& execution,
                                     const ExecutionSpace& needed_by, const LatticeType& lattice,
                                     int parity, SlotUse use) {
  const auto crossing = [&](bool up) {
    return crossing_slots<typename LatticeType::Velocities>(lattice.propagation, axis_, parity, up,
                                                            use);
  };
  exchange(execution, needed_by, lattice, crossing(true), crossing(false));
}

template <class LatticeType>
void GhostSlots<LatticeType>::take_from_neighbours(const ExecutionSpace& execution,
                                                   const LatticeType& lattice) {
  for (const int parity : {0, 1}) {
    // Nodes store to one of the two slots of a link in an even step, to the other one in an odd.
    const auto in_own_plane = [&](bool up) {
      const CrossingSlots all = crossing_slots<typename LatticeType::Velocities>(
          lattice.propagation, axis_, parity, up, SlotUse::stored);
      CrossingSlots own;
      for (int k = 0; k < all.count; ++k) {
        if (all.next[k] == 0) own.population[own.count++] = all.population[k];
      }
      return own;
    };
    exchange(execution, execution, lattice, in_own_plane(true), in_own_plane(false));
  }
}

template <class LatticeType>
void GhostSlots<LatticeType>::exchange(const ExecutionSpace& execution,
                                       const ExecutionSpace& needed_by, const LatticeType& lattice,
                                       const CrossingSlots& up, const CrossingSlots& down) {
  if (!active_) return;
  // Beside an update few threads suffice, and more would keep the update from the GPU while they
  // wait for memory. Slabs of few planes, whose update is short, get more.
  std::int64_t most_threads = std::numeric_limits<std::int64_t>::max();
  if (&execution != &needed_by) {
    most_threads = std::max(std::int64_t{1} << 14, (std::int64_t{1} << 20) / std::int64_t{top_});
  }
  // In a sparse lattice links up have their slots in the next plane, links down in their own.
  copy(execution, lattice, {up, top_, ghosts_, to_after_}, {down, 0, first_, to_before_}, true,
       most_threads);
  exchange_.begin(execution);
  exchange_.end(execution, needed_by);
  // The sender's plane is the ghost plane here, be it the one after or before the slab.
  copy(execution, lattice, {up, ghost_, first_, from_before_}, {down, ghost_, ghosts_, from_after_},
       false, most_threads);
}

#define KNUDSEN_INSTANTIATE(...) template class GhostSlots<__VA_ARGS__>;
KNUDSEN_D3Q27_FOR_LATTICES(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d3q27
