#pragma once

#include <KokkosBatched_LU_Decl.hpp>
#include <KokkosBatched_LU_Serial_Impl.hpp>
#include <KokkosBatched_Trsv_Decl.hpp>
#include <KokkosBatched_Trsv_Serial_Impl.hpp>
#include <cmath>
#include <numbers>

#include "kinetic/axis_sums.hpp"
#include "kinetic/maxwellian_state.hpp"
#include "kinetic/moments.hpp"
#include "kinetic/velocity_space.hpp"

namespace knudsen {

/// Discrete moments of a Maxwellian close to that of `state`. With x = (v - u) / s and s^2 = T / 2,
/// the Maxwellian per unit density is exp(-x^2 / 2 + sum of l_a phi_a), where phi is
/// 1, x_1, x_2, x_3, (x^2 - 3) / sqrt(6).
struct DiscreteInvariants {
  double matrix[5][5];  ///< sums of weight x Maxwellian x phi_a phi_b, over the density
  double rest[5];       ///< residual: (1, 0, 0, 0, 0) minus the first row of the matrix
  double largest;       ///< largest magnitude in the residual; may overflow or be NaN
  double amplitude;     ///< exp(l_0 - 3 l_4 / sqrt(6))
  double narrow;        ///< 1 - 2 l_4 / sqrt(6)
};

/// Logarithm of the amplitude of the continuous Maxwellian of unit density: initial guess of l_0.
KOKKOS_INLINE_FUNCTION double plain_exponent(const Macroscopic& state) {
  return std::log(maxwellian(1, state.velocity, state.temperature).amplitude);
}

/// Discrete moments for the coefficients `l`. The sums factorise over the components, so the number
/// of exponentials is the sum of the three node counts, not their product.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION DiscreteInvariants
discrete_invariants(const VelocitySpace<ExecutionSpace, Real>& space, const Macroscopic& state,
                    const double (&l)[5]) {
  const double s = std::sqrt(0.5 * state.temperature);
  const double root6 = std::sqrt(6.0);
  DiscreteInvariants found;
  found.narrow = 1 - 2 * l[4] / root6;
  found.amplitude = std::exp(l[0] - 3 * l[4] / root6);
  double p[3][5] = {};  // sums of x_d^n
  for (int d = 0; d < 3; ++d) {
    if (d + space.integrated >= 3) {
      p[d][0] = s * std::sqrt(2 * std::numbers::pi / found.narrow);
      p[d][2] = p[d][0] / found.narrow;
      p[d][4] = 3 * p[d][2] / found.narrow;
      continue;
    }
    sum_axis(space.nodes[d], space.weights[d], space.count[d],
             {state.velocity[d], 1 / s, 0, l[1 + d], 0.5 * found.narrow}, p[d]);
  }
  const auto moment = [&](int nx, int ny, int nz) {
    return found.amplitude * p[0][nx] * p[1][ny] * p[2][nz];
  };
  const double mass = moment(0, 0, 0);
  const double first[3] = {moment(1, 0, 0), moment(0, 1, 0), moment(0, 0, 1)};
  const double second[3][3] = {{moment(2, 0, 0), moment(1, 1, 0), moment(1, 0, 1)},
                               {moment(1, 1, 0), moment(0, 2, 0), moment(0, 1, 1)},
                               {moment(1, 0, 1), moment(0, 1, 1), moment(0, 0, 2)}};
  const double square = second[0][0] + second[1][1] + second[2][2];
  const double cubic[3] = {moment(3, 0, 0) + moment(1, 2, 0) + moment(1, 0, 2),
                           moment(2, 1, 0) + moment(0, 3, 0) + moment(0, 1, 2),
                           moment(2, 0, 1) + moment(0, 2, 1) + moment(0, 0, 3)};
  const double quartic = moment(4, 0, 0) + moment(0, 4, 0) + moment(0, 0, 4) +
                         2 * (moment(2, 2, 0) + moment(0, 2, 2) + moment(2, 0, 2));
  auto& matrix = found.matrix;
  matrix[0][0] = mass;
  matrix[0][4] = matrix[4][0] = (square - 3 * mass) / root6;
  matrix[4][4] = (quartic - 6 * square + 9 * mass) / 6;
  for (int d = 0; d < 3; ++d) {
    matrix[0][1 + d] = matrix[1 + d][0] = first[d];
    matrix[4][1 + d] = matrix[1 + d][4] = (cubic[d] - 3 * first[d]) / root6;
    for (int e = 0; e < 3; ++e) matrix[1 + d][1 + e] = second[d][e];
  }
  found.largest = 0;
  for (int a = 0; a < 5; ++a) {
    found.rest[a] = (a == 0 ? 1 : 0) - matrix[0][a];
    const double size = math::fabs(found.rest[a]);
    if (!(size <= found.largest)) found.largest = size;
  }
  return found;
}

/// Solves matrix x = rest by an LU decomposition of Kokkos Kernels. The solution replaces `rest`;
/// the matrix is overwritten. No pivoting: a Gram matrix is positive definite.
KOKKOS_INLINE_FUNCTION void solve_invariants(double (&matrix)[5][5], double (&rest)[5]) {
  using namespace KokkosBatched;  // NOLINT: in this function only
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  const Kokkos::View<double[5][5], Kokkos::LayoutRight, Kokkos::AnonymousSpace, Unmanaged> lu(
      &matrix[0][0]);
  const Kokkos::View<double[5], Kokkos::LayoutRight, Kokkos::AnonymousSpace, Unmanaged> x(rest);
  SerialLU<Algo::LU::Unblocked>::invoke(lu);
  SerialTrsv<Uplo::Lower, Trans::NoTranspose, Diag::Unit, Algo::Trsv::Unblocked>::invoke(1.0, lu,
                                                                                         x);
  SerialTrsv<Uplo::Upper, Trans::NoTranspose, Diag::NonUnit, Algo::Trsv::Unblocked>::invoke(1.0, lu,
                                                                                            x);
}

/// The Maxwellian whose discrete density, momentum and energy on the grid equal those of `state` to
/// the relative `tolerance` (Newton's method on the five moments), or as far as rounding allows if
/// `tolerance` is 0. Returns the continuous Maxwellian of `state` if Newton's method does not
/// converge, which happens only if the grid is too narrow or too coarse for the state.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Maxwellian conservative_maxwellian(
    const VelocitySpace<ExecutionSpace, Real>& space, const Macroscopic& state, double tolerance) {
  const Maxwellian plain = maxwellian(state.density, state.velocity, state.temperature);
  if (!(state.temperature > 0) || !(state.density > 0)) return plain;
  double l[5] = {plain_exponent(state), 0, 0, 0, 0};
  constexpr int max_iterations = 30;
  constexpr double near_rounding = 1e-12;
  double before = near_rounding;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    DiscreteInvariants found = discrete_invariants(space, state, l);
    if (!(found.largest < 1e3)) return plain;
    // Near rounding the residual falls no further.
    const bool is_last = tolerance == 0 && found.largest >= 0.5 * before;
    if (found.largest < near_rounding) before = found.largest;
    if (found.largest <= tolerance || (is_last && found.largest < near_rounding)) {
      const double s = std::sqrt(0.5 * state.temperature);
      double shift = 0;
      Maxwellian fitted;
      fitted.temperature = state.temperature / found.narrow;
      for (int d = 0; d < 3; ++d) {
        fitted.velocity[d] = state.velocity[d] + s * l[1 + d] / found.narrow;
        shift += l[1 + d] * l[1 + d] / (2 * found.narrow);
      }
      fitted.amplitude = state.density * found.amplitude * std::exp(shift);
      return found.narrow > 0 ? fitted : plain;
    }
    solve_invariants(found.matrix, found.rest);
    for (int a = 0; a < 5; ++a) l[a] += found.rest[a];
  }
  return plain;
}

/// Coefficients b such that the continuous Maxwellian of `state` times
/// b_0 + b_1 c_x + b_2 c_y + b_3 c_z + b_4 c^2 has the discrete moments `missing` (mass, momentum,
/// sum of v^2 f). Adding this term to a target that lacks these moments makes it conservative.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void invariant_correction(const VelocitySpace<ExecutionSpace, Real>& space,
                                                 const Macroscopic& state,
                                                 const RawMoments<5>& missing,
                                                 Real (&coefficients)[5]) {
  const double l[5] = {plain_exponent(state), 0, 0, 0, 0};
  DiscreteInvariants found = discrete_invariants(space, state, l);
  const double s = std::sqrt(0.5 * state.temperature);
  const double root6 = std::sqrt(6.0);
  const double* m = missing.value;
  double square = m[4];
  double rest[5] = {m[0]};
  for (int d = 0; d < 3; ++d) {
    const double u = state.velocity[d];
    rest[1 + d] = (m[1 + d] - u * m[0]) / s;
    square += u * (u * m[0] - 2 * m[1 + d]);
  }
  rest[4] = (square / (s * s) - 3 * m[0]) / root6;
  for (double& value : rest) value /= state.density;
  solve_invariants(found.matrix, rest);
  coefficients[0] = static_cast<Real>(rest[0] - 3 * rest[4] / root6);
  for (int d = 1; d < 4; ++d) coefficients[d] = static_cast<Real>(rest[d] / s);
  coefficients[4] = static_cast<Real>(rest[4] / (root6 * s * s));
}

}  // namespace knudsen
