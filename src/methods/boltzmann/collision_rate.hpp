#pragma once

#include "device/kokkos.hpp"
#include "methods/boltzmann/step.hpp"

namespace knudsen::boltzmann {

/// Line 12 of Algorithm 3: weight (h + h_1 + epsilon h h_1) with h = a and h_1 = b before the
/// collision.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real collision_rate(const Collision& collision, Real weight, Real a,
                                                Real b) {
  return weight * (a + b + static_cast<Real>(collision.perturbation_parameter) * (a * b));
}
/// Mean of that and of the inverse collision, with h = c and h_1 = d after the collision.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real collision_rate(const Collision& collision, Real weight, Real a,
                                                Real b, Real c, Real d) {
  const Real product = a * b - c * d;
  return Real(0.5) * weight *
         ((a + b) - (c + d) + static_cast<Real>(collision.perturbation_parameter) * product);
}

/// Adds the loss of the five invariants to lane `l` of `sums`, for a change of weight x h at a
/// node.
template <class Real, class Losses>
KOKKOS_FORCEINLINE_FUNCTION void add_loss(const Real (&node)[3], Real change, int l, Losses& sums) {
  const Real square = node[0] * node[0] + node[1] * node[1] + node[2] * node[2];
  sums.value[0].lane[l] -= change;
  KNUDSEN_UNROLL
  for (int d = 0; d < 3; ++d) sums.value[1 + d].lane[l] -= node[d] * change;
  sums.value[4].lane[l] -= square * change;
}

}  // namespace knudsen::boltzmann
