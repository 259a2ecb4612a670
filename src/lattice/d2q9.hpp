#pragma once

#include "device/function.hpp"

namespace knudsen {

/// The D2Q9 lattice: rest, east, north, west, south, north-east, north-west, south-west, south-east
/// (Gomes 2016, eq. 13, 15). Everything is a constant expression of q, for unrolled loops over q.
struct D2Q9 {
  static constexpr const char* name = "D2Q9";
  static constexpr int populations = 9;
  static constexpr int dimensions = 2;

  /// Component 0 or 1 of the velocity of population q: -1, 0 or 1.
  KNUDSEN_INLINE_FUNCTION static constexpr int velocity(int q, int axis) {
    return axis == 0 ? cx(q) : cy(q);
  }
  KNUDSEN_INLINE_FUNCTION static constexpr int cx(int q) {
    return (q == 1 || q == 5 || q == 8) - (q == 3 || q == 6 || q == 7);
  }
  KNUDSEN_INLINE_FUNCTION static constexpr int cy(int q) {
    return (q == 2 || q == 5 || q == 6) - (q == 4 || q == 7 || q == 8);
  }
  KNUDSEN_INLINE_FUNCTION static constexpr int opposite(int q) {
    return q == 0 ? 0 : (q <= 4 ? (q + 1) % 4 + 1 : (q - 5 + 2) % 4 + 5);
  }
  template <class Real>
  KNUDSEN_INLINE_FUNCTION static constexpr Real weight(int q) {
    return q == 0 ? Real(4) / Real(9) : (q <= 4 ? Real(1) / Real(9) : Real(1) / Real(36));
  }
};

}  // namespace knudsen
