#pragma once

#include "device/kokkos.hpp"

// Loops within a team besides team_for.

namespace knudsen {

/// Calls body(k) for `Width` lanes, or `length` where Width is 0: a SIMD loop on the host, unrolled
/// on a GPU.
template <int Width, class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_lanes(int length, const Body& body) {
  if constexpr (Width > 0) {
    for (int k = 0; k < Width; ++k) body(k);
  } else {
    KNUDSEN_SIMD
    for (int k = 0; k < length; ++k) body(k);
  }
}

/// body(i) for i in [0, count), spread over the threads of a team; not vectorised.
template <class Member, class Body>
KOKKOS_FORCEINLINE_FUNCTION void team_each(const Member& team, int count, const Body& body) {
  for (int i = team.team_rank(); i < count; i += team.team_size()) body(i);
}

}  // namespace knudsen
