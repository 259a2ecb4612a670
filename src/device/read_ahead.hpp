#pragma once

#include "device/kokkos.hpp"

// Reading of what comes from far away while the thread works on something else.

/// Before a loop of which a GPU compiler does two turns at a time, so that what they read is on its
/// way together.
#ifdef __CUDA_ARCH__
#define KNUDSEN_UNROLL_TWICE _Pragma("unroll 2")
#else
#define KNUDSEN_UNROLL_TWICE
#endif

namespace knudsen {

/// Starts a copy of 16 bytes, both addresses multiples of 16, to fast scratch memory; it takes no
/// registers. At once where there is no such thing.
KOKKOS_FORCEINLINE_FUNCTION void start_copy(void* scratch, const void* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(scratch));
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from)
               : "memory");
#else
  struct alignas(16) Piece {
    unsigned char bytes[16];
  };
  *static_cast<Piece*>(scratch) = *static_cast<const Piece*>(from);
#endif
}

/// Waits for all copies that this thread has started: it, not the others, sees them then.
KOKKOS_FORCEINLINE_FUNCTION void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Ends a group of the copies that this thread has started since the end of the last one.
KOKKOS_FORCEINLINE_FUNCTION void close_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits for this thread's groups of copies but the last `Groups` ones.
template <int Groups>
KOKKOS_FORCEINLINE_FUNCTION void wait_for_groups() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(Groups) : "memory");
#endif
}

/// The same of a number that only a running kernel knows; waits for more where it is large.
KOKKOS_FORCEINLINE_FUNCTION void wait_for_all_but(int groups) {
  switch (groups) {
    case 0:
      return wait_for_groups<0>();
    case 1:
      return wait_for_groups<1>();
    case 2:
      return wait_for_groups<2>();
    case 3:
      return wait_for_groups<3>();
    default:
      return wait_for_groups<4>();
  }
}

/// Keeps a GPU compiler from calculating an address of global memory anew wherever it is used.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void keep_address([[maybe_unused]] T*& address) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+l"(address));
  __builtin_assume(__isGlobal(address));
#endif
}

/// Writes 16 bytes that are not read soon, so that a GPU's cache keeps rather what is.
template <class Piece>
KOKKOS_FORCEINLINE_FUNCTION void write_away(Piece* to, const Piece& piece) {
  static_assert(sizeof(Piece) == 16);
#ifdef __CUDA_ARCH__
  __stcs(reinterpret_cast<int4*>(to), reinterpret_cast<const int4&>(piece));
#else
  *to = piece;
#endif
}

/// Asks a host's cache for memory that is read soon; nothing on a GPU.
KOKKOS_FORCEINLINE_FUNCTION void bring_near([[maybe_unused]] const void* from,
                                            [[maybe_unused]] std::size_t bytes) {
#if defined(__GNUC__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  constexpr std::size_t line = 64;
  const char* bytes_there = static_cast<const char*>(from);
  for (std::size_t n = 0; n < bytes; n += line) __builtin_prefetch(bytes_there + n);
#endif
}

}  // namespace knudsen
