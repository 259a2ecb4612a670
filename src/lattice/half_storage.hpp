#pragma once

#include <cstdint>
#include <type_traits>

#include "device/kokkos.hpp"
#include "lattice/half_conversion.hpp"
#include "lattice/half_rows.hpp"

namespace knudsen {

namespace half_detail {

// Kokkos::half_t is a 16-bit type only on backends with hardware conversions; elsewhere it is
// float.
KOKKOS_FORCEINLINE_FUNCTION std::uint16_t half_bits(float value) {
#if defined(KOKKOS_HALF_T_IS_FLOAT) && !KOKKOS_HALF_T_IS_FLOAT
  KOKKOS_IF_ON_DEVICE((return same_bits<std::uint16_t>(Kokkos::Experimental::cast_to_half(value));))
  KOKKOS_IF_ON_HOST((return half_bits_by_integers(value);))
#else
  return half_bits_by_integers(value);
#endif
}
KOKKOS_FORCEINLINE_FUNCTION float float_of_half(std::uint16_t bits) {
#if defined(KOKKOS_HALF_T_IS_FLOAT) && !KOKKOS_HALF_T_IS_FLOAT
  KOKKOS_IF_ON_DEVICE((return Kokkos::Experimental::cast_from_half<float>(
                                  same_bits<Kokkos::Experimental::half_t>(bits));))
  KOKKOS_IF_ON_HOST((return float_of_half_by_integers(bits);))
#else
  return float_of_half_by_integers(bits);
#endif
}

}  // namespace half_detail

/// A shifted population (f - w) in 16 bits: an IEEE half scaled by 2^16, so that values up to
/// +-0.999 are finite and those above 9.3e-10 keep 11 significant bits. Larger values become
/// infinite and are found by the check for divergence. Conversions to and from float let kernels
/// read `static_cast<Real>(stored)` and write `Stored(value)` for every storage type.
class HalfPopulation {
 public:
  HalfPopulation() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit HalfPopulation(float population)
      : bits_(half_detail::half_bits(population * scale)) {}
  KOKKOS_FORCEINLINE_FUNCTION explicit operator float() const {
    return half_detail::float_of_half(bits_) * (1.0f / scale);
  }

  /// Loads and stores a row of adjacent populations, on the host only.
  KOKKOS_INLINE_FUNCTION static void load_row(const HalfPopulation* from, int count, float* to) {
    floats_of_halves(&from->bits_, count, 1.0f / scale, to);
  }
  KOKKOS_INLINE_FUNCTION static void store_row(const float* from, int count, HalfPopulation* to) {
    halves_of_floats(from, count, scale, &to->bits_);
  }

 private:
  static constexpr float scale = 0x1p16f;
  std::uint16_t bits_;
};
static_assert(sizeof(HalfPopulation) == 2 && std::is_trivially_copyable_v<HalfPopulation>);

}  // namespace knudsen
