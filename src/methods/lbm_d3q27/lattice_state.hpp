#pragma once

#include "lattice/relaxation3d.hpp"
#include "methods/lbm_d3q27/streaming.hpp"

namespace knudsen::lbm_d3q27 {

/// Sides of the domain: axis = side / 2; the lower side has the even number and the inward normal
/// +1.
enum Side : std::uint8_t { west, east, south, north, bottom, top };
KOKKOS_INLINE_FUNCTION constexpr int axis_of(int side) { return side / 2; }
KOKKOS_INLINE_FUNCTION constexpr int normal_of(int side) { return side % 2 == 0 ? 1 : -1; }

enum class OpenKind : std::uint8_t { velocity, pressure };

/// An open side as one node next to it sees it, in lattice units.
template <class Real>
struct OpenFace {
  Real velocity[3];
  Real density_deviation;
  /// Rate at which the means (FaceMemory) follow the flow: disturbances faster than that leave, the
  /// prescribed value holds for slower ones. 0: it always holds, and sound is reflected.
  Real mean_rate;
  OpenKind kind;
  std::uint8_t side;
};

/// What a node keeps of the flow at an open side: in the last step, and slow means.
template <class Real>
struct FaceMemory {
  Real density_deviation;
  Real velocity[3];
  Real mean_density_deviation;
  Real mean_normal_velocity;  ///< along the inward normal
};

/// A link of a node that a wall or an open side crosses.
template <class Real>
struct BoundaryLink {
  Real correction;     ///< added to the incoming population: momentum from a moving wall
  Real wall_distance;  ///< as a fraction of the link; negative: bounce-back at half the link
};

enum class BoundaryKind : std::uint8_t {
  walls,     ///< fluid, all links with data cross walls
  open,      ///< fluid, some cross open sides
  reversing  ///< a solid node that sends back what it takes in; only two arrays need it
};

/// A node that is not plain: it has links with boundary conditions. Of what it takes in over them,
/// the bits of `cut` say which populations come from the link's other slot.
template <class Index>
struct alignas(4 * sizeof(Index)) BoundaryNode {  // read in one access
  Index node;
  std::uint32_t cut;         ///< bit q: incoming population q
  std::uint32_t first_link;  ///< the links, in the order of the bits of `cut`
  BoundaryKind kind;
};

/// Order in which teams go over a dense lattice: all layers of a strip of rows, then the next
/// strip. What neighbouring layers share then stays in the caches. A team takes those nodes of a
/// segment that lie in its strip and layer.
struct Strips {
  NodeIndex rows = 0;   ///< of a strip; 0: no strips, team and segment have the same number
  NodeIndex teams = 0;  ///< for a layer of a strip

  struct Share {
    NodeIndex segment, begin, end;  ///< the segment, and the nodes of the strip's layer
  };
  KOKKOS_FORCEINLINE_FUNCTION Share share(const Extents& extents, NodeIndex segment_nodes,
                                          NodeIndex team) const {
    const NodeIndex of_strip = teams * extents.nz;
    const NodeIndex strip = team / of_strip;
    const NodeIndex layer = (team - strip * of_strip) / teams;
    const NodeIndex first_row = strip * rows;
    const NodeIndex last_row = first_row + rows < extents.ny ? first_row + rows : extents.ny;
    const NodeIndex begin = extents.pitch * (first_row + extents.ny * layer);
    const NodeIndex end = begin + extents.pitch * (last_row - first_row);
    return {begin / segment_nodes + (team - strip * of_strip - layer * teams), begin, end};
  }
};

/// Number of bits that are set.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t count_bits(std::uint32_t word) {
  word -= (word >> 1) & 0x55555555U;
  word = (word & 0x33333333U) + ((word >> 2) & 0x33333333U);
  return (((word + (word >> 4)) & 0x0f0f0f0fU) * 0x01010101U) >> 24;
}

/// The lattice on a backend: populations, how nodes find each other, and what they are.
///
/// A plain node is a fluid node without boundary links; walls that need no link data (solid nodes
/// at rest, bounce-back at half the link) do not make a node special. What is neither is never
/// touched: solid nodes, padding, and in a sparse lattice the nodes above the fluid that only hold
/// slots. Lattices with wide numbers are sparse.
template <class ExecutionSpace, class PrecisionType, class VelocitySet, class IndexType = NodeIndex>
struct Lattice {
  using Execution = ExecutionSpace;
  using Precision = PrecisionType;
  using Velocities = VelocitySet;
  using Index = IndexType;
  using Real = typename Precision::Real;
  using Storage = typename Precision::Storage;
  using Layout = PopulationLayout<ExecutionSpace, Velocities>;
  static constexpr bool wide = sizeof(Index) > sizeof(NodeIndex);

  Propagation propagation = Propagation::esoteric_twist;
  bool sparse = wide;
  Extents extents;
  Index nodes = 0;  ///< numbers in use, padding included
  Layout layout;
  View<Storage*, ExecutionSpace> populations;  ///< holds the state between two steps
  View<Storage*, ExecutionSpace> next;         ///< for two arrays, else empty
  /// Sparse: the upper neighbour along the axis of numbering and the two after it in turn; one
  /// entry more than nodes.
  View<Index*, ExecutionSpace> next_first, next_second, next_third;
  int first_axis = 0;
  /// Sparse, node n: bit n % 32 of word n / 32, set where next_first is n + 1.
  View<std::uint32_t*, ExecutionSpace> in_row;

  // Nodes are worked on in segments of consecutive numbers.
  int segment = 0;
  int segments = 0;
  /// How a GPU's teams share the segments, and their number.
  Strips strips;
  int teams = 0;
  View<std::uint32_t*, ExecutionSpace> plain;  ///< node n: bit n % 32 of word n / 32
  View<std::uint32_t*, ExecutionSpace> fluid;  ///< the same for plain and special fluid nodes
  /// Fluid nodes that are not plain, in the order of nodes, and how many of them come before each
  /// word.
  View<BoundaryNode<Index>*, ExecutionSpace> special;
  View<std::uint32_t*, ExecutionSpace> special_before;
  bool has_walls = false;  ///< whether kernels do some of these together with plain nodes
  /// The rest of them, and reversing nodes: step_special does these.
  View<BoundaryNode<Index>*, ExecutionSpace> others;
  View<std::int32_t*, ExecutionSpace> others_begin;  ///< first of a segment; one more entry
  View<BoundaryLink<Real>*, ExecutionSpace> links;
  /// Where kernels do nodes at interpolated walls with plain ones: d / (1 + d) of a link whose wall
  /// is at the distance d, or what is negative.
  View<Real*, ExecutionSpace> wall_shares;
  /// First link of a segment's nodes, one more entry, and the most links that a segment has.
  View<std::uint32_t*, ExecutionSpace> links_begin;
  int most_links = 0;
  bool interpolated = false;  ///< whether walls have distances
  bool moving_walls = false;  ///< whether links have corrections
  /// Index of the OpenFace that a link crosses; -1: a wall. Empty where there are no faces.
  View<std::int32_t*, ExecutionSpace> link_faces;
  View<OpenFace<Real>*, ExecutionSpace> faces;
  View<FaceMemory<Real>*, ExecutionSpace> face_memory;

  KOKKOS_FORCEINLINE_FUNCTION static bool bit(const View<std::uint32_t*, ExecutionSpace>& bits,
                                              Index n) {
    return ((bits.data()[n / 32] >> (n % 32)) & 1) != 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION DenseStencil dense_stencil(NodeIndex n) const {
    const NodeIndex row = n / extents.pitch;
    return {extents, n - row * extents.pitch, row % extents.ny, row / extents.ny};
  }
  KOKKOS_FORCEINLINE_FUNCTION UpperOctant<Index> upper_octant(Index n) const {
    return {next_first.data(), next_second.data(), next_third.data(), bit(in_row, n), n};
  }
  KOKKOS_FORCEINLINE_FUNCTION SparseStencil<Index> sparse_stencil(Index n) const {
    return {upper_octant(n), first_axis};
  }
  /// Entry of `special` of a fluid node that is not plain.
  KOKKOS_FORCEINLINE_FUNCTION const BoundaryNode<Index>& special_node(Index n) const {
    const Index word = n / 32;
    const std::uint32_t below = (std::uint32_t{1} << (n % 32)) - 1;
    const std::uint32_t bits = fluid.data()[word] & ~plain.data()[word] & below;
    return special.data()[special_before.data()[word] + count_bits(bits)];
  }
  KOKKOS_INLINE_FUNCTION std::int32_t face_of(std::uint32_t link) const {
    return faces.extent(0) > 0 ? link_faces.data()[link] : -1;
  }
  /// Calls body with the stencil of node n, where it does not matter for speed of which kind.
  template <class Body>
  KOKKOS_INLINE_FUNCTION void with_stencil(Index n, const Body& body) const {
    if constexpr (wide) {
      body(sparse_stencil(n));
    } else if (sparse) {
      body(sparse_stencil(n));
    } else {
      body(dense_stencil(n));
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t slot(Index n, int population) const {
    return layout.node(n) + static_cast<std::size_t>(population) * layout.stride();
  }
};

}  // namespace knudsen::lbm_d3q27
