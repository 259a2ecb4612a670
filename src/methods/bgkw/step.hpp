#pragma once

#include <type_traits>

#include "kinetic/collision_target.hpp"
#include "methods/bgkw/streaming.hpp"

namespace knudsen::bgkw {

/// Launch parameters; they affect the speed only.
struct Tuning {
  int team_size = 0;    ///< threads of a team; 1 on the host
  int update_size = 0;  ///< the same of a team that streams or updates a cell
};

/// The fewer teams fit on a multiprocessor because of the scratch memory that the values of a cell
/// take, the larger the teams. A cell has so many 16-byte accesses. What a team that updates a cell
/// does once, sums over its threads above all, takes the longer the more threads it has: the sizes
/// are the fastest, or nearly so, of those tried on an H200
/// (perf/results/bgkw/team_size_h200.csv).
template <class ExecutionSpace>
constexpr Tuning default_tuning(int accesses = 0) {
  if (is_host_backend<ExecutionSpace>) return {1, 1};
  const int size = accesses > 6250 ? 1024 : (accesses > 3125 ? 512 : 256);
  if (accesses > 7500) return {size, 512};  // scratch memory for one team
  if (accesses > 1500) return {size, 256};
  return {size, accesses > 700 ? 128 : (accesses > 420 ? 64 : 32)};
}

/// Launch bounds limit the registers of a thread, so that teams of 1024 threads can run.
template <class ExecutionSpace>
using StepPolicy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::IndexType<std::int32_t>,
                                      Kokkos::LaunchBounds<1024, 1>>;
template <class ExecutionSpace>
using StepMember = typename StepPolicy<ExecutionSpace>::member_type;

/// Execution space instance and parameters of the steps.
template <class ExecutionSpace>
struct StepContext {
  ExecutionSpace execution;                    ///< where the kernels are launched
  CollisionModel model = CollisionModel::bgk;  ///< target of the relaxation
  Collision collision;                         ///< gas, time step, body force
  Tuning tuning;                               ///< team size
};

/// A stage of an implicit-explicit (IMEX) Runge-Kutta scheme for df/dt = -v . grad f + Q(f), in a
/// form in which its explicit part is streaming (README, "Implicit collisions"):
///
///   g = s + extrapolation (s - kept),   s = f + streamed (S(f) - f),
///   f <- the solution h of h = g + relaxed x time step x Q(h),
///
/// where S(f) is f after the streaming of a whole time step, and kept is the S(f) that an earlier
/// stage has kept.
struct ImexStage {
  double streamed = 1;       ///< share of a time step by which the state is streamed
  double extrapolation = 0;  ///< away from the kept state
  double relaxed = 1;        ///< share of a time step in the implicit relaxation
  bool keeps = false;        ///< S(f) is kept for a later stage
};

/// A stage with the array, (cell, velocity), in which S(f) is kept.
template <class ExecutionSpace, class Real>
struct StageWithMemory {
  ImexStage stage;
  View<Real**, ExecutionSpace> kept;  ///< empty if there is one stage
};

/// A league of `count` teams of `size` threads, each with `scratch_bytes` of scratch memory.
template <class ExecutionSpace>
StepPolicy<ExecutionSpace> sized_policy(const StepContext<ExecutionSpace>& context, int count,
                                        int size, std::size_t scratch_bytes = 0) {
  StepPolicy<ExecutionSpace> policy(context.execution, count, size, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch_bytes)));
  return policy;
}

/// The same with teams of the usual size.
template <class ExecutionSpace>
StepPolicy<ExecutionSpace> team_policy(const StepContext<ExecutionSpace>& context, int count,
                                       std::size_t scratch_bytes = 0) {
  return sized_policy(context, count, context.tuning.team_size, scratch_bytes);
}

// In the functions below `axis` is the axis along which a step streams. -1 means along all axes at
// once, in first order and for Courant numbers that add up to at most one. In one dimension the two
// are the same.

/// Sets the densities of the Maxwellians that wall faces across the axis re-emit in the next
/// streaming, such that no mass crosses the walls (eqs. 23 and 24 of the paper). Call it before
/// each streaming. Does nothing without walls.
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

/// Streams and relaxes `f` into `next` in one kernel, then swaps the two.
template <class ExecutionSpace, class Real>
void stream_collide(const StepContext<ExecutionSpace>& context,
                    PhaseSpace<ExecutionSpace, Real>& space, int axis = -1);

/// Calls body(std::type_identity<Streaming>) with the streaming type for the order of `space` and
/// the axis.
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
