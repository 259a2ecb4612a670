#pragma once

#include <array>
#include <cstdint>

#include "core/sides.hpp"
#include "device/kokkos.hpp"
#include "lattice/flow_state2d.hpp"
#include "lattice/for_populations.hpp"
#include "lattice/scalar.hpp"
#include "methods/lattice/slip_class.hpp"

namespace knudsen::lbm_d2q9 {

/// Calls body(PopulationIndex<q>) for the nine populations of the flow, or for all of those of a
/// flow with a scalar, unrolled.
template <class Velocities = D2Q9, class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_populations(const Body& body) {
  knudsen::for_populations<Velocities>(body);
}

/// Slot from which a node loads each population in the next step. A link is cut where it crosses a
/// wall or a non-periodic side of the domain; no population moves along it. Each arrangement has a
/// slot on a cut link that only this node uses, and the node finds its own outgoing population
/// there. Hence solid nodes need no work, and addressing is always periodic: a link beyond a side
/// wraps to the node at the opposite side, whose link is cut as well.
///
///   arrangement     incoming q at x     on a cut link
///   gather          (q, x - c_q)        (opposite, x)         two arrays, pull
///   scatter         (q, x)              (opposite, x - c_q)   two arrays, push
///   in_place_even   (q, x)              (q, x)                one array, AA pattern
///   in_place_odd    (opposite, x - c_q) (q, x)                one array, AA pattern
enum class Arrangement { gather, scatter, in_place_even, in_place_odd };

/// Extents of the lattice. Rows are padded to `pitch` values, so that each starts on a cache line.
/// Planes are padded by an odd number of cache lines, because power-of-two strides would map all
/// nine planes to the same cache sets.
struct Extents {
  int nx = 0;
  int ny = 0;
  int pitch = 0;

  KOKKOS_INLINE_FUNCTION std::size_t nodes() const {
    return static_cast<std::size_t>(pitch) * static_cast<std::size_t>(ny);
  }
  KOKKOS_INLINE_FUNCTION std::size_t plane() const { return nodes() + std::size_t{5} * 32; }
  KOKKOS_INLINE_FUNCTION int wrap_x(int x) const { return x < 0 ? x + nx : (x >= nx ? x - nx : x); }
  KOKKOS_INLINE_FUNCTION int wrap_y(int y) const { return y < 0 ? y + ny : (y >= ny ? y - ny : y); }
  KOKKOS_INLINE_FUNCTION std::size_t node(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(pitch) +
           static_cast<std::size_t>(x);
  }
};

/// Flat indices of the first nodes of rows y - 1, y and y + 1, wrapped once before a loop over x.
struct AdjacentRows {
  std::size_t first_node[3];

  KOKKOS_INLINE_FUNCTION AdjacentRows(const Extents& extents, int y)
      : first_node{extents.node(0, extents.wrap_y(y - 1)), extents.node(0, y),
                   extents.node(0, extents.wrap_y(y + 1))} {}
  /// Node x of row y + dy.
  KOKKOS_INLINE_FUNCTION std::size_t node(int x, int dy) const {
    return first_node[dy + 1] + static_cast<std::size_t>(x);
  }
};

/// Flat index of the slot from which node (x, y) loads population q (table above).
template <class Velocities = D2Q9>
KOKKOS_FORCEINLINE_FUNCTION std::size_t incoming_slot(Arrangement arrangement,
                                                      const Extents& extents, int q, int x, int y,
                                                      bool cut) {
  const bool even = arrangement == Arrangement::in_place_even;
  const bool odd = arrangement == Arrangement::in_place_odd;
  const bool at_node = even || (arrangement == Arrangement::scatter) != cut;
  const bool same_population = even || odd == cut;
  const int slot_x = at_node ? x : extents.wrap_x(x - Velocities::cx(q));
  const int slot_y = at_node ? y : extents.wrap_y(y - Velocities::cy(q));
  const int population = same_population ? q : Velocities::opposite(q);
  return static_cast<std::size_t>(population) * extents.plane() + extents.node(slot_x, slot_y);
}

enum class NodeKind : std::uint8_t {
  fluid,
  solid,     ///< no work
  reversing  ///< wall node of full-way bounce-back: reverses all populations instead of colliding
};

/// The sides of the domain are west, east, south and north of core/sides.hpp.
inline constexpr int side_count = 4;
/// The population along the inward normal of a side.
KOKKOS_INLINE_FUNCTION constexpr int inward_population(int side) {
  return side == west ? 1 : (side == east ? 3 : (side == south ? 2 : 4));
}
/// Whether the side is normal to x.
KOKKOS_INLINE_FUNCTION constexpr bool is_across_x(int side) { return side / 2 == 0; }

enum class OpenKind : std::uint8_t { none, velocity, pressure, outflow };
/// Corners by the signs of their inward normals.
enum Corner : std::uint8_t { south_west, south_east, north_west, north_east };

/// How a node differs from a fluid node in the interior. Nodes with equal properties share a class;
/// class 0 is the interior fluid node.
template <class Real>
struct NodeClass {
  NodeKind kind = NodeKind::fluid;
  /// Whether some cut link has a wall distance (interpolated bounce-back).
  bool interpolated = false;
  /// Whether some wall at the node mirrors a share.
  bool slips = false;
  /// 1 + Side whose Zou-He or outflow condition sets the node's unknown populations; 0: none.
  std::uint8_t open_side = 0;
  /// 1 + Corner between two open sides that the node is in; 0: none.
  std::uint8_t open_corner = 0;
  /// Bit s: outflow side s copies this node's populations, or pressure side s remembers its
  /// momentum.
  std::uint8_t publish_sides = 0;
  /// Bit c: corner c copies this node's density and velocity.
  std::uint8_t publish_corners = 0;
  /// Bit q: the link of incoming population q is cut. The population is reflected by a wall or set
  /// by an open side.
  std::uint16_t cut = 0;
  /// 1 + index of the SlipClass of a node beside a solid with slip; 0: none.
  std::uint16_t solid_slip = 0;
  /// Momentum from a moving wall, added to incoming population q.
  Real correction[9] = {};
  /// Distance to the wall on the cut link q as a fraction of the link; negative: plain half-way
  /// bounce-back on this link.
  Real wall_distance[9] = {};
  /// By Side: share of what reaches the wall there that it mirrors; the rest bounces back.
  Real mirrored[4] = {};
};

/// How the scalar of a node differs from one in the interior. On a cut link the incoming population
/// is `factor` times the outgoing one, plus `addition`:
///
///   adiabatic, given flux    1    flux into the fluid (bounce-back)
///   given value             -1    2 w_q value (anti-bounce-back)
///   exchange                between the two, by its coefficient
///
/// and, at outflows and interpolated walls, a share of the value of the node. Other walls and what
/// is given at open sides are half a node spacing outside of the node (Ginzburg 2005; Yoshida and
/// Nagaoka 2010).
template <class Real>
struct ScalarClass {
  Real factor[D2Q5::populations] = {1, 1, 1, 1, 1};
  Real addition[D2Q5::populations] = {0, 0, 0, 0, 0};
  ScalarShare<Real> share[D2Q5::populations];
  Real capacity = 1;            ///< over that of the fluid; the populations sum to capacity x value
  Real antisymmetric_rate = 0;  ///< of a solid that conducts
  Real symmetric_rate = 0;      ///< likewise
  /// Bit q: the link of incoming population q is cut. Like NodeClass::cut, but that the scalar
  /// passes between the fluid and solids that conduct.
  std::uint8_t cut = 0;
  bool conducts = false;  ///< a solid with a scalar of its own
  bool shares = false;    ///< whether there is a `share`
};

/// State of the open sides. Outflow sides and open corners copy from inner neighbours through
/// `published` and `corners`. These are double-buffered by the parity of the step, so that no node
/// reads what another node writes in the same step.
template <class ExecutionSpace, class Real>
struct OpenBoundaries {
  /// By side.
  OpenKind kind[side_count] = {OpenKind::none, OpenKind::none, OpenKind::none, OpenKind::none};
  int longest = 0;  ///< nodes of the longest side
  /// Prescribed velocity (x, y) and density deviation: (side * longest + coordinate, component).
  View<Real* [3], ExecutionSpace> values;
  /// Populations for outflow sides: (parity, side * longest + coordinate, unknown population).
  View<Real** [3], ExecutionSpace> published;
  /// Density deviation and velocity for open corners: (parity, corner, component).
  View<Real* [4][3], ExecutionSpace> corners;
};

/// A node of a solid that conducts. It has no populations of the flow.
struct ConductingNode {
  std::int32_t x, y;   ///< in the lattice
  std::uint16_t body;  ///< index of the solid
};

/// A node that has work but is not plain (see Lattice).
struct SpecialNode {
  std::int32_t x;
  std::uint16_t node_class;
};

/// The lattice on a backend: populations as (q, y, x), and the class of each node. The populations
/// of a scalar follow those of the flow.
///
/// A plain node is of class 0 and not in the first or last column, so its neighbours are at fixed
/// offsets in memory. One bit per node tells plain nodes, which spares kernels the read of the
/// class. The few other nodes with work are listed as special. All others are solid.
template <class ExecutionSpace, class Real>
struct Lattice {
  Extents extents;
  View<Real*, ExecutionSpace> populations;          ///< planes; holds the state between two steps
  View<Real*, ExecutionSpace> next;                 ///< likewise for two-array schemes, else empty
  View<std::uint16_t*, ExecutionSpace> node_class;  ///< one plane
  View<NodeClass<Real>*, ExecutionSpace> classes;
  View<lbm::SlipClass<Real, 2>*, ExecutionSpace> slip_classes;  ///< empty without slip along solids
  OpenBoundaries<ExecutionSpace, Real> open;

  // Teams work on segments of rows, numbered row * segments_per_row + segment.
  int segment = 0;           ///< nodes of a segment; the last one of a row may have fewer
  int segments_per_row = 0;  ///< number of segments
  View<std::uint32_t*, ExecutionSpace> plain;  ///< bit x % 32 of word node(x, y) / 32: plain node
  View<std::uint32_t*, ExecutionSpace> solid;  ///< the same for solid nodes
  View<SpecialNode*, ExecutionSpace> special;  ///< by segment, then by x
  View<std::int32_t*, ExecutionSpace> special_begin;        ///< first of each segment, and the end
  View<ScalarClass<Real>*, ExecutionSpace> scalar_classes;  ///< like classes; empty without scalar
  View<ConductingNode*, ExecutionSpace> conducting;         ///< row by row

  KOKKOS_INLINE_FUNCTION bool with_scalar() const { return scalar_classes.extent(0) > 0; }
  KOKKOS_INLINE_FUNCTION const ScalarClass<Real>& scalar_class(int x, int y) const {
    return scalar_classes(node_class(extents.node(x, y)));
  }

  /// Bits of the nodes from (x, y) up to the next multiple of 32, then zeros.
  KOKKOS_INLINE_FUNCTION std::uint32_t plain_bits(int x, int y) const {
    return plain(extents.node(x, y) / 32) >> (x % 32);
  }
  KOKKOS_INLINE_FUNCTION std::uint32_t solid_bits(int x, int y) const {
    return solid(extents.node(x, y) / 32) >> (x % 32);
  }
};

/// The segment [begin, end) of row y that a team works on, and its range in the list of special
/// nodes.
struct RowSegment {
  int y;
  int begin;
  int end;
  int special_begin;
  int special_end;
};

template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION RowSegment row_segment(const Lattice<ExecutionSpace, Real>& lattice,
                                              int league_rank) {
  const int y = league_rank / lattice.segments_per_row;
  const int begin = (league_rank - y * lattice.segments_per_row) * lattice.segment;
  const int end =
      begin + lattice.segment < lattice.extents.nx ? begin + lattice.segment : lattice.extents.nx;
  return {y, begin, end, lattice.special_begin(league_rank),
          lattice.special_begin(league_rank + 1)};
}

/// End of the run of plain nodes that starts at x; x itself if that node is not plain.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION int plain_run_end(const Lattice<ExecutionSpace, Real>& lattice,
                                         const RowSegment& segment, int x) {
  while (x < segment.end) {
    std::uint32_t others = ~lattice.plain_bits(x, segment.y);
    if ((others & 1) != 0) break;
    if (others == 0) {
      x += 32;
    } else {
      for (; (others & 1) == 0; others >>= 1) ++x;
    }
  }
  return x < segment.end ? x : segment.end;
}

/// The bits of `Width` adjacent nodes, all set.
template <int Width>
inline constexpr std::uint32_t all_bits = (std::uint32_t{1} << Width) - 1;

/// `solid` argument of for_nodes where solid nodes have no work.
struct SolidsRest {
  KOKKOS_INLINE_FUNCTION void operator()(int /*x*/) const {}
};

/// Visits the nodes of a segment. Plain nodes: on the host calls `row(x, nodes)` for each run of
/// them; on a GPU each thread calls `chunk(x, bits)` for `Width` nodes starting at x, where bit i
/// says that node x + i is plain (all of them are safe to read). Calls `special(x, node_class)` for
/// each special node and `solid(x)` for each solid node.
template <int Width, class Member, class ExecutionSpace, class Real, class Row, class Chunk,
          class Special, class Solid>
KOKKOS_INLINE_FUNCTION void for_nodes(const Member& team,
                                      const Lattice<ExecutionSpace, Real>& lattice,
                                      const RowSegment& segment, const Row& row, const Chunk& chunk,
                                      const Special& special, const Solid& solid) {
  if constexpr (is_host_backend<ExecutionSpace>) {
    int next_special = segment.special_begin;
    for (int x = segment.begin; x < segment.end;) {
      const int run_end = plain_run_end(lattice, segment, x);
      if (run_end > x) row(x, run_end - x);
      x = run_end;
      if (next_special < segment.special_end && lattice.special(next_special).x == x) {
        special(x, lattice.special(next_special++).node_class);
      } else if (x < segment.end) {
        solid(x);
      }
      ++x;
    }
  } else {
    team_for_once(team, (segment.end - segment.begin + Width - 1) / Width, [&](int number) {
      const int x = segment.begin + number * Width;
      const std::uint32_t bits = lattice.plain_bits(x, segment.y) & all_bits<Width>;
      if (bits != 0) chunk(x, bits);
      if constexpr (!std::is_same_v<Solid, SolidsRest>) {
        if (bits == all_bits<Width>) return;
        const std::uint32_t solids = lattice.solid_bits(x, segment.y) & all_bits<Width>;
        for (int i = 0; i < Width; ++i) {
          if (((solids >> i) & 1) != 0) solid(x + i);
        }
      }
    });
    team_for(team, segment.special_begin, segment.special_end, [&](int i) {
      const SpecialNode node = lattice.special(i);
      special(node.x, node.node_class);
    });
  }
}

}  // namespace knudsen::lbm_d2q9
