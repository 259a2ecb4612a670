#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "device/half_conversion.hpp"

// Vectors of numbers for host code. Only sources without Kokkos include this header: nvcc has no
// vector types. (Kokkos has such a class from 4.0 on.)

namespace knudsen {

/// Bytes of the widest vectors of this processor.
#if defined(__AVX512VL__)
inline constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t vector_bytes = 32;
#else
inline constexpr std::size_t vector_bytes = 16;
#endif

/// `count` numbers, in a vector of the processor. An operation acts on all of them, so code that is
/// written for one number, of one node, say, computes `count` nodes at a time. It does not depend
/// on a compiler's vectoriser, which gives up on long loops, and it takes the rest of a row by a
/// vector, too.
template <class Real>
class Simd {
  using Vector __attribute__((vector_size(vector_bytes))) = Real;
  using Unaligned __attribute__((vector_size(vector_bytes), aligned(sizeof(Real)))) = Real;

 public:
  static constexpr int count = static_cast<int>(sizeof(Vector) / sizeof(Real));

  /// Numbers from an address up to the next boundary of `count` of them in memory, at least one.
  template <class Stored>
  static int up_to_boundary(const Stored* from) {
    constexpr std::size_t bytes = count * sizeof(Stored);
    const auto beyond = reinterpret_cast<std::uintptr_t>(from) % bytes;
    return static_cast<int>((bytes - beyond) / sizeof(Stored));
  }

  Simd() = default;
  /// The same number in all lanes. Not explicit, like the conversions between numbers.
  template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
  [[gnu::always_inline]] Simd(Number number)  // NOLINT(google-explicit-constructor)
      : vector_(static_cast<Real>(number) - Vector{}) {}

  /// Loads adjacent numbers.
  [[gnu::always_inline]] static Simd load(const Real* from) {
    return Simd(Whole{}, *reinterpret_cast<const Unaligned*>(from));
  }
  [[gnu::always_inline]] void store(Real* to) const { *reinterpret_cast<Unaligned*>(to) = vector_; }
  /// Loads and stores the first `lanes` of them. Other lanes are zero, and what is in memory beside
  /// is neither read nor written.
  [[gnu::always_inline]] static Simd load(const Real* from, int lanes) {
#ifdef __AVX512VL__
    if constexpr (std::is_same_v<Real, float>) {
      return Simd(Whole{}, _mm512_maskz_loadu_ps(static_cast<__mmask16>((1U << lanes) - 1), from));
    } else {
      return Simd(Whole{}, _mm512_maskz_loadu_pd(static_cast<__mmask8>((1U << lanes) - 1), from));
    }
#elif defined(__AVX__)
    if constexpr (std::is_same_v<Real, float>) {
      return Simd(Whole{}, _mm256_maskload_ps(from, first_lanes(lanes)));
    } else {
      return Simd(Whole{}, _mm256_maskload_pd(from, first_lanes(lanes)));
    }
#else
    Vector vector{};
    for (int lane = 0; lane < lanes; ++lane) vector[lane] = from[lane];
    return Simd(Whole{}, vector);
#endif
  }
  [[gnu::always_inline]] void store(Real* to, int lanes) const {
#ifdef __AVX512VL__
    if constexpr (std::is_same_v<Real, float>) {
      _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1U << lanes) - 1), vector_);
    } else {
      _mm512_mask_storeu_pd(to, static_cast<__mmask8>((1U << lanes) - 1), vector_);
    }
#else
    for (int lane = 0; lane < lanes; ++lane) to[lane] = vector_[lane];
#endif
  }

  /// Loads adjacent IEEE halves, by their bits, into a vector of floats.
  [[gnu::always_inline]] static Simd load_halves(const std::uint16_t* from) {
#if defined(__AVX512VL__)
    return Simd(Whole{}, _mm512_maskz_cvtph_ps(
                             0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
#elif defined(__AVX__) && defined(__F16C__)
    return Simd(Whole{}, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#else
    Real values[count];
    for (int i = 0; i < count; ++i) values[i] = half_detail::float_of_half_by_integers(from[i]);
    return load(values);
#endif
  }
  /// Stores floats as halves, rounded to nearest, ties to even.
  [[gnu::always_inline]] void store_halves(std::uint16_t* to) const {
#if defined(__AVX512VL__)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                        _mm512_maskz_cvtps_ph(0xffff, vector_, _MM_FROUND_TO_NEAREST_INT));
#elif defined(__AVX__) && defined(__F16C__)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                     _mm256_cvtps_ph(vector_, _MM_FROUND_TO_NEAREST_INT));
#else
    for (int i = 0; i < count; ++i) to[i] = half_detail::half_bits_by_integers(vector_[i]);
#endif
  }
  /// The same of the first `lanes` of them.
  [[gnu::always_inline]] static Simd load_halves(const std::uint16_t* from, int lanes) {
#if defined(__AVX512VL__) && defined(__AVX512BW__)
    const auto mask = static_cast<__mmask16>((1U << lanes) - 1);
    return Simd(Whole{}, _mm512_maskz_cvtph_ps(0xffff, _mm256_maskz_loadu_epi16(mask, from)));
#else
    std::uint16_t halves[count] = {};
    for (int lane = 0; lane < lanes; ++lane) halves[lane] = from[lane];
    return load_halves(halves);
#endif
  }
  [[gnu::always_inline]] void store_halves(std::uint16_t* to, int lanes) const {
#if defined(__AVX512VL__) && defined(__AVX512BW__)
    const auto mask = static_cast<__mmask16>((1U << lanes) - 1);
    _mm256_mask_storeu_epi16(to, mask,
                             _mm512_maskz_cvtps_ph(0xffff, vector_, _MM_FROUND_TO_NEAREST_INT));
#else
    std::uint16_t halves[count];
    store_halves(halves);
    for (int lane = 0; lane < lanes; ++lane) to[lane] = halves[lane];
#endif
  }

  /// Stores a vector past the caches (device/streaming_store.hpp), to an address at a boundary of
  /// vectors. The vectors of a cache line must be stored one right after the other.
  [[gnu::always_inline]] void store_past_caches(Real* to) const {
    constexpr bool single = std::is_same_v<Real, float>;
#if defined(__AVX512VL__)
    if constexpr (single) return _mm512_stream_ps(to, vector_);
    if constexpr (!single) return _mm512_stream_pd(to, vector_);
#elif defined(__AVX__)
    if constexpr (single) return _mm256_stream_ps(to, vector_);
    if constexpr (!single) return _mm256_stream_pd(to, vector_);
#elif defined(__SSE2__)
    if constexpr (single) return _mm_stream_ps(to, vector_);
    if constexpr (!single) return _mm_stream_pd(to, vector_);
#else
    store(to);
#endif
  }
  /// Sum of all lanes.
  [[gnu::always_inline]] Real sum() const {
    return folded<count / 2>(vector_, std::make_index_sequence<count>())[0];
  }
  /// `a` in the lanes where `condition` is negative, `b` in the others.
  [[gnu::always_inline]] friend Simd where_negative(Simd condition, Simd a, Simd b) {
    return Simd(Whole{}, condition.vector_ < 0 ? a.vector_ : b.vector_);
  }

  [[gnu::always_inline]] friend Simd operator+(Simd a, Simd b) {
    return Simd(Whole{}, a.vector_ + b.vector_);
  }
  [[gnu::always_inline]] friend Simd operator-(Simd a, Simd b) {
    return Simd(Whole{}, a.vector_ - b.vector_);
  }
  [[gnu::always_inline]] friend Simd operator*(Simd a, Simd b) {
    return Simd(Whole{}, a.vector_ * b.vector_);
  }
  [[gnu::always_inline]] friend Simd operator/(Simd a, Simd b) {
    return Simd(Whole{}, a.vector_ / b.vector_);
  }
  [[gnu::always_inline]] friend Simd operator-(Simd a) { return Simd(Whole{}, -a.vector_); }
  [[gnu::always_inline]] Simd& operator+=(Simd b) { return *this = *this + b; }
  [[gnu::always_inline]] Simd& operator-=(Simd b) { return *this = *this - b; }
  [[gnu::always_inline]] Simd& operator*=(Simd b) { return *this = *this * b; }
  [[gnu::always_inline]] Simd& operator/=(Simd b) { return *this = *this / b; }

  [[gnu::always_inline]] friend Simd fabs(Simd a) {
    return Simd(Whole{}, a.vector_ < 0 ? -a.vector_ : a.vector_);
  }
  [[gnu::always_inline]] friend Simd sqrt(Simd a) {
    // Compilers make one instruction of it.
    for (int lane = 0; lane < count; ++lane) a.vector_[lane] = std::sqrt(a.vector_[lane]);
    return a;
  }

 private:
  struct Whole {};
  [[gnu::always_inline]] Simd(Whole /*tag*/, Vector vector) : vector_(vector) {}

#if defined(__AVX__) && !defined(__AVX512VL__)
  /// A mask of the first `lanes` lanes.
  [[gnu::always_inline]] static __m256i first_lanes(int lanes) {
    alignas(64) static constexpr std::int32_t ones_and_zeros[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    const int words = lanes * static_cast<int>(sizeof(Real) / 4);
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ones_and_zeros + 8 - words));
  }
#endif

  /// Adds lanes that are `Half` apart, then those half as far apart, and so on.
  template <int Half, std::size_t... Lane>
  [[gnu::always_inline]] static Vector folded(Vector vector, std::index_sequence<Lane...> lanes) {
    vector += __builtin_shufflevector(vector, vector, (Lane ^ Half)...);
    if constexpr (Half > 1) return folded<Half / 2>(vector, lanes);
    return vector;
  }

  Vector vector_;
};

}  // namespace knudsen
