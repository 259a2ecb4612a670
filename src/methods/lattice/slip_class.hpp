#pragma once

#include "lattice/for_populations.hpp"

namespace knudsen::lbm {

/// Slip along solids: what the walls at a node add to the populations that it loads, linear in
/// their non-equilibrium part (solid_slip.hpp). Two numbers follow from the populations for each
/// direction along the wall, the slip and its second derivative; what is added, from these.
template <class Real, int Dimensions>
struct SlipClass {
  static constexpr int populations = Dimensions == 2 ? 9 : 27;
  static constexpr int terms = 2 * (Dimensions - 1);

  /// A term for each population, less the part of its equilibrium of second order in the velocity.
  Real measured[terms][populations] = {};
  Real added[terms][populations] = {};  ///< to each population, for a term
};

/// Adds what walls of solids with slip send along themselves. `g` has the populations that a node
/// loads, with those that return from the walls; `density` and `velocity` follow from them.
template <class Velocities, class Real, int Size>
KNUDSEN_FORCEINLINE_FUNCTION void add_slip(const SlipClass<Real, Velocities::dimensions>& slip,
                                           Real density,
                                           const Real (&velocity)[Velocities::dimensions],
                                           Real (&g)[Size]) {
  constexpr int terms = SlipClass<Real, Velocities::dimensions>::terms;
  Real term[terms] = {};
  for_populations<Velocities>([&](auto q) {
    Real along = 0;
    for (int a = 0; a < Velocities::dimensions; ++a) {
      along += Real(Velocities::velocity(q, a)) * velocity[a];
    }
    const Real beyond =
        g[q] - Velocities::template weight<Real>(q) * Real(4.5) * density * along * along;
    for (int k = 0; k < terms; ++k) term[k] += slip.measured[k][q] * beyond;
  });
  for_populations<Velocities>([&](auto q) {
    for (int k = 0; k < terms; ++k) g[q] += slip.added[k][q] * term[k];
  });
}

/// The class in another precision.
template <class Real, int Dimensions>
SlipClass<Real, Dimensions> rounded(const SlipClass<double, Dimensions>& from) {
  SlipClass<Real, Dimensions> to;
  for (int k = 0; k < to.terms; ++k) {
    for (int q = 0; q < to.populations; ++q) {
      to.measured[k][q] = static_cast<Real>(from.measured[k][q]);
      to.added[k][q] = static_cast<Real>(from.added[k][q]);
    }
  }
  return to;
}

}  // namespace knudsen::lbm
