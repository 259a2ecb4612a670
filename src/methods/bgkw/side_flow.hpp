#pragma once

#include "methods/bgkw/step.hpp"

namespace knudsen::bgkw {

/// Sums over the velocities that leave through a side: of the number of cells crossed times f
/// times 1 (Count 1), or times 1, v_x, v_y, v_z, v^2 / 2 (Count 5).
template <int Count>
struct SideSums {
  double value[Count] = {};

  KOKKOS_INLINE_FUNCTION SideSums& operator+=(const SideSums& other) {
    for (int i = 0; i < Count; ++i) value[i] += other.value[i];
    return *this;
  }
  KOKKOS_INLINE_FUNCTION void add(double flow, double x, double y, double z) {
    value[0] += flow;
    if constexpr (Count == 5) {
      value[1] += flow * x;
      value[2] += flow * y;
      value[3] += flow * z;
      value[4] += flow * 0.5 * (x * x + y * y + z * z);
    }
  }
};

/// The cell beside a face of a side.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Cell cell_beside(const PhaseSpace<ExecutionSpace, Real>& space, int side,
                                        int face) {
  const int axis = side / 2;
  const int inner = axis == 0 ? space.cells[1] : space.cells[0];
  const int a = face % inner;
  const int b = face / inner;
  const int end = side % 2 == 0 ? 0 : space.cells[axis] - 1;
  const int x = axis == 0 ? end : a;
  const int y = axis == 0 ? a : (axis == 1 ? end : b);
  const int z = axis == 2 ? end : b;
  return {(z * space.cells[1] + y) * space.cells[0] + x, {x, y, z}};
}

/// Adds what leaves through a side at one velocity (its place among a cell's values), `values`
/// being those of the cell beside the side; or, with `entering`, what values beyond the side send
/// in.
template <int Count, class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void add_flow(const PhaseSpace<ExecutionSpace, Real>& space, int side,
                                     bool entering, const Real* values, int place,
                                     SideSums<Count>& sums) {
  const auto& v = space.velocities;
  const int axis = side / 2;
  const int row = place / v.row_length;
  const int k = place - row * v.row_length;
  const int i = row / v.count[1];
  const int j = row - i * v.count[1];
  if (k >= v.count[2]) return;
  const bool positive = (side % 2 == 1) != entering;
  const double courant = space.courant[axis](axis == 0 ? i : (axis == 1 ? j : k));
  const double crossed = positive ? courant : -courant;
  if (crossed <= 0) return;
  double flow = 0;
  if (entering || crossed <= 1) {
    flow = crossed * double(values[place]);
  } else {
    // Whole cells empty themselves through the side.
    const int whole = static_cast<int>(crossed);
    const std::ptrdiff_t inward =
        (side % 2 == 0 ? 1 : -1) * space.stride(axis) * static_cast<std::ptrdiff_t>(v.size());
    for (int n = 0; n < whole; ++n) flow += double(values[place + n * inward]);
    flow += (crossed - whole) * double(values[place + whole * inward]);
  }
  const double weight = double(v.weights[0](i)) * double(v.weights[1](j));
  sums.add(weight * double(v.moment_weights(0, k)) * flow, v.nodes[0](i), v.nodes[1](j),
           v.nodes[2](k));
}

}  // namespace knudsen::bgkw

namespace Kokkos {
template <int Count>
struct reduction_identity<knudsen::bgkw::SideSums<Count>> {
  KOKKOS_FORCEINLINE_FUNCTION static knudsen::bgkw::SideSums<Count> sum() { return {}; }
};
}  // namespace Kokkos
