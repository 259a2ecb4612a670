#include "device/instantiate.hpp"
#include "methods/bgkw/run_single_pass.hpp"

namespace knudsen::bgkw {

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                              \
  template void share_out_velocities<ExecutionSpace, Real>(PhaseSpace<ExecutionSpace, Real>&); \
  template void run_pass<Pass::stream_collide, ExecutionSpace, Real>(                          \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&);            \
  template void run_pass<Pass::sum, ExecutionSpace, Real>(                                     \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
