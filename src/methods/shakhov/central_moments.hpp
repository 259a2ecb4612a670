#pragma once

#include "methods/shakhov/sweep_space.hpp"

namespace knudsen::shakhov {

/// Density, momentum along x, y and z, and twice the energy, with that of the rotation.
template <int Count>
KOKKOS_INLINE_FUNCTION double conserved(const RawMoments<Count>& raw, int i) {
  if (i < 4) return raw.value[i];
  const double of_translation = raw.value[4] + raw.value[5] + raw.value[6];
  return Count > moment_count ? of_translation + raw.value[Count - 1] : of_translation;
}

/// The hydrodynamic state of a gas whose molecules have `rotation` degrees of freedom of rotation,
/// or none.
template <int Count>
KOKKOS_INLINE_FUNCTION Macroscopic state_of(const RawMoments<Count>& raw, double rotation) {
  if constexpr (Count == moment_count) {
    return macroscopic(raw);
  } else {
    if (rotation > 0) return macroscopic(raw, rotation);
    RawMoments<moment_count> of_translation;
    for (int i = 0; i < moment_count; ++i) of_translation.value[i] = raw.value[i];
    return macroscopic(of_translation);
  }
}

/// Place of the component (d, e) in a stress, whose order is xx, yy, zz, xy, yz, zx.
KOKKOS_INLINE_FUNCTION int place_of_stress(int d, int e) {
  return d == e ? d : d + e == 1 ? 3 : d + e == 3 ? 4 : 5;
}

/// Sets raw moments of a cell from density, velocity, its square, twice the energy, the moments
/// <v v> and the heat flux. In a gas with rotation that has what <v v> leaves of the energy.
template <class Moments>
KOKKOS_INLINE_FUNCTION void set_raw_moments(const Moments& moments, std::int64_t cell, double n,
                                            const double (&u)[3], double square, double energy,
                                            const double (&second)[3][3],
                                            const double (&heat_flux)[3]) {
  moments(cell, 0) = n;
  for (int d = 0; d < 3; ++d) {
    const int e = (d + 1) % 3;
    const int across[3] = {7, 8, 9};
    moments(cell, 1 + d) = n * u[d];
    moments(cell, 4 + d) = second[d][d];
    moments(cell, across[d]) = second[d][e];
    const double along = u[0] * second[0][d] + u[1] * second[1][d] + u[2] * second[2][d];
    moments(cell, 10 + d) = 2 * heat_flux[d] + u[d] * energy + 2 * along - 2 * n * square * u[d];
  }
  if (moments.extent(1) > moment_count) {
    moments(cell, moment_count) = energy - second[0][0] - second[1][1] - second[2][2];
  }
}

}  // namespace knudsen::shakhov
