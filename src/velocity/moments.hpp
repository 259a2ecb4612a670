#pragma once

#include "core/kokkos.hpp"
#include "velocity/gas.hpp"

namespace knudsen {

/// Sums of powers of the velocity times weight x f over a row of velocities with the same x and y
/// components, weights along x and y left out: power[n] is the sum of w_z v_z^n f.
template <class Real>
struct RowSums {
  Real power[4] = {0, 0, 0, 0};
};

/// Raw moments of a distribution, accumulated in double precision row by row. Five are enough for a
/// Maxwellian: mass, momentum x, y, z, and the sum of v^2 f. Thirteen: mass, momentum x, y, z,
/// second moments xx, yy, zz, xy, yz, xz, and the sums of v^2 v_x f, v^2 v_y f, v^2 v_z f.
template <int Count>
struct RawMoments {
  static_assert(Count == 5 || Count == 13);
  static constexpr int powers = Count == 5 ? 3 : 4;  ///< of v_z that a row must sum
  double value[Count] = {};

  KOKKOS_INLINE_FUNCTION RawMoments& operator+=(const RawMoments& other) {
    for (int i = 0; i < Count; ++i) value[i] += other.value[i];
    return *this;
  }

  /// Adds a row with components x and y and the product of their weights.
  template <class Real>
  KOKKOS_INLINE_FUNCTION void add_row(double x, double y, double weight, const RowSums<Real>& row) {
    const double s0 = weight * double(row.power[0]);
    const double s1 = weight * double(row.power[1]);
    const double s2 = weight * double(row.power[2]);
    const double square = x * x + y * y;
    value[0] += s0;
    value[1] += x * s0;
    value[2] += y * s0;
    value[3] += s1;
    if constexpr (Count == 5) {
      value[4] += square * s0 + s2;
    } else {
      const double s3 = weight * double(row.power[3]);
      value[4] += x * x * s0;
      value[5] += y * y * s0;
      value[6] += s2;
      value[7] += x * y * s0;
      value[8] += y * s1;
      value[9] += x * s1;
      value[10] += x * (square * s0 + s2);
      value[11] += y * (square * s0 + s2);
      value[12] += square * s1 + s3;
    }
  }
};

/// Hydrodynamic state of a distribution. The stress (integral of c_i c_j f, order xx, yy, zz, xy,
/// yz, xz) and the heat flux (half the integral of c^2 c_i f) are in units of the reference density
/// and sqrt(2 R T_ref); both are zero when they come from five moments.
struct Macroscopic {
  double density = 0;
  double velocity[3] = {0, 0, 0};
  double temperature = 0;
  double stress[6] = {0, 0, 0, 0, 0, 0};
  double heat_flux[3] = {0, 0, 0};
};

template <int Count>
KOKKOS_INLINE_FUNCTION Macroscopic macroscopic(const RawMoments<Count>& raw) {
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

}  // namespace knudsen

namespace Kokkos {
template <int Count>
struct reduction_identity<knudsen::RawMoments<Count>> {
  KOKKOS_FORCEINLINE_FUNCTION static knudsen::RawMoments<Count> sum() { return {}; }
};
}  // namespace Kokkos
