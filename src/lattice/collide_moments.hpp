#pragma once

#include <utility>

#include "device/kokkos.hpp"
#include "lattice/collision_operator.hpp"
#include "lattice/d3q27.hpp"
#include "lattice/flow_state3d.hpp"
#include "lattice/relaxation3d.hpp"

// Collisions in the frame of the moving fluid, on D3Q27; README.md beside has the equations.
//
// The central moments kappa_abc = sum (cx - u)^a (cy - v)^b (cz - w)^c f are kept less those of the
// weights (1, 1/3, 1/9, 1/27 where a, b and c are even): all that is added and subtracted is as
// small as the populations are.
//
// Where all rates of an order are 1, its moments before the collision do not matter and are not
// computed: the cascaded and the basic cumulant collision read moments to second order alone, the
// parametrised cumulant to third.

namespace knudsen::collide3d_detail {

/// The slot of a moment of orders a, b, c among 27 values: that of the population with velocity 0,
/// +1, -1 on an axis for the order 0, 1, 2 there.
template <int A, int B, int C>
inline constexpr int slot = D3Q27::population(A == 2 ? -1 : A, B == 2 ? -1 : B, C == 2 ? -1 : C);

/// Moment of the weights of one axis, and the weight of the velocity in a slot.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION constexpr Real order_weight(int order) {
  return order == 0 ? Real(1) : (order == 1 ? Real(0) : Real(1) / Real(3));
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION constexpr Real velocity_weight(int slot_order) {
  return slot_order == 0 ? Real(2) / Real(3) : Real(1) / Real(6);
}

/// Which orders of a line of moments are not zero.
enum class LineOrders { even, odd, all };

/// From the moments of orders 0, 1, 2 on one axis, about the velocity u, to populations with
/// velocity 0, +1, -1 on it (Geier et al. 2015, backward chimera transform). `weight` is the sum of
/// the weights on this line.
template <LineOrders Orders, bool Weighted, class Real>
KOKKOS_FORCEINLINE_FUNCTION void backward_line(Real& rest, Real& plus, Real& minus, Real u,
                                               Real weight) {
  Real first = plus;
  Real second = Real(2) * u * first;
  if constexpr (Orders != LineOrders::odd) {
    const Real shift = u * (Weighted ? rest + weight : rest);
    first = Orders == LineOrders::even ? shift : plus + shift;
    second = minus + u * (Orders == LineOrders::even ? first : plus + first);
    rest -= second;
  } else {
    rest = -second;
  }
  plus = Real(0.5) * second + Real(0.5) * first;
  minus = Real(0.5) * second - Real(0.5) * first;
}

/// The line of moments of orders I and J on the axes before and behind `Axis` (or populations with
/// velocities that have these slots, on axes behind it).
template <int Axis, int I, int J, LineOrders Orders = LineOrders::all, class Real>
KOKKOS_FORCEINLINE_FUNCTION void backward(Real (&k)[27], Real u) {
  if constexpr (Axis == 2) {
    backward_line<Orders, I != 1 && J != 1>(k[slot<I, J, 0>], k[slot<I, J, 1>], k[slot<I, J, 2>], u,
                                            order_weight<Real>(I) * order_weight<Real>(J));
  } else if constexpr (Axis == 1) {
    backward_line<Orders, I != 1>(k[slot<I, 0, J>], k[slot<I, 1, J>], k[slot<I, 2, J>], u,
                                  order_weight<Real>(I) * velocity_weight<Real>(J));
  } else {
    backward_line<Orders, true>(k[slot<0, I, J>], k[slot<1, I, J>], k[slot<2, I, J>], u,
                                velocity_weight<Real>(I) * velocity_weight<Real>(J));
  }
}

template <int Axis, class Real, int... Line>
KOKKOS_FORCEINLINE_FUNCTION void backward_plane(Real (&k)[27], Real u,
                                                std::integer_sequence<int, Line...> /*unused*/) {
  (backward<Axis, Line / 3, Line % 3>(k, u), ...);
}

/// From central moments to populations, in place. Full says that moments of third and fifth order
/// need not be zero, Forced that those of first order need not.
template <bool Full, bool Forced, class Real>
KOKKOS_FORCEINLINE_FUNCTION void populations_of_central_moments(Real (&k)[27], const Real (&u)[3]) {
  using Lines = std::make_integer_sequence<int, 9>;
  if constexpr (Full) {
    backward_plane<2>(k, u[2], Lines{});
  } else {
    constexpr LineOrders even = Forced ? LineOrders::all : LineOrders::even;
    constexpr LineOrders odd = Forced ? LineOrders::all : LineOrders::odd;
    backward<2, 0, 0, even>(k, u[2]);
    backward<2, 1, 0, odd>(k, u[2]);
    backward<2, 0, 1, odd>(k, u[2]);
    backward<2, 2, 0, LineOrders::even>(k, u[2]);
    backward<2, 0, 2, LineOrders::even>(k, u[2]);
    backward<2, 1, 1, LineOrders::even>(k, u[2]);
    backward<2, 2, 2, LineOrders::even>(k, u[2]);
    backward<2, 2, 1, LineOrders::odd>(k, u[2]);
    backward<2, 1, 2, LineOrders::odd>(k, u[2]);
  }
  backward_plane<1>(k, u[1], Lines{});
  backward_plane<0>(k, u[0], Lines{});
}

/// Third-order central moments, which are the third-order cumulants.
template <class Real>
struct ThirdOrder {
  Real k120, k102, k210, k012, k201, k021, k111;
};

/// Third-order central moments from the populations and the second-order ones, these less rho / 3.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION ThirdOrder<Real> third_order(const Real (&g)[27],
                                                         const Moments3D<Real>& m,
                                                         const FlowState3D<Real>& state,
                                                         const Real (&force)[3],
                                                         const Real (&stress)[6]) {
  const auto difference = [&](int q) { return g[q] - g[q + 1]; };
  const Real(&u)[3] = state.velocity;
  const Real density = Real(1) + state.density_deviation;
  const Real along_y = difference(19) + difference(21);
  const Real against_y = difference(23) + difference(25);
  const Real corners[3] = {along_y + against_y, along_y - against_y,
                           (difference(19) - difference(21)) + (difference(23) - difference(25))};
  // kappa_abb = m_abb - u_a (kappa_bb + rho u_b^2) - u_b (2 kappa_ab + 2 u_a kappa_b)
  //             - u_b^2 kappa_a, with kappa_a = -F_a / 2 about a velocity that has half the force.
  // The part rho / 3 of kappa_bb cancels against m_abb in the main; m_a / 3 is it without force.
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

/// Relaxes third-order cumulants to zero, the larger the nearer to rate 1: with
/// omega + (1 - omega) |C| / (rho lambda + |C|) (Geier, Pasquali, Schoenherr 2017, the limiter).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void relax_third_order(ThirdOrder<Real>& third, Real density,
                                                   const Relaxation3D<Real>& relaxation) {
  const Real bound = density * relaxation.limiter;
  const auto relaxed = [&](Real cumulant, Real omega) {
    return (Real(1) - omega) * bound * cumulant / (bound + math::fabs(cumulant));
  };
  const auto pair = [&](Real& a, Real& b) {
    const Real half_sum = Real(0.5) * relaxed(a + b, relaxation.omega_sum);
    const Real half_difference = Real(0.5) * relaxed(a - b, relaxation.omega_difference);
    a = half_sum + half_difference;
    b = half_sum - half_difference;
  };
  pair(third.k120, third.k102);
  pair(third.k210, third.k012);
  pair(third.k201, third.k021);
  third.k111 = relaxed(third.k111, relaxation.omega_product);
}

/// Central-moment and cumulant collisions. The body force turns the first-order moments about the
/// velocity, which has half of it, from -F / 2 to F / 2.
template <CollisionOperator Operator, Forcing Force, class Real>
KOKKOS_FORCEINLINE_FUNCTION void collide_moments(Real (&g)[27],
                                                 const Relaxation3D<Real>& relaxation) {
  constexpr bool forced = Force != Forcing::none;
  constexpr bool cumulant = Operator != CollisionOperator::central_moments;
  constexpr bool parametrised = Operator == CollisionOperator::cumulant_parametrised;
  constexpr Real third_part = Real(1) / Real(3);
  constexpr bool corrected = parametrised || Operator == CollisionOperator::cumulant_galilean;
  Real force[3];
  for (int a = 0; a < 3; ++a) force[a] = forced ? relaxation.force[a] : Real(0);
  const Moments3D<Real> m = moments<D3Q27>(g);
  const FlowState3D<Real> state = flow_state(m, force);
  const Real(&u)[3] = state.velocity;
  const Real deviation = state.density_deviation;
  const Real density = Real(1) + deviation;
  const Real volume = Real(1) / density;
  Real stress[6];  // second-order central moments less rho / 3 on the diagonal
  nonequilibrium_stress(m, state, force, stress);

  ThirdOrder<Real> third{};
  if constexpr (parametrised) {
    third = third_order(g, m, state, force, stress);
    relax_third_order(third, density, relaxation);
  }

  // Second order.
  const Real omega = relaxation.omega;
  const Real omega_bulk = relaxation.omega_bulk;
  const Real trace = (stress[0] + stress[1]) + stress[2];
  [[maybe_unused]] Real strain[3];  // rho times the strain rates of the axes
  Real relaxed_trace = third_part * (omega - omega_bulk) * trace;
  if constexpr (corrected) {
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
  } else {
    for (int a = 0; a < 3; ++a) stress[a] = (Real(1) - omega) * stress[a] + relaxed_trace;
  }
  [[maybe_unused]] const Real shear_before[3] = {stress[3], stress[4], stress[5]};
  for (int i = 3; i < 6; ++i) stress[i] *= Real(1) - omega;
  const Real xx = stress[0];
  const Real yy = stress[1];
  const Real zz = stress[2];
  const Real xy = stress[3];
  const Real yz = stress[4];
  const Real xz = stress[5];
  // The same by mass, the diagonal with its 1/3.
  const Real normal_x = third_part + volume * xx;
  const Real normal_y = third_part + volume * yy;
  const Real normal_z = third_part + volume * zz;
  const Real shear_xy = volume * xy;
  const Real shear_yz = volume * yz;
  const Real shear_xz = volume * xz;

  // Fourth order: products of the second by its partitions into pairs (cumulants that vanish), or
  // the first of them alone (factorised central moments).
  const Real ninth = Real(1) / Real(9) * deviation;
  const auto aabb = [&](Real a, Real b, Real normal_a, Real ab, Real shear_ab) {
    const Real product = (normal_a * b + third_part * a) + ninth;
    return cumulant ? product + Real(2) * shear_ab * ab : product;
  };
  const auto aabc = [&](Real normal_a, Real bc, Real shear_ab, Real ac) {
    return cumulant ? normal_a * bc + Real(2) * shear_ab * ac : normal_a * bc;
  };
  Real k220 = aabb(xx, yy, normal_x, xy, shear_xy);
  Real k202 = aabb(xx, zz, normal_x, xz, shear_xz);
  Real k022 = aabb(yy, zz, normal_y, yz, shear_yz);
  Real k211 = aabc(normal_x, yz, shear_xy, xz);
  Real k121 = aabc(normal_y, xz, shear_xy, yz);
  Real k112 = aabc(normal_z, xy, shear_xz, yz);
  Real k222 = Real(1) / Real(9) * volume * xx;
  Real k122 = 0;
  Real k212 = 0;
  Real k221 = 0;
  if constexpr (parametrised) {
    const Real c220 = -relaxation.normal_strain * (strain[0] + strain[1]);
    const Real c202 = -relaxation.normal_strain * (strain[0] + strain[2]);
    const Real c022 = -relaxation.normal_strain * (strain[1] + strain[2]);
    const Real shear = Real(3) * omega * relaxation.shear_strain;
    const Real c112 = shear * shear_before[0];
    const Real c211 = shear * shear_before[1];
    const Real c121 = shear * shear_before[2];
    k220 += c220;
    k202 += c202;
    k022 += c022;
    k112 += c112;
    k211 += c211;
    k121 += c121;
    k122 =
        normal_y * third.k102 + normal_z * third.k120 +
        Real(2) * (Real(2) * shear_yz * third.k111 + shear_xy * third.k012 + shear_xz * third.k021);
    k212 =
        normal_x * third.k012 + normal_z * third.k210 +
        Real(2) * (Real(2) * shear_xz * third.k111 + shear_xy * third.k102 + shear_yz * third.k201);
    k221 =
        normal_x * third.k021 + normal_y * third.k201 +
        Real(2) * (Real(2) * shear_xy * third.k111 + shear_xz * third.k120 + shear_yz * third.k210);
    k222 += normal_z * c220 + normal_y * c202 +
            Real(2) * (Real(2) * shear_yz * c211 + shear_xz * c121 + shear_xy * c112) +
            Real(2) * volume *
                (third.k120 * third.k102 + third.k210 * third.k012 + third.k201 * third.k021 +
                 Real(2) * third.k111 * third.k111);
  }
  // Sixth order: the partitions by what stands with the first x.
  k222 += normal_x * k022;
  if constexpr (cumulant) k222 += Real(2) * (shear_xy * k112 + shear_xz * k121);

  g[slot<0, 0, 0>] = deviation;
  g[slot<1, 0, 0>] = Real(0.5) * force[0];
  g[slot<0, 1, 0>] = Real(0.5) * force[1];
  g[slot<0, 0, 1>] = Real(0.5) * force[2];
  g[slot<2, 0, 0>] = xx + third_part * deviation;
  g[slot<0, 2, 0>] = yy + third_part * deviation;
  g[slot<0, 0, 2>] = zz + third_part * deviation;
  g[slot<1, 1, 0>] = xy;
  g[slot<0, 1, 1>] = yz;
  g[slot<1, 0, 1>] = xz;
  g[slot<1, 2, 0>] = third.k120;
  g[slot<1, 0, 2>] = third.k102;
  g[slot<2, 1, 0>] = third.k210;
  g[slot<0, 1, 2>] = third.k012;
  g[slot<2, 0, 1>] = third.k201;
  g[slot<0, 2, 1>] = third.k021;
  g[slot<1, 1, 1>] = third.k111;
  g[slot<2, 2, 0>] = k220;
  g[slot<2, 0, 2>] = k202;
  g[slot<0, 2, 2>] = k022;
  g[slot<2, 1, 1>] = k211;
  g[slot<1, 2, 1>] = k121;
  g[slot<1, 1, 2>] = k112;
  g[slot<1, 2, 2>] = k122;
  g[slot<2, 1, 2>] = k212;
  g[slot<2, 2, 1>] = k221;
  g[slot<2, 2, 2>] = k222;
  populations_of_central_moments<parametrised, forced>(g, u);
}

}  // namespace knudsen::collide3d_detail
