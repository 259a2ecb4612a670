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
  int population[9] = {};
  int next[9] = {};
};

enum class SlotUse {
  stored,  ///< where nodes store outgoing populations in the step of a parity
  loaded   ///< where nodes load incoming populations in it
};

/// The slots that the nodes of a plane across `axis` use on links that lead up, or down. In
/// one-array schemes nodes store to the slots that they load from.
CrossingSlots crossing_slots(Propagation propagation, int populations, int axis, int parity,
                             bool up, SlotUse use);

/// What the slots of the ghost plane of a dense lattice stand for, by population: 1, slots of the
/// plane after the slab; -1, of the plane before it; 0, none.
std::vector<int> ghost_planes(Propagation propagation, int populations);

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
  void update(const ExecutionSpace& execution, const LatticeType& lattice, int parity, SlotUse use);

 private:
  /// The slots of links between two planes, and the buffer of their message.
  struct Part {
    CrossingSlots slots;
    NodeIndex plane;                                ///< of a dense lattice
    const View<NodeIndex*, ExecutionSpace>* nodes;  ///< of a sparse one
    ExchangedMessage<Storage> message;
  };
  void copy(const ExecutionSpace& execution, const LatticeType& lattice, const Part& up,
            const Part& down, bool to_buffer);

  bool active_ = false;
  int axis_ = 2;
  NodeIndex top_ = 0, ghost_ = 0;                    ///< planes of a dense lattice
  View<NodeIndex*, ExecutionSpace> first_, ghosts_;  ///< nodes of these planes of a sparse one
  Exchange<ExecutionSpace> exchange_;
  ExchangedMessage<Storage> to_after_, to_before_, from_after_, from_before_;
};

}  // namespace knudsen::lbm_d3q27
