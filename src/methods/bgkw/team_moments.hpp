#pragma once

#include "kinetic/moments.hpp"
#include "methods/bgkw/segments.hpp"
#include "methods/bgkw/team_sum.hpp"

namespace knudsen::bgkw {

/// Sums of a segment's values from which `Count` raw moments are made.
template <int Count, class ExecutionSpace, class Real>
struct SegmentSums {
  static constexpr int width = lane_count<ExecutionSpace, Real>;
  const VelocitySpace<ExecutionSpace, Real>& velocities;
  /// Nodes and weights: of this thread's lanes on a GPU, of a plane on the host.
  Lanes<width, Real> z, weight, square_weight;
  const Real* rotation_weight = nullptr;  ///< the same for fourteen moments

  KOKKOS_FORCEINLINE_FUNCTION explicit SegmentSums(const Segments<ExecutionSpace, Real>& segments)
      : velocities(segments.velocities),
        z((width > 0 ? velocities.nodes[2] : velocities.z).data() + segments.begin),
        weight((width > 0 ? velocities.weights[2] : velocities.weight).data() + segments.begin),
        square_weight((width > 0 ? velocities.z_square_weights : velocities.square_weight).data() +
                      segments.begin) {
    if constexpr (Count == 14) {
      rotation_weight =
          (width > 0 ? velocities.rotation_weights : velocities.rotation_weight).data() +
          segments.begin;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION PlaneSums<Count, Real> operator()(const Segment& segment,
                                                                const Real* values) const {
    if constexpr (width > 0) {
      Real mass = 0;
      Real along_z = 0;
      Real square_z = 0;
      Real cubic_z = 0;
      Real rotation = 0;
      for (int k = 0; k < width; ++k) {
        const Real here = weight[k] * values[k];
        const Real square = square_weight[k] * values[k];
        mass += here;
        along_z += z[k] * here;
        square_z += square;
        if constexpr (Count >= 13) cubic_z += z[k] * square;
        if constexpr (Count == 14) rotation += rotation_weight[k] * values[k];
      }
      const Real y = velocities.nodes[1](segment.j);
      const Real weight_y = velocities.weights[1](segment.j);
      mass *= weight_y;
      along_z *= weight_y;
      square_z *= weight_y;
      const Real along_y = y * mass;
      const Real square_y = y * along_y;
      if constexpr (Count == 5) {
        return {{mass, along_y, along_z, square_y + square_z}};
      } else {
        const Real yz = y * along_z;
        PlaneSums<Count, Real> sums{{mass, along_y, along_z, square_y, square_z, yz,
                                     y * (square_y + square_z), y * yz + weight_y * cubic_z}};
        if constexpr (Count == 14) sums.value[8] = weight_y * rotation;
        return sums;
      }
    } else {
      return sum_plane(segment, values);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION PlaneSums<Count, Real> sum_plane(const Segment& segment,
                                                               const Real* f) const {
    const Real* y = velocities.y.data() + segment.begin;
    const Real* of_z = velocities.z.data() + segment.begin;
    const Real* mass_weight = velocities.weight.data() + segment.begin;
    const Real* energy_weight = velocities.square_weight.data() + segment.begin;
    Real s0 = 0;
    Real s1 = 0;
    Real s2 = 0;
    Real s3 = 0;
    Real s4 = 0;
    Real s5 = 0;
    Real s6 = 0;
    Real s7 = 0;
    Real s8 = 0;
#if defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD)
#pragma omp simd reduction(+ : s0, s1, s2, s3, s4, s5, s6, s7, s8)
#endif
    for (int k = 0; k < segment.length; ++k) {
      const Real mass = mass_weight[k] * f[k];
      const Real along_y = y[k] * mass;
      const Real square = energy_weight[k] * f[k];
      s0 += mass;
      s1 += along_y;
      s2 += of_z[k] * mass;
      if constexpr (Count == 5) {
        s3 += y[k] * along_y + square;
      } else {
        const Real square_y = y[k] * along_y;
        s3 += square_y;
        s4 += square;
        s5 += of_z[k] * along_y;
        s6 += y[k] * (square_y + square);
        s7 += of_z[k] * (square_y + square);
      }
      if constexpr (Count == 14) s8 += rotation_weight[segment.begin + k] * f[k];
    }
    if constexpr (Count == 5) {
      return {{s0, s1, s2, s3}};
    } else {
      PlaneSums<Count, Real> sums{{s0, s1, s2, s3, s4, s5, s6, s7}};
      if constexpr (Count == 14) sums.value[8] = s8;
      return sums;
    }
  }
};

/// Raw moments of a cell, for threads with rank < `readers`. values_of(segment, add) calls
/// add(part of the segment, pointer to its values).
template <int Count, class Member, class ExecutionSpace, class Real, class ValuesOf>
KOKKOS_FORCEINLINE_FUNCTION RawMoments<Count> team_moments(
    const Member& team, int readers, const VelocitySpace<ExecutionSpace, Real>& velocities,
    const ValuesOf& values_of) {
  RawMoments<Count> moments;
  team_sum<Count, Real>(team, readers, moments.value, [&](auto& sums) {
    // A GPU thread sums few values: the precision of the values suffices.
    using Partial = std::decay_t<decltype(sums[0])>;
    RawMoments<Count, Partial> partial;
    const Segments<ExecutionSpace, Real> segments(team, velocities);
    const SegmentSums<Count, ExecutionSpace, Real> sum_segment(segments);
    segments.each([&](const Segment& segment) {
      values_of(segment, [&](const Segment& here, const Real* values) {
        partial.add(velocities.nodes[0](here.i), velocities.weights[0](here.i),
                    sum_segment(here, values));
      });
    });
    for (int n = 0; n < Count; ++n) sums[n] += partial.value[n];
  });
  return moments;
}

}  // namespace knudsen::bgkw
