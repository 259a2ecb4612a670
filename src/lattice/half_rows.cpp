#include "lattice/half_rows.hpp"

#ifdef __F16C__
#include <immintrin.h>
#endif

#include "lattice/half_conversion.hpp"

namespace knudsen {

#ifdef __F16C__

namespace {

/// Halves from one that is loaded to one that is prefetched then; see row_collision.cpp.in.
constexpr int prefetched_ahead = 256;

/// Calls vector(i) for the eight elements from i, so that all of `count` are converted; the last
/// eight may overlap those before them. Calls scalar(i) for each element of fewer than eight.
template <class Vector, class Scalar>
void by_eights(int count, const Vector& vector, const Scalar& scalar) {
  int i = 0;
  for (; i + 8 <= count; i += 8) vector(i);
  if (i < count && count >= 8) {
    vector(count - 8);
  } else {
    for (; i < count; ++i) scalar(i);
  }
}

}  // namespace

void floats_of_halves(const std::uint16_t* halves, int count, float factor, float* values) {
  const auto vector = [&](int i) {
    __builtin_prefetch(halves + i + prefetched_ahead);
    const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(halves + i));
    _mm256_storeu_ps(values + i, _mm256_mul_ps(_mm256_cvtph_ps(bits), _mm256_set1_ps(factor)));
  };
  by_eights(count, vector, [&](int i) { values[i] = _cvtsh_ss(halves[i]) * factor; });
}

void halves_of_floats(const float* values, int count, float factor, std::uint16_t* halves) {
  const auto vector = [&](int i) {
    const __m256 scaled = _mm256_mul_ps(_mm256_loadu_ps(values + i), _mm256_set1_ps(factor));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(halves + i),
                     _mm256_cvtps_ph(scaled, _MM_FROUND_TO_NEAREST_INT));
  };
  by_eights(count, vector,
            [&](int i) { halves[i] = _cvtss_sh(values[i] * factor, _MM_FROUND_TO_NEAREST_INT); });
}

#else

void floats_of_halves(const std::uint16_t* halves, int count, float factor, float* values) {
  for (int i = 0; i < count; ++i) {
    values[i] = half_detail::float_of_half_by_integers(halves[i]) * factor;
  }
}

void halves_of_floats(const float* values, int count, float factor, std::uint16_t* halves) {
  for (int i = 0; i < count; ++i) {
    halves[i] = half_detail::half_bits_by_integers(values[i] * factor);
  }
}

#endif

}  // namespace knudsen
