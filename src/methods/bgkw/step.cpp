#include "methods/bgkw/step.hpp"

#include <utility>

#include "device/instantiate.hpp"
#include "methods/bgkw/ghost_cells.hpp"
#include "methods/bgkw/kernels.hpp"
#include "methods/bgkw/stream_cell.hpp"

namespace knudsen::bgkw {
namespace {

/// Whether a step streams along all axes at once, in first order and by less than a cell.
template <class ExecutionSpace, class Real>
bool is_unsplit(const PhaseSpace<ExecutionSpace, Real>& space, int axis) {
  if (space.dimensions > 1) return axis < 0;
  return space.order == 1 && space.max_courant_sum <= 1;
}

/// Whether SinglePass is selected and applies to the collision: bgk without body force.
template <class ExecutionSpace, class Real>
bool is_single_pass(const StepContext<ExecutionSpace>& context,
                    const PhaseSpace<ExecutionSpace, Real>& space) {
  const double* gain = context.collision.velocity_gain;
  return space.single_pass && context.model == CollisionModel::bgk && gain[0] == 0 &&
         gain[1] == 0 && gain[2] == 0;
}

/// Makes `next` the current state.
template <class ExecutionSpace, class Real>
void swap_states(PhaseSpace<ExecutionSpace, Real>& space, KnownSums known) {
  std::swap(space.f, space.next);
  std::swap(space.sums, space.next_sums);
  space.known = known;
}

template <class ExecutionSpace, class Real>
void update(const StepContext<ExecutionSpace>& context,
            const PhaseSpace<ExecutionSpace, Real>& space, bool streams, int axis) {
  dispatch_relaxation(context, space, [&](auto model) {
    if (streams && space.has_slopes_of_widths()) {
      update_growing_cells<decltype(model)>(context, space, axis);
    } else {
      update_cells<decltype(model)>(context, space, streams, axis);
    }
  });
}

}  // namespace

template <class ExecutionSpace, class Real>
void stream(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space,
            int axis) {
  if (is_single_pass(context, space) && is_unsplit(space, axis)) {
    run_pass<Pass::stream>(context, space);
    return swap_states(space, KnownSums::moments);
  }
  const auto stream_cells = [&](auto streaming) {
    using Streaming = typename decltype(streaming)::type;
    Kokkos::parallel_for("knudsen/bgkw/stream",
                         sized_policy(context, space.cell_count(), context.tuning.update_size),
                         StreamCell<ExecutionSpace, Real, Streaming>{space, axis < 0 ? 0 : axis});
  };
  if (space.has_slopes_of_widths()) {
    stream_cells(std::type_identity<LineStreaming<ExecutionSpace, Real, 2, true>>{});
  } else {
    dispatch_streaming(space, axis, stream_cells);
  }
  swap_states(space, KnownSums::none);
}

template <class ExecutionSpace, class Real>
void collide(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space) {
  if (is_single_pass(context, space) && space.known != KnownSums::none) {
    find_relaxations(context, space, false);
    run_pass<Pass::collide>(context, space);
  } else {
    update(context, space, false, -1);
  }
  space.known = KnownSums::none;
}

template <class ExecutionSpace, class Real>
void stream_collide(const StepContext<ExecutionSpace>& context,
                    PhaseSpace<ExecutionSpace, Real>& space, int axis) {
  if (is_single_pass(context, space) && is_unsplit(space, axis)) {
    if (space.known != KnownSums::flows) {
      run_pass<Pass::sum>(context, space);
      exchange_sums(context, space);
    }
    find_relaxations(context, space, true);
    run_pass<Pass::stream_collide>(context, space);
    return swap_states(space, KnownSums::flows);
  }
  update(context, space, true, axis);
  swap_states(space, KnownSums::none);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                        \
  template void stream<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&,         \
                                             PhaseSpace<ExecutionSpace, Real>&, int);    \
  template void collide<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&,        \
                                              PhaseSpace<ExecutionSpace, Real>&);        \
  template void stream_collide<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&, \
                                                     PhaseSpace<ExecutionSpace, Real>&, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
