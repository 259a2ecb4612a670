#pragma once

// Square roots and quotients of which the last two binary digits are not sure, in single precision
// on a GPU. The exact ones there take ten times as many instructions, one after another. Elsewhere
// these are the exact ones. For coefficients of models, not for what must be conserved. And an
// exponential that compilers vectorise.

#include <bit>
#include <cmath>
#include <cstdint>
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

/// e^x, zero where that is below the least normal number, for x up to 87; the last two binary
/// digits are not sure. On the host it is arithmetic without branches, since a loop that calls the
/// library's is not vectorised. There it is 2^n e^r with n the integer nearest to x / ln 2, and
/// Taylor's polynomial for e^r.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real quick_exponential(Real x) {
#if defined(__CUDA_ARCH__)
  return std::exp(x);
#else
  constexpr bool single = std::is_same_v<Real, float>;
  using Bits = std::conditional_t<single, std::int32_t, std::int64_t>;
  constexpr int fraction = single ? 23 : 52;  // bits of the significand
  constexpr int bias = single ? 127 : 1023;
  constexpr int degree = single ? 7 : 13;
  constexpr Real least = single ? Real(-87.33) : Real(-708.39);
  // ln 2 in two parts, of which the first has zeros at its end: its products with n are exact.
  constexpr Real ln2_high = single ? Real(0.693359375) : Real(6.93147180369123816490e-01);
  constexpr Real ln2_low = single ? Real(-2.12194440e-4) : Real(1.90821492927058770002e-10);
  // Added to a number, it leaves the nearest integer in the last binary digits.
  constexpr Real shift = Real(Bits(3) << (fraction - 1));
  const Real inside = x > least ? x : least;
  const Real shifted = inside * Real(1.4426950408889634) + shift;
  const Real n = shifted - shift;
  const Real r = (inside - n * ln2_high) - n * ln2_low;
  Real sum = 1;
  for (int i = degree; i > 0; --i) sum = 1 + sum * r * (Real(1) / Real(i));
  const Bits power = (std::bit_cast<Bits>(shifted) << fraction) + (Bits(bias) << fraction);
  return x > least ? sum * std::bit_cast<Real>(power) : Real(0);
#endif
}

}  // namespace knudsen
