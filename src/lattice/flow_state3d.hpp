#pragma once

#include "core/kokkos.hpp"
#include "lattice/for_populations.hpp"

namespace knudsen {

// Populations are stored shifted by the weights, g_q = f_q - w_q: near rest they are small, which
// keeps the digits of single precision for the flow.

/// Density less one, and velocity of a node, in lattice units.
template <class Real>
struct FlowState3D {
  Real density_deviation;
  Real velocity[3];
};

/// c_q . v for a q known at compile time; components that are zero cost nothing.
template <class Lattice, int Q, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real along(PopulationIndex<Q> /*q*/, const Real (&v)[3]) {
  constexpr int cx = Lattice::velocity(Q, 0);
  constexpr int cy = Lattice::velocity(Q, 1);
  constexpr int cz = Lattice::velocity(Q, 2);
  const auto add = [](int c, Real sum, Real term) { return c > 0 ? sum + term : sum - term; };
  const Real x = cx > 0 ? v[0] : -v[0];
  const Real y = cx == 0 ? (cy > 0 ? v[1] : -v[1]) : cy == 0 ? x : add(cy, x, v[1]);
  return cx == 0 && cy == 0 ? (cz > 0   ? v[2]
                               : cz < 0 ? -v[2]
                                        : Real(0))
         : cz == 0          ? y
                            : add(cz, y, v[2]);
}

/// Density less one, and momentum.
template <class Real>
struct ConservedMoments {
  Real density_deviation;
  Real momentum[3];
};

/// Sums of shifted populations without any force. Sums are taken in an order that a reflection of
/// the axes leaves alone, so that a symmetric flow stays symmetric to the bit.
template <class Lattice, class Real>
KOKKOS_INLINE_FUNCTION ConservedMoments<Real> conserved_moments(
    const Real (&g)[Lattice::populations]) {
  const auto sum = [&](int q) { return g[q] + g[q + 1]; };
  const auto difference = [&](int q) { return g[q] - g[q + 1]; };
  const Real xy = difference(7);
  const Real xy_anti = difference(9);
  const Real xz = difference(11);
  const Real xz_anti = difference(13);
  const Real yz = difference(15);
  const Real yz_anti = difference(17);
  ConservedMoments<Real> moments{
      (g[0] + ((sum(1) + sum(3)) + sum(5))) +
          ((sum(7) + sum(9)) + (sum(11) + sum(13)) + (sum(15) + sum(17))),
      {difference(1) + ((xy + xy_anti) + (xz + xz_anti)),
       difference(3) + ((xy - xy_anti) + (yz + yz_anti)),
       difference(5) + ((xz - xz_anti) + (yz - yz_anti))}};
  if constexpr (Lattice::populations == 27) {
    const Real xy_corners = difference(19) + difference(21);
    const Real xy_anti_corners = difference(23) + difference(25);
    moments.density_deviation += (sum(19) + sum(21)) + (sum(23) + sum(25));
    moments.momentum[0] += xy_corners + xy_anti_corners;
    moments.momentum[1] += xy_corners - xy_anti_corners;
    moments.momentum[2] += (difference(19) - difference(21)) + (difference(23) - difference(25));
  }
  return moments;
}

/// Density and velocity of shifted populations, u = (sum c_q f_q + F / 2) / rho with the force F
/// per unit volume (zero where there is none).
template <class Lattice, class Real>
KOKKOS_INLINE_FUNCTION FlowState3D<Real> flow_state(const Real (&g)[Lattice::populations],
                                                    const Real (&force)[3]) {
  const ConservedMoments<Real> moments = conserved_moments<Lattice>(g);
  const Real volume = Real(1) / (Real(1) + moments.density_deviation);
  return {moments.density_deviation,
          {(moments.momentum[0] + Real(0.5) * force[0]) * volume,
           (moments.momentum[1] + Real(0.5) * force[1]) * volume,
           (moments.momentum[2] + Real(0.5) * force[2]) * volume}};
}

/// Shifted equilibrium population q to second order in the velocity (Qian, d'Humieres, Lallemand
/// 1992): w_q [rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u.u) - 1].
template <class Lattice, class Real>
KOKKOS_INLINE_FUNCTION Real equilibrium(int q, const FlowState3D<Real>& state) {
  const Real density = Real(1) + state.density_deviation;
  Real along_velocity = 0;
  Real square = 0;
  for (int axis = 0; axis < 3; ++axis) {
    along_velocity += Real(Lattice::velocity(q, axis)) * state.velocity[axis];
    square += state.velocity[axis] * state.velocity[axis];
  }
  return Lattice::template weight<Real>(q) *
         (state.density_deviation +
          density * (Real(3) * along_velocity + Real(4.5) * along_velocity * along_velocity -
                     Real(1.5) * square));
}

}  // namespace knudsen
