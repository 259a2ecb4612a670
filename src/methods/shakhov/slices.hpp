#pragma once

#include "methods/shakhov/sweep.hpp"

// The paper's own kernels: a launch sweeps a slice of cells of equal z for the velocities of an
// octant, a thread a velocity (Algorithm 2); another adds up the moments, a team a cell, and makes
// the slice the preceding one (Algorithm 3). First order.

namespace knudsen::shakhov {

/// The preceding slice and the present one: (y, x, velocity of the batch).
template <class ExecutionSpace, class Real>
struct Slices {
  View<Real*, ExecutionSpace> before;
  View<Real*, ExecutionSpace> present;
};

/// Bytes of two slices for a batch of so many blocks.
double slices_bytes(const FlowGrid& grid, int blocks, double value_bytes);

template <class ExecutionSpace, class Real>
Slices<ExecutionSpace, Real> make_slices(const FlowGrid& grid, int blocks);

/// Sweeps a batch, which must be of one octant, over all cells and adds what it contributes to
/// `space.moments` and `space.flux` (Algorithm 1 of the paper for a velocity group).
template <class ExecutionSpace, class Real>
void sweep_slices(const SweepContext<ExecutionSpace>& context,
                  const SweepSpace<ExecutionSpace, Real>& space,
                  const Slices<ExecutionSpace, Real>& slices, const Batch& batch);

}  // namespace knudsen::shakhov
