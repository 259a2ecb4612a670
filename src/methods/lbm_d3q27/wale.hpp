#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "methods/lbm_d3q27/diagnostics.hpp"
#include "methods/lbm_d3q27/lattice_part.hpp"
#include "methods/lbm_d3q27/lattice_state.hpp"
#include "parallel/exchange.hpp"

namespace knudsen::lbm_d3q27 {

/// The eddy viscosity of the WALE model at the nodes of a part (lattice/steps/eddy_viscosity.hpp).
/// It needs the velocities of neighbours, which no step has at hand. So every few steps the
/// velocities at the start of a step are stored, on a GPU by the step itself, and after that step a
/// kernel finds from them the lattice's `eddy_times` of the steps to come.
template <class LatticeType>
class WaleField {
  using ExecutionSpace = typename LatticeType::Execution;
  using Real = typename LatticeType::Real;

 public:
  WaleField() = default;  ///< nothing to do
  /// The domain has `nodes` along each axis, periodic ones without end. Allocates the lattice's
  /// eddy_times.
  WaleField(const NodeMap& map, const LatticePart& part, const std::array<int, 3>& nodes,
            const std::array<bool, 3>& periodic, double constant, LatticeType& lattice);

  /// Before a step: has the velocities stored.
  void store(const ContextOf<LatticeType>& context, LatticeType& lattice, int parity);
  /// Collective, after that step: sets the eddy_times.
  void evaluate(const ContextOf<LatticeType>& context, LatticeType& lattice);

 private:
  template <bool Sparse>
  void evaluate(const ExecutionSpace& execution, const LatticeType& lattice);

  double constant_ = 0;
  std::array<int, 3> cells_{};  ///< of the box of cells that this rank owns
  std::array<bool, 3> periodic_{};
  int cut_axis_ = -1;  ///< across which other ranks have cells; -1: none
  bool ends_[2] = {};  ///< of the domain at this rank's first and last plane, not periodic
  View<NodeIndex*, ExecutionSpace> numbers_;  ///< of a sparse lattice, by cell; `none`: not fluid
  View<Real**, ExecutionSpace> velocity_;     ///< (component, node); NaN: not fluid
  Exchange<ExecutionSpace> exchange_;
  ExchangedMessage<Real> to_before_, to_after_, from_before_, from_after_;
};

}  // namespace knudsen::lbm_d3q27
