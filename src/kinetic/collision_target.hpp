#pragma once

#include <numbers>
#include <type_traits>

#include "kinetic/maxwellian.hpp"

namespace knudsen {

/// What the distribution relaxes to, and how fast.
enum class CollisionModel {
  bgk,      ///< Maxwellian, rate p / mu (Bhatnagar, Gross, Krook; Welander)
  shakhov,  ///< Maxwellian with a heat flux, rate p / mu (Shakhov 1968)
  es_bgk,   ///< anisotropic Gaussian, rate Pr p / mu (Holway 1966)
};

/// Calls body with the collision model as a constant.
template <class Body>
void dispatch_model(CollisionModel model, const Body& body) {
  switch (model) {
    case CollisionModel::bgk:
      return body(std::integral_constant<CollisionModel, CollisionModel::bgk>{});
    case CollisionModel::shakhov:
      return body(std::integral_constant<CollisionModel, CollisionModel::shakhov>{});
    case CollisionModel::es_bgk:
      return body(std::integral_constant<CollisionModel, CollisionModel::es_bgk>{});
  }
}

/// Raw moments that a model needs.
KOKKOS_INLINE_FUNCTION constexpr int moments_needed(CollisionModel model) {
  return model == CollisionModel::bgk ? 5 : 13;
}

/// How a step collides: the same for all cells.
struct Collision {
  Gas gas;
  double time_step = 0;
  bool conservative = false;  ///< target with exact discrete moments
  double tolerance = 1e-12;   ///< of the conservative Maxwellian's moments
  /// Velocity that the body force adds in a time step.
  double velocity_gain[3] = {0, 0, 0};
};

/// One cell's target and relaxation in a step: f becomes keep x f + gone x target. The target of
/// BGK does not change while the gas relaxes; that of Shakhov and ES-BGK does, as their heat flux
/// and stress decay exponentially, and is taken such that these have their exact values in the end.
template <class Real>
struct CellTarget {
  Maxwellian maxwellian;
  Real keep = 1;  ///< exp(-rate x time step)
  Real gone = 0;  ///< 1 - keep, exactly
  Real velocity[3] = {0, 0, 0};
  Real half_temperature = 0;
  /// Shakhov: target / Maxwellian - 1 = (shakhov . c) (c^2 / half_temperature - 5).
  Real shakhov[3] = {0, 0, 0};
  /// ES-BGK: amplitude x exp(-c . form . c), form as xx, yy, zz, xy, yz, xz. Where components are
  /// integrated out: the amplitude of what is left, and the sum of their variances.
  Real gaussian_amplitude = 0;
  Real form[6] = {0, 0, 0, 0, 0, 0};
  Real integrated_variance = 0;
  /// What a conservative target of Shakhov and ES-BGK has besides, see invariant_correction.
  Real correction[5] = {0, 0, 0, 0, 0};
};

/// Inverse and determinant of a symmetric matrix (xx, yy, zz, xy, yz, xz); inverse in place.
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

/// Hydrodynamic state from the raw moments that kernels sum: where y is integrated out too, the
/// stresses along y and z share what stands in the sum for z.
template <int Count, class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Macroscopic macroscopic(const VelocitySpace<ExecutionSpace, Real>& space,
                                               RawMoments<Count> raw) {
  if (Count == 13 && space.integrated == 2) raw.value[5] = raw.value[6] = 0.5 * raw.value[6];
  return macroscopic(raw);
}

template <CollisionModel Model, bool Conservative, class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION CellTarget<Real> cell_target(
    const VelocitySpace<ExecutionSpace, Real>& space, const Macroscopic& state,
    const Collision& collision) {
  const double density = state.density;
  const double temperature = state.temperature;
  double rate = collision.gas.stress_relaxation_rate(density, temperature);
  if constexpr (Model == CollisionModel::es_bgk) rate *= collision.gas.prandtl;
  CellTarget<Real> target;
  const double time = rate * collision.time_step;
  const double gone = -std::expm1(-time);
  // The greater is rounded, what it leaves of one is exact: else their sum would differ from one by
  // the same rounding in every step, and so would the mass.
  if (gone < 0.5) {
    target.keep = static_cast<Real>(1 - gone);
    target.gone = 1 - target.keep;
  } else {
    target.gone = static_cast<Real>(gone);
    target.keep = 1 - target.gone;
  }
  // Such that a decay by exp(-speed x time) comes out of a step; 1 - speed for a short one.
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
    // Target - 1: share q . c / (5 p R T) (c^2 / (R T) - 5) with
    // p = density T / 2, R T = T / 2.
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
