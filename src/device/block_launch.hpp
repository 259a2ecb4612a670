#pragma once

#include <concepts>

#include "core/error.hpp"
#include "device/block_scratch.hpp"
#include "device/kokkos.hpp"
#if KNUDSEN_CUDA
#include "device/cuda/block_launch.hpp"
#endif

// Teams with more scratch memory than Kokkos gives them. On CUDA Kokkos hands out the 48 KiB that a
// block has without opting in; a multiprocessor of Hopper holds 227 KiB.

namespace knudsen {

/// Largest team of launch_blocks.
inline constexpr int max_block_threads = 1024;

/// What kernels of launch_blocks may use of their team: a Kokkos team member has it, and CudaBlock.
template <class Team>
concept BlockMember = requires(const Team& team) {
  { team.league_rank() } -> std::convertible_to<int>;
  { team.league_size() } -> std::convertible_to<int>;
  { team.team_rank() } -> std::convertible_to<int>;
  { team.team_size() } -> std::convertible_to<int>;
  team.team_barrier();
};

/// Runs a kernel of launch_blocks on a Kokkos team.
template <class ExecutionSpace, class Kernel>
struct KokkosBlock {
  Kernel kernel;
  int level;  ///< of the scratch memory: 0 fast, 1 device memory
  int bytes;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    static_assert(BlockMember<TeamMember<ExecutionSpace>>);
    constexpr int alignment = 64;
    kernel(team, BlockScratch<false>(static_cast<char*>(
                     team.team_scratch(level).get_shmem_aligned(bytes, alignment))));
  }
};

/// Bytes of fast scratch memory that a team of launch_blocks can have.
template <class ExecutionSpace>
std::size_t max_block_scratch() {
#if KNUDSEN_CUDA
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) {
    if (const std::size_t bytes = max_cuda_shared_memory(); bytes > 0) return bytes;
  }
#endif
  constexpr std::size_t alignment = 64;
  return static_cast<std::size_t>(TeamPolicy<ExecutionSpace>::scratch_size_max(0)) - alignment;
}

/// Teams of a kernel that run on a GPU at once, each with `bytes` of scratch memory; 0 where that
/// is not known.
template <class ExecutionSpace, class Kernel>
int resident_teams([[maybe_unused]] int team_size, [[maybe_unused]] std::size_t bytes) {
#if KNUDSEN_CUDA
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) {
    if (bytes <= max_block_scratch<ExecutionSpace>()) {
      return resident_cuda_blocks<Kernel>(team_size, bytes);
    }
  }
#endif
  return 0;
}

/// Calls kernel(team, scratch) for at most `league` teams of `team_size` threads. `team` is a
/// BlockMember, `scratch` a BlockScratch of `bytes` bytes: fast memory up to max_block_scratch,
/// else device memory, with smaller teams where registers do not suffice.
///
/// On CUDA only as many teams are launched as run at once: a team must take the pieces of work
/// league_rank() + n league_size() until there is none. `Kernel::max_threads` is the largest team
/// size that it is compiled for; `Kernel::teams_at_once`, optional, the teams of that size for
/// which a multiprocessor must have registers. Throws RunError when the launch fails.
template <class ExecutionSpace, class Kernel>
void launch_blocks(const char* label, const ExecutionSpace& execution, int league, int team_size,
                   std::size_t bytes, const Kernel& kernel) {
  static_assert(Kernel::max_threads <= max_block_threads);
  const bool fast = bytes <= max_block_scratch<ExecutionSpace>();
#if KNUDSEN_CUDA
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) {
    if (fast) return launch_cuda_blocks(label, execution, league, team_size, bytes, kernel);
  }
#endif
  const int level = fast ? 0 : 1;
  const auto size = static_cast<int>(bytes);
  const KokkosBlock<ExecutionSpace, Kernel> block{kernel, level, size};
  const auto policy_of = [&](int threads) {
    constexpr int alignment = 64;
    TeamPolicy<ExecutionSpace> policy(execution, league, threads, 1);
    policy.set_scratch_size(level, Kokkos::PerTeam(size + alignment));
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
