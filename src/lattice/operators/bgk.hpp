#pragma once

#include "lattice/steps/pairs.hpp"

namespace knudsen {

/// One relaxation time (Bhatnagar, Gross, Krook 1954; Qian, d'Humieres, Lallemand 1992).
struct Bgk : OperatorDefaults {
  static constexpr const char* name = "bgk";
  static constexpr const char* text = "one relaxation time for all moments";
  static constexpr bool has_eddy_viscosity = true;
  static constexpr double max_grid_reynolds = 30;
  KNUDSEN_INLINE_FUNCTION static constexpr bool suits(int /*populations*/) { return true; }
  static constexpr double flops(int populations) {
    return populations == 9 ? 92 : (populations == 19 ? 235 : 330);
  }

  template <class Velocities, Forcing Force, EddyViscosity Eddy, class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static void collide(Real (&g)[Velocities::populations],
                                                   const CollisionParameters<Real>& parameters) {
    collide_pairs<Velocities, PairRates::one, Force, Eddy>(g, parameters);
  }
};

}  // namespace knudsen
