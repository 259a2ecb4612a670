#pragma once

#include <vector>

#include "methods/lattice/slab.hpp"
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

/// The slots that the nodes of a plane use on links that lead up, or down. In one-array schemes
/// nodes store to the slots that they load from.
CrossingSlots crossing_slots(Propagation propagation, int populations, int parity, bool up,
                             SlotUse use);

/// What the slots of a slab's ghost plane stand for, by population: 1, slots of the plane after the
/// slab; -1, of the plane before it; 0, none.
std::vector<int> ghost_planes(Propagation propagation, int populations);

/// Keeps the slots on links between the planes of two ranks equal on both.
template <class LatticeType>
class GhostSlots {
  using ExecutionSpace = typename LatticeType::Execution;
  using Storage = typename LatticeType::Storage;

 public:
  GhostSlots() = default;  ///< of a whole lattice: nothing to do
  explicit GhostSlots(const lbm::Slab& slab);

  /// Collective: sends to each neighbour the slots that this rank's nodes use on links between the
  /// two, and takes over those of the neighbour's nodes. After a step: of its parity, `stored`.
  void update(const ExecutionSpace& execution, const LatticeType& lattice, int parity, SlotUse use);

 private:
  bool active_ = false;
  NodeIndex top_ = 0, ghost_ = 0;  ///< planes
  Exchange<ExecutionSpace> exchange_;
  Storage *to_after_ = nullptr, *to_before_ = nullptr;  ///< buffers
  Storage *from_after_ = nullptr, *from_before_ = nullptr;
};

}  // namespace knudsen::lbm_d3q27
