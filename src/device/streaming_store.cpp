#include "device/streaming_store.hpp"

#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace knudsen {

#ifdef __SSE2__

namespace {

constexpr std::size_t line = cache_line_bytes;

/// Stores a cache line; `to` is aligned.
inline void store_line(char* to, const char* from) {
#ifdef __AVX512F__
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
#elif defined(__AVX__)
  for (std::size_t n = 0; n < line; n += 32) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + n),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + n)));
  }
#else
  for (std::size_t n = 0; n < line; n += 16) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + n),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + n)));
  }
#endif
}

}  // namespace

void store_past_caches(void* to, const void* from, std::size_t bytes) noexcept {
  char* target = static_cast<char*>(to);
  const char* source = static_cast<const char*>(from);
  const std::size_t before = (line - reinterpret_cast<std::uintptr_t>(target) % line) % line;
  const std::size_t head = before < bytes ? before : bytes;
  std::memcpy(target, source, head);
  std::size_t n = head;
  for (; n + line <= bytes; n += line) store_line(target + n, source + n);
  std::memcpy(target + n, source + n, bytes - n);
}

void finish_stores_past_caches() noexcept { _mm_sfence(); }

#else

void store_past_caches(void* to, const void* from, std::size_t bytes) noexcept {
  std::memcpy(to, from, bytes);
}

void finish_stores_past_caches() noexcept {}

#endif

}  // namespace knudsen
