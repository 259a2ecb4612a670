#pragma once

#include "device/cuda/block_launch.hpp"

namespace knudsen {

/// A SplitBarrier by the hardware's mbarrier, from compute capability 9.0 on; see
/// device/split_barrier.hpp.
class CudaSplitBarrier {
 public:
  __device__ __forceinline__ CudaSplitBarrier(const CudaBlock& team, void* scratch, int number)
      : address_(static_cast<unsigned>(__cvta_generic_to_shared(scratch)) +
                 static_cast<unsigned>(number) * 8U) {
#if __CUDA_ARCH__ >= 900
    if (team.team_rank() == 0) {
      asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address_), "r"(team.team_size())
                   : "memory");
    }
#endif
  }
  __device__ __forceinline__ void arrive() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(address_)
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
          : "r"(address_), "r"(parity_)
          : "memory");
    } while (done == 0);
    parity_ ^= 1;
#else
    team.team_barrier();
#endif
  }

 private:
  unsigned address_;
  unsigned parity_ = 0;
};

}  // namespace knudsen
