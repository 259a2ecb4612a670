#pragma once

#include "device/function.hpp"

namespace knudsen::shakhov {

/// Widths of a cell in free paths sqrt(T) / rate at which half of its balance is that of a
/// continuum. Differences of first order have the viscosity of half a cell.
constexpr double half_width(int order) { return order == 2 ? 2 : 0.5; }

/// Share of a continuum on a cell whose width is `ratio` times that of half a share. Smaller ones
/// than 1e-4 count as none.
KNUDSEN_INLINE_FUNCTION double share_of_continuum(double ratio) {
  constexpr double least_share = 1e-4;
  const double power = ratio * ratio * ratio * ratio;
  return power > least_share ? (power - least_share) / (power + 1) : 0;
}

}  // namespace knudsen::shakhov
