#pragma once

#include "methods/bgkw/step.hpp"

namespace knudsen::bgkw {

// The kernels of the paper, for model bgk, order 1, no body force and no split. The distribution is
// stored as (velocity, cell) in the memory of `f` and `next`, so that neighbouring threads process
// neighbouring cells. All other functions expect (cell, velocity): between to_tiles() and
// from_tiles() only the functions of this header may be called.

/// Transposes `f` from (cell, velocity) to (velocity, cell).
template <class ExecutionSpace, class Real>
void to_tiles(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space);

/// Transposes `f` from (velocity, cell) to (cell, velocity).
template <class ExecutionSpace, class Real>
void from_tiles(const StepContext<ExecutionSpace>& context,
                PhaseSpace<ExecutionSpace, Real>& space);

/// As update_wall_density(), for a distribution stored as (velocity, cell).
template <class ExecutionSpace, class Real>
void update_wall_density_of_tiles(const StepContext<ExecutionSpace>& context,
                                  const PhaseSpace<ExecutionSpace, Real>& space);

/// Streams `f` into `next`, then swaps the two (Algorithm 1). A team processes one velocity: it
/// loads one tile of cells after the other into scratch memory and reads neighbours' values there.
template <class ExecutionSpace, class Real>
void stream_tiles(const StepContext<ExecutionSpace>& context,
                  PhaseSpace<ExecutionSpace, Real>& space);

/// Relaxes `f` in place (Algorithm 2). A team processes a tile of cells, a thread one of these
/// cells and a share of the velocities. Moments are reduced over the threads in scratch memory.
template <class ExecutionSpace, class Real>
void collide_tiles(const StepContext<ExecutionSpace>& context,
                   const PhaseSpace<ExecutionSpace, Real>& space);

}  // namespace knudsen::bgkw
