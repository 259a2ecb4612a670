#pragma once

// CUDA blocks in place of Kokkos teams; see device/block_launch.hpp, the only file that includes
// this one.

#include "device/block_scratch.hpp"
#include "device/kokkos.hpp"

namespace knudsen {

/// A block of threads, with what BlockMember asks of a team.
struct CudaBlock {
  __device__ int league_rank() const { return static_cast<int>(blockIdx.x); }
  __device__ int league_size() const { return static_cast<int>(gridDim.x); }
  __device__ int team_rank() const { return static_cast<int>(threadIdx.x); }
  __device__ int team_size() const { return static_cast<int>(blockDim.x); }
  __device__ void team_barrier() const { __syncthreads(); }
};

/// Blocks of the largest size for which a multiprocessor must have registers at once.
template <class Kernel>
constexpr int blocks_per_multiprocessor() {
  if constexpr (requires { Kernel::teams_at_once; }) {
    return Kernel::teams_at_once;
  } else {
    return 1;
  }
}

template <class Kernel>
__global__ void __launch_bounds__(Kernel::max_threads, blocks_per_multiprocessor<Kernel>())
    run_cuda_block(const Kernel kernel) {
  extern __shared__ __align__(128) char scratch[];
  kernel(CudaBlock{}, BlockScratch<true>(scratch));
}

/// Blocks that fit on the device at once, each with `bytes` of shared memory; 0 after an error.
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

/// find_resident_cuda_blocks with its last answer cached: the query takes as long as a small
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

/// Shared memory that a block can have, in bytes; 0 after an error.
inline std::size_t max_cuda_shared_memory() {
  int bytes = 0;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
          cudaSuccess) {
    return 0;
  }
  return static_cast<std::size_t>(bytes);
}

/// Launches as many blocks as fit on the device, `league` at most. Throws RunError.
template <class Kernel>
void launch_cuda_blocks(const char* label, const Kokkos::Cuda& execution, int league, int team_size,
                        std::size_t bytes, const Kernel& kernel) {
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
}

}  // namespace knudsen
