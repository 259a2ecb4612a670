#pragma once

#include "device/block_launch.hpp"

namespace knudsen {

/// Keeps the teams of a kernel abreast, so that what one has read is in the cache still when
/// another one reads it as its neighbour: a team that is more than one of its pieces of work ahead
/// of the mean waits, but not for long, since nothing else depends on it. Only among the teams that
/// launch_blocks runs all at once; others keep no pace.
struct Pace {
  using Count = unsigned long long;

  Count* counters = nullptr;  ///< null in all threads but one
  Count teams;                ///< that have work
  Count all;                  ///< at least what a team has to do
  Count done = 0;

  /// `progress`: two counters in the device's memory, 0 between kernels; null: no pace is kept.
  /// Each of the `working` teams must make a Pace, no other one may.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION Pace([[maybe_unused]] const Team& team,
                                   [[maybe_unused]] Count* progress, int working, Count most_pieces)
      : teams(static_cast<Count>(working)), all(most_pieces) {
#if defined(KOKKOS_ENABLE_CUDA)
    if constexpr (std::is_same_v<Team, CudaBlock>) {
      if (team.team_rank() == 0) counters = progress;
    }
#endif
  }

  /// What all teams have done. The answer takes its time: to be asked for long before step().
  KOKKOS_FORCEINLINE_FUNCTION Count look() const {
    return counters != nullptr ? *static_cast<volatile Count*>(counters) : 0;
  }
  /// A piece is done.
  KOKKOS_FORCEINLINE_FUNCTION void step(Count seen) {
    if (counters != nullptr) {
      constexpr int longest = 64;
      add(counters, 1);
      ++done;
      KNUDSEN_NO_UNROLL
      for (int n = 0; n < longest && seen + teams < done * teams; ++n) seen = look();
    }
    warp_barrier();  // else the thread would go its own way from here on
  }
  /// A team is through. It counts as one that has done all; the last one sets back the counters.
  KOKKOS_FORCEINLINE_FUNCTION void leave() const {
    if (counters == nullptr) return;
    add(counters, all - done);
    if (add(counters + 1, 1) + 1 < teams) return;
    counters[0] = 0;
    counters[1] = 0;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static Count add(Count* counter, Count count) {
#ifdef __CUDA_ARCH__
    return atomicAdd(counter, count);  // that of Kokkos is a loop, long where many teams add
#else
    return Kokkos::atomic_fetch_add(counter, count);
#endif
  }
};

}  // namespace knudsen
