#pragma once

#include "methods/bgkw/phase_space.hpp"

namespace knudsen::bgkw {

/// Sixteen bytes moved by one access; on the host a chunk is read in place.
template <class Real>
struct alignas(16) Access {
  Real value[values_per_access<Real>];
};

/// Free streaming of one cell by one step, first-order upwind in flux form, so that what leaves a
/// cell enters its neighbour:
///
///   f <- f - sum over the axes of |C_d| (f - f upwind along d),   C = v dt / dx,
///
/// positive while the Courant numbers add up to at most one. In one dimension the integer part of
/// the Courant number is an exact shift first (eqs. 12 and 15 of the paper).
template <class ExecutionSpace, class Real, int Dimensions>
struct Streaming {
  static constexpr int width = chunk_width<ExecutionSpace, Real>;

  const PhaseSpace<ExecutionSpace, Real>& space;
  Cell cell;
  Source<Real> neighbour[Dimensions][2];  ///< before and behind along each axis

  KOKKOS_INLINE_FUNCTION Streaming(const PhaseSpace<ExecutionSpace, Real>& phase_space, int index)
      : space(phase_space), cell(make_cell(phase_space, index)) {
    if constexpr (Dimensions > 1) {
      for (int axis = 0; axis < Dimensions; ++axis) {
        neighbour[axis][0] = source_at(space, cell, axis, cell.at[axis] - 1);
        neighbour[axis][1] = source_at(space, cell, axis, cell.at[axis] + 1);
      }
    }
  }

  /// Streamed values of a chunk; `values` has as many as the chunk has velocities.
  KOKKOS_INLINE_FUNCTION void operator()(const Chunk& chunk, Real* values) const {
    const Real courant_x = space.courant[0](chunk.i);
    if constexpr (Dimensions == 1) {
      const Real distance = math::fabs(courant_x);
      const int shift = static_cast<int>(distance);
      const Real part = distance - static_cast<Real>(shift);
      const int sign = courant_x < 0 ? -1 : 1;
      const int position = cell.at[0] - sign * shift;
      const Source<Real> near = source_at(space, cell, 0, position);
      const Source<Real> far = source_at(space, cell, 0, position - sign);
      blend<2>({&near, &far}, {1 - part, part}, chunk, values);
      add_mirrored(near, 0, 1 - part, chunk, values);
      add_mirrored(far, 0, part, chunk, values);
    } else {
      const Real courant_y = space.courant[1](chunk.j);
      const Real part_x = math::fabs(courant_x);
      const Real part_y = math::fabs(courant_y);
      const Source<Real> centre{&space.f(cell.index, 0), 1, nullptr, 0};
      const Source<Real>& along_x = neighbour[0][courant_x < 0 ? 1 : 0];
      const Source<Real>& along_y = neighbour[1][courant_y < 0 ? 1 : 0];
      blend<3>({&centre, &along_x, &along_y}, {1 - part_x - part_y, part_x, part_y}, chunk, values);
      add_mirrored(along_x, 0, part_x, chunk, values);
      add_mirrored(along_y, 1, part_y, chunk, values);
      if constexpr (Dimensions == 3) stream_z(centre.values, chunk, values);
    }
  }

 private:
  template <int Terms>
  KOKKOS_FORCEINLINE_FUNCTION void blend(const Source<Real>* const (&sources)[Terms],
                                         const Real (&weights)[Terms], const Chunk& chunk,
                                         Real* values) const {
    const Real* from[Terms];
    Real weight[Terms];
    for (int t = 0; t < Terms; ++t) {
      from[t] = sources[t]->values + chunk.row + chunk.begin;
      weight[t] = weights[t] * sources[t]->factor;
    }
    if constexpr (width > 0) {
      for (int k = 0; k < width; ++k) values[k] = 0;
      for (int t = 0; t < Terms; ++t) {
        const auto read = *reinterpret_cast<const Access<Real>*>(from[t]);
        for (int k = 0; k < width; ++k) values[k] += weight[t] * read.value[k];
      }
    } else {
      for_lanes<width>(space.velocities.row_length, [&](int k) {
        Real sum = weight[0] * from[0][k];
        for (int t = 1; t < Terms; ++t) sum += weight[t] * from[t][k];
        values[k] = sum;
      });
    }
  }

  /// What a specular side gives back across `axis`.
  KOKKOS_INLINE_FUNCTION void add_mirrored(const Source<Real>& source, int axis, Real weight,
                                           const Chunk& chunk, Real* values) const {
    if (source.mirrored == nullptr) return;
    const auto& v = space.velocities;
    const int i = axis == 0 ? v.count[0] - 1 - chunk.i : chunk.i;
    const int j = axis == 1 ? v.count[1] - 1 - chunk.j : chunk.j;
    const Real* from = source.mirrored + (i * v.count[1] + j) * v.row_length + chunk.begin;
    const Real factor = weight * source.mirrored_factor;
    for_lanes<width>(v.row_length, [&](int k) { values[k] += factor * from[k]; });
  }

  /// Adds the fluxes along z, where direction and Courant number change along the row.
  KOKKOS_INLINE_FUNCTION void stream_z(const Real* centre, const Chunk& chunk, Real* values) const {
    const auto& v = space.velocities;
    const Real* courant = &space.courant[2](0) + chunk.begin;
    const int place = chunk.row + chunk.begin;
    const Source<Real>& below = neighbour[2][0];
    const Source<Real>& above = neighbour[2][1];
    for_lanes<width>(v.row_length, [&](int k) {
      const bool down = courant[k] < 0;
      const Real upwind =
          down ? above.factor * above.values[place + k] : below.factor * below.values[place + k];
      values[k] += math::fabs(courant[k]) * (upwind - centre[place + k]);
    });
    for (int side = 0; side < 2; ++side) {
      const Source<Real>& source = neighbour[2][side];
      if (source.mirrored == nullptr) continue;
      const int length = width > 0 ? width : v.row_length;
      for (int k = 0; k < length && chunk.begin + k < v.count[2]; ++k) {
        if ((courant[k] < 0) != (side == 1)) continue;
        values[k] += math::fabs(courant[k]) * source.mirrored_factor *
                     source.mirrored[chunk.row + v.count[2] - 1 - chunk.begin - k];
      }
    }
  }
};

}  // namespace knudsen::bgkw
