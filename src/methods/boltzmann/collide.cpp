#include "device/instantiate.hpp"
#include "methods/boltzmann/launch_collisions.hpp"

namespace knudsen::boltzmann {

template <class ExecutionSpace, class Real>
void collide(const StepContext<ExecutionSpace>& context, const State<ExecutionSpace, Real>& state,
             const CollisionSets<ExecutionSpace, Real>& sets, int set) {
  launch_collisions<max_lanes<ExecutionSpace, Real>(), false>(context, state, sets, set);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                 \
  template void collide<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&, \
                                              const State<ExecutionSpace, Real>&, \
                                              const CollisionSets<ExecutionSpace, Real>&, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann
