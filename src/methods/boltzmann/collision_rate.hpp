#pragma once

#include "device/kokkos.hpp"
#include "methods/boltzmann/step.hpp"

namespace knudsen::boltzmann {

/// Weight times h + h_1 + epsilon h h_1 of line 12.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real collision_rate(const Collision& collision, Real weight, Real a,
                                                Real b) {
  return weight * (a + b + static_cast<Real>(collision.deviation) * (a * b));
}
/// Half of that less half of the same after the collision.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real collision_rate(const Collision& collision, Real weight, Real a,
                                                Real b, Real c, Real d) {
  const Real product = a * b - c * d;
  return Real(0.5) * weight *
         ((a + b) - (c + d) + static_cast<Real>(collision.deviation) * product);
}

/// Adds what a change of h at a node takes from the invariants of lane l.
template <class Real, class Losses>
KOKKOS_FORCEINLINE_FUNCTION void add_loss(const Real (&node)[3], Real change, int l, Losses& sums) {
  const Real square = node[0] * node[0] + node[1] * node[1] + node[2] * node[2];
  sums.value[0].lane[l] -= change;
  KNUDSEN_UNROLL
  for (int d = 0; d < 3; ++d) sums.value[1 + d].lane[l] -= node[d] * change;
  sums.value[4].lane[l] -= square * change;
}

}  // namespace knudsen::boltzmann
