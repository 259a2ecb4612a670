#pragma once

#include "methods/bgkw/pass.hpp"
#include "methods/bgkw/step.hpp"

// The kernels from which stream(), collide() and stream_collide() choose. Each is instantiated in
// its own translation unit.

namespace knudsen::bgkw {

/// Calls body(model) for the model of the cells' relaxation.
template <class ExecutionSpace, class Real, class Body>
void dispatch_relaxation(const StepContext<ExecutionSpace>& context,
                         const PhaseSpace<ExecutionSpace, Real>& space, const Body& body) {
  if (space.velocities.rotation > 0) return body(RotatingEsBgkModel{});
  dispatch_model(context.model, body);
}

/// Relaxes all cells by one model, after streaming if `streams`; see stream() for `axis`. Defined
/// in cell_update.hpp.
template <class Model, class ExecutionSpace, class Real>
void update_cells(const StepContext<ExecutionSpace>& context,
                  const PhaseSpace<ExecutionSpace, Real>& space, bool streams, int axis);

/// Makes a stage of an IMEX scheme from `f` to `next` in all cells by one model. The time step and
/// the force of `context` are those of the implicit part. Defined in stage_update.hpp.
template <class Model, class ExecutionSpace, class Real>
void update_cells_in_stage(const StepContext<ExecutionSpace>& context,
                           const PhaseSpace<ExecutionSpace, Real>& space,
                           const StageWithMemory<ExecutionSpace, Real>& stage);

/// Relaxes `next` in place at the end of a stage, in the listed cells alone. Defined in
/// stage_update.hpp.
template <class Model, class ExecutionSpace, class Real>
void relax_cells_in_stage(const StepContext<ExecutionSpace>& context,
                          const PhaseSpace<ExecutionSpace, Real>& space,
                          const View<int*, ExecutionSpace>& cells);

// On cells of different widths order 2 has kernels of its own, so that those of equal cells need no
// widths: streaming from `f` to `next` along an axis followed by the relaxation, and a stage.
// Defined in growing_cells.hpp.

template <class Model, class ExecutionSpace, class Real>
void update_growing_cells(const StepContext<ExecutionSpace>& context,
                          const PhaseSpace<ExecutionSpace, Real>& space, int axis);

template <class Model, class ExecutionSpace, class Real>
void update_growing_cells_in_stage(const StepContext<ExecutionSpace>& context,
                                   const PhaseSpace<ExecutionSpace, Real>& space,
                                   const StageWithMemory<ExecutionSpace, Real>& stage);

/// Runs SinglePass over all cells. A relaxation is to the targets in space.factors. Defined in
/// run_single_pass.hpp.
template <Pass What, class ExecutionSpace, class Real>
void run_pass(const StepContext<ExecutionSpace>& context,
              const PhaseSpace<ExecutionSpace, Real>& space);

/// Sets space.factors, the targets of the next relaxation, from the known sums. `streams`: the
/// relaxation follows a streaming.
template <class ExecutionSpace, class Real>
void find_relaxations(const StepContext<ExecutionSpace>& context,
                      const PhaseSpace<ExecutionSpace, Real>& space, bool streams);

/// Sets space.parts and space.splits: into how many parts the planes of a cell are divided among
/// teams, and into how many splits they are divided among the threads of a team. Defined in
/// run_single_pass.hpp.
template <class ExecutionSpace, class Real>
void share_out_velocities(PhaseSpace<ExecutionSpace, Real>& space);

}  // namespace knudsen::bgkw
