#pragma once

#include <type_traits>

#include "kinetic/collision_target.hpp"
#include "methods/bgkw/streaming.hpp"

namespace knudsen::bgkw {

/// Sizes that change the speed but not the result.
struct Tuning {
  int team_size = 0;  ///< threads of a team; 1 on the host
};

/// On a GPU the more threads, the fewer teams a multiprocessor holds, as it does where the values
/// of a cell take much of its scratch memory.
template <class ExecutionSpace>
constexpr Tuning default_tuning(std::size_t cell_bytes = 0) {
  if (is_host_backend<ExecutionSpace>) return {1};
  return {cell_bytes > 100000 ? 1024 : (cell_bytes > 50000 ? 512 : 256)};
}

/// Bounds that keep a thread's registers few enough for many threads at a time.
template <class ExecutionSpace>
using StepPolicy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::IndexType<std::int32_t>,
                                      Kokkos::LaunchBounds<1024, 1>>;
template <class ExecutionSpace>
using StepMember = typename StepPolicy<ExecutionSpace>::member_type;

/// What a step is made with.
template <class ExecutionSpace>
struct StepContext {
  ExecutionSpace execution;
  CollisionModel model = CollisionModel::bgk;
  Collision collision;
  Tuning tuning;
};

/// One team each for `count` pieces of work.
template <class ExecutionSpace>
StepPolicy<ExecutionSpace> team_policy(const StepContext<ExecutionSpace>& context, int count,
                                       std::size_t scratch_bytes = 0) {
  StepPolicy<ExecutionSpace> policy(context.execution, count, context.tuning.team_size, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch_bytes)));
  return policy;
}

/// In the following, `axis` is that along which a step streams; -1: along all at once, which is of
/// first order and for Courant numbers that add up to at most one. In one dimension the two are the
/// same.

/// Density of what each wall face across the axis sends back in the coming streaming, such that no
/// mass crosses it. Comes before each streaming; does nothing where there are no walls.
template <class ExecutionSpace, class Real>
void update_wall_density(const StepContext<ExecutionSpace>& context,
                         const PhaseSpace<ExecutionSpace, Real>& space, int axis = -1);

/// Streams `f` into `next`, then swaps the two (Algorithm 1 of the paper).
template <class ExecutionSpace, class Real>
void stream(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space,
            int axis = -1);

/// Relaxes `f` in place (Algorithm 2).
template <class ExecutionSpace, class Real>
void collide(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space);

/// Both at once, each value read and written once; then swaps `f` and `next`.
template <class ExecutionSpace, class Real>
void stream_collide(const StepContext<ExecutionSpace>& context,
                    PhaseSpace<ExecutionSpace, Real>& space, int axis = -1);

/// Calls body with the streaming that is asked for as a type.
template <class ExecutionSpace, class Real, class Body>
void dispatch_streaming(const PhaseSpace<ExecutionSpace, Real>& space, int axis, const Body& body) {
  if (axis >= 0 || space.dimensions == 1) {
    if (space.order == 1) return body(std::type_identity<LineStreaming<ExecutionSpace, Real, 1>>{});
    return body(std::type_identity<LineStreaming<ExecutionSpace, Real, 2>>{});
  }
  if (space.dimensions == 2) {
    return body(std::type_identity<UnsplitStreaming<ExecutionSpace, Real, 2>>{});
  }
  body(std::type_identity<UnsplitStreaming<ExecutionSpace, Real, 3>>{});
}

}  // namespace knudsen::bgkw
