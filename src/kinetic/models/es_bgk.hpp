#pragma once

#include <cmath>
#include <numbers>

#include "device/quick_math.hpp"
#include "kinetic/collision_model.hpp"

namespace knudsen {

/// Inverts a symmetric matrix (xx, yy, zz, xy, yz, xz) in place and returns its determinant.
KNUDSEN_INLINE_FUNCTION double invert_symmetric(double (&m)[6]) {
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

/// Holway (1966): the target is an anisotropic Gaussian, the rate Pr p / mu. `Rotates`: the model
/// of Andries, Le Tallec, Perlat and Perthame (2000) for a gas with rotation, reduced to f and the
/// distribution of the rotational energy.
template <bool Rotates>
struct EsBgk : ModelDefaults {
  static constexpr const char* name = "es-bgk";
  static constexpr int moments = Rotates ? 14 : 13;
  static constexpr bool rotates = Rotates;
  static constexpr bool factorises = false;

  /// The target is amplitude x exp(-c . form . c), integrated over the components that the velocity
  /// grid integrates out.
  template <class Real>
  struct Parameters {
    Real amplitude = 0;
    Real form[6] = {0, 0, 0, 0, 0, 0};  ///< xx, yy, zz, xy, yz, xz
    Real integrated_variance = 0;       ///< sum of the variances integrated out
    Real rotation = 0;                  ///< twice the mean rotational energy of the target
  };

  KNUDSEN_INLINE_FUNCTION static double relaxation_rate(const Gas& gas, double density,
                                                        double temperature) {
    return gas.stress_relaxation_rate(density, temperature) * gas.prandtl;
  }

  template <class Real>
  KNUDSEN_INLINE_FUNCTION static void set_parameters(const Macroscopic& state, const Gas& gas,
                                                     const RelaxationStep& step, int integrated,
                                                     CellTarget<EsBgk, Real>& target) {
    const double share = step.target_share(1 / gas.prandtl);
    // Half the translational temperature of the target above that of both together.
    double excess = 0;
    if constexpr (Rotates) {
      const double kept = step.target_share(gas.rotation_rate / gas.prandtl);
      const double lag = state.rotational_temperature - state.temperature;
      target.own.rotation =
          static_cast<Real>(0.5 * gas.rotation * (state.temperature + kept * lag));
      excess = 0.5 * (kept - share) * state.translational_excess;
    }
    double form[6];
    for (int i = 0; i < 6; ++i) {
      form[i] = share * state.stress[i] / state.density;
      if (i < 3) form[i] += (1 - share) * state.temperature / 2;
      if (Rotates && i < 3) form[i] += excess;
    }
    double amplitude = state.density;
    double variance = 0;
    for (int d = 3 - integrated; d < 3; ++d) {
      amplitude *= std::sqrt(2 * std::numbers::pi * form[d]);
      variance += form[d];
    }
    target.own.integrated_variance = static_cast<Real>(variance);
    const double width =
        8 * std::numbers::pi * std::numbers::pi * std::numbers::pi * invert_symmetric(form);
    target.own.amplitude = static_cast<Real>(amplitude / std::sqrt(width));
    for (int i = 0; i < 6; ++i) target.own.form[i] = static_cast<Real>(0.5 * form[i]);
  }

  template <class Real, class IntegratedShare>
  KNUDSEN_FORCEINLINE_FUNCTION static Real value(const CellTarget<EsBgk, Real>& target,
                                                 Real /*maxwellian*/, Real cx, Real cy, Real cz,
                                                 Real /*square*/,
                                                 const IntegratedShare& integrated_share) {
    const Real* form = target.own.form;
    const Real exponent = form[0] * cx * cx + form[1] * cy * cy + form[2] * cz * cz +
                          2 * (form[3] * cx * cy + form[4] * cy * cz + form[5] * cx * cz);
    const Real share = integrated_share(target.own.integrated_variance);
    if constexpr (Rotates) {
      if (share == 0) return 0;  // padding, which costs as much as an entry
    }
    return target.own.amplitude * share * quick_exponential(-exponent);
  }

  /// Numbers: the form. The zz component makes way for the variance of components integrated out,
  /// which needs no form.
  template <class Real>
  KNUDSEN_INLINE_FUNCTION static void pack(const CellTarget<EsBgk, Real>& target, Real& amplitude,
                                           Real* numbers) {
    amplitude = target.own.amplitude;
    for (int i = 0; i < 6; ++i) numbers[i] = target.own.form[i];
    if (target.own.integrated_variance > 0) numbers[2] = target.own.integrated_variance;
  }
  template <class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static Real integrated_variance(const Real* numbers) {
    return numbers[2];
  }
  /// Coefficients of the exponent, a polynomial in c_z, and the scale.
  template <class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static void row(const Real* form, Real scaled, Real cx, Real cy,
                                               Real* c) {
    c[0] = form[0] * cx * cx + form[1] * cy * cy + 2 * form[3] * cx * cy;
    c[1] = 2 * (form[5] * cx + form[4] * cy);
    c[2] = form[2];
    c[3] = scaled;
  }
  template <class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static Real row_value(Real c0, Real c1, Real c2, Real c3,
                                                     Real table_z, Real cz) {
    return c3 * table_z * quick_exponential(-(c0 + cz * (c1 + c2 * cz)));
  }
};

using EsBgkModel = EsBgk<false>;
using RotatingEsBgkModel = EsBgk<true>;

}  // namespace knudsen
