#pragma once

#include "methods/boltzmann/step.hpp"

namespace knudsen::boltzmann {

/// Equilibrium part of h: for each cell the combination of the invariants with the same five
/// moments as h, by its coefficients (cell, invariant). Exact collisions of the linearised equation
/// leave it unchanged; sampled ones do so only in the mean and within the error of the velocity
/// cells.
template <class ExecutionSpace>
using EquilibriumPart = View<double* [invariants], ExecutionSpace>;

/// Computes the equilibrium part and subtracts it from h, whose five moments are then zero.
template <class ExecutionSpace, class Real>
void remove_equilibrium_part(const StepContext<ExecutionSpace>& context,
                             const State<ExecutionSpace, Real>& state,
                             const EquilibriumPart<ExecutionSpace>& part);

/// Adds the equilibrium part back to h.
template <class ExecutionSpace, class Real>
void restore_equilibrium_part(const StepContext<ExecutionSpace>& context,
                              const State<ExecutionSpace, Real>& state,
                              const EquilibriumPart<ExecutionSpace>& part);

}  // namespace knudsen::boltzmann
