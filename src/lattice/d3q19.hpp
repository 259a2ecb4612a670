#pragma once

#include "lattice/d3q27.hpp"

namespace knudsen {

/// The D3Q19 lattice: the first 19 populations of D3Q27, under the same numbers.
struct D3Q19 {
  static constexpr const char* name = "D3Q19";
  static constexpr int populations = 19;
  static constexpr int dimensions = 3;

  /// Component 0, 1 or 2 of the velocity of population q: -1, 0 or 1.
  KNUDSEN_INLINE_FUNCTION static constexpr int velocity(int q, int axis) {
    return D3Q27::velocity(q, axis);
  }
  KNUDSEN_INLINE_FUNCTION static constexpr int opposite(int q) { return D3Q27::opposite(q); }
  template <class Real>
  KNUDSEN_INLINE_FUNCTION static constexpr Real weight(int q) {
    return q == 0 ? Real(1) / Real(3) : q <= 6 ? Real(1) / Real(18) : Real(1) / Real(36);
  }
};

}  // namespace knudsen
