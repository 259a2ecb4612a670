#pragma once

#include "device/kokkos.hpp"

namespace knudsen::boltzmann {

/// Number of collision invariants psi: 1, v_x, v_y, v_z, v^2.
inline constexpr int invariants = 5;

/// Number of distinct entries of the matrix <psi_a psi_b>, which are moments up to fourth order:
/// 1, v_x, v_y, v_z, xx, yy, zz, xy, yz, xz, v^2 v_x, v^2 v_y, v^2 v_z, v^4.
inline constexpr int product_moments = 14;

/// Those products at one velocity.
template <class Real>
KOKKOS_INLINE_FUNCTION void evaluate_products(Real x, Real y, Real z,
                                              Real (&products)[product_moments]) {
  const Real square = x * x + y * y + z * z;
  const Real values[product_moments] = {
      1,     x,     y,     z,          x * x,      y * y,      z * z,
      x * y, y * z, x * z, square * x, square * y, square * z, square * square};
  for (int n = 0; n < product_moments; ++n) products[n] = values[n];
}

}  // namespace knudsen::boltzmann
