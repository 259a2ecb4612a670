#pragma once

#include "device/team_loops.hpp"

namespace knudsen::boltzmann {

/// Team-wide sum of what body(i, partial) adds for i in [0, count), returned to every thread. Its
/// order depends on the team size alone.
template <class Sums, class Member, class Body>
KOKKOS_INLINE_FUNCTION Sums team_sum(const Member& team, int count, const Body& body) {
  Sums sums;
  if constexpr (is_host_backend<typename Member::execution_space>) {
    for (int i = 0; i < count; ++i) body(i, sums);
  } else {
    using Space = typename Member::execution_space;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, 0, count), [&](int i, Sums& partial) { body(i, partial); },
        Kokkos::Sum<Sums, typename Space::memory_space>(sums));
  }
  return sums;
}

}  // namespace knudsen::boltzmann
