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
  std::int32_t face;   ///< index of the OpenFace the link crosses; -1: a wall
};

/// A node that is not plain: it has links with boundary conditions. Of what it takes in over them,
/// the bits of `cut` say which populations come from the link's other slot.
struct BoundaryNode {
  NodeIndex node;
  std::uint32_t cut;         ///< bit q: incoming population q
  std::uint32_t first_link;  ///< the links, in the order of the bits of `cut`
  /// A solid node that sends back what it takes in; only two arrays need it.
  bool reversing;
};

/// The lattice on a backend: populations, how nodes find each other, and what they are.
///
/// A plain node is a fluid node without boundary links; walls that need no link data (solid nodes
/// at rest, bounce-back at half the link) do not make a node special. Kernels know plain nodes from
/// one bit each; special ones are listed. What is neither is never touched: solid nodes, padding,
/// and in a sparse lattice the nodes above the fluid that only hold slots.
template <class ExecutionSpace, class PrecisionType, class VelocitySet>
struct Lattice {
  using Execution = ExecutionSpace;
  using Precision = PrecisionType;
  using Velocities = VelocitySet;
  using Real = typename Precision::Real;
  using Storage = typename Precision::Storage;
  using Layout = PopulationLayout<ExecutionSpace, Velocities>;

  Propagation propagation = Propagation::esoteric_twist;
  bool sparse = false;
  Extents extents;
  NodeIndex nodes = 0;  ///< numbers in use, padding included
  Layout layout;
  View<Storage*, ExecutionSpace> populations;  ///< holds the state between two steps
  View<Storage*, ExecutionSpace> next;         ///< for two arrays, else empty
  /// Sparse: the upper neighbour along each axis; one entry more than nodes.
  View<NodeIndex*, ExecutionSpace> next_x, next_y, next_z;
  /// Sparse, node n: bit n % 32 of word n / 32, set where next_x is n + 1.
  View<std::uint32_t*, ExecutionSpace> in_row;

  // Nodes are worked on in segments of consecutive numbers.
  NodeIndex segment = 0;
  int segments = 0;
  View<std::uint32_t*, ExecutionSpace> plain;   ///< node n: bit n % 32 of word n / 32
  View<std::uint32_t*, ExecutionSpace> fluid;   ///< the same for plain and special fluid nodes
  View<BoundaryNode*, ExecutionSpace> special;  ///< in the order of nodes
  View<std::int32_t*, ExecutionSpace> special_begin;  ///< first of a segment; one more entry
  View<BoundaryLink<Real>*, ExecutionSpace> links;
  View<OpenFace<Real>*, ExecutionSpace> faces;
  View<FaceMemory<Real>*, ExecutionSpace> face_memory;

  KOKKOS_FORCEINLINE_FUNCTION static bool bit(const View<std::uint32_t*, ExecutionSpace>& bits,
                                              NodeIndex n) {
    return ((bits.data()[n / 32] >> (n % 32)) & 1) != 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION DenseStencil dense_stencil(NodeIndex n) const {
    const NodeIndex row = n / extents.pitch;
    return {extents, n - row * extents.pitch, row % extents.ny, row / extents.ny};
  }
  KOKKOS_FORCEINLINE_FUNCTION SparseStencil sparse_stencil(NodeIndex n) const {
    return {next_x.data(), next_y.data(), next_z.data(), bit(in_row, n), n};
  }
  /// Calls body with the stencil of node n, where it does not matter for speed of which kind.
  template <class Body>
  KOKKOS_INLINE_FUNCTION void with_stencil(NodeIndex n, const Body& body) const {
    if (sparse) {
      body(sparse_stencil(n));
    } else {
      body(dense_stencil(n));
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t slot(NodeIndex n, int population) const {
    return layout.node(n) + static_cast<std::size_t>(population) * layout.stride();
  }
};

}  // namespace knudsen::lbm_d3q27
