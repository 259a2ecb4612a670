#pragma once

#include "device/block_launch.hpp"

namespace knudsen {

/// Throttles teams that run ahead, so that neighbouring teams reuse each other's cache lines in L2:
/// a team more than one piece of work ahead of the mean waits, for a bounded time, since nothing
/// else depends on it. Only among CUDA blocks, which launch_blocks runs all at once; elsewhere it
/// does nothing.
struct Pace {
  using Count = unsigned long long;

  Count* counters = nullptr;  ///< null in all threads but one
  Count teams;                ///< number of teams that have work
  Count all;                  ///< upper bound of a team's pieces of work
  Count done = 0;             ///< pieces that this team has completed

  /// `progress`: two counters in device memory, 0 between kernels; null turns the throttle off.
  /// Each of the `working` teams must make a Pace, and no other team may.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION Pace([[maybe_unused]] const Team& team,
                                   [[maybe_unused]] Count* progress, int working, Count max_pieces)
      : teams(static_cast<Count>(working)), all(max_pieces) {
#if KNUDSEN_CUDA
    if constexpr (std::is_same_v<Team, CudaBlock>) {
      if (team.team_rank() == 0) counters = progress;
    }
#endif
  }

  /// Pieces that all teams together have completed. The load has a long latency: call it well
  /// before step().
  KOKKOS_FORCEINLINE_FUNCTION Count look() const {
    return counters != nullptr ? *static_cast<volatile Count*>(counters) : 0;
  }
  /// Counts a completed piece and waits when the team is ahead; `seen` is what look() returned.
  KOKKOS_FORCEINLINE_FUNCTION void step(Count seen) {
    if (counters != nullptr) {
      constexpr int longest = 64;
      fetch_add(counters, Count{1});
      ++done;
      KNUDSEN_NO_UNROLL
      for (int n = 0; n < longest && seen + teams < done * teams; ++n) seen = look();
    }
    warp_barrier();  // reconverges the warp after the branch of one thread
  }
  /// The team has no more work: it counts as one that has completed all. The last team resets the
  /// counters.
  KOKKOS_FORCEINLINE_FUNCTION void leave() const {
    if (counters == nullptr) return;
    fetch_add(counters, all - done);
    if (fetch_add(counters + 1, Count{1}) + 1 < teams) return;
    counters[0] = 0;
    counters[1] = 0;
  }
};

}  // namespace knudsen
