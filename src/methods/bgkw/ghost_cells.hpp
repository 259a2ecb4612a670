#pragma once

#include <memory>
#include <vector>

#include "methods/bgkw/step.hpp"
#include "methods/gas/ghost_exchange.hpp"

namespace knudsen::bgkw {

/// What fills the ghost cells of a slab. A ghost next to the slab in a first-order streaming by
/// less than a cell needs only the velocities that point to the slab; in all others whole cells go.
template <class ExecutionSpace, class Real>
struct GhostCells {
  /// Of PhaseSpace::f and, `with_sums`, of PhaseSpace::sums: the outflow to the slab.
  GhostExchange<ExecutionSpace, Real> values;
  GhostExchange<ExecutionSpace, Real> sums;  ///< of these alone, where the step finds none
  bool with_sums = false;  ///< fused single passes, which need those of neighbours
};

/// Null with one rank. `space` is the slab of this rank, `fused` whether a step streams and
/// collides in one kernel.
template <class ExecutionSpace, class Real>
std::unique_ptr<GhostCells<ExecutionSpace, Real>> make_ghost_cells(
    const PhaseSpace<ExecutionSpace, Real>& space, const std::vector<CellSlab>& slabs, int rank,
    bool fused);

/// Collective: fills the ghost cells of `f` and, in fused single passes, of `sums`, known or not.
/// Call it before a streaming across the cut, and before update_wall_density for it. Does nothing
/// without ghosts.
template <class ExecutionSpace, class Real>
void exchange_values(const StepContext<ExecutionSpace>& context,
                     const PhaseSpace<ExecutionSpace, Real>& space);

/// The same for `sums` alone.
template <class ExecutionSpace, class Real>
void exchange_sums(const StepContext<ExecutionSpace>& context,
                   const PhaseSpace<ExecutionSpace, Real>& space);

}  // namespace knudsen::bgkw
