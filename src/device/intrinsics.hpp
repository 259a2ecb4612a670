#pragma once

// Single instructions that Kokkos has no word for. Each has a CUDA form and a generic one that is
// right on every backend; a GPU takes the generic ones in a build with KNUDSEN_GENERIC_DEVICE.

#include "device/generic/intrinsics.hpp"
#if KNUDSEN_CUDA_CODE
#include "device/cuda/intrinsics.hpp"
#endif

namespace knudsen {

#if KNUDSEN_CUDA_CODE
namespace intrinsics = cuda;
#else
namespace intrinsics = generic;
#endif

/// Threads that kernels may take for a warp: those which warp_barrier synchronises. 1 on the host,
/// and where there is no such barrier.
template <class ExecutionSpace>
inline constexpr int warp_size = is_host_backend<ExecutionSpace> || !KNUDSEN_CUDA ? 1 : 32;

/// Synchronises a warp: its threads see what the others have written before.
KOKKOS_FORCEINLINE_FUNCTION void warp_barrier() { intrinsics::warp_barrier(); }

/// Prefetches the cache line of `address`, into L2 on a GPU.
KOKKOS_FORCEINLINE_FUNCTION void prefetch(const void* address) { intrinsics::prefetch(address); }

/// Prefetches `bytes` into the caches of the host. Does nothing on a GPU.
KOKKOS_FORCEINLINE_FUNCTION void prefetch_on_host(const void* address, std::size_t bytes) {
  intrinsics::prefetch_on_host(address, bytes);
}

/// Loads a value of 2, 4 or 8 bytes and fetches its whole 128-byte line into L2. For unaligned
/// rows: there a warp touches parts of two lines, which would otherwise come from memory in 32-byte
/// sectors. The compiler does not reorder these loads.
template <class Value>
KOKKOS_FORCEINLINE_FUNCTION Value load_line(const Value* from) {
  return intrinsics::load_line(from);
}

/// Evict-first 16-byte store: the data are not read again soon.
template <class Piece>
KOKKOS_FORCEINLINE_FUNCTION void store_evict_first(Piece* to, const Piece& piece) {
  static_assert(sizeof(Piece) == 16);
  intrinsics::store_evict_first(to, piece);
}

/// Keeps the compiler from recomputing an address of global memory at each use.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void keep_address(T*& address) {
  intrinsics::keep_address(address);
}

/// Atomic add; returns the value before. (Kokkos' own is a compare-and-swap loop for some types,
/// slow when many teams add.)
template <class Integer>
KOKKOS_FORCEINLINE_FUNCTION Integer fetch_add(Integer* counter, Integer count) {
  return intrinsics::fetch_add(counter, count);
}

}  // namespace knudsen
