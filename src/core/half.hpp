#pragma once

// Sixteen-bit floating point for storage alone (IEEE 754 binary16), the same bits on every backend.

#include <cstdint>
#include <cstring>

#include "core/kokkos.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include <cuda_fp16.h>
#endif

namespace knudsen {

/// A binary16 number as it stands in memory.
struct Half {
  std::uint16_t bits;
};

namespace half_detail {

template <class To, class From>
KOKKOS_FORCEINLINE_FUNCTION To bit_copy(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}

}  // namespace half_detail

/// Exact. On a GPU one instruction; on a host integer arithmetic that vectorises.
KOKKOS_FORCEINLINE_FUNCTION float half_to_float(Half half) {
#ifdef __CUDA_ARCH__
  return __half2float(__ushort_as_half(half.bits));
#else
  const std::uint32_t sign = static_cast<std::uint32_t>(half.bits & 0x8000U) << 16;
  const std::uint32_t magnitude = static_cast<std::uint32_t>(half.bits & 0x7fffU) << 13;
  // Exponents differ by 112: a product by 2^112 sets that right, for subnormal numbers too.
  const float value = half_detail::bit_copy<float>(magnitude) * 5.192296858534828e33F;
  const float special = half_detail::bit_copy<float>(magnitude | 0x7f800000U);
  const float absolute = magnitude >= 0x0f800000U ? special : value;
  return half_detail::bit_copy<float>(half_detail::bit_copy<std::uint32_t>(absolute) | sign);
#endif
}

/// Rounds to the nearest, ties to even; what is too large becomes infinite, NaN stays NaN.
KOKKOS_FORCEINLINE_FUNCTION Half half_from_float(float value) {
#ifdef __CUDA_ARCH__
  return {__half_as_ushort(__float2half_rn(value))};
#else
  const std::uint32_t bits = half_detail::bit_copy<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  // Subnormal results: the sum with 1/2 puts the last bit of the result where float has its own.
  const float small = half_detail::bit_copy<float>(magnitude) + 0.5F;
  const std::uint32_t subnormal = half_detail::bit_copy<std::uint32_t>(small) - 0x3f000000U;
  const std::uint32_t normal = (magnitude - 0x38000000U + 0x0fffU + ((magnitude >> 13) & 1U)) >> 13;
  std::uint32_t result = magnitude < 0x38800000U ? subnormal : normal;
  if (magnitude >= 0x47800000U) result = magnitude > 0x7f800000U ? 0x7e00U : 0x7c00U;
  return {static_cast<std::uint16_t>(result | sign)};
#endif
}

}  // namespace knudsen
