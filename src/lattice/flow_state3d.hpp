#pragma once

#include "device/function.hpp"
#include "lattice/for_populations.hpp"

namespace knudsen {

// Populations are stored shifted by the weights, g_q = f_q - w_q. Near rest they are small, which
// saves the digits of single precision for the flow.

/// Density and velocity of a node of D3Q19 or D3Q27, in lattice units.
template <class Real>
struct FlowState3D {
  Real density_deviation;  ///< rho - 1
  Real velocity[3];
};

/// Moments of shifted populations of orders 0 to 2.
template <class Real>
struct Moments3D {
  Real density_deviation;  ///< sum g
  Real momentum[3];        ///< sum c g
  Real second[6];          ///< sum c c g: xx, yy, zz, xy, yz, xz
};

/// c_q . v for a q known at compile time, without operations for zero components of c_q.
template <class Lattice, int Q, class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real along(PopulationIndex<Q> /*q*/, const Real (&v)[3]) {
  constexpr int cx = Lattice::velocity(Q, 0);
  constexpr int cy = Lattice::velocity(Q, 1);
  constexpr int cz = Lattice::velocity(Q, 2);
  const auto add = [](int c, Real sum, Real term) { return c > 0 ? sum + term : sum - term; };
  const Real x = cx > 0 ? v[0] : -v[0];
  const Real y = cx == 0 ? (cy > 0 ? v[1] : -v[1]) : (cy == 0 ? x : add(cy, x, v[1]));
  if constexpr (cx == 0 && cy == 0) {
    return cz > 0 ? v[2] : (cz < 0 ? -v[2] : Real(0));
  } else {
    return cz == 0 ? y : add(cz, y, v[2]);
  }
}

/// Moments of shifted populations, without any force. The order of summation is invariant under
/// reflections of the axes. Unused moments cost nothing once inlined. Operations for orders 0 and
/// 1, and for all: D3Q27 66 and 86, D3Q19 42 and 50.
template <class Lattice, class Real>
KNUDSEN_FORCEINLINE_FUNCTION Moments3D<Real> moments(const Real (&g)[Lattice::populations]) {
  const auto sum = [&](int q) { return g[q] + g[q + 1]; };
  const auto difference = [&](int q) { return g[q] - g[q + 1]; };
  const Real xy = sum(7) + sum(9);
  const Real xz = sum(11) + sum(13);
  const Real yz = sum(15) + sum(17);
  Moments3D<Real> m{
      (g[0] + ((sum(1) + sum(3)) + sum(5))) + ((xy + xz) + yz),
      {difference(1) + ((difference(7) + difference(9)) + (difference(11) + difference(13))),
       difference(3) + ((difference(7) - difference(9)) + (difference(15) + difference(17))),
       difference(5) + ((difference(11) - difference(13)) + (difference(15) - difference(17)))},
      {sum(1) + (xy + xz), sum(3) + (xy + yz), sum(5) + (xz + yz), sum(7) - sum(9),
       sum(15) - sum(17), sum(11) - sum(13)}};
  if constexpr (Lattice::populations == 27) {
    const Real along_y = sum(19) + sum(21);
    const Real against_y = sum(23) + sum(25);
    const Real corners = along_y + against_y;
    const Real momentum_along_y = difference(19) + difference(21);
    const Real momentum_against_y = difference(23) + difference(25);
    m.density_deviation += corners;
    m.momentum[0] += momentum_along_y + momentum_against_y;
    m.momentum[1] += momentum_along_y - momentum_against_y;
    m.momentum[2] += (difference(19) - difference(21)) + (difference(23) - difference(25));
    for (int axis = 0; axis < 3; ++axis) m.second[axis] += corners;
    m.second[3] += along_y - against_y;
    m.second[4] += (sum(19) - sum(21)) - (sum(23) - sum(25));
    m.second[5] += (sum(19) - sum(21)) + (sum(23) - sum(25));
  }
  return m;
}

/// Density and velocity, u = (sum c_q f_q + F / 2) / rho, with the force F per unit volume.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION FlowState3D<Real> flow_state(const Moments3D<Real>& m,
                                                          const Real (&force)[3]) {
  const Real volume = Real(1) / (Real(1) + m.density_deviation);
  return {m.density_deviation,
          {(m.momentum[0] + Real(0.5) * force[0]) * volume,
           (m.momentum[1] + Real(0.5) * force[1]) * volume,
           (m.momentum[2] + Real(0.5) * force[2]) * volume}};
}
template <class Lattice, class Real>
KNUDSEN_FORCEINLINE_FUNCTION FlowState3D<Real> flow_state(const Real (&g)[Lattice::populations],
                                                          const Real (&force)[3]) {
  return flow_state(moments<Lattice>(g), force);
}

/// Non-equilibrium part of the momentum flux, xx, yy, zz, xy, yz, xz:
/// sum c c f - rho (u u + 1/3) + (u F + F u) / 2, where the last term is due to the force. Before a
/// collision it is -2 rho tau / 3 times the strain rate (for the trace with the tau of bulk_rate).
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION void nonequilibrium_stress(const Moments3D<Real>& m,
                                                        const FlowState3D<Real>& state,
                                                        const Real (&force)[3], Real (&stress)[6]) {
  const Real density = Real(1) + state.density_deviation;
  Real half[3];  // rho u u - (u F + F u) / 2 = u half + half u
  for (int axis = 0; axis < 3; ++axis) {
    half[axis] = Real(0.5) * (density * state.velocity[axis] - force[axis]);
    stress[axis] = (m.second[axis] - Real(1) / Real(3) * state.density_deviation) -
                   Real(2) * (state.velocity[axis] * half[axis]);
  }
  for (int i = 3; i < 6; ++i) {
    const int a = i == 4 ? 1 : 0;
    const int b = i == 3 ? 1 : 2;
    stress[i] = m.second[i] - (state.velocity[a] * half[b] + half[a] * state.velocity[b]);
  }
}

/// Shifted equilibrium population q of bgk and trt, of second order in the velocity (Qian,
/// d'Humieres, Lallemand 1992): w_q [rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u.u) - 1].
template <class Lattice, class Real>
KNUDSEN_FORCEINLINE_FUNCTION Real equilibrium(int q, const FlowState3D<Real>& state) {
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

/// Shifted equilibrium population q of the moment operators on D3Q27: rho times the product over
/// the axes of 2/3 - u^2 if c is zero and (1/3 + u^2 + c u) / 2 otherwise, less w_q.
template <class Real>
KNUDSEN_INLINE_FUNCTION Real product_equilibrium(int cx, int cy, int cz,
                                                 const FlowState3D<Real>& state) {
  const int c[3] = {cx, cy, cz};
  Real weight = 1;
  Real deviation = 0;  // of the product of the axes so far from the product of their weights
  for (int axis = 0; axis < 3; ++axis) {
    const Real u = state.velocity[axis];
    const Real own_weight = c[axis] == 0 ? Real(2) / Real(3) : Real(1) / Real(6);
    const Real own_deviation = c[axis] == 0 ? -u * u : Real(0.5) * (u * u + Real(c[axis]) * u);
    deviation = deviation * own_weight + (weight + deviation) * own_deviation;
    weight *= own_weight;
  }
  return deviation + state.density_deviation * (weight + deviation);
}

}  // namespace knudsen
