#pragma once

#include <algorithm>
#include <tuple>
#include <utility>

#include "methods/bgkw/host_pass.hpp"
#include "methods/bgkw/single_pass.hpp"

// Launch of HostPass and SinglePass: how velocities are shared out, and with how many planes at a
// time.

namespace knudsen::bgkw {

/// 16-byte accesses of a plane.
template <class ExecutionSpace, class Real>
int accesses_of_plane(const PhaseSpace<ExecutionSpace, Real>& space) {
  return space.velocities.plane / values_per_access<Real>;
}

/// Largest number of x components of one sign.
template <class ExecutionSpace, class Real>
int planes_of_sign(const PhaseSpace<ExecutionSpace, Real>& space) {
  const auto& v = space.velocities;
  return std::max(v.first_positive_x, v.count[0] - v.first_positive_x);
}

/// Accesses of a part of a plane.
template <class ExecutionSpace, class Real>
int slots_of_part(const PhaseSpace<ExecutionSpace, Real>& space) {
  return (accesses_of_plane(space) - 1) / space.parts + 1;
}

/// A pass with the velocities shared out by space.parts and space.splits.
template <class Kernel, class ExecutionSpace, class Real>
Kernel make_pass(const PhaseSpace<ExecutionSpace, Real>& space) {
  const int planes = (planes_of_sign(space) - 1) / space.splits + 1;
  return {space, {slots_of_part(space), space.splits, planes}, 1};
}

/// Chooses parts and splits such that a multiprocessor has scratch memory and registers for as many
/// threads with work as possible. They are the same for all passes, so that the sums of all passes
/// agree to the last bit. On the host nothing is shared out.
template <class ExecutionSpace, class Real>
void share_out_velocities(PhaseSpace<ExecutionSpace, Real>& space) {
  if constexpr (is_host_backend<ExecutionSpace>) {
    space.parts = 1;
    space.splits = 1;
    return;
  }
  const auto choose = [&](auto dimensions) {
    using Kernel = SinglePass<ExecutionSpace, Real, dimensions, Pass::stream_collide, 1>;
    constexpr int max_slots = Kernel::max_threads / 2;
    constexpr int threads_at_once = Kernel::max_threads * Kernel::teams_at_once;
    // With fewer planes a thread, or more teams a multiprocessor, the reduction of the sums costs
    // more than the occupancy gains; more so in double precision.
    constexpr int min_planes = sizeof(Real) == sizeof(float) ? 8 : 16;
    constexpr int max_teams = 3;
    constexpr double min_gain = 1.02;
    constexpr std::size_t taken_by_launch = 1024;
    const std::size_t scratch = max_block_scratch<ExecutionSpace>() + taken_by_launch;
    const int accesses = accesses_of_plane(space);
    const int max_splits =
        is_host_backend<ExecutionSpace> ? 1 : std::max(planes_of_sign(space) / min_planes, 1);
    double max_working = 0;
    auto best = std::pair(accesses, 1);
    for (int parts = (accesses - 1) / max_slots + 1; parts <= accesses; ++parts) {
      space.parts = parts;
      space.splits = std::clamp(max_slots / slots_of_part(space), 1, max_splits);
      const auto kernel = make_pass<Kernel>(space);
      const auto room = static_cast<int>(scratch / (kernel.scratch_bytes() + taken_by_launch));
      const int teams = std::min({room, threads_at_once / kernel.team_size(), max_teams});
      const double working = 2.0 * teams * space.splits * accesses / parts;
      if (working > min_gain * max_working) {
        max_working = working;
        best = {parts, space.splits};
      }
    }
    std::tie(space.parts, space.splits) = best;
  };
  if (space.dimensions == 1) return choose(std::integral_constant<int, 1>{});
  if (space.dimensions == 2) return choose(std::integral_constant<int, 2>{});
  choose(std::integral_constant<int, 3>{});
}

/// Runs HostPass over all cells.
template <Pass What, class ExecutionSpace, class Real>
void run_host_pass(const char* label, const StepContext<ExecutionSpace>& context,
                   const PhaseSpace<ExecutionSpace, Real>& space) {
  const auto run = [&](auto dimensions) {
    const HostPass<ExecutionSpace, Real, dimensions, What> pass(space);
    Kokkos::parallel_for(label, team_policy(context, space.cell_count()), pass);
  };
  if (What == Pass::collide || space.dimensions == 1) return run(std::integral_constant<int, 1>{});
  if (space.dimensions == 2) return run(std::integral_constant<int, 2>{});
  run(std::integral_constant<int, 3>{});
}

/// Runs SinglePass over all cells.
template <Pass What, class ExecutionSpace, class Real>
void run_gpu_pass(const char* label, const StepContext<ExecutionSpace>& context,
                  const PhaseSpace<ExecutionSpace, Real>& space) {
  const auto run = [&](auto dimensions, auto planes_at_a_time) {
    using Kernel = SinglePass<ExecutionSpace, Real, dimensions, What, planes_at_a_time>;
    auto kernel = make_pass<Kernel>(space);
    const int team = kernel.team_size();
    const std::size_t bytes = kernel.scratch_bytes();
    kernel.length = run_length(space.cells[0], space.cells[1] * space.cells[2],
                               resident_teams<ExecutionSpace, Kernel>(team, bytes) / space.parts);
    launch_blocks(label, context.execution, kernel.task_count(), team, bytes, kernel);
  };
  using One = std::integral_constant<int, 1>;
  using Two = std::integral_constant<int, 2>;
  using Three = std::integral_constant<int, 3>;
  if constexpr (What == Pass::collide) {
    run(One{}, Two{});
  } else if constexpr (What == Pass::sum) {
    if (space.dimensions == 1) return run(One{}, One{});
    if (space.dimensions == 2) return run(Two{}, One{});
    run(Three{}, One{});
  } else {
    // As many planes at a time as fit in registers.
    using Four = std::integral_constant<int, 4>;
    using OfLine = std::conditional_t<sizeof(Real) == sizeof(float), Four, Two>;
    if (space.dimensions == 1) return run(One{}, OfLine{});
    if (space.dimensions == 2) return run(Two{}, Four{});
    run(Three{}, Two{});
  }
}

template <Pass What, class ExecutionSpace, class Real>
void run_pass(const StepContext<ExecutionSpace>& context,
              const PhaseSpace<ExecutionSpace, Real>& space) {
  constexpr const char* label = What == Pass::stream    ? "knudsen/bgkw/stream"
                                : What == Pass::collide ? "knudsen/bgkw/collide"
                                : What == Pass::sum     ? "knudsen/bgkw/sum"
                                                        : "knudsen/bgkw/stream_collide";
  if (space.cell_count() == 0) return;  // a rank without cells
  if constexpr (is_host_backend<ExecutionSpace>) {
    run_host_pass<What>(label, context, space);
  } else {
    run_gpu_pass<What>(label, context, space);
  }
}

}  // namespace knudsen::bgkw
