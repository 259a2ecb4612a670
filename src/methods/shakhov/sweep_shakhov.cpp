#include "methods/shakhov/launch_sweep_definition.hpp"

namespace knudsen::shakhov {

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real) \
  template struct SweepLauncher<ExecutionSpace, Real, CollisionModel::shakhov>;
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
