#pragma once

#include "methods/bgkw/step.hpp"

namespace knudsen::bgkw {

// Steps by the paper's own kernels, for bgk without body force and streaming of first order that is
// not split: the distribution stands as (velocity, cell) in the memory of `f` and `next`, so that
// neighbouring threads have neighbouring cells. All other functions want it as (cell, velocity):
// between to_tiles() and from_tiles() only those of this header may be called.

/// Turns `f` from (cell, velocity) to (velocity, cell).
template <class ExecutionSpace, class Real>
void to_tiles(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space);

/// Turns `f` back.
template <class ExecutionSpace, class Real>
void from_tiles(const StepContext<ExecutionSpace>& context,
                PhaseSpace<ExecutionSpace, Real>& space);

/// update_wall_density() of tiles.
template <class ExecutionSpace, class Real>
void update_wall_density_of_tiles(const StepContext<ExecutionSpace>& context,
                                  const PhaseSpace<ExecutionSpace, Real>& space);

/// Streams `f` into `next`, then swaps the two (Algorithm 1): a team has one velocity and takes one
/// tile of cells after the other into scratch memory, from where neighbours' values are read.
template <class ExecutionSpace, class Real>
void stream_tiles(const StepContext<ExecutionSpace>& context,
                  PhaseSpace<ExecutionSpace, Real>& space);

/// Relaxes `f` in place (Algorithm 2): a team has a tile of cells, a thread one of them and a share
/// of the velocities; the threads' moments are added up in scratch memory.
template <class ExecutionSpace, class Real>
void collide_tiles(const StepContext<ExecutionSpace>& context,
                   const PhaseSpace<ExecutionSpace, Real>& space);

}  // namespace knudsen::bgkw
