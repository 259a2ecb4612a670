#pragma once

// CUDA's forms of device/intrinsics.hpp, which documents them. Included only there, and only in the
// compiler pass that makes the GPU's code.

#include <cstring>

#include "device/kokkos.hpp"

namespace knudsen::cuda {

KOKKOS_FORCEINLINE_FUNCTION void warp_barrier() { __syncwarp(); }

KOKKOS_FORCEINLINE_FUNCTION void prefetch(const void* address) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

KOKKOS_FORCEINLINE_FUNCTION void prefetch_on_host(const void* /*address*/, std::size_t /*bytes*/) {}

template <class Value>
KOKKOS_FORCEINLINE_FUNCTION Value load_line(const Value* from) {
#if __CUDA_ARCH__ >= 750
  static_assert(sizeof(Value) == 2 || sizeof(Value) == 4 || sizeof(Value) == 8);
  const std::size_t address = __cvta_generic_to_global(from);
  Value value;
  if constexpr (sizeof(Value) == 2) {
    unsigned short bits = 0;
    asm volatile("ld.global.L2::128B.b16 %0, [%1];" : "=h"(bits) : "l"(address));
    memcpy(&value, &bits, sizeof(Value));
  } else if constexpr (sizeof(Value) == 4) {
    unsigned int bits = 0;
    asm volatile("ld.global.L2::128B.b32 %0, [%1];" : "=r"(bits) : "l"(address));
    memcpy(&value, &bits, sizeof(Value));
  } else {
    unsigned long long bits = 0;
    asm volatile("ld.global.L2::128B.b64 %0, [%1];" : "=l"(bits) : "l"(address));
    memcpy(&value, &bits, sizeof(Value));
  }
  return value;
#else
  return *from;
#endif
}

template <class Piece>
KOKKOS_FORCEINLINE_FUNCTION void store_evict_first(Piece* to, const Piece& piece) {
  __stcs(reinterpret_cast<int4*>(to), reinterpret_cast<const int4&>(piece));
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void keep_address(T*& address) {
  asm volatile("" : "+l"(address));
  __builtin_assume(__isGlobal(address));
}

template <class Integer>
KOKKOS_FORCEINLINE_FUNCTION Integer fetch_add(Integer* counter, Integer count) {
  return atomicAdd(counter, count);
}

KOKKOS_FORCEINLINE_FUNCTION void copy_16_bytes_async(void* shared, const void* from) {
#if __CUDA_ARCH__ >= 800
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from)
               : "memory");
#else
  *static_cast<int4*>(shared) = *static_cast<const int4*>(from);
#endif
}

KOKKOS_FORCEINLINE_FUNCTION void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

KOKKOS_FORCEINLINE_FUNCTION void commit_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

template <int Groups>
KOKKOS_FORCEINLINE_FUNCTION void wait_for_groups() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(Groups) : "memory");
#endif
}

}  // namespace knudsen::cuda
