#pragma once

// Sums by warp shuffles; see device/block_sum.hpp, the only file that includes this one.

#include "device/block_launch.hpp"

namespace knudsen {

/// Butterfly sum of `Count` values over a warp that halves the values at each exchange: of two
/// threads, one keeps the first half of the values and the other the second half. In the end a
/// thread holds `count` sums, the first of which has the number `first`.
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

template <>
inline constexpr int lanes_of_a_sum<CudaBlock> = 8;

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

}  // namespace knudsen
