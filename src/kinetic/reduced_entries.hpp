#pragma once

#include <numbers>

#include "device/kokkos.hpp"

// The two entries of Chu's reduced distributions (VelocitySpace): the integral of f over the
// components integrated out, and that of f times the sum s of their squares. A Maxwellian is a
// product, so that entry e of a Maxwellian times a + b s is
//
//   entry_factor(e) (a + b entry_square(e)) x its factors along the other components.

namespace knudsen {

/// Entry of exp(-s / temperature), `integrated` being the number of components integrated out.
template <class Real>
KOKKOS_INLINE_FUNCTION Real entry_factor(int integrated, int entry, Real temperature) {
  const Real width = Real(std::numbers::pi) * temperature;
  const Real whole = integrated == 1 ? math::sqrt(width) : width;
  return entry == 0 ? whole : whole * (Real(0.5) * Real(integrated) * temperature);
}

/// Mean of s in an entry of exp(-s / temperature).
template <class Real>
KOKKOS_INLINE_FUNCTION Real entry_square(int integrated, int entry, Real temperature) {
  return Real(0.5) * Real(integrated + 2 * entry) * temperature;
}

}  // namespace knudsen
