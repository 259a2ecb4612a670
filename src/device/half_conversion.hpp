#pragma once

#include <cstdint>
#include <cstring>

#include "device/function.hpp"

// Conversions between float and IEEE half, kept as 16 bits. Without Kokkos, for sources that the
// host compiler compiles alone.

namespace knudsen {

namespace half_detail {

template <class To, class From>
KNUDSEN_FORCEINLINE_FUNCTION To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof(to));
  return to;
}

inline constexpr std::uint32_t float_infinity = 0x7f800000U;
inline constexpr std::uint32_t half_infinity = 0x7c00U;

/// Bits of the IEEE half nearest to `value`, ties to even. Branch-free, so that loops vectorise.
KNUDSEN_FORCEINLINE_FUNCTION std::uint16_t half_bits_by_integers(float value) {
  const auto bits = same_bits<std::uint32_t>(value);
  const std::uint32_t size = bits & 0x7fffffffU;
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  // The exponent biases differ by 112. Rounding adds half a unit in the last place, less one if the
  // last bit is even.
  constexpr std::uint32_t rebias = 112U << 23;
  const std::uint32_t normal = (size - rebias + 0xfffU + ((size >> 13) & 1U)) >> 13;
  // One unit in the last place of 0.5f is the smallest subnormal half, so adding 0.5f rounds values
  // below 2^-14 to subnormal halves.
  const auto sum = same_bits<std::uint32_t>(same_bits<float>(size) + 0.5f);
  const std::uint32_t subnormal = sum - same_bits<std::uint32_t>(0.5f);
  const std::uint32_t finite = size < rebias + (1U << 23) ? subnormal : normal;
  const std::uint32_t limited = finite < half_infinity ? finite : half_infinity;
  const std::uint32_t half = size > float_infinity ? half_infinity + 0x200U : limited;
  return static_cast<std::uint16_t>(sign | half);
}

/// Value of the IEEE half with these bits, exact.
KNUDSEN_FORCEINLINE_FUNCTION float float_of_half_by_integers(std::uint16_t half) {
  const std::uint32_t size = half & 0x7fffU;
  const std::uint32_t sign = std::uint32_t{half & 0x8000U} << 16;
  constexpr float rebias = 0x1p112f;  // also makes subnormal halves normal
  const auto finite = same_bits<std::uint32_t>(same_bits<float>(size << 13) * rebias);
  return same_bits<float>(sign | (size < half_infinity ? finite : (size << 13) | float_infinity));
}

}  // namespace half_detail

}  // namespace knudsen
