#include "device/instantiate.hpp"
#include "methods/bgkw/cell_update.hpp"

namespace knudsen::bgkw {

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                        \
  template void update_cells<CollisionModel::bgk, ExecutionSpace, Real>( \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&, bool, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
