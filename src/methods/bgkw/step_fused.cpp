#include <utility>

#include "core/instantiate.hpp"
#include "methods/bgkw/cell_update.hpp"

namespace knudsen::bgkw {

template <class ExecutionSpace, class Real>
void stream_collide(const StepContext<ExecutionSpace>& context,
                    PhaseSpace<ExecutionSpace, Real>& space) {
  dispatch_dimensions(space.dimensions, [&](auto dimensions) {
    dispatch_model(context.model, [&](auto model) {
      run_cell_update<ExecutionSpace, Real, dimensions, model>("knudsen/bgkw/stream_collide",
                                                               context, space);
    });
  });
  std::swap(space.f, space.next);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                        \
  template void stream_collide<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&, \
                                                     PhaseSpace<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
