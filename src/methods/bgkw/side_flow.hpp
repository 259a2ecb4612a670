#pragma once

#include "methods/bgkw/step.hpp"

namespace knudsen::bgkw {

/// Sums over velocities of what crosses a face in a step, in cells' contents: of mass (Count 1), or
/// of mass, momentum x, y, z, and energy v^2 / 2 (Count 5).
template <int Count>
struct FlowSums {
  double value[Count] = {};

  KOKKOS_INLINE_FUNCTION FlowSums& operator+=(const FlowSums& other) {
    for (int i = 0; i < Count; ++i) value[i] += other.value[i];
    return *this;
  }

  /// Adds a flow at velocity (i, q), q in the plane.
  template <class ExecutionSpace, class Real>
  KOKKOS_INLINE_FUNCTION void add(const VelocitySpace<ExecutionSpace, Real>& v, int i, int q,
                                  double flow) {
    const double along_x = double(v.weights[0](i)) * flow;
    const double mass = along_x * double(v.weight(q));
    value[0] += mass;
    if constexpr (Count == 5) {
      const double x = v.nodes[0](i);
      const double y = v.y(q);
      value[1] += mass * x;
      value[2] += mass * y;
      value[3] += mass * double(v.z(q));
      value[4] += 0.5 * (mass * (x * x + y * y) + along_x * double(v.square_weight(q)));
    }
  }
};

/// Sets space.surface_inflow from all else of `space`.
template <class ExecutionSpace, class Real>
void set_surface_inflow(PhaseSpace<ExecutionSpace, Real>& space);

}  // namespace knudsen::bgkw

namespace Kokkos {
template <int Count>
struct reduction_identity<knudsen::bgkw::FlowSums<Count>> {
  KOKKOS_FORCEINLINE_FUNCTION static knudsen::bgkw::FlowSums<Count> sum() { return {}; }
};
}  // namespace Kokkos
