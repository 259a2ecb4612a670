#include "device/instantiate.hpp"
#include "methods/bgkw/stage_update.hpp"
#include "methods/bgkw/stream_cell.hpp"

namespace knudsen::bgkw {

template <class ExecutionSpace, class Real>
void stream_growing_cells(const StepContext<ExecutionSpace>& context,
                          const PhaseSpace<ExecutionSpace, Real>& space, int axis) {
  using Streaming = LineStreaming<ExecutionSpace, Real, 2, true>;
  Kokkos::parallel_for("knudsen/bgkw/stream", team_policy(context, space.cell_count()),
                       StreamCell<ExecutionSpace, Real, Streaming>{space, axis < 0 ? 0 : axis});
}

template <class ExecutionSpace, class Real>
void update_growing_cells(const StepContext<ExecutionSpace>& context,
                          const PhaseSpace<ExecutionSpace, Real>& space, int axis) {
  dispatch_relaxation(context, space, [&](auto model) {
    run_cell_update<LineStreaming<ExecutionSpace, Real, 2, true>, decltype(model)>(
        "knudsen/bgkw/stream_collide", context, space, axis < 0 ? 0 : axis);
  });
}

template <class ExecutionSpace, class Real>
void update_growing_cells_in_stage(const StepContext<ExecutionSpace>& context,
                                   const PhaseSpace<ExecutionSpace, Real>& space,
                                   const StageWithMemory<ExecutionSpace, Real>& stage) {
  dispatch_relaxation(context, space, [&](auto model) {
    run_cell_update<StageStreaming<ExecutionSpace, Real, 2, true>, decltype(model)>(
        "knudsen/bgkw/stage", context, space, stage);
  });
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                        \
  template void stream_growing_cells<ExecutionSpace, Real>(                              \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&, int); \
  template void update_growing_cells<ExecutionSpace, Real>(                              \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&, int); \
  template void update_growing_cells_in_stage<ExecutionSpace, Real>(                     \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&,       \
      const StageWithMemory<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
