#pragma once

#include "device/kokkos.hpp"

namespace knudsen {

/// Slope limiters of second-order streaming.
enum class Limiter : int { van_leer, minmod, none };

/// Limited slope from the differences `a` and `b` on either side; 0 at an extremum. Undefined for
/// Limiter::none.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real limited_slope(Limiter limiter, Real a, Real b) {
  const Real product = a * b;
  if (limiter == Limiter::van_leer) return product > 0 ? 2 * product / (a + b) : Real(0);
  const Real smaller = math::fabs(a) < math::fabs(b) ? a : b;
  return product > 0 ? smaller : Real(0);
}

}  // namespace knudsen
