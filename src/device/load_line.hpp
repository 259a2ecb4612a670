#pragma once

#include <cstring>

#include "device/kokkos.hpp"

namespace knudsen {

/// Reads a value from a line of memory (128 bytes) of which other threads read the rest at about
/// the same time. A GPU's threads whose values do not start with a line ask for parts of two lines,
/// and what is missing comes from memory in such parts; on NVIDIA GPUs this read brings the whole
/// line into the L2 cache. Reads stay in the order of the source.
template <class Value>
KOKKOS_FORCEINLINE_FUNCTION Value load_line(const Value* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
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

}  // namespace knudsen
