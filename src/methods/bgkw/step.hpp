#pragma once

#include "methods/bgkw/phase_space.hpp"
#include "velocity/collision_target.hpp"

namespace knudsen::bgkw {

/// Sizes that change the speed but not the result.
struct Tuning {
  int team_size = 0;  ///< threads of a team; 1 on the host
};

template <class ExecutionSpace>
constexpr Tuning default_tuning() {
  return {is_host_backend<ExecutionSpace> ? 1 : 256};
}

/// What a step is made with.
template <class ExecutionSpace>
struct StepContext {
  ExecutionSpace execution;
  CollisionModel model = CollisionModel::bgk;
  Collision collision;
  Tuning tuning;
};

/// Density of what each wall face sends back in the coming step, such that no mass crosses it.
/// Comes before the streaming of a step; does nothing where there are no walls.
template <class ExecutionSpace, class Real>
void update_wall_density(const StepContext<ExecutionSpace>& context,
                         const PhaseSpace<ExecutionSpace, Real>& space);

/// Sets space.side_inflow; comes once, when all else of `space` is set.
template <class ExecutionSpace, class Real>
void prepare_sides(const StepContext<ExecutionSpace>& context,
                   PhaseSpace<ExecutionSpace, Real>& space);

/// Streams `f` into `next`, then swaps the two (Algorithm 1 of the paper).
template <class ExecutionSpace, class Real>
void stream(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space);

/// Relaxes `f` in place (Algorithm 2).
template <class ExecutionSpace, class Real>
void collide(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space);

/// Both at once, each value read and written once; then swaps `f` and `next`.
template <class ExecutionSpace, class Real>
void stream_collide(const StepContext<ExecutionSpace>& context,
                    PhaseSpace<ExecutionSpace, Real>& space);

/// Calls body with the number of space dimensions as a constant.
template <class Body>
void dispatch_dimensions(int dimensions, const Body& body) {
  switch (dimensions) {
    case 1:
      return body(std::integral_constant<int, 1>{});
    case 2:
      return body(std::integral_constant<int, 2>{});
    default:
      return body(std::integral_constant<int, 3>{});
  }
}

}  // namespace knudsen::bgkw
