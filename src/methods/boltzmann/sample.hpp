#pragma once

#include "methods/boltzmann/collision_sets.hpp"
#include "methods/boltzmann/molecules.hpp"
#include "methods/boltzmann/random.hpp"

namespace knudsen::boltzmann {

/// How collisions are drawn.
struct Sampling {
  Molecules molecules;
  UniformSource uniforms;
  double time_step = 0;
  bool reversible = true;  ///< whether the estimator is Estimator::reversible
  /// Read h at, and add it to, one of the two nodes around each velocity component, drawn
  /// independently with the weights of linear interpolation, so that h is linear between nodes in
  /// the mean. Otherwise both are the node of the velocity cell.
  bool linear = false;
  bool keep_order = false;  ///< keep the order of the samples, for Update::sequential
  /// Temperature of the Maxwellian that velocities are drawn from. Above 1 fast molecules have more
  /// samples, of less weight each.
  double temperature = 1;
};

/// Draws the collisions of all sets (Algorithm 2), of steps first_step, first_step + 1, and so on,
/// and makes their lists.
template <class ExecutionSpace, class Real>
void draw_collisions(const ExecutionSpace& execution, const Sampling& sampling,
                     std::uint64_t first_step, const CollisionSets<ExecutionSpace, Real>& sets);

/// Makes the lists of drawn sets.
template <class ExecutionSpace, class Real>
void list_collisions(const ExecutionSpace& execution,
                     const CollisionSets<ExecutionSpace, Real>& sets);

}  // namespace knudsen::boltzmann
