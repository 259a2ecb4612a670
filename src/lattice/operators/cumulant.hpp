#pragma once

#include "lattice/steps/moments.hpp"

namespace knudsen {

/// Cumulants with all higher rates 1 (Geier, Schoenherr, Pasquali, Krafczyk 2015), with or without
/// the correction of the viscosity at finite velocity. Cumulants of third order and above vanish.
template <bool Galilean>
struct CumulantWithUnitRates : OperatorDefaults {
  KNUDSEN_INLINE_FUNCTION static constexpr bool suits(int populations) { return populations == 27; }
  static constexpr double flops(int /*populations*/) { return 680; }

  template <class Velocities, Forcing Force, class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static void collide(Real (&g)[27],
                                                   const CollisionParameters<Real>& parameters) {
    MovingNode<Real> node = moving_node<Force>(g, parameters);
    if constexpr (Galilean) {
      Real strain[3];
      relax_stress_corrected(node, parameters, strain);
    } else {
      relax_stress(node, parameters);
    }
    const StressByMass<Real> by_mass(node);
    HighMoments<Real> high = cumulant_free_fourth_order(node, by_mass);
    add_cumulant_free_sixth_order(by_mass, high);
    store_central_moments(node, high, g);
    populations_of_central_moments<false, Force != Forcing::none>(g, node.flow.velocity);
  }
};

struct Cumulant : CumulantWithUnitRates<true> {
  static constexpr bool takes_eddy_time = true;
  static constexpr const char* name = "cumulant";
  static constexpr const char* text =
      "relaxation of cumulants, with the viscosity corrected at finite velocity";
};

/// Without the correction, for comparison in tests: not in CollisionOperators.
struct UncorrectedCumulant : CumulantWithUnitRates<false> {
  static constexpr const char* name = "cumulant-uncorrected";
  static constexpr const char* text = "relaxation of cumulants";
};

}  // namespace knudsen
