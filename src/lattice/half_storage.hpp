#pragma once

#include <cstdint>
#include <type_traits>

#include "device/half_conversion.hpp"
#include "device/kokkos.hpp"
#include "lattice/half_scale.hpp"

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

/// A shifted population in 16 bits (half_scale.hpp). Conversions to and from float let kernels
/// read `static_cast<Real>(stored)` and write `Stored(value)` for every storage type.
class HalfPopulation {
 public:
  HalfPopulation() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit HalfPopulation(float population)
      : bits_(half_detail::half_bits(population * half_scale)) {}
  KOKKOS_FORCEINLINE_FUNCTION explicit operator float() const {
    return half_detail::float_of_half(bits_) * (1.0f / half_scale);
  }

 private:
  friend KOKKOS_FORCEINLINE_FUNCTION std::uint16_t* numbers_of(HalfPopulation* row);
  std::uint16_t bits_;
};
static_assert(sizeof(HalfPopulation) == 2 && std::is_trivially_copyable_v<HalfPopulation>);

/// A row of stored populations as the vectors of the host take it: numbers, or the bits of halves.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real* numbers_of(Real* row) {
  return row;
}
KOKKOS_FORCEINLINE_FUNCTION std::uint16_t* numbers_of(HalfPopulation* row) { return &row->bits_; }

}  // namespace knudsen
