#pragma once

#include "device/block_launch.hpp"
#if KNUDSEN_CUDA && !defined(KNUDSEN_GENERIC_SPLIT_BARRIER)
#include "device/cuda/split_barrier.hpp"
#endif

namespace knudsen {

/// A barrier of a team in two halves: a thread continues after arrive() and blocks in wait() only
/// until all threads have arrived. The generic form blocks in wait() alone, by team_barrier().
///
/// `scratch` holds split_barrier_bytes for each barrier and is aligned to 8 bytes; `number` tells
/// the barriers there apart. All threads make the barrier, and a team_barrier must lie between that
/// and its first use.
template <class Team>
struct SplitBarrier {
  KOKKOS_FORCEINLINE_FUNCTION SplitBarrier(const Team& /*team*/, void* /*scratch*/,
                                           int /*number*/) {}
  KOKKOS_FORCEINLINE_FUNCTION void arrive() const {}
  KOKKOS_FORCEINLINE_FUNCTION void wait(const Team& team) const { team.team_barrier(); }
};

/// Bytes of scratch memory that one SplitBarrier takes.
inline constexpr int split_barrier_bytes = 8;

#if KNUDSEN_CUDA && !defined(KNUDSEN_GENERIC_SPLIT_BARRIER)
template <>
struct SplitBarrier<CudaBlock> : CudaSplitBarrier {
  using CudaSplitBarrier::CudaSplitBarrier;
};
#endif

}  // namespace knudsen
