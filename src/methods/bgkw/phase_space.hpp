#pragma once

#include "velocity/side_condition.hpp"
#include "velocity/velocity_space.hpp"

namespace knudsen::bgkw {

/// The distribution on a backend, as (cell, velocity), and what lies beyond the sides of the box.
/// Cells are numbered (z * ny + y) * nx + x.
template <class ExecutionSpace, class Real>
struct PhaseSpace {  // NOLINT: names in its implicit copy are the compiler's
  VelocitySpace<ExecutionSpace, Real> velocities;
  int dimensions = 1;
  int cells[3] = {1, 1, 1};
  View<Real**, ExecutionSpace> f;     ///< between two steps: the state
  View<Real**, ExecutionSpace> next;  ///< of the same shape; overwritten in a step
  /// Cells that velocity component d crosses in a step, signed; empty beyond the dimensions.
  View<Real*, ExecutionSpace> courant[3];

  SideKind side[6] = {};
  /// Share of what comes in that is Maxwellian: 1 of a reservoir, 0 of a symmetry, a wall's
  /// accommodation. The rest is what flies out, mirrored.
  Real diffuse[6] = {};
  View<Real**, ExecutionSpace> side_maxwellian;  ///< (side, velocity); of density 1 for walls
  View<Real*, ExecutionSpace> wall_density;      ///< of each face; 1 for reservoirs
  int first_face[6] = {};                        ///< of each side, in wall_density
  double side_inflow[6] = {};  ///< mass that side_maxwellian sends through a face in a step

  KOKKOS_INLINE_FUNCTION int cell_count() const { return cells[0] * cells[1] * cells[2]; }
  /// Distance of neighbours along an axis in the numbering of cells.
  KOKKOS_INLINE_FUNCTION int stride(int axis) const {
    return axis == 0 ? 1 : (axis == 1 ? cells[0] : cells[0] * cells[1]);
  }
  KOKKOS_INLINE_FUNCTION int faces(int side_index) const {
    return cell_count() / cells[side_index / 2];
  }
};

struct Cell {
  int index;
  int at[3];
};

template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Cell make_cell(const PhaseSpace<ExecutionSpace, Real>& space, int index) {
  const int row = index / space.cells[0];
  const int z = row / space.cells[1];
  return {index, {index - row * space.cells[0], row - z * space.cells[1], z}};
}

/// Number of a cell's face among those of the sides across an axis.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION int face_of(const PhaseSpace<ExecutionSpace, Real>& space, const Cell& cell,
                                   int axis) {
  if (axis == 0) return cell.at[2] * space.cells[1] + cell.at[1];
  return (axis == 1 ? cell.at[2] : cell.at[1]) * space.cells[0] + cell.at[0];
}

/// Where the distribution at a position comes from: factor x values, plus mirrored_factor x the
/// mirror image of `mirrored` where that is not null.
template <class Real>
struct Source {
  const Real* values = nullptr;
  Real factor = 1;
  const Real* mirrored = nullptr;
  Real mirrored_factor = 0;
};

/// The source for the position along an axis on the cell's line, inside the box or beyond.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Source<Real> source_at(const PhaseSpace<ExecutionSpace, Real>& space,
                                              const Cell& cell, int axis, int position) {
  const int n = space.cells[axis];
  const auto values = [&](int p) {
    return &space.f(cell.index + (p - cell.at[axis]) * space.stride(axis), 0);
  };
  if (position >= 0 && position < n) return {values(position), 1, nullptr, 0};
  const int side = 2 * axis + (position < 0 ? 0 : 1);
  if (space.side[side] == SideKind::periodic) {
    const int wrapped = position % n;
    return {values(wrapped < 0 ? wrapped + n : wrapped), 1, nullptr, 0};
  }
  Source<Real> source;
  source.values = &space.side_maxwellian(side, 0);
  source.factor =
      space.diffuse[side] * space.wall_density(space.first_face[side] + face_of(space, cell, axis));
  if (space.diffuse[side] < 1) {
    source.mirrored = values(position < 0 ? -1 - position : 2 * n - 1 - position);
    source.mirrored_factor = 1 - space.diffuse[side];
  }
  return source;
}

/// A stretch of a row of velocities (components x and y of indices i and j).
struct Chunk {
  int i;
  int j;
  int begin;  ///< along z
  int row;    ///< place of the row's first velocity
};

/// Velocities of a row that one work item takes: all of them on the host, where the loop over them
/// is the SIMD loop; one 16-byte access on a GPU.
template <class ExecutionSpace, class Real>
inline constexpr int chunk_width =
    is_host_backend<ExecutionSpace> ? 0 : values_per_access<Real>;  // 0: the row's length

template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION int chunk_length(const VelocitySpace<ExecutionSpace, Real>& velocities) {
  constexpr int width = chunk_width<ExecutionSpace, Real>;
  return width > 0 ? width : velocities.row_length;
}

template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION int chunk_count(const VelocitySpace<ExecutionSpace, Real>& velocities) {
  return velocities.size() / chunk_length<ExecutionSpace, Real>(velocities);
}

template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Chunk make_chunk(const VelocitySpace<ExecutionSpace, Real>& velocities,
                                        int index) {
  const int a_row = velocities.row_length / chunk_length<ExecutionSpace, Real>(velocities);
  const int row = index / a_row;
  const int i = row / velocities.count[1];
  return {i, row - i * velocities.count[1],
          (index - row * a_row) * chunk_length<ExecutionSpace, Real>(velocities),
          row * velocities.row_length};
}

/// Calls body(k) for the velocities of a chunk: a SIMD loop on the host, unrolled on a GPU.
template <int Width, class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_lanes(int length, const Body& body) {
  if constexpr (Width > 0) {
    for (int k = 0; k < Width; ++k) body(k);
  } else {
#if defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD)
#pragma omp simd
#endif
    for (int k = 0; k < length; ++k) body(k);
  }
}

/// Weight x values summed over the lanes for the powers 0 .. Powers - 1 of v_z.
template <int Powers, class ExecutionSpace, class Real>
KOKKOS_FORCEINLINE_FUNCTION void sum_lanes(const VelocitySpace<ExecutionSpace, Real>& velocities,
                                           int begin, const Real* values, Real (&sums)[4]) {
  const int n = velocities.row_length;
  const Real* weights = &velocities.moment_weights(0, 0) + begin;
  Real s0 = 0;
  Real s1 = 0;
  Real s2 = 0;
  Real s3 = 0;
  const auto add = [&](int k) {
    const Real value = values[k];
    s0 += weights[k] * value;
    s1 += weights[n + k] * value;
    s2 += weights[2 * n + k] * value;
    if constexpr (Powers > 3) s3 += weights[3 * n + k] * value;
  };
  if constexpr (chunk_width < ExecutionSpace, Real >> 0) {
    for (int k = 0; k < chunk_width<ExecutionSpace, Real>; ++k) add(k);
  } else {
#if defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD)
#pragma omp simd reduction(+ : s0, s1, s2, s3)
#endif
    for (int k = 0; k < n; ++k) add(k);
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
}

/// Sum over the threads of a team of what body(i, partial) adds for i in [0, count), in an order
/// that depends on the team size alone; every thread gets it.
template <class Sums, class Member, class Body>
KOKKOS_INLINE_FUNCTION Sums team_sum(const Member& team, int count, const Body& body) {
  Sums sums;
  if constexpr (is_host_backend<typename Member::execution_space>) {
    for (int i = 0; i < count; ++i) body(i, sums);
  } else {
    using Space = typename Member::execution_space;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, 0, count), [&](int i, Sums& partial) { body(i, partial); },
        Kokkos::Sum<Sums, typename Space::memory_space>(sums));
  }
  return sums;
}

/// body(i) for i in [0, count), spread over the threads of a team; not vectorised.
template <class Member, class Body>
KOKKOS_INLINE_FUNCTION void team_each(const Member& team, int count, const Body& body) {
  if constexpr (is_host_backend<typename Member::execution_space>) {
    for (int i = 0; i < count; ++i) body(i);
  } else {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 0, count), body);
  }
}

}  // namespace knudsen::bgkw
