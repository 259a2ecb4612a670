#pragma once

#include "lattice/steps/pairs.hpp"

namespace knudsen {

/// Two relaxation times, for the symmetric and the antisymmetric halves of pairs of opposite
/// populations (Ginzburg, Verhaeghe, d'Humieres 2008).
struct Trt : OperatorDefaults {
  static constexpr const char* name = "trt";
  static constexpr const char* text = "two relaxation times, the second one set by `magic`";
  static constexpr bool has_magic = true;
  static constexpr bool has_eddy_viscosity = true;
  static constexpr double max_grid_reynolds = 30;
  KNUDSEN_INLINE_FUNCTION static constexpr bool suits(int /*populations*/) { return true; }
  static constexpr double flops(int populations) {
    return populations == 9 ? 108 : (populations == 19 ? 280 : 395);
  }

  template <class Velocities, Forcing Force, EddyViscosity Eddy, class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static void collide(Real (&g)[Velocities::populations],
                                                   const CollisionParameters<Real>& parameters) {
    collide_pairs<Velocities, PairRates::two, Force, Eddy>(g, parameters);
  }
};

}  // namespace knudsen
