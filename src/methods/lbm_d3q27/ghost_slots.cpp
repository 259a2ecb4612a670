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
  Storage* buffer;  ///< (slot, y, x)

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const Extents& extents = lattice.extents;
    const auto of_plane = std::int64_t{extents.nx} * extents.ny;
    const auto k = static_cast<int>(i / of_plane);
    const auto in_plane = static_cast<NodeIndex>(i - k * of_plane);
    const NodeIndex y = in_plane / extents.nx;
    const DenseStencil nodes(extents, in_plane - y * extents.nx, y, plane);
    const NodeIndex n = nodes.node(slots.offset[k][0], slots.offset[k][1], slots.offset[k][2]);
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
  const std::int64_t count = std::int64_t{slots.count} * lattice.extents.nx * lattice.extents.ny;
  Kokkos::parallel_for("knudsen/lbm_d3q27/copy_slots", Policy(execution, 0, count),
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
    for (int axis = 0; axis < 3; ++axis) {
      slots.offset[k][axis] = own ? 0 : slot_offset(propagation, parity, q, axis);
    }
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
        if (slots.offset[k][2] != 0) {
          planes[static_cast<std::size_t>(slots.population[k])] = slots.offset[k][2];
        }
      }
    }
  }
  return planes;
}

template <class LatticeType>
GhostSlots<LatticeType>::GhostSlots(const LatticeType& lattice, const Slab& slab)
    : active_(!slab.whole()), top_(slab.owned() - 1), ghost_(slab.ghost()) {
  if (!active_) return;
  const int above = (slab.rank + 1) % slab.ranks;
  const int below = (slab.rank + slab.ranks - 1) % slab.ranks;
  const std::size_t values = (LatticeType::Velocities::populations == 27 ? 9U : 5U) *
                             std::size_t{lattice.extents.nx} * lattice.extents.ny;
  // Messages up have tag 0, messages down tag 1.
  to_above_ = exchange_.template add_send<Storage>(above, 0, values);
  to_below_ = exchange_.template add_send<Storage>(below, 1, values);
  from_below_ = exchange_.template add_receive<Storage>(below, 0, values);
  from_above_ = exchange_.template add_receive<Storage>(above, 1, values);
}

template <class LatticeType>
void GhostSlots<LatticeType>::update(const ExecutionSpace& execution, const LatticeType& lattice,
                                     int parity, SlotUse use) {
  if (!active_) return;
  constexpr int populations = LatticeType::Velocities::populations;
  const CrossingSlots up = crossing_slots(lattice.propagation, populations, parity, true, use);
  const CrossingSlots down = crossing_slots(lattice.propagation, populations, parity, false, use);
  copy_slots<true>(execution, lattice, up, top_, to_above_);
  copy_slots<true>(execution, lattice, down, 0, to_below_);
  exchange_.begin(execution);
  exchange_.end(execution);
  // The sender's plane is the ghost plane here, whether it is above or below.
  copy_slots<false>(execution, lattice, up, ghost_, from_below_);
  copy_slots<false>(execution, lattice, down, ghost_, from_above_);
}

#define KNUDSEN_INSTANTIATE(...) template class GhostSlots<__VA_ARGS__>;
KNUDSEN_D3Q27_FOR_LATTICES(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d3q27
