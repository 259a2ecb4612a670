#pragma once

#include "lattice/collision.hpp"
#include "lattice/flow_state3d.hpp"
#include "lattice/steps/central_moments.hpp"

// Steps of collisions of central moments and cumulants on D3Q27; README.md in src/lattice has the
// equations. Orders whose rates are all 1 forget their moments, so these are not computed before
// the collision.

namespace knudsen {

/// Third-order central moments, which equal the third-order cumulants.
template <class Real>
struct ThirdOrder {
  Real k120, k102, k210, k012, k201, k021, k111;
};

/// A node in the frame of its flow.
template <class Real>
struct MovingNode {
  Moments3D<Real> moments;  ///< before the collision
  FlowState3D<Real> flow;
  Real force[3];
  Real density;
  Real volume;             ///< 1 / density
  Real stress[6];          ///< second-order central moments less rho / 3 on the diagonal
  ThirdOrder<Real> third;  ///< zero unless an operator sets them
};

/// Computes the moments up to second order of the populations of a node.
template <Forcing Force, class Real>
KNUDSEN_FORCEINLINE_FUNCTION MovingNode<Real> moving_node(
    const Real (&g)[27], const CollisionParameters<Real>& parameters) {
  constexpr bool forced = Force != Forcing::none;
  MovingNode<Real> node;
  for (int a = 0; a < 3; ++a) node.force[a] = forced ? parameters.force[a] : Real(0);
  node.moments = moments<D3Q27>(g);
  node.flow = flow_state(node.moments, node.force);
  node.density = Real(1) + node.flow.density_deviation;
  node.volume = Real(1) / node.density;
  nonequilibrium_stress(node.moments, node.flow, node.force, node.stress);
  node.third = {};
  return node;
}

/// Third-order central moments before the collision, from the populations and lower orders.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION ThirdOrder<Real> third_order(const Real (&g)[27],
                                                          const MovingNode<Real>& node) {
  const Moments3D<Real>& m = node.moments;
  const Real(&force)[3] = node.force;
  const Real(&stress)[6] = node.stress;
  const auto difference = [&](int q) { return g[q] - g[q + 1]; };
  const Real(&u)[3] = node.flow.velocity;
  const Real density = node.density;
  const Real along_y = difference(19) + difference(21);
  const Real against_y = difference(23) + difference(25);
  const Real corners[3] = {along_y + against_y, along_y - against_y,
                           (difference(19) - difference(21)) + (difference(23) - difference(25))};
  // kappa_abb = m_abb - u_a (kappa_bb + rho u_b^2) - u_b (2 kappa_ab + 2 u_a kappa_b)
  //             - u_b^2 kappa_a, with kappa_a = -F_a / 2 about a velocity that has half the force.
  // The part rho / 3 of kappa_bb largely cancels against m_abb; without force it is m_a / 3.
  const auto abb = [&](int a, int b, Real raw, Real off_diagonal) {
    const Real first_a = Real(-0.5) * force[a];
    const Real first_b = Real(-0.5) * force[b];
    const Real third = Real(1) / Real(3) * (m.momentum[a] - first_a);
    return (raw - third) - u[a] * (stress[b] + density * u[b] * u[b]) -
           u[b] * (Real(2) * (off_diagonal + u[a] * first_b) + u[b] * first_a);
  };
  ThirdOrder<Real> third;
  third.k120 = abb(0, 1, (difference(7) + difference(9)) + corners[0], stress[3]);
  third.k102 = abb(0, 2, (difference(11) + difference(13)) + corners[0], stress[5]);
  third.k210 = abb(1, 0, (difference(7) - difference(9)) + corners[1], stress[3]);
  third.k012 = abb(1, 2, (difference(15) + difference(17)) + corners[1], stress[4]);
  third.k201 = abb(2, 0, (difference(11) - difference(13)) + corners[2], stress[5]);
  third.k021 = abb(2, 1, (difference(15) - difference(17)) + corners[2], stress[4]);
  third.k111 =
      ((difference(19) - difference(21)) - (difference(23) - difference(25))) -
      (u[0] * stress[4] + u[1] * stress[5] + u[2] * stress[3]) - density * u[0] * u[1] * u[2] +
      Real(0.5) * (u[1] * u[2] * force[0] + u[0] * u[2] * force[1] + u[0] * u[1] * force[2]);
  return third;
}

/// Relaxes the shear stress with relaxation_rate and the trace with bulk_rate.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION void relax_stress(MovingNode<Real>& node,
                                               const CollisionParameters<Real>& parameters) {
  Real(&stress)[6] = node.stress;
  const Real omega = parameters.relaxation_rate;
  const Real trace = (stress[0] + stress[1]) + stress[2];
  const Real relaxed_trace = Real(1) / Real(3) * (omega - parameters.bulk_rate) * trace;
  for (int a = 0; a < 3; ++a) stress[a] = (Real(1) - omega) * stress[a] + relaxed_trace;
  for (int i = 3; i < 6; ++i) stress[i] *= Real(1) - omega;
}

/// The same with the correction of the viscosity at finite velocity (Geier et al. 2015). Sets
/// `strain` to rho times the strain rates of the axes.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION void relax_stress_corrected(
    MovingNode<Real>& node, const CollisionParameters<Real>& parameters, Real (&strain)[3]) {
  Real(&stress)[6] = node.stress;
  const Real(&u)[3] = node.flow.velocity;
  const Real omega = parameters.relaxation_rate;
  const Real omega_bulk = parameters.bulk_rate;
  const Real trace = (stress[0] + stress[1]) + stress[2];
  Real relaxed_trace = Real(1) / Real(3) * (omega - omega_bulk) * trace;
  Real correction[3];
  for (int a = 0; a < 3; ++a) {
    strain[a] = Real(-0.5) * (Real(3) * omega * stress[a] + (omega_bulk - omega) * trace);
    correction[a] = u[a] * u[a] * strain[a];
  }
  relaxed_trace +=
      Real(0.5) * (omega_bulk - omega) * ((correction[0] + correction[1]) + correction[2]);
  for (int a = 0; a < 3; ++a) {
    stress[a] = (Real(1) - omega) * stress[a] + relaxed_trace -
                (Real(3) - Real(1.5) * omega) * correction[a];
  }
  for (int i = 3; i < 6; ++i) stress[i] *= Real(1) - omega;
}

/// Second-order central moments after the collision divided by the density, with the 1/3 of the
/// diagonal.
template <class Real>
struct StressByMass {
  Real normal_x, normal_y, normal_z;
  Real shear_xy, shear_yz, shear_xz;

  KNUDSEN_FORCEINLINE_FUNCTION explicit StressByMass(const MovingNode<Real>& node)
      : normal_x(Real(1) / Real(3) + node.volume * node.stress[0]),
        normal_y(Real(1) / Real(3) + node.volume * node.stress[1]),
        normal_z(Real(1) / Real(3) + node.volume * node.stress[2]),
        shear_xy(node.volume * node.stress[3]),
        shear_yz(node.volume * node.stress[4]),
        shear_xz(node.volume * node.stress[5]) {}
};

/// Central moments of fourth to sixth order after the collision, less those of the weights.
template <class Real>
struct HighMoments {
  Real k220, k202, k022;
  Real k211, k121, k112;
  Real k222;
  Real k122 = 0, k212 = 0, k221 = 0;
};

namespace moments_detail {

/// Fourth-order moments as sums over partitions into pairs; without Cumulants only over the first
/// partition. k222 gets the term of its weight.
template <bool Cumulants, class Real>
KNUDSEN_FORCEINLINE_FUNCTION HighMoments<Real> fourth_order(const MovingNode<Real>& node,
                                                            const StressByMass<Real>& by_mass) {
  const Real third_part = Real(1) / Real(3);
  const Real xx = node.stress[0];
  const Real yy = node.stress[1];
  const Real zz = node.stress[2];
  const Real xy = node.stress[3];
  const Real yz = node.stress[4];
  const Real xz = node.stress[5];
  const Real ninth = Real(1) / Real(9) * node.flow.density_deviation;
  const auto aabb = [&](Real a, Real b, Real normal_a, Real ab, Real shear_ab) {
    const Real product = (normal_a * b + third_part * a) + ninth;
    return Cumulants ? product + Real(2) * shear_ab * ab : product;
  };
  const auto aabc = [&](Real normal_a, Real bc, Real shear_ab, Real ac) {
    return Cumulants ? normal_a * bc + Real(2) * shear_ab * ac : normal_a * bc;
  };
  HighMoments<Real> high;
  high.k220 = aabb(xx, yy, by_mass.normal_x, xy, by_mass.shear_xy);
  high.k202 = aabb(xx, zz, by_mass.normal_x, xz, by_mass.shear_xz);
  high.k022 = aabb(yy, zz, by_mass.normal_y, yz, by_mass.shear_yz);
  high.k211 = aabc(by_mass.normal_x, yz, by_mass.shear_xy, xz);
  high.k121 = aabc(by_mass.normal_y, xz, by_mass.shear_xy, yz);
  high.k112 = aabc(by_mass.normal_z, xy, by_mass.shear_xz, yz);
  high.k222 = Real(1) / Real(9) * node.volume * xx;
  return high;
}

}  // namespace moments_detail

/// Fourth-order central moments as products of second-order ones (Geier, Greiner, Korvink 2009).
/// k222 still lacks the product of k200 and k022.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION HighMoments<Real> factorised_fourth_order(
    const MovingNode<Real>& node, const StressByMass<Real>& by_mass) {
  return moments_detail::fourth_order<false>(node, by_mass);
}

/// Fourth-order central moments of a distribution whose fourth-order cumulants vanish. k222 still
/// lacks the terms of add_cumulant_free_sixth_order.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION HighMoments<Real> cumulant_free_fourth_order(
    const MovingNode<Real>& node, const StressByMass<Real>& by_mass) {
  return moments_detail::fourth_order<true>(node, by_mass);
}

/// Adds to k222 the products of second- and fourth-order moments for which the sixth-order cumulant
/// vanishes, sorted by the partner of the first x.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION void add_cumulant_free_sixth_order(const StressByMass<Real>& by_mass,
                                                                HighMoments<Real>& high) {
  high.k222 += by_mass.normal_x * high.k022;
  high.k222 += Real(2) * (by_mass.shear_xy * high.k112 + by_mass.shear_xz * high.k121);
}

/// Writes all central moments after the collision to their slots. Those of first order are F / 2:
/// the velocity has half of the force, so they were -F / 2 before.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION void store_central_moments(const MovingNode<Real>& node,
                                                        const HighMoments<Real>& high,
                                                        Real (&g)[27]) {
  const Real third_part = Real(1) / Real(3);
  const Real deviation = node.flow.density_deviation;
  g[slot<0, 0, 0>] = deviation;
  g[slot<1, 0, 0>] = Real(0.5) * node.force[0];
  g[slot<0, 1, 0>] = Real(0.5) * node.force[1];
  g[slot<0, 0, 1>] = Real(0.5) * node.force[2];
  g[slot<2, 0, 0>] = node.stress[0] + third_part * deviation;
  g[slot<0, 2, 0>] = node.stress[1] + third_part * deviation;
  g[slot<0, 0, 2>] = node.stress[2] + third_part * deviation;
  g[slot<1, 1, 0>] = node.stress[3];
  g[slot<0, 1, 1>] = node.stress[4];
  g[slot<1, 0, 1>] = node.stress[5];
  g[slot<1, 2, 0>] = node.third.k120;
  g[slot<1, 0, 2>] = node.third.k102;
  g[slot<2, 1, 0>] = node.third.k210;
  g[slot<0, 1, 2>] = node.third.k012;
  g[slot<2, 0, 1>] = node.third.k201;
  g[slot<0, 2, 1>] = node.third.k021;
  g[slot<1, 1, 1>] = node.third.k111;
  g[slot<2, 2, 0>] = high.k220;
  g[slot<2, 0, 2>] = high.k202;
  g[slot<0, 2, 2>] = high.k022;
  g[slot<2, 1, 1>] = high.k211;
  g[slot<1, 2, 1>] = high.k121;
  g[slot<1, 1, 2>] = high.k112;
  g[slot<1, 2, 2>] = high.k122;
  g[slot<2, 1, 2>] = high.k212;
  g[slot<2, 2, 1>] = high.k221;
  g[slot<2, 2, 2>] = high.k222;
}

}  // namespace knudsen
