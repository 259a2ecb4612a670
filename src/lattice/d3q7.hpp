#pragma once

#include "lattice/d3q27.hpp"

namespace knudsen {

/// The D3Q7 lattice of a scalar, beside D3Q27 for the flow: the first seven velocities of D3Q27, in
/// the same order. The weights make sum w c c = 1/4 (Yoshida and Nagaoka 2010).
struct D3Q7 {
  static constexpr const char* name = "D3Q7";
  static constexpr int populations = 7;
  static constexpr int dimensions = 3;
  /// sum w c c along an axis: the diffusivity over (relaxation time - 1/2).
  static constexpr double diffusivity_factor = 1.0 / 4;

  KNUDSEN_INLINE_FUNCTION static constexpr int velocity(int q, int axis) {
    return D3Q27::velocity(q, axis);
  }
  KNUDSEN_INLINE_FUNCTION static constexpr int opposite(int q) { return D3Q27::opposite(q); }
  template <class Real>
  KNUDSEN_INLINE_FUNCTION static constexpr Real weight(int q) {
    return q == 0 ? Real(1) / Real(4) : Real(1) / Real(8);
  }
};

}  // namespace knudsen
