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

/// Limited slope of a cell whose neighbours have other widths, in units of its width. With h_a and
/// h_b as the distances of the centres in this unit, a / h_a and b / h_b are slopes of first order.
/// Van Leer's is their harmonic mean, each weighted by the other's distance. That is of second
/// order and equals (1 / h_a + 1 / h_b) a b / (a + b). The factor is bounded by that of equal
/// cells, 2, so that values at faces stay between those of the cells. It exceeds 2 only where a
/// cell is wider than the geometric mean of its neighbours, never where widths grow by a constant
/// factor.
template <class Real>
struct UnequalSlope {
  Real over_a = 1;  ///< 1 / h_a
  Real over_b = 1;  ///< 1 / h_b
  Real mean = 2;    ///< factor of a b / (a + b)

  UnequalSlope() = default;
  KOKKOS_FORCEINLINE_FUNCTION UnequalSlope(Real first, Real second)
      : over_a(first), over_b(second), mean(first + second < 2 ? first + second : Real(2)) {}

  KOKKOS_FORCEINLINE_FUNCTION Real limited(Limiter limiter, Real a, Real b) const {
    const Real product = a * b;
    if (limiter == Limiter::van_leer) return product > 0 ? mean * product / (a + b) : Real(0);
    return limited_slope(limiter, over_a * a, over_b * b);
  }
};

}  // namespace knudsen
