#pragma once

#include <array>
#include <numbers>
#include <type_traits>

#include "kinetic/collision_model.hpp"
#include "kinetic/maxwellian.hpp"

namespace knudsen {

/// A list of collision models.
template <CollisionModel... Models>
struct ModelList {
  static constexpr std::array<CollisionModel, sizeof...(Models)> models{Models...};
  static constexpr std::array<const char*, sizeof...(Models)> names{ModelOf<Models>::name...};

  /// Number of raw moments that `model` needs.
  KOKKOS_INLINE_FUNCTION static constexpr int moments(CollisionModel model) {
    int needed = 0;
    ((model == Models ? void(needed = ModelOf<Models>::moments) : void()), ...);
    return needed;
  }
  /// Calls `body` with `model` as a compile-time constant.
  template <class Body>
  static void dispatch(CollisionModel model, const Body& body) {
    ((model == Models ? body(std::integral_constant<CollisionModel, Models>{}) : void()), ...);
  }
};

/// All collision models, in the order in which a case lists them.
using CollisionModels =
    ModelList<CollisionModel::bgk, CollisionModel::shakhov, CollisionModel::es_bgk>;

/// Calls `body` with the model as a compile-time constant.
template <class Body>
void dispatch_model(CollisionModel model, const Body& body) {
  CollisionModels::dispatch(model, body);
}

/// Number of raw moments that a model needs: 5 for a Maxwellian, else 13 (see RawMoments).
KOKKOS_INLINE_FUNCTION constexpr int moments_needed(CollisionModel model) {
  return CollisionModels::moments(model);
}

/// Inverts a symmetric matrix (xx, yy, zz, xy, yz, xz) in place and returns its determinant.
KOKKOS_INLINE_FUNCTION double invert_symmetric(double (&m)[6]) {
  const double xx = m[1] * m[2] - m[4] * m[4];
  const double xy = m[5] * m[4] - m[3] * m[2];
  const double xz = m[3] * m[4] - m[1] * m[5];
  const double determinant = m[0] * xx + m[3] * xy + m[5] * xz;
  const double yy = m[0] * m[2] - m[5] * m[5];
  const double zz = m[0] * m[1] - m[3] * m[3];
  const double yz = m[3] * m[5] - m[0] * m[4];
  const double inverse[6] = {xx, yy, zz, xy, yz, xz};
  for (int i = 0; i < 6; ++i) m[i] = inverse[i] / determinant;
  return determinant;
}

/// Hydrodynamic state from the raw moments that kernels sum. With y and z integrated out, the sum
/// for z^2 holds both second moments; they are equal.
template <int Count, class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Macroscopic macroscopic(const VelocitySpace<ExecutionSpace, Real>& space,
                                               RawMoments<Count> raw) {
  if (Count == 13 && space.integrated == 2) raw.value[5] = raw.value[6] = 0.5 * raw.value[6];
  return macroscopic(raw);
}

/// Target and relaxation of a cell with this hydrodynamic state (Bhatnagar, Gross, Krook 1954;
/// Shakhov 1968; Holway 1966). A conservative target has exact discrete moments for BGK; those of
/// the other models still need invariant_correction.
template <CollisionModel Model, bool Conservative, class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION CellTarget<Real> cell_target(
    const VelocitySpace<ExecutionSpace, Real>& space, const Macroscopic& state,
    const Collision& collision) {
  const double density = state.density;
  const double temperature = state.temperature;
  const double rate = ModelOf<Model>::relaxation_rate(collision.gas, density, temperature);
  CellTarget<Real> target;
  const double time = rate * collision.time_step;
  const double gone = -std::expm1(-time);
  // Round the larger weight and take the other as 1 - x, so that the two sum to exactly one;
  // otherwise the mass drifts.
  if (gone < 0.5) {
    target.keep = static_cast<Real>(1 - gone);
    target.gone = 1 - target.keep;
  } else {
    target.gone = static_cast<Real>(gone);
    target.keep = 1 - target.gone;
  }
  // Weight of the present moment in the target that makes it decay by exp(-speed x time) in a step;
  // 1 - speed in the limit of a short step.
  const auto target_share = [&](double speed) {
    return gone > 0 ? 1 + std::expm1(-speed * time) / gone : 1 - speed;
  };
  if constexpr (Conservative && Model == CollisionModel::bgk) {
    target.maxwellian = conservative_maxwellian(space, state, collision.tolerance);
  } else {
    target.maxwellian = maxwellian(density, state.velocity, temperature);
  }
  for (int d = 0; d < 3; ++d) target.velocity[d] = static_cast<Real>(state.velocity[d]);
  target.half_temperature = static_cast<Real>(0.5 * temperature);
  if constexpr (Model == CollisionModel::shakhov) {
    // target / Maxwellian - 1 = share q . c / (5 p R T) (c^2 / (R T) - 5)
    // with p = density T / 2 and R T = T / 2.
    const double share = target_share(collision.gas.prandtl);
    const double scale = 4 * share / (5 * density * temperature * temperature);
    for (int d = 0; d < 3; ++d) target.shakhov[d] = static_cast<Real>(scale * state.heat_flux[d]);
  }
  if constexpr (Model == CollisionModel::es_bgk) {
    const double share = target_share(1 / collision.gas.prandtl);
    double form[6];
    for (int i = 0; i < 6; ++i) {
      form[i] = share * state.stress[i] / density;
      if (i < 3) form[i] += (1 - share) * temperature / 2;
    }
    double amplitude = density;
    double variance = 0;
    for (int d = 3 - space.integrated; d < 3; ++d) {
      amplitude *= std::sqrt(2 * std::numbers::pi * form[d]);
      variance += form[d];
    }
    target.integrated_variance = static_cast<Real>(variance);
    const double width =
        8 * std::numbers::pi * std::numbers::pi * std::numbers::pi * invert_symmetric(form);
    target.gaussian_amplitude = static_cast<Real>(amplitude / std::sqrt(width));
    for (int i = 0; i < 6; ++i) target.form[i] = static_cast<Real>(0.5 * form[i]);
  }
  return target;
}

}  // namespace knudsen
