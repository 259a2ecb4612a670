#pragma once

#include "methods/shakhov/sweep.hpp"

// The kernels of the paper, first order. One launch sweeps a slice of cells of equal z for the
// velocities of an octant, one thread for each velocity (Algorithm 2). Another launch sums the
// moments, one team for each cell, and copies the slice to the upwind one (Algorithm 3).

namespace knudsen::shakhov {

/// The two slices in memory, indexed (y, x, velocity of the batch).
template <class ExecutionSpace, class Real>
struct Slices {
  View<Real*, ExecutionSpace> before;   ///< upwind slice, swept before
  View<Real*, ExecutionSpace> present;  ///< slice being swept
};

/// Memory of two slices in bytes for batches of `blocks` blocks.
double slices_bytes(const FlowGrid& grid, int blocks, double value_bytes);

/// Allocates two slices for batches of at most `blocks` blocks.
template <class ExecutionSpace, class Real>
Slices<ExecutionSpace, Real> make_slices(const FlowGrid& grid, int blocks);

/// Sweeps a batch over all cells and adds its contribution to `space.moments` and `space.flux`
/// (Algorithm 1 of the paper for one velocity group). All blocks of the batch must be of one
/// octant.
template <class ExecutionSpace, class Real>
void sweep_slices(const SweepContext<ExecutionSpace>& context,
                  const SweepSpace<ExecutionSpace, Real>& space,
                  const Slices<ExecutionSpace, Real>& slices, const Batch& batch);

}  // namespace knudsen::shakhov
