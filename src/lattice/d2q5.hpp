#pragma once

#include "lattice/d2q9.hpp"

namespace knudsen {

/// The D2Q5 lattice of a scalar, beside D2Q9 for the flow: the first five velocities of D2Q9, in
/// the same order. The weights make sum w c c = 1/3.
struct D2Q5 {
  static constexpr const char* name = "D2Q5";
  static constexpr int populations = 5;
  static constexpr int dimensions = 2;
  /// sum w c c along an axis: the diffusivity over (relaxation time - 1/2).
  static constexpr double diffusivity_factor = 1.0 / 3;

  KNUDSEN_INLINE_FUNCTION static constexpr int velocity(int q, int axis) {
    return D2Q9::velocity(q, axis);
  }
  KNUDSEN_INLINE_FUNCTION static constexpr int cx(int q) { return D2Q9::cx(q); }
  KNUDSEN_INLINE_FUNCTION static constexpr int cy(int q) { return D2Q9::cy(q); }
  KNUDSEN_INLINE_FUNCTION static constexpr int opposite(int q) { return D2Q9::opposite(q); }
  template <class Real>
  KNUDSEN_INLINE_FUNCTION static constexpr Real weight(int q) {
    return q == 0 ? Real(1) / Real(3) : Real(1) / Real(6);
  }
};

}  // namespace knudsen
