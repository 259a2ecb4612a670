#pragma once

#include "device/async_copy.hpp"

namespace knudsen {

/// All scratch memory of a team that launch_blocks has started. `IsShared`: see ScratchPointer.
template <bool IsShared>
class BlockScratch {
 public:
  KOKKOS_FORCEINLINE_FUNCTION explicit BlockScratch(char* begin) : begin_(begin) {}

  KOKKOS_FORCEINLINE_FUNCTION char* get() const { return begin_; }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION ScratchPointer<T, IsShared> as() const {
    return ScratchPointer<T, IsShared>(reinterpret_cast<T*>(begin_));
  }

 private:
  char* begin_;
};

}  // namespace knudsen
