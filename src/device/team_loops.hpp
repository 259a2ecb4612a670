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

/// Lanes of the widest SIMD vectors of hosts.
template <class Value>
inline constexpr int widest_vector = 64 / static_cast<int>(sizeof(Value));

/// Calls body(k) for k in [0, length) on the host, by whole vectors of `Vector` lanes, which begin
/// where `begin` + k is a multiple of `Vector`, and before and after them by vectors of half so
/// many lanes or of `Least`. `length` and `begin` are multiples of `Least`. (GCC 12 takes the rest
/// of a SIMD loop lane by lane.)
template <int Vector, int Least, class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_aligned_lanes(int begin, int length, const Body& body) {
  const int before = (Vector - begin % Vector) % Vector;
  const int head = before < length ? before : length;
  const int whole = (length - head) / Vector * Vector;
  KNUDSEN_SIMD
  for (int k = 0; k < whole; ++k) body(head + k);
  for (int rest = 0; rest < length - whole;) {
    const int first = rest < head ? rest : rest + whole;
    const int end = rest < head ? head : length - whole;
    if (end - rest >= Vector / 2) {
      KNUDSEN_SIMD
      for (int k = 0; k < Vector / 2; ++k) body(first + k);
      rest += Vector / 2;
    } else {
      KNUDSEN_SIMD
      for (int k = 0; k < Least; ++k) body(first + k);
      rest += Least;
    }
  }
}

/// body(i) for i in [0, count), spread over the threads of a team; not vectorised.
template <class Member, class Body>
KOKKOS_FORCEINLINE_FUNCTION void team_each(const Member& team, int count, const Body& body) {
  for (int i = team.team_rank(); i < count; i += team.team_size()) body(i);
}

}  // namespace knudsen
