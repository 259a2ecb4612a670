#pragma once

#include "methods/bgkw/phase_space.hpp"

namespace knudsen::bgkw {

/// In place of streaming: the cell's own values, for a collision without it.
template <class ExecutionSpace, class Real>
struct Staying {
  static constexpr int width = lane_count<ExecutionSpace, Real>;
  static constexpr bool streams = false;
  const Real* values;

  KOKKOS_INLINE_FUNCTION Staying(const PhaseSpace<ExecutionSpace, Real>& space, int cell, int)
      : values(space.values(cell)) {}

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Segment& segment, Real* to) const {
    if constexpr (width > 0) {
      const Lanes<width, Real> read(values + segment.place);
      for (int k = 0; k < width; ++k) to[k] = read[k];
    }
  }
};

/// What a cell's values are streamed from along all axes at once.
template <class Real, int Dimensions>
struct Surroundings {
  const Real* centre = nullptr;
  Source<Real> beside[2 * Dimensions];
  bool mirrors = false;

  Surroundings() = default;
  template <class ExecutionSpace>
  KOKKOS_INLINE_FUNCTION Surroundings(const PhaseSpace<ExecutionSpace, Real>& space, int cell)
      : centre(space.values(cell)) {
    for (int direction = 0; direction < 2 * Dimensions; ++direction) {
      beside[direction] = source_beside(space, cell, direction);
      mirrors |= beside[direction].mirrored != nullptr;
    }
  }
};

/// What comes to a cell with the velocities of a segment: along x, y, and up and down along z.
template <class Real>
struct Upstream {
  Source<Real> x, y, below, above;
};

/// Free streaming by one step along all axes at once, first-order upwind in flux form, so that what
/// leaves a cell enters its neighbour:
///
///   f <- f - sum over the axes of |C_d| (f - f upwind along d),   C = v dt / dx,
///
/// positive while the Courant numbers add up to at most one. It is evaluated as it stands here:
/// with (1 - sum of |C_d|) f, whose factor is rounded the same way in every step and cell, 2e-8 of
/// the mass goes or comes in a step in single precision. An object has the values that come to a
/// segment of a cell across y, which stand at `upstream_y`, and z.
template <int Width, class Real, int Dimensions>
struct UpwindSegment {
  Real along_x;  ///< |C_x|
  Real factor_x;
  RowLanes<Width, Real> y;
  Real crossing_y = 0;
  Real factor_y = 0;
  Lanes<Width, Real> f_y;
  Lanes<Width, Real> z, above, below;
  Real crossing_z = 0;
  Real from_above = 0;
  Real from_below = 0;

  UpwindSegment() = default;
  template <class ExecutionSpace>
  KOKKOS_FORCEINLINE_FUNCTION UpwindSegment(const PhaseSpace<ExecutionSpace, Real>& space,
                                            const Upstream<Real>& upstream, const Segment& segment,
                                            Real velocity_x, const RowLanes<Width, Real>& row,
                                            const Real* upstream_y)
      : y(row) {
    const auto& v = space.velocities;
    along_x = math::fabs(velocity_x) * space.crossing[0];
    factor_x = upstream.x.factor;
    if constexpr (Dimensions > 1) {
      crossing_y = segment.begin < v.first_positive ? -space.crossing[1] : space.crossing[1];
      factor_y = upstream.y.factor;
      f_y = Lanes<Width, Real>(upstream_y);
    }
    if constexpr (Dimensions > 2) {
      // Along z the direction changes within a segment.
      z = Lanes<Width, Real>(v.z.data() + segment.begin);
      above = Lanes<Width, Real>(upstream.above.values + segment.place);
      below = Lanes<Width, Real>(upstream.below.values + segment.place);
      from_above = upstream.above.factor;
      from_below = upstream.below.factor;
      crossing_z = space.crossing[2];
    }
  }

  /// Streamed values, but for what surfaces mirror, from those of the cell and beside it along x.
  KOKKOS_FORCEINLINE_FUNCTION void stream(const Lanes<Width, Real>& f,
                                          const Lanes<Width, Real>& f_x, int length,
                                          Real* to) const {
    const auto from_x = [&](int k) { return f[k] - along_x * (f[k] - factor_x * f_x[k]); };
    if constexpr (Dimensions == 1) {
      for_lanes<Width>(length, [&](int k) { to[k] = from_x(k); });
    } else if constexpr (Dimensions == 2) {
      for_lanes<Width>(length, [&](int k) {
        const Real along_y = y[k] * crossing_y;
        to[k] = from_x(k) - along_y * (f[k] - factor_y * f_y[k]);
      });
    } else {
      for_lanes<Width>(length, [&](int k) {
        const Real along_y = y[k] * crossing_y;
        const Real up = z[k] * crossing_z;
        const Real f_z = up < 0 ? from_above * above[k] : from_below * below[k];
        to[k] = from_x(k) - along_y * (f[k] - factor_y * f_y[k]) - math::fabs(up) * (f[k] - f_z);
      });
    }
  }
};

/// Adds what specular surfaces beside a cell along an axis give back to streamed values of a
/// segment.
template <int Width, class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void add_mirrored_along(const PhaseSpace<ExecutionSpace, Real>& space,
                                               int axis, const Source<Real>& low,
                                               const Source<Real>& high, const Segment& segment,
                                               Real* to) {
  if (low.mirrored == nullptr && high.mirrored == nullptr) return;
  const auto& v = space.velocities;
  const int length = Width > 0 ? Width : segment.length;
  KNUDSEN_UNROLL
  for (int k = 0; k < length; ++k) {
    const int q = segment.begin + k;
    const Real crossed = space.crossing[axis] * (axis == 0   ? v.nodes[0](segment.i)
                                                 : axis == 1 ? v.y(q)
                                                             : v.z(q));
    const Real* mirrored = crossed < 0 ? high.mirrored : low.mirrored;
    const Real share = crossed < 0 ? high.mirrored_factor : low.mirrored_factor;
    if (mirrored != nullptr) {
      to[k] += math::fabs(crossed) * share * mirrored[mirrored_place(v, axis, segment.place + k)];
    }
  }
}

/// The same for all axes.
template <int Width, int Dimensions, class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void add_mirrored(const PhaseSpace<ExecutionSpace, Real>& space,
                                         const Surroundings<Real, Dimensions>& sources,
                                         const Segment& segment, Real* to) {
  KNUDSEN_UNROLL
  for (int axis = 0; axis < Dimensions; ++axis) {
    add_mirrored_along<Width>(space, axis, sources.beside[2 * axis], sources.beside[2 * axis + 1],
                              segment, to);
  }
}

/// Free streaming of one cell along all axes at once.
template <class ExecutionSpace, class Real, int Dimensions>
struct UnsplitStreaming {
  static constexpr int width = lane_count<ExecutionSpace, Real>;
  static constexpr bool streams = true;

  const PhaseSpace<ExecutionSpace, Real>& space;
  Surroundings<Real, Dimensions> sources;

  KOKKOS_INLINE_FUNCTION UnsplitStreaming(const PhaseSpace<ExecutionSpace, Real>& phase_space,
                                          int cell, int)
      : space(phase_space), sources(phase_space, cell) {}

  /// Streamed values of a segment; `to` has as many as the segment has velocities.
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Segment& segment, Real* to) const {
    const auto& v = space.velocities;
    const auto& beside = sources.beside;
    Upstream<Real> upstream;
    upstream.x = either(segment.i < v.first_positive_x, beside[1], beside[0]);
    if constexpr (Dimensions > 1) {
      upstream.y = either(segment.begin < v.first_positive, beside[3], beside[2]);
    }
    if constexpr (Dimensions > 2) {
      upstream.below = beside[4];
      upstream.above = beside[5];
    }
    const Lanes<width, Real> f(sources.centre + segment.place);
    const Lanes<width, Real> f_x(upstream.x.values + segment.place);
    const RowLanes<width, Real> y(v.y.data() + segment.begin);
    const UpwindSegment<width, Real, Dimensions> upwind(
        space, upstream, segment, v.nodes[0](segment.i), y, upstream.y.values + segment.place);
    upwind.stream(f, f_x, segment.length, to);
    if (sources.mirrors) add_mirrored<width>(space, sources, segment, to);
  }

 private:
  /// By values, since a reference chosen when the kernel runs would keep the sources in memory.
  KOKKOS_FORCEINLINE_FUNCTION static Source<Real> either(bool first, const Source<Real>& a,
                                                         const Source<Real>& b) {
    return {first ? a.values : b.values, first ? a.factor : b.factor,
            first ? a.mirrored : b.mirrored, first ? a.mirrored_factor : b.mirrored_factor};
  }
};

/// A position upstream of a cell: in a cell of the gas, or beyond a face, where `cell` is then its
/// mirror image.
template <class ExecutionSpace, class Real>
struct Walk {
  const PhaseSpace<ExecutionSpace, Real>& space;
  int cell;
  int direction;
  int face = -1;

  KOKKOS_INLINE_FUNCTION void advance() {
    const int next = space.neighbour(cell, face < 0 ? direction : direction ^ 1);
    if (next >= 0) {
      cell = next;
    } else if (face < 0) {
      face = -1 - next;
    }
  }
  KOKKOS_INLINE_FUNCTION Source<Real> source() const {
    if (face < 0) return {space.values(cell), 1, nullptr, 0};
    return source_beyond(space, face, space.values(cell));
  }
  KOKKOS_INLINE_FUNCTION Real diffuse() const { return space.diffuse(space.faces(face).surface); }
};

/// What a molecule's value in a step along one axis is made of, upstream of a cell: an exact shift
/// by the whole cells that it crosses, then an upwind step by the rest (eqs. 12 and 15 of the
/// paper), of second order by limited slopes:
///
///   f <- c - part ((c + h slope_c) - (u + h slope_u)),   h = (1 - part) / 2,
///
/// where c is `shift` cells upstream, u one more, and so on. The value at a surface is that at the
/// face, half a cell away; across a face where gas leaves, the slope goes on as it comes.
template <class ExecutionSpace, class Real, int Order>
struct LineStencil {
  int upstream;  ///< direction
  int shift;
  Real part;
  Source<Real> centre, up, down, further;
  Real steepness = 1;     ///< of the difference c - u: 2 where u is at a face
  Real steepness_up = 1;  ///< of u - further
  bool has_down = false;
  bool part_mirrored = false;  ///< c is beside a surface that is specular in part
  Limiter limiter;

  KOKKOS_INLINE_FUNCTION LineStencil(const PhaseSpace<ExecutionSpace, Real>& space, int cell,
                                     int axis, Real courant)
      : limiter(space.limiter) {
    const Real distance = math::fabs(courant);
    shift = static_cast<int>(distance);
    part = distance - static_cast<Real>(shift);
    upstream = courant < 0 ? 2 * axis + 1 : 2 * axis;
    Walk<ExecutionSpace, Real> walk{space, cell, upstream};
    if constexpr (Order == 2) {
      const int beyond = space.neighbour(cell, upstream ^ 1);
      if (shift == 0 && beyond >= 0) down.values = space.values(beyond);
      if (shift == 0 && beyond < 0) {
        down = source_beyond(space, -1 - beyond, space.values(cell));
        if (space.diffuse(space.faces(-1 - beyond).surface) > 0) down.values = nullptr;
      }
    }
    for (int n = 0; n < shift; ++n) {
      if (Order == 2 && n == shift - 1) down = walk.source();
      walk.advance();
    }
    centre = walk.source();
    const bool in_gas = walk.face < 0;
    walk.advance();
    up = walk.source();
    if constexpr (Order == 2) {
      has_down = down.values != nullptr;
      if (!has_down) down = centre;
      const bool up_in_gas = walk.face < 0;
      if (in_gas && !up_in_gas) {
        steepness = 1 + walk.diffuse();
        part_mirrored = shift == 0 && steepness > 1 && steepness < 2;
      }
      walk.advance();
      further = walk.source();
      if (up_in_gas && walk.face >= 0) steepness_up = 1 + walk.diffuse();
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION bool mirrors() const {
    bool any = centre.mirrored != nullptr || up.mirrored != nullptr;
    if constexpr (Order == 2) any |= down.mirrored != nullptr || further.mirrored != nullptr;
    return any;
  }

  /// Value at the face through which the shifted c leaves; times `part`, what leaves.
  KOKKOS_FORCEINLINE_FUNCTION Real at_face(Real c, Real u, Real d) const {
    if constexpr (Order == 1) return c;
    const Real ahead = has_down ? d - c : extended(c, u);
    return c + Real(0.5) * (1 - part) * limited_slope(limiter, steepness * (c - u), ahead);
  }
  /// The difference c - u going on downstream, as far as values stay positive.
  static KOKKOS_FORCEINLINE_FUNCTION Real extended(Real c, Real u) {
    return c - u > -c ? c - u : -c;
  }
  KOKKOS_FORCEINLINE_FUNCTION Real at_face_upstream(Real c, Real u, Real uu) const {
    return u + Real(0.5) * (1 - part) * limited_slope(limiter, steepness_up * (u - uu), c - u);
  }

  KOKKOS_FORCEINLINE_FUNCTION Real streamed(Real c, Real u, Real d, Real uu) const {
    if constexpr (Order == 1) return c - part * (c - u);
    return c - part * (at_face(c, u, d) - at_face_upstream(c, u, uu));
  }

  /// The same at one place where there are mirror images among the sources.
  KOKKOS_INLINE_FUNCTION Real streamed_at(int place, int mirrored) const {
    const Real c = value(centre, place, mirrored);
    const Real u = value(up, place, mirrored);
    if constexpr (Order == 1) {
      return streamed(c, u, 0, 0);
    } else {
      const Real d = value(down, place, mirrored);
      const Real uu = value(further, place, mirrored);
      if (!part_mirrored) return streamed(c, u, d, uu);
      // What comes back is made of what leaves: its value at the face.
      const Real m = up.mirrored[mirrored];
      const Real before = further.mirrored[mirrored];
      const Real leaves =
          m + Real(0.5) * (1 - part) * limited_slope(limiter, m - before, extended(m, before));
      const Real entering = up.factor * up.values[place] + up.mirrored_factor * leaves;
      return c - part * (at_face(c, u, d) - entering);
    }
  }

  /// What leaves the gas at a face of `cell` downstream, in cells' contents, at one place.
  KOKKOS_INLINE_FUNCTION Real leaving(const PhaseSpace<ExecutionSpace, Real>& space, int cell,
                                      int axis, int place) const {
    const int mirrored = mirrored_place(space.velocities, axis, place);
    Walk<ExecutionSpace, Real> walk{space, cell, upstream};
    Real sum = 0;
    for (int n = 0; n < shift; ++n) {
      sum += value(walk.source(), place, mirrored);
      walk.advance();
    }
    return sum + part * at_face(value(centre, place, mirrored), value(up, place, mirrored),
                                has_down ? value(down, place, mirrored) : Real(0));
  }

  /// A source's value at one place among a cell's.
  static KOKKOS_INLINE_FUNCTION Real value(const Source<Real>& source, int place, int mirrored) {
    Real sum = source.factor * source.values[place];
    if (source.mirrored != nullptr) sum += source.mirrored_factor * source.mirrored[mirrored];
    return sum;
  }
};

/// Free streaming of one cell by one step along one axis; any Courant number.
template <class ExecutionSpace, class Real, int Order>
struct LineStreaming {
  static constexpr int width = lane_count<ExecutionSpace, Real>;
  static constexpr bool streams = true;

  const PhaseSpace<ExecutionSpace, Real>& space;
  int cell;
  int axis;
  Source<Real> low, high;  ///< beside the cell
  bool mirrors;

  KOKKOS_INLINE_FUNCTION LineStreaming(const PhaseSpace<ExecutionSpace, Real>& phase_space,
                                       int cell_index, int along)
      : space(phase_space),
        cell(cell_index),
        axis(along),
        low(source_beside(space, cell, 2 * axis)),
        high(source_beside(space, cell, 2 * axis + 1)),
        mirrors(low.mirrored != nullptr || high.mirrored != nullptr) {}

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Segment& segment, Real* to) const {
    const auto& v = space.velocities;
    if (axis == 0) {
      piece<width>(v.nodes[0](segment.i), segment.place, segment.length, to);
    } else if (axis == 1) {
      const int step = width > 0 ? segment.length : v.row_length;
      for (int k = 0; k < segment.length; k += step) {
        piece<width>(v.y(segment.begin + k), segment.place + k, step, to + k);
      }
    } else {
      for (int k = 0; k < segment.length; ++k) {
        piece<0>(v.z(segment.begin + k), segment.place + k, 1, to + k);
      }
    }
  }

 private:
  /// Velocities with the same component along the axis.
  template <int Width>
  KOKKOS_FORCEINLINE_FUNCTION void piece(Real velocity, int place, int length, Real* to) const {
    const Real courant = velocity * space.crossing[axis];
    const Real part = math::fabs(courant);
    if (Order == 1 && part < 1 && !mirrors) {
      const Lanes<Width, Real> c(space.values(cell) + place);
      const Lanes<Width, Real> u((courant < 0 ? high.values : low.values) + place);
      const Real factor = part * (courant < 0 ? high.factor : low.factor);
      for_lanes<Width>(length, [&](int k) { to[k] = (1 - part) * c[k] + factor * u[k]; });
      return;
    }
    far_piece<Width>(courant, place, length, to);
  }

  /// The same where the stencil reaches farther or has mirror images in it.
  template <int Width>
  KOKKOS_INLINE_FUNCTION void far_piece(Real courant, int place, int length, Real* to) const {
    const LineStencil<ExecutionSpace, Real, Order> stencil(space, cell, axis, courant);
    if (stencil.mirrors()) {
      for (int k = 0; k < length; ++k) {
        to[k] = stencil.streamed_at(place + k, mirrored_place(space.velocities, axis, place + k));
      }
      return;
    }
    const Lanes<Width, Real> c(stencil.centre.values + place);
    const Lanes<Width, Real> u(stencil.up.values + place);
    const Real factor_c = stencil.centre.factor;
    const Real factor_u = stencil.up.factor;
    if constexpr (Order == 1) {
      for_lanes<Width>(
          length, [&](int k) { to[k] = stencil.streamed(factor_c * c[k], factor_u * u[k], 0, 0); });
    } else {
      const Lanes<Width, Real> d(stencil.down.values + place);
      const Lanes<Width, Real> uu(stencil.further.values + place);
      const Real factor_d = stencil.down.factor;
      const Real factor_uu = stencil.further.factor;
      for_lanes<Width>(length, [&](int k) {
        to[k] =
            stencil.streamed(factor_c * c[k], factor_u * u[k], factor_d * d[k], factor_uu * uu[k]);
      });
    }
  }
};

}  // namespace knudsen::bgkw
