#pragma once

#include <utility>

#include "device/function.hpp"
#include "lattice/d3q27.hpp"

// From central moments of D3Q27 to populations. The central moments
// kappa_abc = sum (cx - u)^a (cy - v)^b (cz - w)^c f are kept less those of the weights (1, 1/3,
// 1/9, 1/27 if a, b and c are even), so that all terms are as small as shifted populations.

namespace knudsen {

/// Index at which a central moment of orders a, b, c is stored among 27 values: that of the
/// population whose velocity on an axis is 0, +1, -1 for the order 0, 1, 2 there.
template <int A, int B, int C>
inline constexpr int slot = D3Q27::population(A == 2 ? -1 : A, B == 2 ? -1 : B, C == 2 ? -1 : C);

namespace central_moments_detail {

/// Moment of the weights of one axis, and weight of the velocity of a slot.
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION constexpr Real order_weight(int order) {
  return order == 0 ? Real(1) : (order == 1 ? Real(0) : Real(1) / Real(3));
}
template <class Real>
KNUDSEN_FORCEINLINE_FUNCTION constexpr Real velocity_weight(int slot_order) {
  return slot_order == 0 ? Real(2) / Real(3) : Real(1) / Real(6);
}

/// Orders of the moments of a line that are not zero.
enum class LineOrders { even, odd, all };

/// From moments of orders 0, 1, 2 along one axis about the velocity u to populations with velocity
/// 0, +1, -1 along it (Geier et al. 2015, backward chimera transform). `weight` is the sum of the
/// weights of this line.
template <LineOrders Orders, bool Weighted, class Real>
KNUDSEN_FORCEINLINE_FUNCTION void backward_line(Real& rest, Real& plus, Real& minus, Real u,
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

/// Transforms the line along `Axis` with orders I and J on the two other axes, in their order; on
/// axes that are already transformed, I or J is the slot of a velocity.
template <int Axis, int I, int J, LineOrders Orders = LineOrders::all, class Real>
KNUDSEN_FORCEINLINE_FUNCTION void backward(Real (&k)[27], Real u) {
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
KNUDSEN_FORCEINLINE_FUNCTION void backward_plane(Real (&k)[27], Real u,
                                                 std::integer_sequence<int, Line...> /*unused*/) {
  (backward<Axis, Line / 3, Line % 3>(k, u), ...);
}

}  // namespace central_moments_detail

/// From central moments (at their slots) about the velocity u to populations, in place. Moments of
/// third and fifth order must be zero unless Full, those of first order unless Forced.
template <bool Full, bool Forced, class Real>
KNUDSEN_FORCEINLINE_FUNCTION void populations_of_central_moments(Real (&k)[27],
                                                                 const Real (&u)[3]) {
  using central_moments_detail::backward;
  using central_moments_detail::backward_plane;
  using central_moments_detail::LineOrders;
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

}  // namespace knudsen
