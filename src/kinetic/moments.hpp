#pragma once

#include "device/function.hpp"
#include "kinetic/gas.hpp"

namespace knudsen {

/// Sums over the velocities of a plane of equal x component, without the quadrature weight along x.
/// For five moments: f, v_y f, v_z f, (v_y^2 + v_z^2) f. For thirteen: f, v_y f, v_z f, v_y^2 f,
/// v_z^2 f, v_y v_z f, (v_y^2 + v_z^2) v_y f and (v_y^2 + v_z^2) v_z f. For fourteen: the same,
/// where v_z^2 f includes the rotational energy of a molecule (see VelocitySpace), then that alone.
template <int Count, class Real>
struct PlaneSums {
  static_assert(Count == 5 || Count == 13 || Count == 14);
  static constexpr int count = Count == 5 ? 4 : Count - 5;
  Real value[count] = {};
};

/// Raw moments of a distribution. Five determine a Maxwellian: mass, momentum x, y, z, and the sum
/// of v^2 f. Thirteen: mass, momentum x, y, z, second moments xx, yy, zz, xy, yz, xz, and the sums
/// of v^2 v_x f, v^2 v_y f, v^2 v_z f. Fourteen, of a gas with rotation: the same, where v^2 in the
/// last three and in the fifth of five includes the rotational energy; then the sum of that energy.
template <int Count, class Real = double>
struct RawMoments {
  Real value[Count] = {};

  /// Adds the plane of velocities whose x component is `x`, with the quadrature weight of x.
  template <class Other>
  KNUDSEN_INLINE_FUNCTION void add(Real x, Real weight, const PlaneSums<Count, Other>& sums) {
    Real s[PlaneSums<Count, Other>::count];
    for (int n = 0; n < PlaneSums<Count, Other>::count; ++n) s[n] = weight * Real(sums.value[n]);
    const Real first = x * s[0];
    value[0] += s[0];
    value[1] += first;
    value[2] += s[1];
    value[3] += s[2];
    if constexpr (Count == 5) {
      value[4] += x * first + s[3];
    } else {
      const Real square = x * first + s[3] + s[4];
      value[4] += x * first;
      value[5] += s[3];
      value[6] += s[4];
      value[7] += x * s[1];
      value[8] += s[5];
      value[9] += x * s[2];
      value[10] += x * square;
      value[11] += x * x * s[1] + s[6];
      value[12] += x * x * s[2] + s[7];
      if constexpr (Count == 14) {
        value[6] -= s[8];
        value[13] += s[8];
      }
    }
  }
};

/// Hydrodynamic state of a distribution, in units of the reference density, sqrt(2 R T_ref) and
/// T_ref. Stress and heat flux are zero if computed from five moments.
struct Macroscopic {
  double density = 0;
  double velocity[3] = {0, 0, 0};
  double temperature = 0;                 ///< of translation and rotation together
  double stress[6] = {0, 0, 0, 0, 0, 0};  ///< integral of c_i c_j f: xx, yy, zz, xy, yz, xz
  double heat_flux[3] = {0, 0, 0};        ///< half the integral of c^2 c_i f, rotation included
  double rotational_temperature = 0;      ///< of a gas with rotation
  double translational_excess = 0;        ///< translational temperature less `temperature`
};

/// Hydrodynamic state from raw moments. The density must not be zero.
template <int Count>
KNUDSEN_INLINE_FUNCTION Macroscopic macroscopic(const RawMoments<Count>& raw) {
  Macroscopic state;
  const double* m = raw.value;
  state.density = m[0];
  double* u = state.velocity;
  for (int d = 0; d < 3; ++d) u[d] = m[1 + d] / m[0];
  const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  const double energy = Count == 5 ? m[4] : m[4] + m[5] + m[6];
  state.temperature = (energy - m[0] * square) * 2 / (3 * m[0]);
  if constexpr (Count == 13) {
    const double second[3][3] = {{m[4], m[7], m[9]}, {m[7], m[5], m[8]}, {m[9], m[8], m[6]}};
    for (int d = 0; d < 3; ++d) {
      const int e = (d + 1) % 3;
      const int across[3] = {3, 4, 5};  // xy, yz, zx
      state.stress[d] = second[d][d] - m[0] * u[d] * u[d];
      state.stress[across[d]] = second[d][e] - m[0] * u[d] * u[e];
      const double along = u[0] * second[0][d] + u[1] * second[1][d] + u[2] * second[2][d];
      state.heat_flux[d] = 0.5 * (m[10 + d] - u[d] * energy - 2 * along + 2 * m[0] * square * u[d]);
    }
  }
  return state;
}

/// The same of a gas whose rotation has `rotation` degrees of freedom.
KNUDSEN_INLINE_FUNCTION Macroscopic macroscopic(const RawMoments<14>& raw, double rotation) {
  RawMoments<13> of_translation;
  for (int i = 0; i < 13; ++i) of_translation.value[i] = raw.value[i];
  Macroscopic state = macroscopic(of_translation);
  const double translational = state.temperature;
  const double energy = raw.value[13];
  state.rotational_temperature = 2 * energy / (rotation * state.density);
  state.temperature =
      (3 * translational + rotation * state.rotational_temperature) / (3 + rotation);
  state.translational_excess = translational - state.temperature;
  for (int d = 0; d < 3; ++d) state.heat_flux[d] -= 0.5 * state.velocity[d] * energy;
  return state;
}

}  // namespace knudsen
