#pragma once

// Slots of the populations in memory for each streaming scheme, and addressing of neighbours.

#include <cstdint>
#include <type_traits>

#include "device/intrinsics.hpp"
#include "device/kokkos.hpp"
#include "lattice/d3q19.hpp"
#include "lattice/d3q27.hpp"
#include "lattice/for_populations.hpp"
#include "lattice/half_storage.hpp"
#include "lattice/scalar.hpp"

namespace knudsen::lbm_d3q27 {

/// Number of a node.
using NodeIndex = std::uint32_t;
/// Slightly less than 2^32, so that numbers in a last, incomplete segment do not overflow.
inline constexpr double max_nodes = 4294966272.0;

// Types of arithmetic (Real) and of stored populations (Storage).
struct SinglePrecision {
  using Real = float;
  using Storage = float;
};
struct DoublePrecision {
  using Real = double;
  using Storage = double;
};
/// Single-precision arithmetic, populations stored in 16 bits.
struct HalfStorage {
  using Real = float;
  using Storage = HalfPopulation;
};

/// The flow on D3Q27 with a temperature. In 16 bits alone diffusion would come to rest, since a
/// step changes a population by less than half of its last digit.
template <class Precision>
using HeatedWith =
    std::conditional_t<std::is_same_v<Precision, HalfStorage>, HeatedD3Q27InParts, HeatedD3Q27>;

enum class Propagation { two_array, aa_pattern, esoteric_twist, esoteric_pull };

/// Whether q is the first population of an opposite pair.
template <class Velocities>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_first_of_pair(int q) {
  return Velocities::opposite(q) > q;
}

/// The population of the flow on whose links population q moves.
template <class Velocities>
KOKKOS_FORCEINLINE_FUNCTION constexpr int link_of(int q) {
  if constexpr (has_scalar<Velocities>) {
    constexpr int flow = Velocities::Flow::populations;
    return q < flow ? q : (q - flow) % WholeOf<typename Velocities::Scalar>::populations;
  } else {
    return q;
  }
}

/// Slot from which node x loads population q in the next step: that of population slot_population
/// at node x + slot_offset. In the one-array schemes the node stores the outgoing population of the
/// opposite direction in the same slot. `parity` is that of the next step.
///
///   scheme          population (even, odd)     node
///   two_array       q, q                       x - c_q
///   aa_pattern      q, opposite                x in even steps, x - c_q in odd steps
///   esoteric_twist  q, opposite                x + 1 along each axis where c_q < 0
///   esoteric_pull   q, opposite                x if q is the first of its pair, else x - c_q
///
/// In the one-array schemes a link between two nodes has two slots, one for even and one for odd
/// steps. A solid node leaves its slots alone, so the population that a fluid node sends towards it
/// returns two steps later: bounce-back at half the link, at no cost (section 4.3 of the paper). A
/// node that loads from the link's other slot, the twin, gets it back after one step.
///
/// D3Q19 has the numbers of D3Q27. The populations of a scalar are streamed as those of the flow.
template <class Velocities = D3Q27>
KOKKOS_FORCEINLINE_FUNCTION constexpr int slot_offset(Propagation propagation, int parity, int q,
                                                      int axis) {
  const int c = Velocities::velocity(q, axis);
  switch (propagation) {
    case Propagation::two_array:
      return -c;
    case Propagation::aa_pattern:
      return parity == 0 ? 0 : -c;
    case Propagation::esoteric_twist:
      return c < 0 ? 1 : 0;
    case Propagation::esoteric_pull:
      break;
  }
  return is_first_of_pair<Velocities>(q) ? 0 : -c;
}
template <class Velocities = D3Q27>
KOKKOS_FORCEINLINE_FUNCTION constexpr int slot_population(Propagation propagation, int parity,
                                                          int q) {
  return propagation != Propagation::two_array && parity != 0 ? Velocities::opposite(q) : q;
}

/// The twin slot on the link of incoming population q: in one-array schemes that of the other
/// parity; with two arrays the node's own outgoing population.
template <class Velocities = D3Q27>
KOKKOS_FORCEINLINE_FUNCTION constexpr int twin_offset(Propagation propagation, int parity, int q,
                                                      int axis) {
  return propagation == Propagation::two_array
             ? 0
             : slot_offset<Velocities>(propagation, 1 - parity, q, axis);
}
template <class Velocities = D3Q27>
KOKKOS_FORCEINLINE_FUNCTION constexpr int twin_population(Propagation propagation, int parity,
                                                          int q) {
  return propagation == Propagation::two_array
             ? Velocities::opposite(q)
             : slot_population<Velocities>(propagation, 1 - parity, q);
}

/// The population with the components of that of q along the other two axes reversed. Where q comes
/// in from a wall across `axis` after bouncing back, this one has what a mirror would make q.
KOKKOS_FORCEINLINE_FUNCTION constexpr int turned_about(int q, int axis) {
  return D3Q27::population(axis == 0 ? D3Q27::velocity(q, 0) : -D3Q27::velocity(q, 0),
                           axis == 1 ? D3Q27::velocity(q, 1) : -D3Q27::velocity(q, 1),
                           axis == 2 ? D3Q27::velocity(q, 2) : -D3Q27::velocity(q, 2));
}

/// Order of the populations of all nodes in one array. On a GPU the array consists of tiles of 128
/// nodes, each with one population after the other: the addresses of a thread differ by constants,
/// which saves registers, and accesses of a team are close together. On the host each population is
/// a contiguous plane of all nodes, for SIMD loops.
template <class ExecutionSpace, class Velocities>
struct PopulationLayout {
  static constexpr bool tiled = !is_host_backend<ExecutionSpace>;
  static constexpr std::uint32_t tile = 128;
  std::size_t plane = tile;  ///< stride from one population to the next

  static PopulationLayout make(std::size_t nodes) {
    PopulationLayout layout;
    // An odd number of cache lines, so that planes do not map to the same cache sets.
    if (!tiled) layout.plane = (nodes + 63) / 64 * 64 + std::size_t{5} * 16;
    return layout;
  }
  std::size_t size(std::size_t nodes) const {
    return Velocities::populations * (tiled ? (nodes + tile - 1) / tile * tile : plane);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t stride() const {
    if constexpr (tiled) {
      return tile;
    } else {
      return plane;
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t node(NodeIndex n) const {
    if constexpr (tiled) {
      return n + std::size_t{n / tile} * (std::size_t{tile} * (Velocities::populations - 1));
    } else {
      return n;
    }
  }
};

/// Extents of a dense lattice. A non-periodic axis has one layer of solid nodes after the domain's
/// last nodes; addressing is periodic, so the layer serves both sides. Rows are padded to whole
/// 32-byte sectors.
struct Extents {
  NodeIndex nx = 0, ny = 0, nz = 0;  ///< with the layers of solid nodes
  NodeIndex pitch = 0;               ///< nx with padding

  /// Number of nodes of the box; a sparse lattice stores fewer.
  KOKKOS_INLINE_FUNCTION std::uint64_t nodes() const { return std::uint64_t{pitch} * ny * nz; }
  KOKKOS_INLINE_FUNCTION std::uint64_t node(NodeIndex x, NodeIndex y, NodeIndex z) const {
    return x + pitch * (y + std::uint64_t{ny} * z);
  }
};

/// Numbers of a node of a dense lattice and of its 26 neighbours.
struct DenseStencil {
  NodeIndex x[3], y[3], z[3];  ///< terms of the number for the lower, same and upper coordinate

  KOKKOS_FORCEINLINE_FUNCTION DenseStencil(const Extents& extents, NodeIndex ix, NodeIndex iy,
                                           NodeIndex iz) {
    const auto fill = [](NodeIndex(&part)[3], NodeIndex i, NodeIndex count, NodeIndex stride) {
      part[0] = (i == 0 ? count - 1 : i - 1) * stride;
      part[1] = i * stride;
      part[2] = (i + 1 == count ? 0 : i + 1) * stride;
    };
    fill(x, ix, extents.nx, 1);
    fill(y, iy, extents.ny, extents.pitch);
    fill(z, iz, extents.nz, extents.pitch * extents.ny);
  }
  KOKKOS_FORCEINLINE_FUNCTION NodeIndex node(int dx, int dy, int dz) const {
    return x[dx + 1] + y[dy + 1] + z[dz + 1];
  }
};

/// Numbers of a node of a sparse lattice and of the seven other nodes of its upper octant. The
/// three stored neighbours lead to the diagonal ones by pointer chasing (section 4.1 of the paper).
/// The neighbour along the axis of numbering almost always has the next number; a bit says so, and
/// its index is read only if the bit is clear. The neighbours of node n + 1 are loaded before the
/// bit is known, which shortens the chain of dependent loads by one.
struct UpperOctant {
  /// By bits: bit 0 is up along the axis of numbering, bits 1 and 2 along the next two axes.
  NodeIndex corner[8];

  /// `next_*` are the upper neighbours along these three axes.
  KOKKOS_FORCEINLINE_FUNCTION UpperOctant(const NodeIndex* next_first, const NodeIndex* next_second,
                                          const NodeIndex* next_third, bool in_row, NodeIndex n) {
    NodeIndex first = n + 1;
    const NodeIndex second = load_line(next_second + n);
    const NodeIndex third = load_line(next_third + n);
    NodeIndex first_second = load_line(next_second + n + 1);
    NodeIndex first_third = load_line(next_third + n + 1);
    const NodeIndex second_third = load_line(next_third + second);
    if (!in_row) {
      first = next_first[n];
      first_second = next_second[first];
      first_third = next_third[first];
    }
    corner[0] = n;
    corner[1] = first;
    corner[2] = second;
    corner[3] = first_second;
    corner[4] = third;
    corner[5] = first_third;
    corner[6] = second_third;
    corner[7] = load_line(next_third + first_second);
  }
};

/// Corners of an upper octant in the order in which their indices become known.
inline constexpr int corners_as_known[8] = {0, 1, 2, 4, 3, 5, 6, 7};

/// Addresses of the corners of an upper octant, for an axis of numbering known at compile time.
template <class Storage, int FirstAxis>
struct AxisStencil {
  Storage* const (&corners)[8];

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int corner(int dx, int dy, int dz) {
    const int up[3] = {dx, dy, dz};
    return up[FirstAxis] + 2 * up[(FirstAxis + 1) % 3] + 4 * up[(FirstAxis + 2) % 3];
  }
  KOKKOS_FORCEINLINE_FUNCTION Storage* node(int dx, int dy, int dz) const {
    return corners[corner(dx, dy, dz)];
  }
};

/// An upper octant by x, y and z, for an axis of numbering known at run time.
struct SparseStencil {
  NodeIndex corner[8];  ///< by bits: up along x, y, z

  KOKKOS_FORCEINLINE_FUNCTION SparseStencil(const UpperOctant& octant, int first_axis) {
    const auto& by_turn = octant.corner;
    const bool y_first = first_axis == 1;
    const bool z_first = first_axis == 2;
    corner[0] = by_turn[0];
    corner[7] = by_turn[7];
    corner[1] = y_first ? by_turn[4] : (z_first ? by_turn[2] : by_turn[1]);
    corner[2] = y_first ? by_turn[1] : (z_first ? by_turn[4] : by_turn[2]);
    corner[4] = y_first ? by_turn[2] : (z_first ? by_turn[1] : by_turn[4]);
    corner[3] = y_first ? by_turn[5] : (z_first ? by_turn[6] : by_turn[3]);
    corner[5] = y_first ? by_turn[6] : (z_first ? by_turn[3] : by_turn[5]);
    corner[6] = y_first ? by_turn[3] : (z_first ? by_turn[5] : by_turn[6]);
  }
  KOKKOS_FORCEINLINE_FUNCTION NodeIndex node(int dx, int dy, int dz) const {
    return corner[dx + 2 * dy + 4 * dz];
  }
};

}  // namespace knudsen::lbm_d3q27
