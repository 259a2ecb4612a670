#pragma once

#include "methods/bgkw/segments.hpp"

namespace knudsen::bgkw {

/// Sums of (1, v_x, v_y, v_z, v^2) f that a thread of SinglePass accumulates over its velocities of
/// a cell. These have one y component, as many z components as a 16-byte access, and x components
/// of one sign.
template <class Real, int Dimensions, bool Flows>
struct ThreadSums {
  static constexpr int width = values_per_access<Real>;
  /// Numbers that write() stores: the five sums; with flows also those of the outflow along x,
  /// along y, downwards and upwards.
  static constexpr int count = Flows ? 5 * (Dimensions > 2 ? 5 : 1 + Dimensions) : 5;

  Real mass[4] = {};      ///< sums of v_x^n f
  Real z[2] = {};         ///< sums of v_x^n v_z f
  Real square_z[2] = {};  ///< sums of v_x^n v_z^2 f
  Real up[5] = {};        ///< flow upwards: sums of (1, v_x, v_x^2, v_z, v_z^2) |v_z| f, v_z > 0
  Real down[5] = {};      ///< flow downwards: the same sums, v_z < 0

  /// Weights of a thread's z components, the weight of its y component included.
  struct Weights {
    Lanes<width, Real> one;     ///< in the sum of f
    Lanes<width, Real> z;       ///< in the sum of v_z f
    Lanes<width, Real> square;  ///< in the sum of v_z^2 f
    Lanes<width, Real> node;    ///< v_z

    template <class ExecutionSpace>
    KOKKOS_FORCEINLINE_FUNCTION Weights(const VelocitySpace<ExecutionSpace, Real>& v, int begin)
        : one(v.weight.data() + begin),
          square(v.square_weight.data() + begin),
          node(v.z.data() + begin) {
      KNUDSEN_UNROLL
      for (int k = 0; k < width; ++k) z.access.value[k] = one[k] * node[k];
    }
  };

  /// Index among a thread's numbers for the index among a cell's numbers, which are the five sums,
  /// then five for the outflow in each direction.
  KOKKOS_INLINE_FUNCTION static constexpr int number_of(int cell_number) {
    const int five = cell_number / 5;
    return cell_number - 5 * (five > 4 ? 2 : five / 2);
  }

  KOKKOS_FORCEINLINE_FUNCTION void add(Real x, Real weight, const Real (&values)[width],
                                       const Weights& weights) {
    Real m = weights.one[0] * values[0];
    Real along = weights.z[0] * values[0];
    Real square = weights.square[0] * values[0];
    KNUDSEN_UNROLL
    for (int k = 1; k < width; ++k) {
      m += weights.one[k] * values[k];
      along += weights.z[k] * values[k];
      square += weights.square[k] * values[k];
    }
    const Real of_x = weight * x;
    mass[0] += weight * m;
    mass[1] += of_x * m;
    mass[2] += x * of_x * m;
    z[0] += weight * along;
    square_z[0] += weight * square;
    if constexpr (Flows) {
      mass[3] += x * x * of_x * m;
      z[1] += of_x * along;
      square_z[1] += of_x * square;
    }
    if constexpr (Flows && Dimensions > 2) {
      Real sums[6] = {};
      KNUDSEN_UNROLL
      for (int k = 0; k < width; ++k) {
        const Real z_here = weights.node[k];
        const Real high = z_here > 0 ? z_here : Real(0);
        const Real low = z_here < 0 ? -z_here : Real(0);
        const Real here = weights.one[k] * values[k];
        sums[0] += high * here;
        sums[1] += high * z_here * here;
        sums[2] += high * weights.square[k] * values[k];
        sums[3] += low * here;
        sums[4] += low * z_here * here;
        sums[5] += low * weights.square[k] * values[k];
      }
      const Real factors[3] = {weight, of_x, x * of_x};
      for (int n = 0; n < 3; ++n) {
        up[n] += factors[n] * sums[0];
        down[n] += factors[n] * sums[3];
      }
      for (int n = 1; n < 3; ++n) {
        up[2 + n] += weight * sums[n];
        down[2 + n] += weight * sums[3 + n];
      }
    }
  }

  /// Stores the numbers with a stride. `crossing` are Courant numbers of unit velocity, `y` is the
  /// thread's y component, `left` whether its x components are negative.
  KOKKOS_FORCEINLINE_FUNCTION void write(const Real (&crossing)[3], Real y, bool left, Real* to,
                                         int stride) const {
    const Real own[5] = {mass[0], mass[1], y * mass[0], z[0],
                         mass[2] + y * y * mass[0] + square_z[0]};
    write_five(to, stride, 1, own);
    if constexpr (Flows) {
      const Real along_x[5] = {mass[1], mass[2], y * mass[1], z[1],
                               mass[3] + y * y * mass[1] + square_z[1]};
      write_five(to + 5 * stride, stride, left ? -crossing[0] : crossing[0], along_x);
    }
    if constexpr (Flows && Dimensions > 1) {
      write_five(to + 10 * stride, stride, math::fabs(y) * crossing[1], own);
    }
    if constexpr (Flows && Dimensions > 2) {
      const Real low[5] = {down[0], down[1], y * down[0], down[3],
                           down[2] + y * y * down[0] + down[4]};
      const Real high[5] = {up[0], up[1], y * up[0], up[3], up[2] + y * y * up[0] + up[4]};
      write_five(to + 15 * stride, stride, crossing[2], low);
      write_five(to + 20 * stride, stride, crossing[2], high);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void write_five(Real* to, int stride, Real factor,
                                                     const Real (&numbers)[5]) {
    KNUDSEN_UNROLL
    for (int n = 0; n < 5; ++n, to += stride) *to = factor * numbers[n];
  }
};

}  // namespace knudsen::bgkw
