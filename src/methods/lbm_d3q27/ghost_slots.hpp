#pragma once

#include <vector>

#include "methods/lbm_d3q27/lattice_state.hpp"
#include "methods/lbm_d3q27/slab.hpp"
#include "parallel/exchange.hpp"

namespace knudsen::lbm_d3q27 {

/// Slots of the nodes of one plane that hold populations on links to the next plane, up or down.
/// Slot k of node (x, y) is population[k] of node (x, y) + offset[k].
struct CrossingSlots {
  int count = 0;
  int population[9] = {};
  int offset[9][3] = {};
};

/// What a step writes, or what a node loads.
enum class SlotUse {
  stored,  ///< outgoing populations after the step of a parity
  loaded   ///< incoming populations before it
};

/// The slots on links that lead up (`up`) or down along z from a node. Those stored and those
/// loaded are the same in one-array schemes, where a node stores to the slots that it loads from.
CrossingSlots crossing_slots(Propagation propagation, int populations, int parity, bool up,
                             SlotUse use);

/// Which planes of the whole lattice the slots of a slab's ghost plane stand for: by population
/// 1, the plane after the slab; -1, the plane before it; 0, none.
std::vector<int> ghost_planes(Propagation propagation, int populations);

/// Keeps the slots on links between two ranks equal on both. All functions but the constructor
/// are collective.
template <class LatticeType>
class GhostSlots {
  using ExecutionSpace = typename LatticeType::Execution;
  using Storage = typename LatticeType::Storage;

 public:
  GhostSlots() = default;  ///< of a whole lattice: nothing to do
  GhostSlots(const LatticeType& lattice, const Slab& slab);

  /// Sends to each neighbour the slots that this rank's nodes use, and writes those of the
  /// neighbours' nodes. After a step: its parity, `stored`. `populations` is what the step wrote.
  void update(const ExecutionSpace& execution, const LatticeType& lattice, int parity, SlotUse use);

 private:
  bool active_ = false;
  NodeIndex top_ = 0, ghost_ = 0;  ///< planes
  Exchange<ExecutionSpace> exchange_;
  Storage *to_above_ = nullptr, *to_below_ = nullptr;  ///< buffers
  Storage *from_above_ = nullptr, *from_below_ = nullptr;
};

}  // namespace knudsen::lbm_d3q27
