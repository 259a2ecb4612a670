#pragma once

#include "device/block_launch.hpp"

namespace knudsen {

/// Scratch memory that a SplitBarrier takes.
inline constexpr int split_barrier_bytes = 8;

/// A barrier of a team in two halves: a thread goes on after arrive() and stops in wait() only
/// until all have arrived. Here all of it is in wait(). Between making it and using it a
/// team_barrier must lie.
template <class Team>
struct SplitBarrier {
  KOKKOS_FORCEINLINE_FUNCTION SplitBarrier(const Team& /*team*/, void* /*scratch*/,
                                           int /*number*/) {}
  KOKKOS_FORCEINLINE_FUNCTION void arrive() const {}
  KOKKOS_FORCEINLINE_FUNCTION void wait(const Team& team) const { team.team_barrier(); }
};

#if defined(KOKKOS_ENABLE_CUDA)
/// In halves from compute capability 9.0 on.
template <>
struct SplitBarrier<CudaBlock> {
  unsigned address;
  unsigned parity = 0;

  __device__ __forceinline__ SplitBarrier(const CudaBlock& team, void* scratch, int number)
      : address(static_cast<unsigned>(__cvta_generic_to_shared(scratch)) +
                static_cast<unsigned>(number * split_barrier_bytes)) {
#if __CUDA_ARCH__ >= 900
    if (team.team_rank() == 0) {
      asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address), "r"(team.team_size())
                   : "memory");
    }
#endif
  }
  __device__ __forceinline__ void arrive() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(address)
                 : "memory");
#endif
  }
  __device__ __forceinline__ void wait(const CudaBlock& team) {
#if __CUDA_ARCH__ >= 900
    unsigned done = 0;
    do {
      asm volatile(
          "{ .reg .pred done; mbarrier.try_wait.parity.shared.b64 done, [%1], %2; selp.u32 %0, 1, "
          "0, done; }"
          : "=r"(done)
          : "r"(address), "r"(parity)
          : "memory");
    } while (done == 0);
    parity ^= 1;
#else
    team.team_barrier();
#endif
  }
};
#endif

}  // namespace knudsen
