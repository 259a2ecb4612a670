#pragma once

#include <vector>

#include "methods/lbm_d3q27/lattice_part.hpp"
#include "methods/lbm_d3q27/lattice_state.hpp"
#include "parallel/exchange.hpp"

namespace knudsen::lbm_d3q27 {

/// Slots that hold populations on the links from a plane of nodes to the next one: population[k] of
/// all nodes of that plane, or where `next[k]` is 1 or -1, of the next plane up or down.
struct CrossingSlots {
  int count = 0;
  int population[11] = {};
  int next[11] = {};
};

enum class SlotUse {
  stored,  ///< where nodes store outgoing populations in the step of a parity
  loaded   ///< where nodes load incoming populations in it
};

/// The slots that the nodes of a plane across `axis` use on links that lead up, or down. In
/// one-array schemes nodes store to the slots that they load from.
template <class Velocities>
CrossingSlots crossing_slots(Propagation propagation, int axis, int parity, bool up, SlotUse use) {
  CrossingSlots slots;
  const bool own = propagation == Propagation::two_array && use == SlotUse::stored;
  for (int q = 1; q < Velocities::populations; ++q) {
    // Incoming population q comes along the link to node x - c_q.
    if (Velocities::velocity(q, axis) != (up ? -1 : 1)) continue;
    const int k = slots.count++;
    slots.population[k] =
        own ? Velocities::opposite(q) : slot_population<Velocities>(propagation, parity, q);
    slots.next[k] = own ? 0 : slot_offset<Velocities>(propagation, parity, q, axis);
  }
  return slots;
}

/// Keeps the slots on links between the planes of two ranks equal on both.
template <class LatticeType>
class GhostSlots {
  using ExecutionSpace = typename LatticeType::Execution;
  using Storage = typename LatticeType::Storage;

 public:
  GhostSlots() = default;  ///< of a whole lattice: nothing to do
  explicit GhostSlots(const LatticePart& part);

  /// Collective: sends to each neighbour the slots that this rank's nodes use on links between the
  /// two, and takes over those of the neighbour's nodes. After a step: of its parity, `stored`.
  void update(const ExecutionSpace& execution, const LatticeType& lattice, int parity,
              SlotUse use) {
    update(execution, execution, lattice, parity, use);
  }
  /// The same while launches on `needed_by` go on, see Exchange::end.
  void update(const ExecutionSpace& execution, const ExecutionSpace& needed_by,
              const LatticeType& lattice, int parity, SlotUse use);
  /// Collective: takes over from each neighbour the slots that its own plane holds on links between
  /// the two. Those in planes of this rank stay as they are.
  void take_from_neighbours(const ExecutionSpace& execution, const LatticeType& lattice);

 private:
  void exchange(const ExecutionSpace& execution, const ExecutionSpace& needed_by,
                const LatticeType& lattice, const CrossingSlots& up, const CrossingSlots& down);
  /// The slots of links between two planes, and the buffer of their message.
  struct Part {
    CrossingSlots slots;
    NodeIndex plane;  ///< of a dense lattice
    NodeRange nodes;  ///< of a sparse one
    ExchangedMessage<Storage> message;
  };
  void copy(const ExecutionSpace& execution, const LatticeType& lattice, const Part& up,
            const Part& down, bool to_buffer, std::int64_t most_threads);

  bool active_ = false;
  int axis_ = 2;
  NodeIndex top_ = 0, ghost_ = 0;  ///< planes of a dense lattice
  NodeRange first_{}, ghosts_{};   ///< nodes of these planes of a sparse one
  Exchange<ExecutionSpace> exchange_;
  ExchangedMessage<Storage> to_after_, to_before_, from_after_, from_before_;
};

}  // namespace knudsen::lbm_d3q27
