#pragma once

// The collision of a passive scalar on a lattice of its own: along axes (D2Q5, D3Q7; scalar.hpp) or
// along diagonals, too (D2Q9, D3Q19).

#include "lattice/d3q19.hpp"
#include "lattice/scalar.hpp"

namespace knudsen {

/// Whether a scalar also moves along diagonals.
template <class Scalar>
inline constexpr bool has_diagonals = Scalar::populations > 2 * Scalar::dimensions + 1;

/// sum w c c along an axis: the diffusivity over (relaxation time - 1/2).
template <class Scalar>
inline constexpr double scalar_variance = [] {
  double sum = 0;
  for (int q = 1; q < Scalar::populations; ++q) {
    sum += Scalar::template weight<double>(q) * Scalar::velocity(q, 0) * Scalar::velocity(q, 0);
  }
  return sum;
}();
/// For the case reader, which must give the same relaxation time.
inline constexpr double diagonal_variance = 1.0 / 3;

/// c_q . u without products by 0.
template <class Scalar, int Q, class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real along_velocity(const Real (&velocity)[Scalar::dimensions]) {
  Real sum = 0;
  const auto add = [&](auto axis) KNUDSEN_INLINE_LAMBDA {
    constexpr int a = decltype(axis)::value;
    if constexpr (a < Scalar::dimensions) {
      constexpr int c = Scalar::velocity(Q, a);
      if constexpr (c > 0) sum += velocity[a];
      if constexpr (c < 0) sum -= velocity[a];
    }
  };
  add(PopulationIndex<0>{});
  add(PopulationIndex<1>{});
  add(PopulationIndex<2>{});
  return sum;
}

/// What the square of the velocity adds to the equilibrium, over w_q and the scalar:
/// 9/2 (c.u)^2 - 3/2 u.u.
template <class Scalar, int Q, class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real second_order(const Real (&velocity)[Scalar::dimensions]) {
  Real square = velocity[0] * velocity[0];
  for (int a = 1; a < Scalar::dimensions; ++a) square += velocity[a] * velocity[a];
  const Real along = along_velocity<Scalar, Q>(velocity);
  return Real(4.5) * along * along - Real(1.5) * square;
}

/// The value of a scalar: the sum of its populations, in an order that gives a mirror image the
/// same bits.
template <class Scalar, class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real passive_value(const Real (&h)[Scalar::populations]) {
  if constexpr (!has_diagonals<Scalar>) {
    return scalar_value<Scalar>(h);
  } else if constexpr (Scalar::dimensions == 2) {
    return h[0] + (((h[1] + h[3]) + (h[2] + h[4])) + ((h[5] + h[6]) + (h[7] + h[8])));
  } else {
    const Real axes = ((h[1] + h[2]) + (h[3] + h[4])) + (h[5] + h[6]);
    const Real xy = (h[7] + h[8]) + (h[9] + h[10]);
    const Real xz = (h[11] + h[12]) + (h[13] + h[14]);
    const Real yz = (h[15] + h[16]) + (h[17] + h[18]);
    return h[0] + (axes + ((xy + xz) + yz));
  }
}

/// Adds to each population its share of the value of the node, which is the sum of all
/// populations, these shares included.
template <class Scalar, class Real>
KNUDSEN_INLINE_FUNCTION void add_shares(const Real (&share)[Scalar::populations],
                                        Real (&h)[Scalar::populations]) {
  Real all = 0;
  for_populations<Scalar>([&](auto q) { all += share[q]; });
  const Real value = passive_value<Scalar>(h) / (Real(1) - all);
  Real largest = -1;
  int of_largest = -1;
  for_populations<Scalar>([&](auto q) {
    h[q] += share[q] * value;
    if (share[q] < largest) {
      largest = share[q];
      of_largest = q;
    }
  });
  if (of_largest < 0) return;
  // Beside a wall that is very close a share is much larger than the population. The sum of all is
  // known without its rounding.
  const Real rest = value - passive_value<Scalar>(h);
  for_populations<Scalar>([&](auto q) {
    if (q == of_largest) h[q] += rest;
  });
}

/// Collides the populations of a scalar with two relaxation times. With diagonals the equilibrium
/// w_q T (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u.u) is of second order in the velocity (Shi, Guo 2009):
/// the diffusivity does not depend on a uniform velocity.
template <class Scalar, class Real>
KNUDSEN_FORCEINLINE_FUNCTION void collide_passive(Real (&h)[Scalar::populations], Real value,
                                                  const Real (&velocity)[Scalar::dimensions],
                                                  const ScalarParameters<Real>& parameters) {
  if constexpr (!has_diagonals<Scalar>) {
    collide_scalar<Scalar>(h, value, velocity, parameters);
  } else {
    for_populations<Scalar>([&](auto index) KNUDSEN_INLINE_LAMBDA {
      constexpr int q = decltype(index)::value;
      constexpr int p = Scalar::opposite(q);
      const Real weighted = Scalar::template weight<Real>(q) * value;
      if constexpr (q == 0) {
        const Real even = weighted + weighted * second_order<Scalar, 0>(velocity);
        h[0] += parameters.symmetric_rate * (even - h[0]);
      } else if constexpr (q < p) {
        const Real even = weighted + weighted * second_order<Scalar, q>(velocity);
        const Real odd = Real(3) * weighted * along_velocity<Scalar, q>(velocity);
        const Real change_even = parameters.symmetric_rate * (even - Real(0.5) * (h[q] + h[p]));
        const Real change_odd = parameters.antisymmetric_rate * (odd - Real(0.5) * (h[q] - h[p]));
        h[q] += change_even + change_odd;
        h[p] += change_even - change_odd;
      }
    });
  }
}

}  // namespace knudsen
