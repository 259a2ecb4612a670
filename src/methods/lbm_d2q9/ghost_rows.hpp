#pragma once

#include "methods/lattice/slab.hpp"
#include "methods/lbm_d2q9/lattice_state.hpp"
#include "parallel/exchange.hpp"

namespace knudsen::lbm_d2q9 {

/// Which slots of an owned row, on links to nodes of another rank, take the values of that rank's
/// ghost row.
enum class Accept {
  all,
  of_uncut_links,        ///< the other nodes own their slots
  of_cut_links_or_solid  ///< the owner's node uses the slots of its other links
};

/// Keeps the slots on links between the rows of two ranks equal on both. In an arrangement the
/// slots of three populations, or four with a scalar, in the ghost row stand for those of the row
/// after the slab, and those of as many others for those of the row before it.
template <class ExecutionSpace, class Real>
class GhostRows {
 public:
  GhostRows() = default;  ///< of a whole lattice: nothing to do
  GhostRows(const Lattice<ExecutionSpace, Real>& lattice, const lbm::Slab& slab);

  /// Collective: copies the slots of ghost rows to the rows that they stand for.
  void push(const ExecutionSpace& execution, const Lattice<ExecutionSpace, Real>& lattice,
            Arrangement arrangement, Accept accept);
  /// Collective: copies the slots of the other ranks' rows to the ghost rows.
  void pull(const ExecutionSpace& execution, const Lattice<ExecutionSpace, Real>& lattice,
            Arrangement arrangement);
  /// After a step: what was stored becomes what the nodes of the other ranks load in the next
  /// step, whose arrangement is given.
  void update(const ExecutionSpace& execution, const Lattice<ExecutionSpace, Real>& lattice,
              Arrangement next);
  /// The same after the initial state has been set.
  void begin(const ExecutionSpace& execution, const Lattice<ExecutionSpace, Real>& lattice,
             Arrangement next);

 private:
  bool active_ = false;
  int top_ = 0, ghost_ = 0;  ///< rows
  Exchange<ExecutionSpace> exchange_;
  ExchangedMessage<Real> to_after_, to_before_, from_after_, from_before_;
};

}  // namespace knudsen::lbm_d2q9
