#pragma once

// Included only by the generated files that instantiate these functions, see growing_cells.cpp.in.

#include "methods/bgkw/stage_update.hpp"

namespace knudsen::bgkw {

template <class Model, class ExecutionSpace, class Real>
void update_growing_cells(const StepContext<ExecutionSpace>& context,
                          const PhaseSpace<ExecutionSpace, Real>& space, int axis) {
  run_cell_update<LineStreaming<ExecutionSpace, Real, 2, true>, Model>(
      "knudsen/bgkw/stream_collide", context, space, axis < 0 ? 0 : axis);
}

template <class Model, class ExecutionSpace, class Real>
void update_growing_cells_in_stage(const StepContext<ExecutionSpace>& context,
                                   const PhaseSpace<ExecutionSpace, Real>& space,
                                   const StageWithMemory<ExecutionSpace, Real>& stage) {
  run_cell_update<StageStreaming<ExecutionSpace, Real, 2, true>, Model>("knudsen/bgkw/stage",
                                                                        context, space, stage);
}

}  // namespace knudsen::bgkw
