#pragma once

#include <algorithm>
#include <stdexcept>

#include "core/instantiate.hpp"
#include "methods/shakhov/sweep_pencils.hpp"

namespace knudsen::shakhov {

/// Launches SweepPencils on a diagonal; instantiated model by model in files of their own.
template <class ExecutionSpace, class Real, CollisionModel Model, int Order>
void launch_sweep(const SweepContext<ExecutionSpace>& context,
                  const SweepSpace<ExecutionSpace, Real>& space,
                  const SweepStorage<ExecutionSpace, Real>& storage, const Batch& batch,
                  const Diagonal& diagonal);

#ifdef KNUDSEN_DEFINE_LAUNCH_SWEEP
template <class ExecutionSpace, class Real, CollisionModel Model, int Order>
void launch_sweep(const SweepContext<ExecutionSpace>& context,
                  const SweepSpace<ExecutionSpace, Real>& space,
                  const SweepStorage<ExecutionSpace, Real>& storage, const Batch& batch,
                  const Diagonal& diagonal) {
  using Kernel = SweepPencils<ExecutionSpace, Real, Model, Order>;
  Kernel kernel{space, storage, batch, diagonal, {0, 0, 0}};
  for (int d = 0; d < 3; ++d) kernel.force[d] = static_cast<Real>(2 * context.body_force[d]);
  const int team_size = is_host_backend<ExecutionSpace> ? 1 : Kernel::items;
  TeamPolicy<ExecutionSpace> policy(context.execution, batch.blocks * diagonal.pencils, team_size,
                                    1);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(
                                 Kernel::scratch_bytes(storage.tile_cells(), storage.chunk))));
  Kokkos::parallel_for("knudsen/shakhov/sweep", policy, kernel);
}
#endif

}  // namespace knudsen::shakhov
