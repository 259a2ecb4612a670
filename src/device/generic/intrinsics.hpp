#pragma once

// Generic forms of device/intrinsics.hpp, which documents them: right on every backend.

#include <cstddef>

#include "device/kokkos.hpp"

namespace knudsen::generic {

KOKKOS_FORCEINLINE_FUNCTION void warp_barrier() {}

KOKKOS_FORCEINLINE_FUNCTION void prefetch(const void* /*address*/) {}

KOKKOS_FORCEINLINE_FUNCTION void prefetch_on_host([[maybe_unused]] const void* address,
                                                  [[maybe_unused]] std::size_t bytes) {
#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
  constexpr std::size_t line = 64;
  const char* from = static_cast<const char*>(address);
  for (std::size_t n = 0; n < bytes; n += line) __builtin_prefetch(from + n, 0, 2);
#endif
}

template <class Value>
KOKKOS_FORCEINLINE_FUNCTION Value load_line(const Value* from) {
  return *from;
}

template <class Piece>
KOKKOS_FORCEINLINE_FUNCTION void store_evict_first(Piece* to, const Piece& piece) {
  *to = piece;
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void keep_address(T*& /*address*/) {}

template <class Integer>
KOKKOS_FORCEINLINE_FUNCTION Integer fetch_add(Integer* counter, Integer count) {
  return Kokkos::atomic_fetch_add(counter, count);
}

KOKKOS_FORCEINLINE_FUNCTION void copy_16_bytes_async(void* to, const void* from) {
  struct alignas(16) Piece {
    unsigned char bytes[16];
  };
  *static_cast<Piece*>(to) = *static_cast<const Piece*>(from);
}

KOKKOS_FORCEINLINE_FUNCTION void wait_for_copies() {}
KOKKOS_FORCEINLINE_FUNCTION void commit_copies() {}
template <int Groups>
KOKKOS_FORCEINLINE_FUNCTION void wait_for_groups() {}

}  // namespace knudsen::generic
