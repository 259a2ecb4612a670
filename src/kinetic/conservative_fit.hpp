#pragma once

#include <cmath>
#include <numbers>

#include "kinetic/maxwellian.hpp"

// Targets of collisions that conserve on a velocity grid: a Maxwellian with a heat flux, that of
// Shakhov's model, and a Gaussian, that of ES-BGK. Otherwise the collisions of a cell make or take
// mass, momentum and energy by the error of the quadrature, as often as molecules collide while
// they cross the gas.

namespace knudsen {

/// Sums of a Gaussian in y = x - mean over a velocity grid, where x = (v - u) / s and s^2 = T / 2
/// of a gas with velocity u and temperature T. The Gaussian is a product over the components, each
/// with its variance, so that the number of exponentials is the sum of the three node counts.
class GaussianSums {
 public:
  static constexpr int none = -1;  ///< in place of an index: without that factor

  template <class ExecutionSpace, class Real>
  KOKKOS_INLINE_FUNCTION GaussianSums(const VelocitySpace<ExecutionSpace, Real>& space,
                                      const Macroscopic& gas, const double (&mean)[3],
                                      const double (&variances)[3]) {
    const double inverse = 1 / std::sqrt(0.5 * gas.temperature);
    for (int d = 0; d < 3; ++d) {
      const double variance = variances[d];
      const double scale = inverse / std::sqrt(2 * std::numbers::pi * variance);
      if (d + space.integrated >= 3) {
        p_[d][0] = 1;
        for (int n = 2; n < powers; n += 2) p_[d][n] = (n - 1) * variance * p_[d][n - 2];
        continue;
      }
      sum_axis(space.nodes[d], space.weights[d], space.count[d],
               {gas.velocity[d], inverse, mean[d], 0, 0.5 / variance}, p_[d]);
      for (double& each : p_[d]) each *= scale;
    }
  }

  /// Sum of the Gaussian times y_d y_e y_f y^(2 k), in all of degree 5 at most.
  KOKKOS_INLINE_FUNCTION double operator()(int d, int e, int f, int k) const {
    int degree[3];
    for (int g = 0; g < 3; ++g) degree[g] = (d == g ? 1 : 0) + (e == g ? 1 : 0) + (f == g ? 1 : 0);
    double sum = 0;
    for (int a = 0; a < (k > 0 ? 3 : 1); ++a) {
      for (int b = 0; b < (k > 1 ? 3 : 1); ++b) {
        double product = 1;
        for (int g = 0; g < 3; ++g) {
          product *= p_[g][degree[g] + (k > 0 && a == g ? 2 : 0) + (k > 1 && b == g ? 2 : 0)];
        }
        sum += product;
      }
    }
    return sum;
  }

 private:
  static constexpr int powers = 6;
  double p_[3][powers] = {};  ///< (component, n): sum of the Gaussian's factor times y^n
};

/// What a target has beside its Maxwellian: one of both.
struct TargetShape {
  /// Term (heat . c) (2 c^2 / T - 5), where c is the velocity relative to the Maxwellian and T its
  /// temperature.
  double heat[3] = {0, 0, 0};
  /// Covariance of a Gaussian over T / 2 less that of the Maxwellian, without trace: xx, yy, zz,
  /// xy, yz, xz.
  double stress[6] = {0, 0, 0, 0, 0, 0};
};

/// Density, velocity and temperature of a Maxwellian.
struct FittedState {
  double density = 0;
  double velocity[3] = {0, 0, 0};
  double temperature = 0;
  bool found = false;  ///< else it is the state that was asked for
};

/// The Maxwellian that with `shape` has the discrete density, momentum and energy of `state` to the
/// relative `tolerance`. That of `state` itself if none is found: if the grid is too narrow or too
/// coarse for the state. A Gaussian's covariances of two components count in first order, which
/// matters little: what the midpoint rule misses of a density is its Fourier transform at the wave
/// numbers of the nodes, where that of a Gaussian is exp(-k . V k / 2), which on an axis has its
/// variance alone.
///
/// In Newton's method the derivatives are those of the continuous moments but for what the
/// quadrature changes of those of the Gaussian; what it changes of those of the heat flux is left
/// out.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION FittedState
fit_conservative(const VelocitySpace<ExecutionSpace, Real>& space, const Macroscopic& state,
                 const TargetShape& shape, double tolerance) {
  const FittedState plain{state.density,
                          {state.velocity[0], state.velocity[1], state.velocity[2]},
                          state.temperature,
                          false};
  if (!(state.temperature > 0) || !(state.density > 0)) return plain;
  constexpr int none = GaussianSums::none;
  constexpr int max_iterations = 30;
  const double s = std::sqrt(0.5 * state.temperature);
  // The Maxwellian relative to `state`.
  double density = 1;
  double mean[3] = {0, 0, 0};
  double variance = 1;
  double before = 0;  // largest residual of the last iteration
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    double variances[3];
    bool exists = density > 0 && variance > 0;
    for (int d = 0; d < 3; ++d) {
      variances[d] = variance + shape.stress[d];
      exists = exists && variances[d] > 0;
    }
    if (!exists) return plain;
    const GaussianSums sums(space, state, mean, variances);
    double gram[5][5];  // sums of the products of 1, y and y^2
    double third[3];
    for (int d = 0; d < 3; ++d) {
      gram[0][1 + d] = gram[1 + d][0] = sums(d, none, none, 0);
      gram[4][1 + d] = gram[1 + d][4] = third[d] = sums(d, none, none, 1);
      for (int e = 0; e < 3; ++e) gram[1 + d][1 + e] = sums(d, e, none, 0);
    }
    gram[0][0] = sums(none, none, none, 0);
    gram[0][4] = gram[4][0] = sums(none, none, none, 1);
    gram[4][4] = sums(none, none, none, 2);
    // What is wanted less the moments, of 1, y and y^2.
    double rest[5];
    for (int i = 0; i < 5; ++i) rest[i] = -density * gram[i][0];
    rest[0] += 1;
    rest[4] += 3;
    for (int d = 0; d < 3; ++d) {
      rest[1 + d] -= mean[d];
      rest[4] += mean[d] * mean[d];
      const double flux = density * s * shape.heat[d];
      if (flux == 0) continue;
      rest[0] -= flux * (third[d] / variance - 5 * gram[0][1 + d]);
      rest[4] -= flux * (sums(d, none, none, 2) / variance - 5 * third[d]);
      for (int e = 0; e < 3; ++e) {
        rest[1 + e] -= flux * (sums(d, e, none, 1) / variance - 5 * gram[1 + d][1 + e]);
      }
    }
    for (int d = 0; d < 3; ++d) {
      const int e = (d + 1) % 3;
      const double share = density * shape.stress[3 + d] / (variances[d] * variances[e]);
      if (share == 0) continue;
      rest[0] -= share * gram[1 + d][1 + e];
      rest[4] -= share * sums(d, e, none, 1);
      for (int f = 0; f < 3; ++f) rest[1 + f] -= share * sums(d, e, f, 0);
    }
    double largest = 0;
    for (const double each : rest) {
      if (!(math::fabs(each) <= largest)) largest = math::fabs(each);
    }
    if (!(largest < 1e3)) return plain;
    const bool is_solved = largest <= tolerance;
    // At the pace of the last step the next one leaves so little that it need not be looked at.
    const bool is_last = before > 0 && largest * largest <= 0.1 * tolerance * before;
    before = largest;
    if (!is_solved) {
      solve_invariants(gram, rest);
      // What the moments of the continuous Gaussian have to gain, and its numbers then.
      double squares = 0;
      for (const double each : variances) squares += each * each;
      const double old = density;
      density += rest[0] + 3 * variance * rest[4];
      double energy =
          3 * variance * (old + rest[0]) + (9 * variance * variance + 2 * squares) * rest[4];
      for (int d = 0; d < 3; ++d) {
        const double shift = variances[d] * rest[1 + d] / density;
        energy -= density * shift * shift;
        mean[d] += shift;
      }
      variance = energy / (3 * density);
    }
    if ((is_solved || is_last) && density > 0 && variance > 0) {
      return {density * state.density,
              {state.velocity[0] + s * mean[0], state.velocity[1] + s * mean[1],
               state.velocity[2] + s * mean[2]},
              variance * state.temperature,
              true};
    }
  }
  return plain;
}

}  // namespace knudsen
