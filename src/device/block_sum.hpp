#pragma once

#include "device/block_launch.hpp"

// Sums over the threads of a team that launch_blocks has started, in an order that depends on the
// team size alone.

namespace knudsen {

/// Values of scratch memory that sum_over_block needs for `count` sums.
KOKKOS_INLINE_FUNCTION int block_sum_scratch(int team_size, int count) {
  constexpr int warp = 32;
  return (team_size + warp - 1) / warp * count;
}

#if defined(KOKKOS_ENABLE_CUDA)
/// Adds up `Count` values over a warp, of which every thread keeps a share: of two threads one goes
/// on with the first half of the values, the other one with the second half. What a thread has in
/// the end are `count` sums from number `first` on.
template <int Distance, int Count, class Real>
__device__ __forceinline__ void sum_over_warp(Real* value, int& first, int& count) {
  constexpr int half = (Count + 1) / 2;
  const bool upper = (threadIdx.x & static_cast<unsigned>(Distance)) != 0;
#pragma unroll
  for (int i = 0; i < half; ++i) {
    const Real low = value[i];
    const Real high = half + i < Count ? value[half + i] : Real(0);
    const Real received = __shfl_xor_sync(0xffffffffU, upper ? low : high, Distance);
    value[i] = (upper ? high : low) + received;
  }
  first += upper ? half : 0;
  if (upper) {
    count = count > half ? count - half : 0;
  } else {
    count = count < half ? count : half;
  }
  if constexpr (Distance > 1) sum_over_warp<Distance / 2, half>(value, first, count);
}

/// totals[n] = sum of value[n] over the threads of a team, all of which must call this with whole
/// warps; they see the totals on return. `scratch` has block_sum_scratch values and must not be in
/// use.
template <int Count, class Real>
__device__ __forceinline__ void sum_over_block(const CudaBlock& team, Real (&value)[Count],
                                               Real* scratch, Real* totals) {
  constexpr int warp_size = 32;
  const int warp = team.team_rank() / warp_size;
  const int lane = team.team_rank() % warp_size;
  const int warps = team.team_size() / warp_size;
  int first = 0;
  int count = Count;
  sum_over_warp<warp_size / 2, Count>(value, first, count);
  constexpr int most = (Count + warp_size - 1) / warp_size;
#pragma unroll
  for (int i = 0; i < most; ++i) {
    if (i < count) scratch[warp * Count + first + i] = value[i];
  }
  team.team_barrier();
  for (int n = warp; n < Count; n += warps) {
    Real sum = lane < warps ? scratch[lane * Count + n] : Real(0);
#pragma unroll
    for (int distance = warp_size / 2; distance > 0; distance /= 2) {
      sum += __shfl_xor_sync(0xffffffffU, sum, distance);
    }
    if (lane == 0) totals[n] = sum;
  }
  team.team_barrier();
}
#endif

/// The same for a Kokkos team.
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

/// Threads of a team that make one sum of sum_over_lanes.
template <class Team>
inline constexpr int lanes_of_a_sum = 1;

/// Calls result(n, sum over lanes of part(n, lane)) for n in [0, count), spread over the threads of
/// a team; there are lanes_of_a_sum lanes. All threads must call this.
template <class Team, class Part, class Result>
KOKKOS_FORCEINLINE_FUNCTION void sum_over_lanes(const Team& team, int count, const Part& part,
                                                const Result& result) {
  for (int n = team.team_rank(); n < count; n += team.team_size()) result(n, part(n, 0));
}

#if defined(KOKKOS_ENABLE_CUDA)
template <>
inline constexpr int lanes_of_a_sum<CudaBlock> = 8;

/// The same, where a team has whole warps.
template <class Part, class Result>
__device__ __forceinline__ void sum_over_lanes(const CudaBlock& team, int count, const Part& part,
                                               const Result& result) {
  constexpr int lanes = lanes_of_a_sum<CudaBlock>;
  constexpr int a_warp = 32 / lanes;
  const int lane = team.team_rank() % lanes;
  int number = team.team_rank() / lanes;
  for (int of_warp = number - number % a_warp; of_warp < count;
       of_warp += team.team_size() / lanes, number += team.team_size() / lanes) {
    double sum = number < count ? part(number, lane) : 0;
#pragma unroll
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      sum += __shfl_xor_sync(0xffffffffU, sum, distance);
    }
    if (lane == 0 && number < count) result(number, sum);
  }
}
#endif

}  // namespace knudsen
