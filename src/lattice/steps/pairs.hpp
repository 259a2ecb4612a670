#pragma once

#include "lattice/steps/pairs2d.hpp"
#include "lattice/steps/pairs3d.hpp"

namespace knudsen {

/// BGK (one rate) and TRT (two rates) on any lattice: each pair of opposite populations relaxes by
/// itself, since its equilibrium and force depend on density and velocity alone.
template <class Velocities, PairRates Rates, Forcing Force, EddyViscosity Eddy, class Real>
KNUDSEN_FORCEINLINE_FUNCTION void collide_pairs(Real (&g)[Velocities::populations],
                                                const CollisionParameters<Real>& parameters) {
  if constexpr (Velocities::populations == 9) {
    static_assert(Eddy == EddyViscosity::none, "D2Q9 has no eddy viscosity");
    collide_pairs_2d<Rates, Force>(g, parameters);
  } else {
    collide_pairs_3d<Velocities, Rates, Force, Eddy>(g, parameters);
  }
}

}  // namespace knudsen
