#pragma once

#include <cmath>

#include "kinetic/maxwellian_state.hpp"
#include "kinetic/moments.hpp"

namespace knudsen {

/// Model equations for the collision term: the target of the relaxation and its rate.
enum class CollisionModel {
  bgk,      ///< Maxwellian, rate p / mu (Bhatnagar, Gross, Krook; Welander)
  shakhov,  ///< Maxwellian with a heat flux, rate p / mu (Shakhov 1968)
  es_bgk,   ///< anisotropic Gaussian, rate Pr p / mu (Holway 1966)
};

/// Collision parameters of a step, the same for all cells.
struct Collision {
  Gas gas;
  double time_step = 0;       ///< in L / sqrt(2 R T_ref)
  bool conservative = false;  ///< whether the discrete moments of the target are exact
  double tolerance = 1e-12;   ///< relative error allowed in the moments of a conservative target
  /// Velocity gained from the body force in a time step.
  double velocity_gain[3] = {0, 0, 0};
};

/// Target and relaxation of one cell: a step replaces f by keep x f + gone x target. The target of
/// BGK is constant during the relaxation. Those of Shakhov and ES-BGK depend on the heat flux and
/// the stress, which decay exponentially; the target is chosen so that both end at their exact
/// values.
template <class Real>
struct CellTarget {
  Maxwellian maxwellian;
  Real keep = 1;                 ///< exp(-rate x time step)
  Real gone = 0;                 ///< 1 - keep, without rounding
  Real velocity[3] = {0, 0, 0};  ///< mean velocity of the gas
  Real half_temperature = 0;     ///< T / 2 = R T
  /// Shakhov: target / Maxwellian - 1 = (shakhov . c) (c^2 / half_temperature - 5).
  Real shakhov[3] = {0, 0, 0};
  /// ES-BGK: the target is gaussian_amplitude x exp(-c . form . c), integrated over the components
  /// that the velocity grid integrates out.
  Real gaussian_amplitude = 0;
  Real form[6] = {0, 0, 0, 0, 0, 0};  ///< ES-BGK: xx, yy, zz, xy, yz, xz
  Real integrated_variance = 0;       ///< ES-BGK: sum of the variances integrated out
  /// Conservative Shakhov and ES-BGK: coefficients of the term added to the target, see
  /// invariant_correction.
  Real correction[5] = {0, 0, 0, 0, 0};
};

/// Properties of a collision model, specialised for each CollisionModel:
/// `name` in a case; `moments`, the number of raw moments that it needs, 5 (those of a Maxwellian)
/// or 13, see RawMoments; relaxation_rate(gas, density, temperature). The target itself is in
/// cell_target.
template <CollisionModel Model>
struct ModelOf;

/// Bhatnagar, Gross, Krook (1954) and Welander (1954): the target is a Maxwellian.
template <>
struct ModelOf<CollisionModel::bgk> {
  static constexpr const char* name = "bgk";
  static constexpr int moments = 5;

  KOKKOS_INLINE_FUNCTION static double relaxation_rate(const Gas& gas, double density,
                                                       double temperature) {
    return gas.stress_relaxation_rate(density, temperature);
  }
};

/// Shakhov (1968): the target is a Maxwellian with a heat flux.
template <>
struct ModelOf<CollisionModel::shakhov> {
  static constexpr const char* name = "shakhov";
  static constexpr int moments = 13;

  KOKKOS_INLINE_FUNCTION static double relaxation_rate(const Gas& gas, double density,
                                                       double temperature) {
    return gas.stress_relaxation_rate(density, temperature);
  }
};

/// Holway (1966): the target is an anisotropic Gaussian.
template <>
struct ModelOf<CollisionModel::es_bgk> {
  static constexpr const char* name = "es-bgk";
  static constexpr int moments = 13;

  KOKKOS_INLINE_FUNCTION static double relaxation_rate(const Gas& gas, double density,
                                                       double temperature) {
    return gas.stress_relaxation_rate(density, temperature) * gas.prandtl;
  }
};

}  // namespace knudsen
