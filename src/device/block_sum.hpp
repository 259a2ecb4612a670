#pragma once

#include "device/block_launch.hpp"

// Sums over the threads of a team of launch_blocks, in an order that depends on the team size
// alone.

namespace knudsen {

/// Values of scratch memory that sum_over_block needs for `count` sums.
KOKKOS_INLINE_FUNCTION int block_sum_scratch(int team_size, int count) {
  constexpr int warp = 32;
  return (team_size + warp - 1) / warp * count;
}

/// totals[n] = sum of value[n] over the threads of a team. All threads must call this with whole
/// warps; all see the totals on return. `scratch` has block_sum_scratch values, not in use
/// elsewhere.
template <int Count, class Real, class Member>
KOKKOS_INLINE_FUNCTION void sum_over_block(const Member& team, const Real (&value)[Count],
                                           Real* /*scratch*/, Real* totals) {
  for (int n = 0; n < Count; ++n) {
    Real sum = value[n];
    if constexpr (!is_host_backend<typename Member::execution_space>) {
      team.team_reduce(Kokkos::Sum<Real>(sum));
    }
    if (team.team_rank() == 0) totals[n] = sum;
  }
  team.team_barrier();
}

/// Lanes that share one sum of sum_over_lanes.
template <class Team>
inline constexpr int lanes_of_a_sum = 1;

/// Calls result(n, sum over lanes of part(n, lane)) for n in [0, count), distributed over the
/// threads of a team, for lanes in [0, lanes_of_a_sum). All threads of whole warps must call this.
template <class Team, class Part, class Result>
KOKKOS_FORCEINLINE_FUNCTION void sum_over_lanes(const Team& team, int count, const Part& part,
                                                const Result& result) {
  for (int n = team.team_rank(); n < count; n += team.team_size()) result(n, part(n, 0));
}

}  // namespace knudsen

#if KNUDSEN_CUDA
#include "device/cuda/block_sum.hpp"
#endif
