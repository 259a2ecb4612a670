#pragma once

#include "kinetic/collision_models.hpp"
#include "kinetic/maxwellian.hpp"

namespace knudsen {

/// Hydrodynamic state from the raw moments that kernels sum. With y and z integrated out, the sum
/// for z^2 holds both second moments; they are equal.
template <int Count, class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Macroscopic macroscopic(const VelocitySpace<ExecutionSpace, Real>& space,
                                               RawMoments<Count> raw) {
  if (Count >= 13 && space.integrated == 2) raw.value[5] = raw.value[6] = 0.5 * raw.value[6];
  if constexpr (Count == 14) {
    return macroscopic(raw, space.rotation);
  } else {
    return macroscopic(raw);
  }
}

/// Target and relaxation of a cell with this hydrodynamic state. A conservative target has exact
/// discrete moments if it is a Maxwellian; others still need invariant_correction. `Implicit`: the
/// relaxation is a step of the implicit Euler method, else it is exact.
template <class Model, bool Conservative, bool Implicit = false, class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION CellTarget<Model, Real> cell_target(
    const VelocitySpace<ExecutionSpace, Real>& space, const Macroscopic& state,
    const Collision& collision) {
  const double rate = Model::relaxation_rate(collision.gas, state.density, state.temperature);
  const double time = rate * collision.time_step;
  const double relaxed = Implicit ? time / (1 + time) : -std::expm1(-time);
  CellTarget<Model, Real> target;
  // Round the larger weight and take the other as 1 - x, so that the two sum to exactly one;
  // otherwise the mass drifts.
  if (relaxed < 0.5) {
    target.kept_share = static_cast<Real>(1 - relaxed);
    target.relaxed_share = 1 - target.kept_share;
  } else {
    target.relaxed_share = static_cast<Real>(relaxed);
    target.kept_share = 1 - target.relaxed_share;
  }
  if constexpr (Conservative && Model::is_maxwellian) {
    target.maxwellian = conservative_maxwellian(space, state, collision.tolerance);
  } else {
    target.maxwellian = maxwellian(state.density, state.velocity, state.temperature);
  }
  for (int d = 0; d < 3; ++d) target.velocity[d] = static_cast<Real>(state.velocity[d]);
  target.half_temperature = static_cast<Real>(0.5 * state.temperature);
  Model::set_parameters(state, collision.gas, RelaxationStep{time, relaxed, Implicit},
                        space.integrated, target);
  return target;
}

}  // namespace knudsen
