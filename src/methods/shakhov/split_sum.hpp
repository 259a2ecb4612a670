#pragma once

#include <cmath>

#include "device/kokkos.hpp"

namespace knudsen::shakhov {

/// How the terms of a sum are rounded: `high` and `low` are 1.5 x 2^52 units, so that adding one of
/// them to a number and subtracting it again rounds the number to a multiple of the unit.
struct SumRounding {
  double high = 0;  ///< for the high part of a term
  double low = 0;   ///< for what the high part leaves

  SumRounding() = default;
  /// For up to `terms` terms whose magnitudes sum to less than `range`. The low unit is at most
  /// 4 terms x 2^-106 of the range.
  SumRounding(double range, double terms) {
    const int above = std::ilogb(range) + 1;
    const int more = std::ilogb(terms) + 1;
    high = std::ldexp(1.5, above);
    low = std::ldexp(1.5, above - 54 + more);
  }
};

/// A sum whose bits do not depend on the order of its terms, nor on how they are shared out among
/// partial sums. Each term is rounded to two parts, which are multiples of fixed units. As long as
/// their sums stay below 2^53 units, double precision adds them without any rounding. Terms beyond
/// the range of the rounding, infinities and NaN are added as in any sum of doubles, but their last
/// digits then depend on the order.
struct SplitSum {
  double high = 0;  ///< sum of the high parts
  double low = 0;   ///< sum of the low parts

  KOKKOS_FORCEINLINE_FUNCTION void add(double term, const SumRounding& rounding) {
    const double part = (term + rounding.high) - rounding.high;
    high += part;
    low += ((term - part) + rounding.low) - rounding.low;
  }
};

}  // namespace knudsen::shakhov
