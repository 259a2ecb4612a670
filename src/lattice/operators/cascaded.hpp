#pragma once

#include "lattice/steps/moments.hpp"

namespace knudsen {

/// Factorised central moments (Geier, Greiner, Korvink 2009): shear and bulk stress relax, higher
/// central moments become products of those of second order.
struct Cascaded : OperatorDefaults {
  static constexpr const char* name = "cascaded";
  static constexpr const char* text = "relaxation of central moments";
  KNUDSEN_INLINE_FUNCTION static constexpr bool suits(int populations) { return populations == 27; }
  static constexpr double flops(int /*populations*/) { return 620; }

  template <class Velocities, Forcing Force, class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static void collide(Real (&g)[27],
                                                   const CollisionParameters<Real>& parameters) {
    MovingNode<Real> node = moving_node<Force>(g, parameters);
    relax_stress(node, parameters);
    const StressByMass<Real> by_mass(node);
    HighMoments<Real> high = factorised_fourth_order(node, by_mass);
    high.k222 += by_mass.normal_x * high.k022;
    store_central_moments(node, high, g);
    populations_of_central_moments<false, Force != Forcing::none>(g, node.flow.velocity);
  }
};

}  // namespace knudsen
