#include <utility>

#include "device/instantiate.hpp"
#include "methods/boltzmann/launch_collisions.hpp"

namespace knudsen::boltzmann {

template <class ExecutionSpace, class Real>
bool streams_while_colliding(const State<ExecutionSpace, Real>& state) {
  return !is_host_backend<ExecutionSpace> && state.dimensions == 2 && state.order == 1;
}

template <class ExecutionSpace, class Real>
void stream_and_collide(const StepContext<ExecutionSpace>& context,
                        State<ExecutionSpace, Real>& state,
                        const CollisionSets<ExecutionSpace, Real>& sets, int set) {
  if constexpr (!is_host_backend<ExecutionSpace>) {
    if (streams_while_colliding(state)) {
      launch_collisions<max_lanes<ExecutionSpace, Real>(), true>(context, state, sets, set);
      std::swap(state.h, state.next);
      return;
    }
  }
  stream(context, state);
  collide(context, state, sets, set);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                  \
  template bool streams_while_colliding<ExecutionSpace, Real>(const State<ExecutionSpace, Real>&); \
  template void stream_and_collide<ExecutionSpace, Real>(                                          \
      const StepContext<ExecutionSpace>&, State<ExecutionSpace, Real>&,                            \
      const CollisionSets<ExecutionSpace, Real>&, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann
