#pragma once

#include "methods/bgkw/segments.hpp"
#include "methods/bgkw/source.hpp"

namespace knudsen::bgkw {

/// Stands in for the streaming in a collision without one: the cell's own values.
template <class ExecutionSpace, class Real>
struct NoStreaming {
  static constexpr int width = lane_count<ExecutionSpace, Real>;
  static constexpr bool streams = false;
  using Choice = int;
  const Real* values;

  KOKKOS_INLINE_FUNCTION NoStreaming(const PhaseSpace<ExecutionSpace, Real>& space, int cell, int)
      : values(space.values(cell)) {}

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Segment& segment, Real* to) const {
    if constexpr (width > 0) {
      const Lanes<width, Real> read(values + segment.place);
      for (int k = 0; k < width; ++k) to[k] = read[k];
    }
  }
};

/// Upstream neighbours of a cell for the velocities of a segment. Along z both are needed, since
/// the sign of v_z changes within a segment.
template <class Real>
struct Upstream {
  Source<Real> x, y, below, above;
};

/// Values from which a cell is streamed along all axes at once.
template <class Real, int Dimensions>
struct CellSources {
  const Real* centre = nullptr;         ///< the cell
  Source<Real> beside[2 * Dimensions];  ///< its neighbours by direction
  bool mirrors = false;                 ///< one of them is a specular surface

  CellSources() = default;
  template <class ExecutionSpace>
  KOKKOS_INLINE_FUNCTION CellSources(const PhaseSpace<ExecutionSpace, Real>& space, int cell)
      : centre(space.values(cell)) {
    for (int direction = 0; direction < 2 * Dimensions; ++direction) {
      beside[direction] = source_beside(space, cell, direction);
      mirrors |= beside[direction].mirrored != nullptr;
    }
  }

  /// Those upstream of a segment.
  template <class ExecutionSpace>
  KOKKOS_FORCEINLINE_FUNCTION Upstream<Real> upstream(const VelocitySpace<ExecutionSpace, Real>& v,
                                                      const Segment& segment) const {
    Upstream<Real> found;
    found.x = either(segment.i < v.first_positive_x, beside[1], beside[0]);
    if constexpr (Dimensions > 1) {
      found.y = either(segment.begin < v.first_positive, beside[3], beside[2]);
    }
    if constexpr (Dimensions > 2) {
      found.below = beside[4];
      found.above = beside[5];
    }
    return found;
  }

 private:
  /// Selects member by member: a reference chosen at run time would force the sources from
  /// registers into local memory.
  KOKKOS_FORCEINLINE_FUNCTION static Source<Real> either(bool first, const Source<Real>& a,
                                                         const Source<Real>& b) {
    return {first ? a.values : b.values, first ? a.factor : b.factor,
            first ? a.mirrored : b.mirrored, first ? a.mirrored_factor : b.mirrored_factor};
  }
};

/// Free streaming by one step along all axes at once, first-order upwind in flux form, hence
/// conservative:
///
///   f <- f - sum over the axes of |C_d| (f - f upwind along d),   C = v dt / dx.
///
/// It is positive as long as the Courant numbers add up to at most one. It must be evaluated in
/// this form: the factor of (1 - sum of |C_d|) f would be rounded the same way in every step and
/// cell, and the mass would drift by 2e-8 a step in single precision. An object holds the upstream
/// values of a segment along y, loaded from `upstream_y`, and along z. `crossing` is that of the
/// cell.
template <int Width, class Real, int Dimensions>
struct UpwindSegment {
  Real along_x;              ///< |C_x|
  Real factor_x;             ///< of the values upstream along x
  RowLanes<Width, Real> y;   ///< v_y
  Real crossing_y = 0;       ///< |C_y| over v_y
  Real factor_y = 0;         ///< of `f_y`
  Lanes<Width, Real> f_y;    ///< values upstream along y
  Lanes<Width, Real> z;      ///< v_z
  Lanes<Width, Real> above;  ///< values upstream along z for v_z < 0
  Lanes<Width, Real> below;  ///< values upstream along z for v_z > 0
  Real crossing_z = 0;       ///< C_z over v_z
  Real from_above = 0;       ///< factor of `above`
  Real from_below = 0;       ///< factor of `below`

  UpwindSegment() = default;
  template <class ExecutionSpace>
  KOKKOS_FORCEINLINE_FUNCTION UpwindSegment(const PhaseSpace<ExecutionSpace, Real>& space,
                                            const Real (&crossing)[3],
                                            const Upstream<Real>& upstream, const Segment& segment,
                                            Real velocity_x, const RowLanes<Width, Real>& row,
                                            const Real* upstream_y)
      : y(row) {
    const auto& v = space.velocities;
    along_x = math::fabs(velocity_x) * crossing[0];
    factor_x = upstream.x.factor;
    if constexpr (Dimensions > 1) {
      crossing_y = segment.begin < v.first_positive ? -crossing[1] : crossing[1];
      factor_y = upstream.y.factor;
      f_y = Lanes<Width, Real>(upstream_y);
    }
    if constexpr (Dimensions > 2) {
      z = Lanes<Width, Real>(v.z.data() + segment.begin);
      above = Lanes<Width, Real>(upstream.above.values + segment.place);
      below = Lanes<Width, Real>(upstream.below.values + segment.place);
      from_above = upstream.above.factor;
      from_below = upstream.below.factor;
      crossing_z = crossing[2];
    }
  }

  /// Writes the streamed values, without specular reflections, from the values `f` of the cell and
  /// `f_x` of its upstream neighbour along x.
  KOKKOS_FORCEINLINE_FUNCTION void stream(const Lanes<Width, Real>& f,
                                          const Lanes<Width, Real>& f_x, int length,
                                          Real* to) const {
    for_lanes<Width>(length, [&](int k) { to[k] = streamed(f, f_x, k); });
  }

  /// The value of one lane.
  KOKKOS_FORCEINLINE_FUNCTION Real streamed(const Lanes<Width, Real>& f,
                                            const Lanes<Width, Real>& f_x, int k) const {
    return streamed(f, f_x, k, along_x, 0);
  }
  /// The value of one lane in another plane, `offset` velocities further on, whose |C_x| is
  /// `along`.
  KOKKOS_FORCEINLINE_FUNCTION Real streamed(const Lanes<Width, Real>& f,
                                            const Lanes<Width, Real>& f_x, int k, Real along,
                                            int offset) const {
    const int n = k + offset;
    const Real from_x = f[n] - along * (f[n] - factor_x * f_x[n]);
    if constexpr (Dimensions == 1) {
      return from_x;
    } else if constexpr (Dimensions == 2) {
      const Real along_y = y[k] * crossing_y;
      return from_x - along_y * (f[n] - factor_y * f_y[n]);
    } else {
      const Real along_y = y[k] * crossing_y;
      const Real up = z[k] * crossing_z;
      const Real f_z = up < 0 ? from_above * above[n] : from_below * below[n];
      return from_x - along_y * (f[n] - factor_y * f_y[n]) - math::fabs(up) * (f[n] - f_z);
    }
  }
};

/// Adds the inflow from specular surfaces next to a cell along an axis to the streamed values of a
/// segment.
template <int Width, class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void add_mirrored_along(const PhaseSpace<ExecutionSpace, Real>& space,
                                               Real crossing, int axis, const Source<Real>& low,
                                               const Source<Real>& high, const Segment& segment,
                                               Real* to) {
  if (low.mirrored == nullptr && high.mirrored == nullptr) return;
  const auto& v = space.velocities;
  const int length = Width > 0 ? Width : segment.length;
  KNUDSEN_UNROLL
  for (int k = 0; k < length; ++k) {
    const int q = segment.begin + k;
    const Real crossed = crossing * (axis == 0   ? v.nodes[0](segment.i)
                                     : axis == 1 ? v.y(q)
                                                 : v.z(q));
    const Real* mirrored = crossed < 0 ? high.mirrored : low.mirrored;
    const Real share = crossed < 0 ? high.mirrored_factor : low.mirrored_factor;
    const int reversed = space.reversed[crossed < 0 ? 2 * axis + 1 : 2 * axis];
    if (mirrored != nullptr) {
      to[k] +=
          math::fabs(crossed) * share * mirrored[reversed_index(v, reversed, segment.place + k)];
    }
  }
}

/// The same for all axes.
template <int Width, int Dimensions, class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void add_mirrored(const PhaseSpace<ExecutionSpace, Real>& space,
                                         const Real (&crossing)[3],
                                         const CellSources<Real, Dimensions>& sources,
                                         const Segment& segment, Real* to) {
  KNUDSEN_UNROLL
  for (int axis = 0; axis < Dimensions; ++axis) {
    add_mirrored_along<Width>(space, crossing[axis], axis, sources.beside[2 * axis],
                              sources.beside[2 * axis + 1], segment, to);
  }
}

/// Free streaming of one cell along all axes at once.
template <class ExecutionSpace, class Real, int Dimensions>
struct UnsplitStreaming {
  static constexpr int width = lane_count<ExecutionSpace, Real>;
  static constexpr bool streams = true;
  using Choice = int;

  const PhaseSpace<ExecutionSpace, Real>& space;
  CellSources<Real, Dimensions> sources;
  Real crossing[3];

  KOKKOS_INLINE_FUNCTION UnsplitStreaming(const PhaseSpace<ExecutionSpace, Real>& phase_space,
                                          int cell, int)
      : space(phase_space), sources(phase_space, cell) {
    for (int d = 0; d < 3; ++d) crossing[d] = d < Dimensions ? space.crossing_of(d, cell) : 0;
  }

  /// Writes the streamed values of a segment to `to`, of the segment's length.
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Segment& segment, Real* to) const {
    const auto& v = space.velocities;
    const Upstream<Real> upstream = sources.upstream(v, segment);
    const Lanes<width, Real> f(sources.centre + segment.place);
    const Lanes<width, Real> f_x(upstream.x.values + segment.place);
    const RowLanes<width, Real> y(v.y.data() + segment.begin);
    const UpwindSegment<width, Real, Dimensions> upwind(space, crossing, upstream, segment,
                                                        v.nodes[0](segment.i), y,
                                                        upstream.y.values + segment.place);
    upwind.stream(f, f_x, segment.length, to);
    if (sources.mirrors) add_mirrored<width>(space, crossing, sources, segment, to);
  }
};

/// A position upstream of a cell, reached cell by cell: in the gas, or beyond a face.
template <class ExecutionSpace, class Real>
struct UpstreamWalk {
  const PhaseSpace<ExecutionSpace, Real>& space;
  int cell;       ///< beyond a face: the mirror image of the position
  int direction;  ///< upstream
  int face = -1;  ///< the face that has been crossed; -1: none

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

/// Slopes of a LineStencil on cells of different widths; on equal cells they need no numbers.
template <class Real, bool Growing>
struct StencilSlopes {};

template <class Real>
struct StencilSlopes<Real, true> {
  UnequalSlope<Real> slope;     ///< of c
  UnequalSlope<Real> slope_up;  ///< of u
  Real quicker_up = 1;          ///< Courant number in u over that in c
};

/// Values of one velocity at the faces of a cell through which it leaves and enters.
template <class Real>
struct FaceValues {
  Real leaves;
  Real enters;
};

/// Stencil of one velocity for a step along one axis: an exact shift by the integer part of the
/// Courant number, then an upwind step by the remainder (eqs. 12 and 15 of the paper). In second
/// order it has limited slopes:
///
///   f <- c - part ((c + h slope_c) - (u + h slope_u)),   h = (1 - part) / 2,
///
/// where c is the value `shift` cells upstream and u the one beyond. The value of a surface is
/// located at the face, half a cell away. Where gas leaves across a face, the slope is
/// extrapolated. Growing cells have different widths, c and u each a Courant number and an h of
/// its own, and there is no shift.
template <class ExecutionSpace, class Real, int Order, bool Growing = false>
struct LineStencil : StencilSlopes<Real, Growing> {
  int upstream;                ///< direction upstream
  int shift;                   ///< integer part of the Courant number
  Real part;                   ///< its remainder
  Real recedes;                ///< share of the Courant number in reach(): 1, in stages 0
  Source<Real> centre;         ///< c
  Source<Real> up;             ///< u, one cell upstream of c
  Source<Real> down;           ///< one cell downstream of c
  Source<Real> further;        ///< one cell upstream of u
  Real steepness = 1;          ///< of the difference c - u: 2 where u is located at a face
  Real steepness_up = 1;       ///< of the difference u - further, likewise
  bool has_down = false;       ///< false where gas leaves across a face
  bool part_mirrored = false;  ///< c is next to a surface with 0 < specular share < 1
  Limiter limiter;

  LineStencil() = default;
  KOKKOS_INLINE_FUNCTION LineStencil(const PhaseSpace<ExecutionSpace, Real>& space, int cell,
                                     int axis, Real courant)
      : recedes(space.in_stages ? Real(0) : Real(1)), limiter(space.limiter) {
    const Real distance = math::fabs(courant);
    shift = Growing || space.in_stages ? 0 : static_cast<int>(distance);
    part = distance - static_cast<Real>(shift);
    upstream = courant < 0 ? 2 * axis + 1 : 2 * axis;
    UpstreamWalk<ExecutionSpace, Real> walk{space, cell, upstream};
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
    if constexpr (Growing) {
      const GrowingCell<Real> here(space, cell, axis);
      const GrowingCell<Real> next(space, walk.cell, axis);
      this->slope = here.slope(upstream);
      // Beyond a surface the images of the cells follow, in reverse order.
      this->slope_up = next.slope(walk.face < 0 ? upstream : upstream ^ 1);
      this->quicker_up = next.crossing / here.crossing;
    }
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

  /// Distance from the centre, in half cells, to which slopes are extrapolated: of c, and of u.
  /// Molecules that cross a face in a step were half of their way before it in the mean; in a
  /// stage the values are those at the face. Functions below that take none take that of `part`.
  KOKKOS_FORCEINLINE_FUNCTION Real reach(Real courant) const { return 1 - recedes * courant; }
  KOKKOS_FORCEINLINE_FUNCTION Real reach_up(Real courant) const {
    if constexpr (Growing) return reach(courant * this->quicker_up);
    return reach(courant);
  }

  /// Value at the downstream face of c. Times `part` it is the flux through that face.
  KOKKOS_FORCEINLINE_FUNCTION Real at_face(Real c, Real u, Real d) const {
    return at_face(c, u, d, reach(part));
  }
  KOKKOS_FORCEINLINE_FUNCTION Real at_face(Real c, Real u, Real d, Real reaches) const {
    if constexpr (Order == 1) return c;
    if constexpr (Growing) {
      const Real across = has_down ? this->slope.limited(limiter, steepness * (c - u), d - c)
                                   : extrapolated_slope(this->slope.over_a * (c - u), c, steepness);
      return c + Real(0.5) * reaches * across;
    }
    const Real ahead = has_down ? d - c : extended(c, u);
    return c + Real(0.5) * reaches * limited_slope(limiter, steepness * (c - u), ahead);
  }
  /// The difference c - u, bounded such that extrapolating it downstream keeps values positive.
  static KOKKOS_FORCEINLINE_FUNCTION Real extended(Real c, Real u) {
    return c - u > -c ? c - u : -c;
  }
  /// Growing cells: the slope of c where gas leaves across a face, from the difference across c.
  KOKKOS_FORCEINLINE_FUNCTION Real extrapolated_slope(Real difference, Real c, Real steeper) const {
    return limited_slope(limiter, steeper * difference, difference > -c ? difference : -c);
  }
  KOKKOS_FORCEINLINE_FUNCTION Real at_face_upstream(Real c, Real u, Real uu) const {
    return at_face_upstream(c, u, uu, reach_up(part));
  }
  KOKKOS_FORCEINLINE_FUNCTION Real at_face_upstream(Real c, Real u, Real uu, Real reaches) const {
    const Real half = Real(0.5) * reaches;
    if constexpr (Growing) {
      return u + half * this->slope_up.limited(limiter, steepness_up * (u - uu), c - u);
    }
    return u + half * limited_slope(limiter, steepness_up * (u - uu), c - u);
  }

  /// Value at the downstream face of c less that at its upstream face, for a Courant number whose
  /// remainder is `courant`.
  KOKKOS_FORCEINLINE_FUNCTION Real across(Real c, Real u, Real d, Real uu, Real courant) const {
    if constexpr (Order == 1) return c - u;
    return at_face(c, u, d, reach(courant)) - at_face_upstream(c, u, uu, reach_up(courant));
  }

  /// Calls write(k, c, across()) for the velocities of lanes from `place` on. Their Courant numbers
  /// have the sign of this stencil's and its shift, and the remainders courant_of(k). There must be
  /// no specular reflections.
  template <int Width, class CourantOf, class Write>
  KOKKOS_FORCEINLINE_FUNCTION void each_lane(int place, int length, const CourantOf& courant_of,
                                             const Write& write) const {
    const auto run = [&](auto known_limiter, auto known_down) {
      // Local copies of which the compiler knows that the loop does not change them, and constants:
      // without these it makes no vectors of the loop on the host.
      LineStencil own = *this;
      const CourantOf courant = courant_of;
      const Write put = write;
      if constexpr (Width == 0) {
        own.limiter = decltype(known_limiter)::value;
        own.has_down = decltype(known_down)::value;
      }
      const Lanes<Width, Real> c(own.centre.values + place);
      const Lanes<Width, Real> u(own.up.values + place);
      const Lanes<Width, Real> d((Order == 2 ? own.down : own.up).values + place);
      const Lanes<Width, Real> uu((Order == 2 ? own.further : own.up).values + place);
      const int lanes = Width > 0 ? Width : length;
      KNUDSEN_SIMD
      for (int k = 0; k < lanes; ++k) {
        const Real here = own.centre.factor * c[k];
        put(k, here,
            own.across(here, own.up.factor * u[k], own.down.factor * d[k],
                       own.further.factor * uu[k], courant(k)));
      }
    };
    using VanLeer = std::integral_constant<Limiter, Limiter::van_leer>;
    using Minmod = std::integral_constant<Limiter, Limiter::minmod>;
    if constexpr (Width > 0 || Order == 1) {
      run(VanLeer{}, std::true_type{});
    } else if (limiter == Limiter::van_leer) {
      has_down ? run(VanLeer{}, std::true_type{}) : run(VanLeer{}, std::false_type{});
    } else {
      has_down ? run(Minmod{}, std::true_type{}) : run(Minmod{}, std::false_type{});
    }
  }

  /// The streamed value at one place if the sources include specular reflections.
  KOKKOS_INLINE_FUNCTION Real streamed_at(const PhaseSpace<ExecutionSpace, Real>& space,
                                          int place) const {
    return value(centre, place, mirrored_upstream(space, place)) - part * across_at(space, place);
  }
  /// The same for across().
  KOKKOS_INLINE_FUNCTION Real across_at(const PhaseSpace<ExecutionSpace, Real>& space,
                                        int place) const {
    const FaceValues<Real> values = at_faces(space, place);
    return values.leaves - values.enters;
  }
  /// The values at both faces of c at one place, of any sources.
  KOKKOS_INLINE_FUNCTION FaceValues<Real> at_faces(const PhaseSpace<ExecutionSpace, Real>& space,
                                                   int place) const {
    const int mirrored = mirrored_upstream(space, place);
    const Real c = value(centre, place, mirrored);
    const Real u = value(up, place, mirrored);
    if constexpr (Order == 1) {
      return {c, u};
    } else {
      const Real d = value_down(space, place, mirrored);
      const Real uu = value(further, place, mirrored);
      if (!part_mirrored) return {at_face(c, u, d), at_face_upstream(c, u, uu)};
      // The reflected inflow equals the outflow at the face, else mass would be lost.
      const Real m = up.mirrored[mirrored];
      const Real before = further.mirrored[mirrored];
      Real leaves;
      if constexpr (Growing) {
        leaves = m + Real(0.5) * reach(part) *
                         extrapolated_slope(this->slope.over_b * (m - before), m, 1);
      } else {
        leaves =
            m + Real(0.5) * reach(part) * limited_slope(limiter, m - before, extended(m, before));
      }
      return {at_face(c, u, d), up.factor * up.values[place] + up.mirrored_factor * leaves};
    }
  }

  /// Outflow in a step across the downstream face of `cell`, which must be a surface, for the
  /// velocity at one place, in units of a cell's contents.
  KOKKOS_INLINE_FUNCTION Real leaving(const PhaseSpace<ExecutionSpace, Real>& space, int cell,
                                      int place) const {
    const int mirrored = mirrored_upstream(space, place);
    UpstreamWalk<ExecutionSpace, Real> walk{space, cell, upstream};
    Real sum = 0;
    for (int n = 0; n < shift; ++n) {
      sum += value(walk.source(), place, mirrored);
      walk.advance();
    }
    return sum + leaving_at(space, place, mirrored, part);
  }
  /// The same for a velocity of Courant number `courant`, less than one and of this stencil's sign.
  KOKKOS_INLINE_FUNCTION Real leaving_near(const PhaseSpace<ExecutionSpace, Real>& space, int place,
                                           Real courant) const {
    return leaving_at(space, place, mirrors() ? mirrored_upstream(space, place) : place, courant);
  }
  /// What leaves across the downstream face of c.
  KOKKOS_INLINE_FUNCTION Real leaving_at(const PhaseSpace<ExecutionSpace, Real>& space, int place,
                                         int mirrored, Real courant) const {
    const Real ahead = has_down ? value_down(space, place, mirrored) : Real(0);
    return courant * at_face(value(centre, place, mirrored), value(up, place, mirrored), ahead,
                             reach(courant));
  }

  /// Place that a mirror upstream sends to `place`.
  KOKKOS_INLINE_FUNCTION int mirrored_upstream(const PhaseSpace<ExecutionSpace, Real>& space,
                                               int place) const {
    return reversed_index(space.velocities, space.reversed[upstream], place);
  }
  /// Value of `down`; beyond a mirror it is that mirror's image. `mirrored` is mirrored_upstream().
  KOKKOS_INLINE_FUNCTION Real value_down(const PhaseSpace<ExecutionSpace, Real>& space, int place,
                                         int mirrored) const {
    if (down.mirrored == nullptr) return down.factor * down.values[place];
    const int reversed = space.reversed[upstream ^ 1];
    if (shift > 0 || reversed == space.reversed[upstream]) return value(down, place, mirrored);
    return value(down, place, reversed_index(space.velocities, reversed, place));
  }
  /// Value of a source at one place.
  static KOKKOS_INLINE_FUNCTION Real value(const Source<Real>& source, int place, int mirrored) {
    Real sum = source.factor * source.values[place];
    if (source.mirrored != nullptr) sum += source.mirrored_factor * source.mirrored[mirrored];
    return sum;
  }
};

/// Calls body(first, length) for the runs of velocities of a plane, from `begin` on, within a row
/// and with v_z of one sign.
template <class ExecutionSpace, class Real, class Body>
KOKKOS_FORCEINLINE_FUNCTION void each_sign_along_z(const VelocitySpace<ExecutionSpace, Real>& v,
                                                   int begin, int length, const Body& body) {
  for (int first = 0; first < length;) {
    const int row_end = first + v.row_length - (begin + first) % v.row_length;
    const bool down = v.z(begin + first) < 0;
    int end = first + 1;
    while (end < length && end < row_end && (v.z(begin + end) < 0) == down) ++end;
    body(first, end - first);
    first = end;
  }
}

/// The stencils of a cell along an axis for either sign of the velocity, made once for all
/// velocities, on the host. On a GPU, which has no registers to keep them, there are none.
template <class ExecutionSpace, class Real, int Order, bool Growing,
          bool Kept = is_host_backend<ExecutionSpace>>
struct StencilsOfCell {
  LineStencil<ExecutionSpace, Real, Order, Growing> below, above;

  StencilsOfCell() = default;
  KOKKOS_INLINE_FUNCTION StencilsOfCell(const PhaseSpace<ExecutionSpace, Real>& space, int cell,
                                        int axis)
      : below(space, cell, axis, Real(-0.5)), above(space, cell, axis, Real(0.5)) {}
};
template <class ExecutionSpace, class Real, int Order, bool Growing>
struct StencilsOfCell<ExecutionSpace, Real, Order, Growing, false> {
  StencilsOfCell() = default;
  KOKKOS_INLINE_FUNCTION StencilsOfCell(const PhaseSpace<ExecutionSpace, Real>&, int, int) {}
};

/// Free streaming of one cell by one step along one axis, for any Courant number. Growing: cells
/// of different widths in order 2.
template <class ExecutionSpace, class Real, int Order, bool Growing = false>
struct LineStreaming {
  static constexpr int width = lane_count<ExecutionSpace, Real>;
  static constexpr bool streams = true;
  using Choice = int;

  const PhaseSpace<ExecutionSpace, Real>& space;
  int cell;
  int axis;
  Real crossing;      ///< Courant number of unit velocity; unused for equal cells in order 2
  Source<Real> low;   ///< neighbour at lower coordinates
  Source<Real> high;  ///< neighbour at higher coordinates
  bool mirrors;       ///< one of them is a specular surface
  StencilsOfCell<ExecutionSpace, Real, Order, Growing> stencils;
  bool applies = false;  ///< `stencils` are those of all velocities

  KOKKOS_INLINE_FUNCTION LineStreaming(const PhaseSpace<ExecutionSpace, Real>& phase_space,
                                       int cell_index, int along)
      : space(phase_space),
        cell(cell_index),
        axis(along),
        crossing(Order == 1 || Growing ? phase_space.crossing_of(along, cell_index) : 0),
        low(source_beside(space, cell, 2 * axis)),
        high(source_beside(space, cell, 2 * axis + 1)),
        mirrors(low.mirrored != nullptr || high.mirrored != nullptr),
        stencils(space, cell, axis) {
    if constexpr (width == 0) {
      const auto& nodes = space.velocities.nodes[axis];
      const Real first = math::fabs(nodes(0));
      const Real last = math::fabs(nodes(space.velocities.count[axis] - 1));
      applies = (first > last ? first : last) * scale() < 1 && !stencils.below.mirrors() &&
                !stencils.above.mirrors();
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Segment& segment, Real* to) const {
    const auto& v = space.velocities;
    if constexpr (width == 0) {
      if (applies) return stream_less_than_a_cell(segment, to);
    }
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
  /// Courant number of unit velocity.
  KOKKOS_FORCEINLINE_FUNCTION Real scale() const {
    return Order == 1 || Growing ? crossing : space.crossing[axis];
  }

  /// On the host: streams a segment of which no velocity crosses a whole cell.
  KOKKOS_FORCEINLINE_FUNCTION void stream_less_than_a_cell(const Segment& segment, Real* to) const {
    const auto& v = space.velocities;
    const Real unit = scale();
    const auto run = [&](Real direction, int first, int length, const auto& courant_of) {
      const auto& stencil = direction < 0 ? stencils.below : stencils.above;
      Real* out = to + first;
      const auto courants = courant_of;
      stencil.template each_lane<0>(
          segment.place + first, length, courants,
          [=](int k, Real value, Real across) { out[k] = value - courants(k) * across; });
    };
    if (axis == 0) {
      const Real velocity = v.nodes[0](segment.i);
      const Real courant = math::fabs(velocity) * unit;
      run(velocity, 0, segment.length, [=](int) { return courant; });
      return;
    }
    const Real* velocity = (axis == 1 ? v.y : v.z).data() + segment.begin;
    const auto run_along = [&](int first, int length) {
      const Real* here = velocity + first;
      run(here[0], first, length, [=](int k) { return math::fabs(here[k]) * unit; });
    };
    if (axis == 1) return run_along(0, segment.length);
    each_sign_along_z(v, segment.begin, segment.length, run_along);
  }

  /// Streams velocities that have the same component along the axis.
  template <int Width>
  KOKKOS_FORCEINLINE_FUNCTION void piece(Real velocity, int place, int length, Real* to) const {
    const Real courant = velocity * scale();
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

  /// As piece(), where the stencil is wider or includes specular reflections.
  template <int Width>
  KOKKOS_INLINE_FUNCTION void far_piece(Real courant, int place, int length, Real* to) const {
    const LineStencil<ExecutionSpace, Real, Order, Growing> stencil(space, cell, axis, courant);
    if (stencil.mirrors()) {
      for (int k = 0; k < length; ++k) {
        to[k] = stencil.streamed_at(space, place + k);
      }
      return;
    }
    const Real part = stencil.part;
    stencil.template each_lane<Width>(
        place, length, [=](int) { return part; },
        [=](int k, Real value, Real across) { to[k] = value - part * across; });
  }
};

}  // namespace knudsen::bgkw
