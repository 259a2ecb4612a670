#include "methods/lbm_d3q27/ghost_slots.hpp"

#include "methods/lbm_d3q27/instantiate.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

/// Copies crossing slots of the nodes of a plane to a buffer or back.
template <class LatticeType, bool ToBuffer>
struct CopySlots {
  using Storage = typename LatticeType::Storage;

  LatticeType lattice;
  CrossingSlots slots;
  NodeIndex plane;
  Storage* buffer;  ///< (slot, node of the plane)

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const Extents& extents = lattice.extents;
    const NodeIndex layer = extents.pitch * extents.ny;
    const auto k = static_cast<int>(i / layer);
    const int beside = static_cast<int>(plane) + slots.next[k];
    const int planes = static_cast<int>(extents.nz);
    const auto z = static_cast<NodeIndex>(beside < 0 ? planes - 1 : beside % planes);
    const NodeIndex n = z * layer + static_cast<NodeIndex>(i - std::int64_t{k} * layer);
    Storage& slot = lattice.populations.data()[lattice.slot(n, slots.population[k])];
    if constexpr (ToBuffer) {
      buffer[i] = slot;
    } else {
      slot = buffer[i];
    }
  }
};

template <bool ToBuffer, class LatticeType>
void copy_slots(const typename LatticeType::Execution& execution, const LatticeType& lattice,
                const CrossingSlots& slots, NodeIndex plane,
                typename LatticeType::Storage* buffer) {
  using Policy =
      Kokkos::RangePolicy<typename LatticeType::Execution, Kokkos::IndexType<std::int64_t>>;
  const std::int64_t layer = std::int64_t{lattice.extents.pitch} * lattice.extents.ny;
  Kokkos::parallel_for("knudsen/lbm_d3q27/copy_slots", Policy(execution, 0, slots.count * layer),
                       CopySlots<LatticeType, ToBuffer>{lattice, slots, plane, buffer});
}

}  // namespace

CrossingSlots crossing_slots(Propagation propagation, int populations, int parity, bool up,
                             SlotUse use) {
  CrossingSlots slots;
  const bool own = propagation == Propagation::two_array && use == SlotUse::stored;
  for (int q = 1; q < populations; ++q) {
    // Incoming population q comes along the link to node x - c_q.
    if (D3Q27::velocity(q, 2) != (up ? -1 : 1)) continue;
    const int k = slots.count++;
    slots.population[k] = own ? D3Q27::opposite(q) : slot_population(propagation, parity, q);
    slots.next[k] = own ? 0 : slot_offset(propagation, parity, q, 2);
  }
  return slots;
}

std::vector<int> ghost_planes(Propagation propagation, int populations) {
  std::vector<int> planes(static_cast<std::size_t>(populations), 0);
  for (const int parity : {0, 1}) {
    for (const bool up : {false, true}) {
      const CrossingSlots slots =
          crossing_slots(propagation, populations, parity, up, SlotUse::loaded);
      for (int k = 0; k < slots.count; ++k) {
        if (slots.next[k] != 0) {
          planes[static_cast<std::size_t>(slots.population[k])] = slots.next[k];
        }
      }
    }
  }
  return planes;
}

template <class LatticeType>
GhostSlots<LatticeType>::GhostSlots(const lbm::Slab& slab)
    : active_(!slab.whole()), top_(slab.owned() - 1), ghost_(slab.ghost()) {
  if (!active_) return;
  const std::size_t values = (LatticeType::Velocities::populations == 27 ? 9U : 5U) * slab.layer;
  // Messages up have tag 0, messages down tag 1.
  to_after_ = exchange_.template add_send<Storage>(slab.rank_after(), 0, values);
  to_before_ = exchange_.template add_send<Storage>(slab.rank_before(), 1, values);
  from_before_ = exchange_.template add_receive<Storage>(slab.rank_before(), 0, values);
  from_after_ = exchange_.template add_receive<Storage>(slab.rank_after(), 1, values);
}

template <class LatticeType>
void GhostSlots<LatticeType>::update(const ExecutionSpace& execution, const LatticeType& lattice,
                                     int parity, SlotUse use) {
  if (!active_) return;
  constexpr int populations = LatticeType::Velocities::populations;
  const CrossingSlots up = crossing_slots(lattice.propagation, populations, parity, true, use);
  const CrossingSlots down = crossing_slots(lattice.propagation, populations, parity, false, use);
  copy_slots<true>(execution, lattice, up, top_, to_after_);
  copy_slots<true>(execution, lattice, down, 0, to_before_);
  exchange_.begin(execution);
  exchange_.end(execution);
  // The sender's plane is the ghost plane here, be it the one after or before the slab.
  copy_slots<false>(execution, lattice, up, ghost_, from_before_);
  copy_slots<false>(execution, lattice, down, ghost_, from_after_);
}

#define KNUDSEN_INSTANTIATE(...) template class GhostSlots<__VA_ARGS__>;
KNUDSEN_D3Q27_FOR_LATTICES(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d3q27
