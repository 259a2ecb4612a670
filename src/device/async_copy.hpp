#pragma once

// Asynchronous copies from global to scratch memory, which take no registers while they run. Where
// the hardware has none, they are plain copies that are complete at once.

#include "device/intrinsics.hpp"

namespace knudsen {

/// A place in a team's scratch memory. `IsShared`: on a GPU it is shared memory for certain, the
/// only memory that an asynchronous copy may go to. Only launch_blocks makes the first one
/// (BlockScratch), so that no other memory can be handed to start_copy.
template <class T, bool IsShared>
class ScratchPointer {
 public:
  KOKKOS_FORCEINLINE_FUNCTION T* get() const { return address_; }
  KOKKOS_FORCEINLINE_FUNCTION ScratchPointer operator+(int n) const {
    return ScratchPointer(address_ + n);
  }
  KOKKOS_FORCEINLINE_FUNCTION T& operator[](int n) const { return address_[n]; }

  /// The same place as a pointer to another type.
  template <class Other>
  KOKKOS_FORCEINLINE_FUNCTION ScratchPointer<Other, IsShared> as() const {
    return ScratchPointer<Other, IsShared>(reinterpret_cast<Other*>(address_));
  }

 private:
  template <class Other, bool OtherIsShared>
  friend class ScratchPointer;
  template <bool OtherIsShared>
  friend class BlockScratch;
  KOKKOS_FORCEINLINE_FUNCTION explicit ScratchPointer(T* address) : address_(address) {}

  T* address_;
};

/// Starts a copy of 16 bytes; both addresses are multiples of 16.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void start_copy(ScratchPointer<T, true> to, const void* from) {
  static_assert(sizeof(T) == 16);
  intrinsics::copy_16_bytes_async(to.get(), from);
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void start_copy(ScratchPointer<T, false> to, const void* from) {
  static_assert(sizeof(T) == 16);
  generic::copy_16_bytes_async(to.get(), from);
}

/// Waits for all copies that the calling thread has started. Only that thread sees their data then;
/// the others see them after a barrier.
KOKKOS_FORCEINLINE_FUNCTION void wait_for_copies() { intrinsics::wait_for_copies(); }

/// Makes a group of the copies that the calling thread has started since its last group.
KOKKOS_FORCEINLINE_FUNCTION void commit_copies() { intrinsics::commit_copies(); }

/// Waits for the calling thread's groups of copies, but for the last `Groups`.
template <int Groups>
KOKKOS_FORCEINLINE_FUNCTION void wait_for_groups() {
  intrinsics::wait_for_groups<Groups>();
}

/// The same for a number known at run time; waits for more groups than asked when it exceeds 4.
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

}  // namespace knudsen
