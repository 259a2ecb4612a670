#pragma once

#include "methods/boltzmann/collision_sets.hpp"
#include "methods/boltzmann/state.hpp"

namespace knudsen::boltzmann {

/// How a collision set is applied.
enum class Update {
  explicit_set,  ///< eq. (24): all collisions see the distribution at the start of the step
  sequential,    ///< Algorithm 3: each collision sees the changes made by those before it
};

/// Contribution of a sampled collision to the integral.
enum class Estimator {
  one_way,     ///< eq. (23): from (v, v_1) to (v*, v_1*)
  reversible,  ///< mean of that and the inverse collision: less variance, self-adjoint
};

/// Correction that conserves mass, momentum and energy.
enum class Conservation {
  none,
  equilibrium,   ///< eq. (25) with Phi_0 instead of the distribution
  distribution,  ///< eq. (25)
};

/// Collision operator, the same for all cells.
struct Collision {
  double perturbation_parameter = 0;  ///< epsilon of eq. (5); 0: linearised
  Update update = Update::explicit_set;
  Estimator estimator = Estimator::reversible;
  Conservation conservation = Conservation::equilibrium;
  /// The body force adds body_force . v to h in each step.
  double body_force[3] = {0, 0, 0};
  /// Slow collisions that would take more than a share of the molecules of a velocity cell, see
  /// limited_rate. Nonlinear form only.
  bool limited = false;
};

/// Sizes that change the speed but not the result.
struct Tuning {
  int team_size = 0;  ///< threads per team; 1 on the host
  int lanes = 0;      ///< cells per team of the collision kernel; 0: as many as fit
  int set_batch = 0;  ///< collision sets drawn together
};

template <class ExecutionSpace>
constexpr Tuning default_tuning() {
  return is_host_backend<ExecutionSpace> ? Tuning{1, 0, 4} : Tuning{1024, 0, 32};
}

/// Where and how a step runs.
template <class ExecutionSpace>
struct StepContext {
  ExecutionSpace execution;
  Collision collision;
  Tuning tuning;
};

/// Computes the density of the molecules that each wall face re-emits, such that no mass crosses it
/// (eq. (15)), and the inflow through reflecting faces. To be called before `stream`, and before
/// each `stream_along`.
template <class ExecutionSpace, class Real>
void update_wall_density(const StepContext<ExecutionSpace>& context,
                         const State<ExecutionSpace, Real>& state);

/// Streams h into State::next by first-order upwinding, then swaps the two (eq. (17), Algorithm 1).
template <class ExecutionSpace, class Real>
void stream(const StepContext<ExecutionSpace>& context, State<ExecutionSpace, Real>& state);

/// Streams h into State::next along one axis with second order in space and time, then swaps the
/// two.
template <class ExecutionSpace, class Real>
void stream_along(const StepContext<ExecutionSpace>& context, State<ExecutionSpace, Real>& state,
                  int axis);

/// Applies one collision set to h in place (Algorithm 3).
template <class ExecutionSpace, class Real>
void collide(const StepContext<ExecutionSpace>& context, const State<ExecutionSpace, Real>& state,
             const CollisionSets<ExecutionSpace, Real>& sets, int set);

/// Whether stream_and_collide is one kernel: on a GPU, for first order in two dimensions.
template <class ExecutionSpace, class Real>
bool streams_while_colliding(const State<ExecutionSpace, Real>& state);

/// Equivalent to `stream`, then `collide`; where it is one kernel it reads and writes the
/// distribution only once.
template <class ExecutionSpace, class Real>
void stream_and_collide(const StepContext<ExecutionSpace>& context,
                        State<ExecutionSpace, Real>& state,
                        const CollisionSets<ExecutionSpace, Real>& sets, int set);

}  // namespace knudsen::boltzmann
