#pragma once

#include "device/kokkos.hpp"
#include "device/quick_math.hpp"

namespace knudsen {

/// The function exp(y (linear - quadratic y)) of y = (v - origin) inverse_width - mean, where v is
/// a velocity component.
struct AxisExponential {
  double origin = 0;
  double inverse_width = 1;
  double mean = 0;
  double linear = 0;
  double quadratic = 0;
};

#if defined(__CUDA_ARCH__)
inline constexpr int axis_lanes = 1;
inline constexpr int axis_chunk = 1;
#else
inline constexpr int axis_lanes = 8;
inline constexpr int axis_chunk = 32;
#endif

/// Sums over the `count` nodes of an axis: sum[n] of weight x exponential x y^n.
///
/// On the host many nodes at a time for the exponentials, and sums of their own for each place in a
/// vector: fit_conservative() takes 0.5 us in place of 0.7 us with 3 x 16 nodes, 0.6 us in place of
/// 1.3 us with 3 x 32 (one thread of a Xeon with AVX-512).
template <int powers, class Values>
KOKKOS_INLINE_FUNCTION void sum_axis(const Values& nodes, const Values& weights, int count,
                                     const AxisExponential& of, double (&sum)[powers]) {
  double sums[powers][axis_lanes] = {};
  for (int first = 0; first < count; first += axis_chunk) {
    const int left = count - first;
    const int taken = left < axis_chunk ? left : axis_chunk;
    double y[axis_chunk];
    double term[axis_chunk];
    KNUDSEN_SIMD
    for (int i = 0; i < taken; ++i) {
      y[i] = (double(nodes(first + i)) - of.origin) * of.inverse_width - of.mean;
      term[i] =
          double(weights(first + i)) * quick_exponential(y[i] * (of.linear - of.quadratic * y[i]));
    }
    const int padded = (taken + axis_lanes - 1) / axis_lanes * axis_lanes;
    for (int i = taken; i < padded; ++i) y[i] = term[i] = 0;
    for (int i = 0; i < padded; i += axis_lanes) {
      for (int n = 0; n < powers; ++n) {
        for (int lane = 0; lane < axis_lanes; ++lane) {
          sums[n][lane] += term[i + lane];
          term[i + lane] *= y[i + lane];
        }
      }
    }
  }
  for (int n = 0; n < powers; ++n) {
    sum[n] = 0;
    for (int lane = 0; lane < axis_lanes; ++lane) sum[n] += sums[n][lane];
  }
}

}  // namespace knudsen
