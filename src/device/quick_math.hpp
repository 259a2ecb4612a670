#pragma once

// Square roots and quotients of which the last two binary digits are not sure, in single precision
// on a GPU. The exact ones there take ten times as many instructions, one after another. Elsewhere
// these are the exact ones. For coefficients of models, not for what must be conserved.

#include <cmath>
#include <type_traits>

#include "device/function.hpp"

namespace knudsen {

template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real quick_root(const Real& x) {
#if defined(__CUDA_ARCH__) && !defined(KNUDSEN_GENERIC_DEVICE)
  if constexpr (std::is_same_v<Real, float>) {
    float root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
    return root;
  }
#endif
  using std::sqrt;
  return sqrt(x);
}

/// 1 / x. Numbers below the least normal one count as 0 here and above.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real quick_inverse(const Real& x) {
#if defined(__CUDA_ARCH__) && !defined(KNUDSEN_GENERIC_DEVICE)
  if constexpr (std::is_same_v<Real, float>) {
    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
    return inverse;
  }
#endif
  return Real(1) / x;
}

}  // namespace knudsen
