#pragma once

#include <cmath>

#include "lattice/steps/moments.hpp"

namespace knudsen {

/// Cumulants with the optimised rates of Geier, Pasquali, Schoenherr (2017, part I), whose
/// diffusion is of fourth order.
struct CumulantParametrised : OperatorDefaults {
  static constexpr const char* name = "cumulant-parametrised";
  static constexpr const char* text =
      "relaxation of cumulants with rates that make diffusion fourth-order accurate";
  /// From here on all rates are between 0 and 2, with bulk_rate 1: viscosities to 1 / 42.
  static constexpr double min_relaxation_rate = 1.75;
  KNUDSEN_INLINE_FUNCTION static constexpr bool suits(int populations) { return populations == 27; }
  static constexpr double flops(int /*populations*/) { return 900; }

  /// Equations of the paper for omega_3, omega_4, omega_5, A and B. relaxation_rate and bulk_rate
  /// must differ.
  static void set_rates(CollisionParameters<double>& parameters) {
    const double shear = parameters.relaxation_rate;
    const double bulk = parameters.bulk_rate;
    const double omega_3 = 8 * (shear - 2) * (bulk * (3 * shear - 1) - 5 * shear) /
                           (8 * (5 - 2 * shear) * shear + bulk * (8 + shear * (9 * shear - 26)));
    const double omega_4 = 8 * (shear - 2) * (shear + bulk * (3 * shear - 7)) /
                           (bulk * (56 - 42 * shear + 9 * shear * shear) - 8 * shear);
    const double omega_5 = 24 * (shear - 2) *
                           (4 * shear * shear + shear * bulk * (18 - 13 * shear) +
                            bulk * bulk * (2 + shear * (6 * shear - 11))) /
                           (16 * shear * shear * (shear - 6) -
                            2 * shear * bulk * (216 + 5 * shear * (9 * shear - 46)) +
                            bulk * bulk * (shear * (3 * shear - 10) * (15 * shear - 28) - 48));
    const double denominator = (shear - bulk) * (bulk * (2 + 3 * shear) - 8 * shear);
    const double a = (4 * shear * shear + 2 * shear * bulk * (shear - 6) +
                      bulk * bulk * (shear * (10 - 3 * shear) - 4)) /
                     denominator;
    const double b = (4 * shear * bulk * (9 * shear - 16) - 4 * shear * shear -
                      2 * bulk * bulk * (2 + 9 * shear * (shear - 2))) /
                     (3 * denominator);
    const double viscosity = 1 / shear - 0.5;
    parameters.third_sum_rate = omega_3;
    parameters.third_difference_rate = omega_4;
    parameters.third_product_rate = omega_5;
    parameters.normal_strain = viscosity * 2 * a / 3;
    parameters.shear_strain = viscosity * b / 3;
  }

  template <class Velocities, Forcing Force, class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static void collide(Real (&g)[27],
                                                   const CollisionParameters<Real>& parameters) {
    MovingNode<Real> node = moving_node<Force>(g, parameters);
    node.third = third_order(g, node);
    relax_third_order(node.third, node.density, parameters);
    const Real shear_before[3] = {node.stress[3], node.stress[4], node.stress[5]};
    Real strain[3];
    relax_stress_corrected(node, parameters, strain);
    const StressByMass<Real> by_mass(node);
    HighMoments<Real> high = cumulant_free_fourth_order(node, by_mass);
    add_high_cumulants(node, parameters, strain, shear_before, by_mass, high);
    add_cumulant_free_sixth_order(by_mass, high);
    store_central_moments(node, high, g);
    populations_of_central_moments<true, Force != Forcing::none>(g, node.flow.velocity);
  }

 private:
  /// Relaxes third-order cumulants with omega + (1 - omega) |C| / (rho lambda + |C|), which is
  /// nearer to 1 for larger cumulants (the limiter).
  template <class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static void relax_third_order(
      ThirdOrder<Real>& third, Real density, const CollisionParameters<Real>& parameters) {
    const Real bound = density * parameters.limiter;
    const auto relaxed = [&](Real cumulant, Real omega) {
      using std::fabs;
      return (Real(1) - omega) * bound * cumulant / (bound + fabs(cumulant));
    };
    const auto pair = [&](Real& a, Real& b) {
      const Real half_sum = Real(0.5) * relaxed(a + b, parameters.third_sum_rate);
      const Real half_difference = Real(0.5) * relaxed(a - b, parameters.third_difference_rate);
      a = half_sum + half_difference;
      b = half_sum - half_difference;
    };
    pair(third.k120, third.k102);
    pair(third.k210, third.k012);
    pair(third.k201, third.k021);
    third.k111 = relaxed(third.k111, parameters.third_product_rate);
  }

  /// Adds the fourth-order cumulants, which depend on the strain rates, to the fourth-order
  /// moments, and the terms of third- and fourth-order cumulants to the moments of fifth and sixth
  /// order.
  template <class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static void add_high_cumulants(
      const MovingNode<Real>& node, const CollisionParameters<Real>& parameters,
      const Real (&strain)[3], const Real (&shear_before)[3], const StressByMass<Real>& by_mass,
      HighMoments<Real>& high) {
    const ThirdOrder<Real>& third = node.third;
    const Real c220 = -parameters.normal_strain * (strain[0] + strain[1]);
    const Real c202 = -parameters.normal_strain * (strain[0] + strain[2]);
    const Real c022 = -parameters.normal_strain * (strain[1] + strain[2]);
    const Real shear = Real(3) * parameters.relaxation_rate * parameters.shear_strain;
    const Real c112 = shear * shear_before[0];
    const Real c211 = shear * shear_before[1];
    const Real c121 = shear * shear_before[2];
    high.k220 += c220;
    high.k202 += c202;
    high.k022 += c022;
    high.k112 += c112;
    high.k211 += c211;
    high.k121 += c121;
    high.k122 = by_mass.normal_y * third.k102 + by_mass.normal_z * third.k120 +
                Real(2) * (Real(2) * by_mass.shear_yz * third.k111 + by_mass.shear_xy * third.k012 +
                           by_mass.shear_xz * third.k021);
    high.k212 = by_mass.normal_x * third.k012 + by_mass.normal_z * third.k210 +
                Real(2) * (Real(2) * by_mass.shear_xz * third.k111 + by_mass.shear_xy * third.k102 +
                           by_mass.shear_yz * third.k201);
    high.k221 = by_mass.normal_x * third.k021 + by_mass.normal_y * third.k201 +
                Real(2) * (Real(2) * by_mass.shear_xy * third.k111 + by_mass.shear_xz * third.k120 +
                           by_mass.shear_yz * third.k210);
    high.k222 += by_mass.normal_z * c220 + by_mass.normal_y * c202 +
                 Real(2) * (Real(2) * by_mass.shear_yz * c211 + by_mass.shear_xz * c121 +
                            by_mass.shear_xy * c112) +
                 Real(2) * node.volume *
                     (third.k120 * third.k102 + third.k210 * third.k012 + third.k201 * third.k021 +
                      Real(2) * third.k111 * third.k111);
  }
};

}  // namespace knudsen
