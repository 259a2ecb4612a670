#pragma once

#include "core/error.hpp"
#include "device/kokkos.hpp"

// Teams with more scratch memory than Kokkos gives them: on CUDA its limit is the 48 KiB that a
// block has without asking, of the 227 KiB that a multiprocessor holds.

namespace knudsen {

/// Most threads of a team.
inline constexpr int most_block_threads = 1024;

#if defined(KOKKOS_ENABLE_CUDA)
/// What a kernel needs of a Kokkos team member.
struct CudaBlock {
  __device__ int league_rank() const { return static_cast<int>(blockIdx.x); }
  __device__ int league_size() const { return static_cast<int>(gridDim.x); }
  __device__ int team_rank() const { return static_cast<int>(threadIdx.x); }
  __device__ int team_size() const { return static_cast<int>(blockDim.x); }
  __device__ void team_barrier() const { __syncthreads(); }
};

/// Teams of the largest size that a multiprocessor is to have registers for at once.
template <class Kernel>
constexpr int teams_at_once() {
  if constexpr (requires { Kernel::teams_at_once; }) {
    return Kernel::teams_at_once;
  } else {
    return 1;
  }
}

template <class Kernel>
__global__ void __launch_bounds__(Kernel::most_threads, teams_at_once<Kernel>())
    run_cuda_block(const Kernel kernel) {
  extern __shared__ __align__(128) char scratch[];
  kernel(CudaBlock{}, scratch);
}

/// Blocks that a device works on at once, each with `bytes` of shared memory; 0 after an error.
template <class Kernel>
int find_resident_cuda_blocks(int device, int team_size, std::size_t bytes) {
  int multiprocessors = 0;
  int blocks = 0;
  const auto size = static_cast<int>(bytes);
  if (cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) !=
          cudaSuccess ||
      cudaFuncSetAttribute(run_cuda_block<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           size) != cudaSuccess ||
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run_cuda_block<Kernel>, team_size,
                                                    bytes) != cudaSuccess) {
    return 0;
  }
  return multiprocessors * blocks;
}

/// The same, without asking again what was asked for last: the answer takes as long as a small
/// kernel.
template <class Kernel>
int resident_cuda_blocks(int team_size, std::size_t bytes) {
  struct Answer {
    int device = -1;
    int team_size = 0;
    std::size_t bytes = 0;
    int blocks = 0;
  };
  thread_local Answer last;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return 0;
  if (last.device != device || last.team_size != team_size || last.bytes != bytes) {
    last = {device, team_size, bytes, find_resident_cuda_blocks<Kernel>(device, team_size, bytes)};
  }
  return last.blocks;
}
#endif

/// Threads of a GPU that go in step, where there are such: one on a host.
template <class ExecutionSpace>
inline constexpr int warp_size = is_host_backend<ExecutionSpace> ? 1 : 32;

/// Waits until all threads of a warp are here and see what they have written.
KOKKOS_FORCEINLINE_FUNCTION void warp_barrier() {
#ifdef __CUDA_ARCH__
  __syncwarp();
#endif
}

/// Brings the line of memory that holds an address nearer, on a GPU into its L2 cache.
KOKKOS_FORCEINLINE_FUNCTION void prefetch(const void* address) {
#ifdef __CUDA_ARCH__
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#else
  static_cast<void>(address);
#endif
}

/// A Kokkos team with its scratch memory as one piece.
template <class ExecutionSpace, class Kernel>
struct BlockTeam {
  Kernel kernel;
  int level;
  int bytes;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    constexpr int alignment = 64;
    kernel(team, static_cast<char*>(team.team_scratch(level).get_shmem_aligned(bytes, alignment)));
  }
};

/// Bytes of fast scratch memory that a team of launch_blocks can have.
template <class ExecutionSpace>
std::size_t most_block_scratch() {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) {
    int bytes = 0;
    int device = 0;
    if (cudaGetDevice(&device) == cudaSuccess &&
        cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) ==
            cudaSuccess) {
      return static_cast<std::size_t>(bytes);
    }
  }
#endif
  return static_cast<std::size_t>(TeamPolicy<ExecutionSpace>::scratch_size_max(0)) - 64;
}

/// Teams of a kernel that a GPU works on at once, each with `bytes` of scratch memory; 0 where that
/// is not known.
template <class ExecutionSpace, class Kernel>
int resident_teams([[maybe_unused]] int team_size, [[maybe_unused]] std::size_t bytes) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) {
    if (bytes <= most_block_scratch<ExecutionSpace>()) {
      return resident_cuda_blocks<Kernel>(team_size, bytes);
    }
  }
#endif
  return 0;
}

/// Calls kernel(team, scratch) for at most `league` teams of `team_size` threads, each with `bytes`
/// of scratch memory: fast where most_block_scratch has as much, else in device memory, with fewer
/// threads where a GPU has no registers for so many. On CUDA no
/// more teams are made than run at once: a team must go on to piece of work `league_rank() + n
/// league_size()` until there is none. `team` has these, team_rank, team_size and team_barrier;
/// `Kernel::most_threads` is the largest team that it is compiled for, `Kernel::teams_at_once`, if
/// there is one, how many of these a multiprocessor is to have registers for. Throws RunError where
/// the launch fails.
template <class ExecutionSpace, class Kernel>
void launch_blocks(const char* label, const ExecutionSpace& execution, int league, int team_size,
                   std::size_t bytes, const Kernel& kernel) {
  const bool fast = bytes <= most_block_scratch<ExecutionSpace>();
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) {
    if (fast) {
      std::uint64_t id = 0;
      Kokkos::Tools::beginParallelFor(label, 0, &id);
      const int resident = resident_cuda_blocks<Kernel>(team_size, bytes);
      if (resident > 0) {
        run_cuda_block<Kernel>
            <<<static_cast<unsigned>(league < resident ? league : resident),
               static_cast<unsigned>(team_size), bytes, execution.cuda_stream()>>>(kernel);
      }
      const cudaError_t error = cudaGetLastError();
      Kokkos::Tools::endParallelFor(id);
      if (error != cudaSuccess || resident == 0) {
        throw RunError(std::string(label) + ": " + cudaGetErrorString(error));
      }
      return;
    }
  }
#endif
  const int level = fast ? 0 : 1;
  const auto size = static_cast<int>(bytes);
  const BlockTeam<ExecutionSpace, Kernel> block{kernel, level, size};
  const auto policy_of = [&](int threads) {
    TeamPolicy<ExecutionSpace> policy(execution, league, threads, 1);
    policy.set_scratch_size(level, Kokkos::PerTeam(size + 64));
    return policy;
  };
  if constexpr (!is_host_backend<ExecutionSpace>) {
    constexpr int warp = 32;
    const int most = policy_of(warp).team_size_max(block, Kokkos::ParallelForTag()) / warp * warp;
    team_size = team_size < most ? team_size : most;
  }
  Kokkos::parallel_for(label, policy_of(team_size), block);
}

}  // namespace knudsen
