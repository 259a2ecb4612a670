#include "device/instantiate.hpp"
#include "methods/shakhov/iteration_kernels.hpp"

namespace knudsen::shakhov {

template <class ExecutionSpace, class Real>
void set_rotating_targets(const SweepContext<ExecutionSpace>& context,
                          const SweepSpace<ExecutionSpace, Real>& space,
                          const Collision& collision) {
  set_targets<RotatingEsBgkModel>(context, space, collision);
}

template <class ExecutionSpace, class Real>
void sum_rotating_changes(const SweepContext<ExecutionSpace>& context,
                          const SweepSpace<ExecutionSpace, Real>& space, const MassFactor& factor,
                          const View<double* [change_sum_count], ExecutionSpace>& sums) {
  sum_changes<max_moment_count>(context, space, factor, sums);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                   \
  template void set_rotating_targets<ExecutionSpace, Real>(                         \
      const SweepContext<ExecutionSpace>&, const SweepSpace<ExecutionSpace, Real>&, \
      const Collision&);                                                            \
  template void sum_rotating_changes<ExecutionSpace, Real>(                         \
      const SweepContext<ExecutionSpace>&, const SweepSpace<ExecutionSpace, Real>&, \
      const MassFactor&, const View<double* [change_sum_count], ExecutionSpace>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
