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

/// Largest share of the molecules of a velocity cell that a limited collision takes.
inline constexpr double max_taken = 0.5;

/// What velocity cells with these h and inverse weights hold, over epsilon: the largest rate at
/// which a limited collision may take molecules from both.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real largest_rate(Real e, Real a, Real b, Real inverse_a,
                                              Real inverse_b) {
  const Real first = (1 + e * a) / inverse_a;
  const Real second = (1 + e * b) / inverse_b;
  const Real least = first < second ? first : second;
  return least > 0 ? static_cast<Real>(max_taken) * least / e : Real(0);
}

/// A rate, made smaller where the collision would take more than `max_taken` of what a velocity
/// cell holds: (a, b) lose where it is positive, (c, d) where it is negative. A cell that holds
/// less than nothing loses nothing.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real limited_rate(const Collision& collision, Real rate, Real a, Real b,
                                              Real c, Real d, const Real (&inverse)[4]) {
  const Real e = static_cast<Real>(collision.perturbation_parameter);
  const Real forward = largest_rate(e, a, b, inverse[0], inverse[1]);
  const Real backward = -largest_rate(e, c, d, inverse[2], inverse[3]);
  if (rate > forward) return forward;
  return rate < backward ? backward : rate;
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
