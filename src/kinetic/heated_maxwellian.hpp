#pragma once

#include <cmath>
#include <numbers>

#include "kinetic/maxwellian.hpp"

// A Maxwellian with a heat flux, the target of Shakhov's model, that conserves on a velocity grid.
// Otherwise the collisions of a cell make or take mass, momentum and energy by the error of the
// quadrature, as often as molecules collide while they cross the gas.

namespace knudsen {

/// Sums of a Gaussian of variance v in y = x - mean over a velocity grid, where x = (v - u) / s and
/// s^2 = T / 2 of a gas with velocity u and temperature T. The Gaussian is a product over the
/// components, so that the number of exponentials is the sum of the three node counts.
class GaussianSums {
 public:
  static constexpr int none = -1;  ///< in place of an index: without that factor

  template <class ExecutionSpace, class Real>
  KOKKOS_INLINE_FUNCTION GaussianSums(const VelocitySpace<ExecutionSpace, Real>& space,
                                      const Macroscopic& gas, const double (&mean)[3],
                                      double variance) {
    const double s = std::sqrt(0.5 * gas.temperature);
    const double scale = 1 / (s * std::sqrt(2 * std::numbers::pi * variance));
    for (int d = 0; d < 3; ++d) {
      double* p = p_[d];
      for (int n = 0; n < powers; ++n) p[n] = 0;
      if (d + space.integrated >= 3) {
        p[0] = 1;
        for (int n = 2; n < powers; n += 2) p[n] = (n - 1) * variance * p[n - 2];
        continue;
      }
      for (int i = 0; i < space.count[d]; ++i) {
        const double y = (double(space.nodes[d](i)) - gas.velocity[d]) / s - mean[d];
        double term = double(space.weights[d](i)) * scale * std::exp(-0.5 * y * y / variance);
        for (int n = 0; n < powers; ++n) {
          p[n] += term;
          term *= y;
        }
      }
    }
  }

  /// Sum of the Gaussian times y_d y_e y^(2 k), in all of degree 5 at most.
  KOKKOS_INLINE_FUNCTION double operator()(int d, int e, int k) const {
    double sum = 0;
    for (int a = 0; a < (k > 0 ? 3 : 1); ++a) {
      for (int b = 0; b < (k > 1 ? 3 : 1); ++b) {
        double product = 1;
        for (int g = 0; g < 3; ++g) {
          product *= p_[g][(d == g ? 1 : 0) + (e == g ? 1 : 0) + (k > 0 && a == g ? 2 : 0) +
                           (k > 1 && b == g ? 2 : 0)];
        }
        sum += product;
      }
    }
    return sum;
  }

 private:
  static constexpr int powers = 6;
  double p_[3][powers];  ///< (component, n): sum of the Gaussian's factor times y^n
};

/// The Maxwellian M such that M (1 + (heat . c) (2 c^2 / T - 5)), where c is the velocity relative
/// to that of M and T its temperature, has the discrete density, momentum and energy of `state` to
/// the relative `tolerance`. Returns the continuous Maxwellian of `state` if none is found: if the
/// grid is too narrow or too coarse for the state.
///
/// In Newton's method the derivatives are those of the continuous moments but for what the
/// quadrature changes of those of the Maxwellian; what it changes of those of the heat flux is left
/// out.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Maxwellian conservative_heated_maxwellian(
    const VelocitySpace<ExecutionSpace, Real>& space, const Macroscopic& state,
    const double (&heat)[3], double tolerance) {
  const Maxwellian plain = maxwellian(state.density, state.velocity, state.temperature);
  if (!(state.temperature > 0) || !(state.density > 0)) return plain;
  constexpr int none = GaussianSums::none;
  constexpr int max_iterations = 30;
  const double s = std::sqrt(0.5 * state.temperature);
  // The Maxwellian relative to `state`.
  double density = 1;
  double mean[3] = {0, 0, 0};
  double variance = 1;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    if (!(density > 0 && variance > 0)) return plain;
    const GaussianSums sums(space, state, mean, variance);
    double gram[5][5];  // sums of the products of 1, y and y^2
    double third[3];
    for (int d = 0; d < 3; ++d) {
      gram[0][1 + d] = gram[1 + d][0] = sums(d, none, 0);
      gram[4][1 + d] = gram[1 + d][4] = third[d] = sums(d, none, 1);
      for (int e = 0; e < 3; ++e) gram[1 + d][1 + e] = sums(d, e, 0);
    }
    gram[0][0] = sums(none, none, 0);
    gram[0][4] = gram[4][0] = sums(none, none, 1);
    gram[4][4] = sums(none, none, 2);
    // What is wanted less the moments, of 1, y and y^2.
    double rest[5];
    for (int i = 0; i < 5; ++i) rest[i] = -density * gram[i][0];
    rest[0] += 1;
    rest[4] += 3;
    for (int d = 0; d < 3; ++d) {
      rest[1 + d] -= mean[d];
      rest[4] += mean[d] * mean[d];
      const double flux = density * s * heat[d];
      if (flux == 0) continue;
      rest[0] -= flux * (third[d] / variance - 5 * gram[0][1 + d]);
      rest[4] -= flux * (sums(d, none, 2) / variance - 5 * third[d]);
      for (int e = 0; e < 3; ++e) {
        rest[1 + e] -= flux * (sums(d, e, 1) / variance - 5 * gram[1 + d][1 + e]);
      }
    }
    double largest = 0;
    for (const double each : rest) {
      if (!(math::fabs(each) <= largest)) largest = math::fabs(each);
    }
    if (!(largest < 1e3)) return plain;
    if (largest <= tolerance) {
      double velocity[3];
      for (int d = 0; d < 3; ++d) velocity[d] = state.velocity[d] + s * mean[d];
      return maxwellian(density * state.density, velocity, variance * state.temperature);
    }
    solve_invariants(gram, rest);
    // What the moments of the continuous Maxwellian have to gain, and its numbers then.
    const double before = density;
    density += rest[0] + 3 * variance * rest[4];
    const double energy = 3 * variance * (before + rest[0] + 5 * variance * rest[4]);
    double square = 0;
    for (int d = 0; d < 3; ++d) {
      const double shift = variance * rest[1 + d] / density;
      square += shift * shift;
      mean[d] += shift;
    }
    variance = (energy / density - square) / 3;
  }
  return plain;
}

}  // namespace knudsen
