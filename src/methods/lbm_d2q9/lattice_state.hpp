#pragma once

#include <array>
#include <cstdint>

#include "device/kokkos.hpp"
#include "lattice/d2q9.hpp"
#include "lattice/for_populations.hpp"

namespace knudsen::lbm_d2q9 {

/// Calls body(PopulationIndex<q>) for the nine populations, unrolled.
template <class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_populations(const Body& body) {
  knudsen::for_populations<D2Q9>(body);
}

/// Slot from which a node loads each population in the next step. No population crosses a cut link
/// (one that a wall or any other side of a domain that is not periodic crosses). Each arrangement
/// has a slot on such a link that only this node uses, and returns the node's own outgoing
/// population there. So solid nodes need no work, and addressing is periodic always: a link beyond
/// a side wraps to the node opposite, whose link is cut as well.
///
///   arrangement     incoming q at x     on a cut link
///   gather          (q, x - c_q)        (opposite, x)         two arrays, pull
///   scatter         (q, x)              (opposite, x - c_q)   two arrays, push
///   in_place_even   (q, x)              (q, x)                one array, AA pattern
///   in_place_odd    (opposite, x - c_q) (q, x)                one array, AA pattern
enum class Arrangement { gather, scatter, in_place_even, in_place_odd };

/// Extents of the lattice. Rows are padded to `pitch` values, so that each starts on a cache line.
/// Planes are padded too, by an odd number of cache lines: else the planes of a grid with a power
/// of two in its extents all fall into the same cache sets.
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

/// Slot of the population q that node (x, y) takes in, as a flat index (table above).
KOKKOS_INLINE_FUNCTION std::size_t incoming_slot(Arrangement arrangement, const Extents& extents,
                                                 int q, int x, int y, bool cut) {
  const bool even = arrangement == Arrangement::in_place_even;
  const bool odd = arrangement == Arrangement::in_place_odd;
  const bool at_node = even || (arrangement == Arrangement::scatter) != cut;
  const bool same_population = even || odd == cut;
  const int slot_x = at_node ? x : extents.wrap_x(x - D2Q9::cx(q));
  const int slot_y = at_node ? y : extents.wrap_y(y - D2Q9::cy(q));
  const int population = same_population ? q : D2Q9::opposite(q);
  return static_cast<std::size_t>(population) * extents.plane() + extents.node(slot_x, slot_y);
}

enum class NodeKind : std::uint8_t {
  fluid,
  solid,     ///< never touched
  reversing  ///< full-way bounce-back: turns all populations round instead of colliding
};

/// Sides of the domain in the order of the lattice's axis directions, so that side s has the inward
/// normal 1 + s: west lets in population 1 (east), south 2, east 3, north 4.
enum Side : std::uint8_t { west, south, east, north };
enum class OpenKind : std::uint8_t { none, velocity, pressure, outflow };
/// Corners by the signs of their inward normals.
enum Corner : std::uint8_t { south_west, south_east, north_west, north_east };

/// What makes a node differ from a plain fluid node away from walls. Nodes that are alike share one
/// class; class 0 is the plain fluid node.
template <class Real>
struct NodeClass {
  NodeKind kind = NodeKind::fluid;
  /// Some cut link has a wall distance other than one half: interpolated bounce-back.
  bool interpolated = false;
  /// 1 + Side whose Zou-He or outflow condition completes the node's populations; 0: none.
  std::uint8_t open_side = 0;
  /// 1 + Corner where two open sides meet in this node; 0: none.
  std::uint8_t open_corner = 0;
  /// Bit s: the node's populations are what the outflow side s copies.
  std::uint8_t publish_sides = 0;
  /// Bit c: the corner c takes density and velocity from this node.
  std::uint8_t publish_corners = 0;
  /// Bit q: the link of the incoming population q is cut; the population comes back from a wall or
  /// an open side completes it.
  std::uint16_t cut = 0;
  /// Added to the incoming population q: momentum handed over by a moving wall.
  Real correction[9] = {};
  /// Distance to the wall on the cut link q as a fraction of the link; negative: plain half-way
  /// bounce-back on this link.
  Real wall_distance[9] = {};
};

/// State of the open sides. `values` holds, for each side and coordinate along it, the prescribed
/// velocity (x, y) and density deviation. What an outflow side copies from its inner neighbours and
/// what an open corner takes from its diagonal neighbour goes through the `published` arrays, which
/// are double-buffered by the parity of the step: a node never reads what another node of the same
/// step writes.
template <class ExecutionSpace, class Real>
struct OpenBoundaries {
  OpenKind kind[4] = {OpenKind::none, OpenKind::none, OpenKind::none, OpenKind::none};
  int longest = 0;                             ///< nodes of the longest side
  View<Real* [3], ExecutionSpace> values;      ///< (side * longest + coordinate, component)
  View<Real** [3], ExecutionSpace> published;  ///< (parity, side * longest + coordinate, unknown)
  View<Real* [4][3], ExecutionSpace> corners;  ///< (parity, corner, density deviation and velocity)
};

/// A node that has work and is not plain.
struct SpecialNode {
  std::int32_t x;
  std::uint16_t node_class;
};

/// The lattice on a backend: populations as (q, y, x), and what each node is.
///
/// A node is plain when it is of class 0 and not in the first or last column: its neighbours stand
/// at fixed distances in memory. Kernels know plain nodes from one bit each, so that they need not
/// read the classes; the few other nodes that have work are listed. What is neither is solid.
template <class ExecutionSpace, class Real>
struct Lattice {
  Extents extents;
  View<Real*, ExecutionSpace> populations;          ///< 9 planes; holds the state between two steps
  View<Real*, ExecutionSpace> next;                 ///< 9 planes for two-array schemes, else empty
  View<std::uint16_t*, ExecutionSpace> node_class;  ///< one plane
  View<NodeClass<Real>*, ExecutionSpace> classes;
  OpenBoundaries<ExecutionSpace, Real> open;

  // Rows are worked on in segments, numbered row * segments_per_row + segment.
  int segment = 0;  ///< nodes
  int segments_per_row = 0;
  View<std::uint32_t*, ExecutionSpace> plain;         ///< node (x, y): bit x % 32 of a word
  View<std::uint32_t*, ExecutionSpace> solid;         ///< likewise
  View<SpecialNode*, ExecutionSpace> special;         ///< by segments, in the order of x
  View<std::int32_t*, ExecutionSpace> special_begin;  ///< first of a segment; one more entry

  /// Bits of the nodes from (x, y) on, as far as the next multiple of 32; zeros beyond.
  KOKKOS_INLINE_FUNCTION std::uint32_t plain_bits(int x, int y) const {
    return plain(extents.node(x, y) / 32) >> (x % 32);
  }
  KOKKOS_INLINE_FUNCTION std::uint32_t solid_bits(int x, int y) const {
    return solid(extents.node(x, y) / 32) >> (x % 32);
  }
};

/// The stretch of a row that a team works on, and its part of the list of special nodes.
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

/// End of the run of plain nodes that begins at x; x itself when that node is not plain.
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

/// One bit for each of `Width` neighbouring nodes.
template <int Width>
inline constexpr std::uint32_t all_bits = (std::uint32_t{1} << Width) - 1;

/// For for_nodes: solid nodes have no work.
struct SolidsRest {
  KOKKOS_INLINE_FUNCTION void operator()(int /*x*/) const {}
};

/// Visits the nodes of a segment: `plain(x, bits)` for a chunk of `Width` nodes from x on, of which
/// those with a bit set are plain (memory may be read for all of them); `special(x, node_class)`
/// for one special node; `solid(x)` for one solid node.
///
/// On the host, runs of plain nodes are one SIMD loop each (Width must be 1); on a GPU, each thread
/// takes a chunk.
template <int Width, class Member, class ExecutionSpace, class Real, class Plain, class Special,
          class Solid>
KOKKOS_INLINE_FUNCTION void for_nodes(const Member& team,
                                      const Lattice<ExecutionSpace, Real>& lattice,
                                      const RowSegment& segment, const Plain& plain,
                                      const Special& special, const Solid& solid) {
  if constexpr (is_host_backend<ExecutionSpace>) {
    static_assert(Width == 1);
    int next_special = segment.special_begin;
    for (int x = segment.begin; x < segment.end;) {
      const int run_end = plain_run_end(lattice, segment, x);
      team_for(team, x, run_end, [&](int i) { plain(i, all_bits<1>); });
      x = run_end;
      if (next_special < segment.special_end && lattice.special(next_special).x == x) {
        special(x, lattice.special(next_special++).node_class);
      } else if (x < segment.end) {
        solid(x);
      }
      ++x;
    }
  } else {
    team_for_once(team, (segment.end - segment.begin + Width - 1) / Width, [&](int chunk) {
      const int x = segment.begin + chunk * Width;
      const std::uint32_t bits = lattice.plain_bits(x, segment.y) & all_bits<Width>;
      if (bits != 0) plain(x, bits);
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
