#pragma once

#include "methods/boltzmann/sample.hpp"
#include "methods/boltzmann/state.hpp"

namespace knudsen::boltzmann {

/// How the collision set is applied.
enum class Update {
  explicit_set,  ///< eq. (24): all collisions see the distribution at the step's beginning
  sequential,    ///< Algorithm 3: each collision sees what those before it left
};

/// How a sampled collision enters the integral.
enum class Estimator {
  one_way,     ///< eq. (23): from (v, v_1) to (v*, v_1*)
  reversible,  ///< the mean of that and its inverse: less variance, each collision self-adjoint
};

enum class Conservation {
  none,
  equilibrium,   ///< correction of eq. (25) with Phi_0 in place of the distribution
  distribution,  ///< eq. (25)
};

/// How a step collides: the same for all cells.
struct Collision {
  double deviation = 0;  ///< epsilon of eq. (5); 0: linearised
  Update update = Update::explicit_set;
  Estimator estimator = Estimator::reversible;
  Conservation conservation = Conservation::equilibrium;
  /// What the body force adds to h in a step is body_force . v.
  double body_force[3] = {0, 0, 0};
};

/// Sizes that change the speed but not the result.
struct Tuning {
  int team_size = 0;  ///< threads of a team; 1 on the host
  int lanes = 0;      ///< cells that a team of the collision kernel works on; 0: as fit
  int set_batch = 0;  ///< collision sets drawn at once
};

template <class ExecutionSpace>
constexpr Tuning default_tuning() {
  return is_host_backend<ExecutionSpace> ? Tuning{1, 0, 4} : Tuning{1024, 0, 32};
}

/// What a step is made with.
template <class ExecutionSpace>
struct StepContext {
  ExecutionSpace execution;
  Collision collision;
  Tuning tuning;
};

/// Density of what each wall face sends back, such that no mass crosses it (eq. (15)), and what
/// reflecting faces send back. Comes before the streaming of a step, with order 2 before that along
/// each axis; does nothing where there are no walls.
template <class ExecutionSpace, class Real>
void update_wall_density(const StepContext<ExecutionSpace>& context,
                         const State<ExecutionSpace, Real>& state);

/// Streams `h` into `next`, then swaps the two (eq. (17), Algorithm 1).
template <class ExecutionSpace, class Real>
void stream(const StepContext<ExecutionSpace>& context, State<ExecutionSpace, Real>& state);

/// Streams `h` into `next` along one axis, of second order in space and time, then swaps the two.
template <class ExecutionSpace, class Real>
void stream_along(const StepContext<ExecutionSpace>& context, State<ExecutionSpace, Real>& state,
                  int axis);

/// Collides `h` in place by one collision set (Algorithm 3).
template <class ExecutionSpace, class Real>
void collide(const StepContext<ExecutionSpace>& context, const State<ExecutionSpace, Real>& state,
             const CollisionSets<ExecutionSpace, Real>& sets, int set);

/// Whether stream_and_collide has a kernel for both: on a GPU, first order in two dimensions.
template <class ExecutionSpace, class Real>
bool streams_while_colliding(const State<ExecutionSpace, Real>& state);

/// The same as `stream`, then `collide`, with the distribution read and written but once where
/// there is a kernel for that.
template <class ExecutionSpace, class Real>
void stream_and_collide(const StepContext<ExecutionSpace>& context,
                        State<ExecutionSpace, Real>& state,
                        const CollisionSets<ExecutionSpace, Real>& sets, int set);

}  // namespace knudsen::boltzmann
