#pragma once

#include "methods/boltzmann/step.hpp"

namespace knudsen::boltzmann {

/// Of every cell, the combination of the invariants that has the same five moments as its h, as
/// (cell, invariant). Exact collisions leave it alone in the linearised equation; sampled ones do
/// so in the mean only, and but for the size of the velocity cells.
template <class ExecutionSpace>
using EquilibriumPart = View<double* [invariants], ExecutionSpace>;

/// Takes that part out of h, so that h has no moments left.
template <class ExecutionSpace, class Real>
void take_out_equilibrium(const StepContext<ExecutionSpace>& context,
                          const State<ExecutionSpace, Real>& state,
                          const EquilibriumPart<ExecutionSpace>& part);

/// Adds it to h.
template <class ExecutionSpace, class Real>
void put_back_equilibrium(const StepContext<ExecutionSpace>& context,
                          const State<ExecutionSpace, Real>& state,
                          const EquilibriumPart<ExecutionSpace>& part);

}  // namespace knudsen::boltzmann
