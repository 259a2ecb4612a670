#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "methods/lbm_d3q27/lattice_state.hpp"

namespace knudsen::lbm_d3q27 {

/// How solid nodes and wall sides turn populations round. The first two put the wall half-way
/// between nodes.
enum class WallTreatment {
  implicit,     ///< solid nodes are not touched: back after two steps
  half_way,     ///< back after one step
  interpolated  ///< wall where the shape has it, second order; implicit where no shape tells
};

enum class SideKind { periodic, wall, velocity, pressure };

/// What holds on one side of the domain; velocities and densities in lattice units.
struct SideCondition {
  SideKind kind = SideKind::periodic;
  std::array<double, 3> velocity{0, 0, 0};  ///< of the wall, or prescribed (peak of a parabola)
  bool parabolic = false;
  double density = 1;
  double mean_rate = 0;  ///< see OpenFace
};

/// Distance to the wall for a link, called as distance(x, y, z, q, body) for the fluid node
/// (x, y, z) of the domain whose neighbour along c_q is a solid node of `body`; negative: half-way.
/// Called from several threads at once.
using WallDistance = std::function<double(int x, int y, int z, int q, int body)>;

/// What a node map is made of. `body`, as (z, y, x), is -1 for a fluid node, else the index of a
/// solid body, whose surface moves with body_velocities[index]; empty where there are no solids.
struct Domain {
  std::array<int, 3> nodes{};
  const std::vector<std::int16_t>* body = nullptr;
  std::vector<std::array<double, 3>> body_velocities;
  std::array<SideCondition, 6> sides;
  WallTreatment treatment = WallTreatment::implicit;
  WallDistance wall_distance;
  int populations = 27;  ///< of the lattice
  /// Nodes of a plane of a sparse lattice that are numbered before those of the next plane (see
  /// perf/results).
  int strip_nodes = 16384;

  bool periodic(int axis) const {
    return sides[2 * static_cast<std::size_t>(axis)].kind == SideKind::periodic;
  }
  /// Extents of a dense lattice of this domain, rows padded to a multiple of `row_multiple`.
  /// Throws InputError when a dense lattice would have more nodes than can be numbered.
  Extents extents(NodeIndex row_multiple, bool sparse) const;
};

/// A list of numbers of nodes, in 32 bits each or in 64.
class NodeNumbers {
 public:
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  void assign(std::size_t count, bool wide) {
    wide_ = wide;
    narrow_numbers_.assign(wide ? 0 : count, narrow_none);
    wide_numbers_.assign(wide ? count : 0, none);
  }
  std::uint64_t operator[](std::size_t i) const {
    if (wide_) return wide_numbers_[i];
    return narrow_numbers_[i] == narrow_none ? none : narrow_numbers_[i];
  }
  void set(std::size_t i, std::uint64_t number) {
    if (wide_) {
      wide_numbers_[i] = number;
    } else {
      narrow_numbers_[i] = static_cast<NodeIndex>(number);
    }
  }
  std::size_t size() const { return wide_ ? wide_numbers_.size() : narrow_numbers_.size(); }
  /// The list as it is; empty when it has the other width.
  template <class Index>
  const std::vector<Index>& values() const {
    if constexpr (sizeof(Index) == sizeof(NodeIndex)) {
      return narrow_numbers_;
    } else {
      return wide_numbers_;
    }
  }

 private:
  static constexpr NodeIndex narrow_none = 0xffffffffU;
  bool wide_ = false;
  std::vector<NodeIndex> narrow_numbers_;
  std::vector<WideNodeIndex> wide_numbers_;
};

/// Bits of the numbers of a sparse lattice's nodes.
enum class IndexWidth {
  automatic,  ///< 32 while they suffice
  narrow,
  wide
};

/// Whether so many nodes get 64-bit numbers. Throws InputError when they cannot have narrow ones.
bool needs_wide_numbers(std::uint64_t nodes, IndexWidth width);

/// The lattice's nodes numbered and sorted into kinds, on the host: what make_lattice uploads.
struct NodeMap {
  static constexpr std::uint64_t none = NodeNumbers::none;

  std::array<int, 3> nodes{};  ///< of the domain
  Extents extents;
  bool sparse = false;
  bool wide = false;        ///< numbers have 64 bits
  int first_axis = 0;       ///< along which nodes are numbered first; then those after it in turn
  int strip_rows = 0;       ///< sparse: rows that are numbered before those of the next plane
  std::uint64_t count = 0;  ///< numbers in use
  NodeNumbers number;       ///< sparse: by the number in the dense lattice
  NodeNumbers next_first, next_second, next_third;  ///< sparse; see Lattice
  std::vector<std::uint32_t> in_row;                ///< sparse; see Lattice
  std::vector<std::uint32_t> plain, fluid;          ///< see Lattice
  std::vector<BoundaryNode<std::uint64_t>> special;
  std::vector<std::uint64_t> reversing;  ///< nodes of that kind, for two arrays
  std::vector<BoundaryLink<double>> links;
  std::vector<std::int32_t> link_faces;
  std::vector<OpenFace<double>> faces;
  std::int64_t fluid_nodes = 0;
  std::int64_t slot_nodes = 0;      ///< sparse: nodes that are no fluid and only hold slots
  std::int64_t isolated_nodes = 0;  ///< fluid nodes without a fluid neighbour

  /// Number of a node of the domain; `none` when it is not in the lattice.
  std::uint64_t index(int x, int y, int z) const {
    const std::uint64_t dense = extents.node(static_cast<NodeIndex>(x), static_cast<NodeIndex>(y),
                                             static_cast<NodeIndex>(z));
    return sparse ? number[dense] : dense;
  }
  bool is_fluid(std::uint64_t n) const {
    return n != none && ((fluid[n / 32] >> (n % 32)) & 1) != 0;
  }
};

/// Sorts the nodes of a domain. `two_array` lists the solid nodes next to fluid as reversing, which
/// no other scheme needs. Throws InputError when there is no fluid node, when no fluid node has a
/// fluid neighbour, or when there are more nodes than can be numbered.
NodeMap make_node_map(const Domain& domain, bool sparse, bool two_array, NodeIndex row_multiple,
                      IndexWidth width = IndexWidth::automatic);

/// Throws logic_error unless every population slot has one owner among the nodes that are worked
/// on: a cut link takes the slot of the node at its other end, which therefore must not be fluid.
void require_slot_owners(const NodeMap& map);

/// Links of one fluid node on which a body exchanges momentum with it.
struct BodyLinks {
  std::uint64_t node;
  std::int16_t body;
  std::uint32_t links;  ///< bit q: incoming population q of the node
  std::int32_t at[3];   ///< the node in the domain
};
std::vector<BodyLinks> body_links(const Domain& domain, const NodeMap& map);

}  // namespace knudsen::lbm_d3q27
