#define KNUDSEN_DEFINE_LAUNCH_SWEEP
#include "methods/shakhov/launch_sweep.hpp"

namespace knudsen::shakhov {

#define KNUDSEN_INSTANTIATE_ORDER(ExecutionSpace, Real, order)                      \
  template void launch_sweep<ExecutionSpace, Real, CollisionModel::bgk, order>(     \
      const SweepContext<ExecutionSpace>&, const SweepSpace<ExecutionSpace, Real>&, \
      const SweepStorage<ExecutionSpace, Real>&, const Batch&, const Diagonal&);
#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)    \
  KNUDSEN_INSTANTIATE_ORDER(ExecutionSpace, Real, 1) \
  KNUDSEN_INSTANTIATE_ORDER(ExecutionSpace, Real, 2)
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
