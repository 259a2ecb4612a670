#pragma once

#include <KokkosBatched_LU_Decl.hpp>
#include <KokkosBatched_LU_Serial_Impl.hpp>
#include <KokkosBatched_Trsv_Decl.hpp>
#include <KokkosBatched_Trsv_Serial_Impl.hpp>
#include <cmath>

#include "velocity/moments.hpp"
#include "velocity/velocity_space.hpp"

namespace knudsen {

/// amplitude x exp(-|v - velocity|^2 / temperature): a product of one factor a component.
struct Maxwellian {
  double amplitude = 0;
  double velocity[3] = {0, 0, 0};
  double temperature = 1;

  /// The factor of a component, without the amplitude.
  KOKKOS_INLINE_FUNCTION double factor(int component, double node) const {
    const double c = node - velocity[component];
    return std::exp(-c * c / temperature);
  }
};

KOKKOS_INLINE_FUNCTION Maxwellian maxwellian(double density, const double (&velocity)[3],
                                             double temperature) {
  constexpr double pi = 3.14159265358979323846;
  const double width = pi * temperature;
  return {
      density / (width * std::sqrt(width)), {velocity[0], velocity[1], velocity[2]}, temperature};
}

inline Maxwellian maxwellian(const GasState& state) {
  return maxwellian(state.density, {state.velocity[0], state.velocity[1], state.velocity[2]},
                    state.temperature);
}

/// The Maxwellian whose discrete density, momentum and energy on the grid are exactly those of
/// `state` (Newton's method on the five moments, matrices by Kokkos-Kernels). Sums factorise over
/// the components, so an iteration takes as many exponentials as the axes have nodes together.
/// Falls back to the plain Maxwellian of `state` where Newton's method does not converge, which
/// happens only where the grid cannot hold the state.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Maxwellian conservative_maxwellian(
    const VelocitySpace<ExecutionSpace, Real>& space, const Macroscopic& state, double tolerance) {
  const Maxwellian plain = maxwellian(state.density, state.velocity, state.temperature);
  if (!(state.temperature > 0) || !(state.density > 0)) return plain;
  // With x = (v - u) / s, s^2 = T / 2, the search is among
  // exp(-x^2 / 2 + sum of l_a phi_a), phi = 1, x_1, x_2, x_3, (x^2 - 3) / sqrt(6), per density.
  const double s = std::sqrt(0.5 * state.temperature);
  const double root6 = std::sqrt(6.0);
  double l[5] = {std::log(plain.amplitude / state.density), 0, 0, 0, 0};
  constexpr int most_iterations = 30;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const double narrow = 1 - 2 * l[4] / root6;
    double p[3][5] = {};  // sums of x_d^n
    for (int d = 0; d < 3; ++d) {
      for (int i = 0; i < space.count[d]; ++i) {
        const double x = (double(space.nodes[d](i)) - state.velocity[d]) / s;
        const double weight =
            d == 2 ? double(space.moment_weights(0, i)) : double(space.weights[d](i));
        double term = weight * std::exp(x * (l[1 + d] - 0.5 * narrow * x));
        for (int n = 0; n < 5; ++n) {
          p[d][n] += term;
          term *= x;
        }
      }
    }
    const double a = std::exp(l[0] - 3 * l[4] / root6);
    const auto moment = [&](int nx, int ny, int nz) { return a * p[0][nx] * p[1][ny] * p[2][nz]; };
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
    double matrix[5][5];
    double rest[5];
    matrix[0][0] = mass;
    matrix[0][4] = matrix[4][0] = (square - 3 * mass) / root6;
    matrix[4][4] = (quartic - 6 * square + 9 * mass) / 6;
    rest[0] = 1 - mass;
    rest[4] = -matrix[0][4];
    double largest =
        math::fabs(rest[0]) > math::fabs(rest[4]) ? math::fabs(rest[0]) : math::fabs(rest[4]);
    for (int d = 0; d < 3; ++d) {
      matrix[0][1 + d] = matrix[1 + d][0] = first[d];
      matrix[4][1 + d] = matrix[1 + d][4] = (cubic[d] - 3 * first[d]) / root6;
      for (int e = 0; e < 3; ++e) matrix[1 + d][1 + e] = second[d][e];
      rest[1 + d] = -first[d];
      if (!(math::fabs(first[d]) <= largest)) largest = math::fabs(first[d]);
    }
    if (!(largest < 1e3)) return plain;
    if (largest <= tolerance) {
      double shift = 0;
      Maxwellian fitted;
      fitted.temperature = state.temperature / narrow;
      for (int d = 0; d < 3; ++d) {
        fitted.velocity[d] = state.velocity[d] + s * l[1 + d] / narrow;
        shift += l[1 + d] * l[1 + d] / (2 * narrow);
      }
      fitted.amplitude = state.density * a * std::exp(shift);
      return narrow > 0 ? fitted : plain;
    }
    using namespace KokkosBatched;  // NOLINT: in this block only
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    // The matrix of inner products is positive definite: no pivots are needed.
    const Kokkos::View<double[5][5], Kokkos::LayoutRight, Kokkos::AnonymousSpace, Unmanaged> lu(
        &matrix[0][0]);
    const Kokkos::View<double[5], Kokkos::LayoutRight, Kokkos::AnonymousSpace, Unmanaged> x(rest);
    SerialLU<Algo::LU::Unblocked>::invoke(lu);
    SerialTrsv<Uplo::Lower, Trans::NoTranspose, Diag::Unit, Algo::Trsv::Unblocked>::invoke(1.0, lu,
                                                                                           x);
    SerialTrsv<Uplo::Upper, Trans::NoTranspose, Diag::NonUnit, Algo::Trsv::Unblocked>::invoke(
        1.0, lu, x);
    for (int b = 0; b < 5; ++b) l[b] += rest[b];
  }
  return plain;
}

}  // namespace knudsen
