#pragma once

#include <type_traits>

#include "device/instantiate.hpp"
#include "methods/shakhov/launch_sweep.hpp"
#include "methods/shakhov/sweep_lanes.hpp"
#include "methods/shakhov/sweep_threads.hpp"

// Definition of SweepLauncher, for the files that instantiate it.

namespace knudsen::shakhov {

template <class Policy, class ExecutionSpace, class Kernel>
void launch_pencils(const SweepContext<ExecutionSpace>& context, Kernel kernel, int team_size,
                    std::size_t scratch_bytes) {
  set_force(context, kernel.force);
  Policy policy(context.execution, kernel.batch.blocks * kernel.diagonal.pencils, team_size, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch_bytes)));
  Kokkos::parallel_for("knudsen/shakhov/sweep", policy, kernel);
}

/// Limits the registers of a thread such that `Resident` teams fit into a multiprocessor.
template <int Resident, class ExecutionSpace, class Kernel>
void launch_threads(const SweepContext<ExecutionSpace>& context, const Kernel& kernel) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::IndexType<std::int32_t>,
                                    Kokkos::LaunchBounds<Kernel::items, Resident>>;
  launch_pencils<Policy>(context, kernel, Kernel::items, Kernel::scratch_bytes());
}

template <class ExecutionSpace, class Real, class Model, int Order>
void launch_order(const SweepContext<ExecutionSpace>& context,
                  const SweepSpace<ExecutionSpace, Real>& space,
                  const SweepStorage<ExecutionSpace, Real>& storage, const Batch& batch,
                  const Diagonal& diagonal) {
  if constexpr (is_host_backend<ExecutionSpace>) {
    using Kernel = SweepLanes<ExecutionSpace, Real, Model, Order>;
    launch_pencils<TeamPolicy<ExecutionSpace>>(
        context, Kernel{space, storage, batch, diagonal, {}}, 1,
        Kernel::scratch_bytes(storage.tile_cells(), space.block_values()));
  } else {
    const auto launch_cells = [&](auto dimensions, auto general, auto reduced) {
      using Kernel = SweepThreads<ExecutionSpace, Real, Model, Order, decltype(dimensions)::value,
                                  decltype(general)::value, decltype(reduced)::value>;
      launch_threads<Kernel::resident>(context, Kernel{space, storage, batch, diagonal, {}});
    };
    const auto launch_with = [&](auto dimensions) {
      constexpr int count = decltype(dimensions)::value;
      if constexpr (count < 3) {
        if (space.reduced()) {
          launch_cells(dimensions, std::true_type{}, std::true_type{});
          return;
        }
      }
      if (space.cuts.extent(0) > 0 || space.scattering_rows() > 0) {
        launch_cells(dimensions, std::true_type{}, std::false_type{});
      } else {
        launch_cells(dimensions, std::false_type{}, std::false_type{});
      }
    };
    if (space.dimensions == 3) {
      launch_with(std::integral_constant<int, 3>{});
    } else if (space.dimensions == 2) {
      launch_with(std::integral_constant<int, 2>{});
    } else {
      launch_with(std::integral_constant<int, 1>{});
    }
  }
}

template <class ExecutionSpace, class Real, class Model>
void SweepLauncher<ExecutionSpace, Real, Model>::launch(
    const SweepContext<ExecutionSpace>& context, const SweepSpace<ExecutionSpace, Real>& space,
    const SweepStorage<ExecutionSpace, Real>& storage, const Batch& batch,
    const Diagonal& diagonal) {
  if (space.order == 1) {
    launch_order<ExecutionSpace, Real, Model, 1>(context, space, storage, batch, diagonal);
  } else {
    launch_order<ExecutionSpace, Real, Model, 2>(context, space, storage, batch, diagonal);
  }
}

}  // namespace knudsen::shakhov
