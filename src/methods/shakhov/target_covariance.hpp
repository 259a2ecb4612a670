#pragma once

#include "kinetic/collision_models.hpp"

namespace knudsen::shakhov {

/// Weights in the covariance of a model's target.
struct CovarianceShares {
  /// Of the stress; the rest is isotropic. Not zero for ES-BGK alone, whose target is a Gaussian.
  double stress = 0;
  double translation = 1;  ///< of the translational temperature; the rest has that of all energy

  CovarianceShares() = default;
  CovarianceShares(CollisionModel model, const Gas& gas) {
    if (model != CollisionModel::es_bgk) return;
    stress = 1 - 1 / gas.prandtl;
    translation = 1 - gas.rotation_rate / gas.prandtl;
  }
};

/// Covariance of the target of a gas: xx, yy, zz, xy, yz, xz. Where a distribution has negative
/// values, as order 2 may give it, that of ES-BGK need not be positive definite although the
/// temperature is positive. Then there is no target.
struct TargetCovariance {
  double value[6];

  KOKKOS_INLINE_FUNCTION TargetCovariance(const Macroscopic& state, const CovarianceShares& share) {
    const double excess = 0.5 * (share.translation - share.stress) * state.translational_excess;
    for (int i = 0; i < 6; ++i) {
      value[i] = share.stress * state.stress[i] / state.density +
                 (i < 3 ? (1 - share.stress) * state.temperature / 2 : 0);
      if (i < 3) value[i] += excess;
    }
  }
  /// Whether it is greater than a share of another one along any direction.
  KOKKOS_INLINE_FUNCTION bool exceeds(double share, const TargetCovariance& other) const {
    double m[6];
    for (int i = 0; i < 6; ++i) m[i] = value[i] - share * other.value[i];
    const double minor = m[0] * m[1] - m[3] * m[3];
    return m[0] > 0 && minor > 0 &&
           m[2] * minor > m[0] * m[4] * m[4] + m[1] * m[5] * m[5] - 2 * m[3] * m[4] * m[5];
  }
  KOKKOS_INLINE_FUNCTION bool is_positive() const { return exceeds(0, *this); }
};

}  // namespace knudsen::shakhov
