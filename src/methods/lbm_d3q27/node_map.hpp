#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/node_planes.hpp"
#include "geometry/solids_3d.hpp"
#include "methods/lattice/heat_case.hpp"
#include "methods/lattice/open_profile.hpp"
#include "methods/lattice/solid_slip.hpp"
#include "methods/lbm_d3q27/lattice_state.hpp"

namespace knudsen::lbm_d3q27 {

/// How solid nodes and wall sides reflect populations. The first two put the wall half-way between
/// nodes.
enum class WallTreatment {
  implicit,     ///< solid nodes are left alone; populations return after two steps
  half_way,     ///< populations return after one step
  interpolated  ///< wall at its exact position, second order; implicit if no shape gives it
};

enum class SideKind { periodic, wall, velocity, pressure };

/// Condition on one side of the domain, in lattice units.
struct SideCondition {
  SideKind kind = SideKind::periodic;
  std::array<double, 3> velocity{0, 0, 0};  ///< of the wall, or prescribed (peak of a parabola)
  bool parabolic = false;                   ///< profile of the prescribed velocity
  double density = 1;                       ///< prescribed by a pressure side
  double mean_rate = 0;                     ///< see OpenFace
  bool frictionless = false;                ///< a pressure side that is OpenKind::outflow
  /// What depends on place or time, in place of velocity and density.
  std::shared_ptr<const lbm::OpenProfile> profile = nullptr;
  double mirrored = 0;  ///< share that a wall with slip mirrors (methods/lattice/slip.hpp)
};

/// Distance to the wall as a fraction of a link: distance(x, y, z, q, body) for the fluid node
/// (x, y, z) of the domain whose neighbour along c_q is a solid node of `body`. Negative: half-way.
/// Must be thread-safe.
using WallDistance = std::function<double(int x, int y, int z, int q, int body)>;

/// The slip of a gas along the solids of a case, and their surfaces on the links of WallDistance.
/// Must be thread-safe.
struct SolidSlip : lbm::SolidSlip {
  /// Solids3D::wall_normal and wall_frame.
  std::function<std::optional<Point3D>(int x, int y, int z, int q, int body)> normal;
  std::function<WallFrame3D(int x, int y, int z, int q, int body)> frame;
};

/// How ranks share a lattice by its planes, which lie across an axis.
struct LatticeCut {
  int first_axis = 0;                ///< of NodeMap
  std::vector<std::uint32_t> begin;  ///< first plane of each rank, and the end
  int rank = 0;                      ///< this one

  int axis() const { return (first_axis + 2) % 3; }
  int ranks() const { return static_cast<int>(begin.size()) - 1; }
  int planes() const { return static_cast<int>(begin.back()); }
  /// Planes of this rank with its ghost plane, if there is one.
  int held_planes() const { return own_end() - own_begin() + (ranks() > 1 ? 1 : 0); }
  int own_begin() const { return static_cast<int>(begin[static_cast<std::size_t>(rank)]); }
  int own_end() const { return static_cast<int>(begin[static_cast<std::size_t>(rank) + 1]); }
};

/// The ranks that share a lattice.
struct Sharing {
  int rank = 0, ranks = 1;
  std::function<void(std::vector<std::uint64_t>&)> sum_of_ranks;  ///< nothing for one rank

  /// Collective: replaces numbers by their sums over the ranks.
  void sum(std::vector<std::uint64_t>& numbers) const {
    if (sum_of_ranks) sum_of_ranks(numbers);
  }
};

/// Input of make_node_map.
struct Domain {
  std::array<int, 3> nodes{};  ///< along x, y and z
  /// By node of `body_planes`: -1 for a fluid node, else the index of a body; empty or null without
  /// solids.
  const std::vector<std::int16_t>* body = nullptr;
  /// Planes of the lattice in which solids are known. No planes stand for all of the domain.
  NodePlanes body_planes;
  std::vector<std::array<double, 3>> body_velocities;  ///< of the bodies' surfaces
  std::array<SideCondition, 6> sides;
  WallTreatment treatment = WallTreatment::implicit;
  WallDistance wall_distance;       ///< for interpolated walls
  WallDistance wall_facing;         ///< of lbm::WallPlace, on the same links; with `heat`
  std::optional<SolidSlip> slip;    ///< of solids with interpolated walls
  int populations = 27;             ///< of the lattice of the flow: 19 or 27
  const lbm::Heat* heat = nullptr;  ///< thermal conditions of sides and bodies
  /// Sparse: nodes of a plane that are numbered before those of the next plane (measurements in
  /// perf/results).
  int strip_nodes = 16384;
  Sharing sharing;
  std::optional<LatticeCut> cut;  ///< of ranks that share the lattice

  bool periodic(int axis) const {
    return sides[2 * static_cast<std::size_t>(axis)].kind == SideKind::periodic;
  }
  /// Extents of the lattice, with wall layers and rows padded to a multiple of `row_multiple`.
  /// Throws InputError if a dense lattice has more nodes than 32 bits can number.
  Extents extents(NodeIndex row_multiple, bool sparse) const;
  /// Planes of the lattice across an axis: those of the domain and the layer of the walls.
  int planes(int axis) const {
    return nodes[static_cast<std::size_t>(axis)] + (periodic(axis) ? 0 : 1);
  }
  /// The planes [begin, end) across an axis, with those before and after them around the ring of
  /// all planes of the lattice.
  NodePlanes with_neighbours(int axis, int begin, int end) const {
    return {nodes, axis, begin - 1, end + 1, planes(axis)};
  }
};

/// The planes across z of which a rank counts fluid nodes before the lattice is cut, and their
/// neighbours: begin and end.
std::array<int, 2> counted_planes(const Domain& domain);
/// Collective: how the ranks share the lattice, given the solids in the planes with neighbours of
/// `counted_planes` of a sparse lattice; a dense one is cut into equal slabs. Throws InputError if
/// there are more ranks than planes.
LatticeCut cut_lattice(const Domain& domain, bool sparse);

/// A list of node numbers, some of them none.
class NodeNumbers {
 public:
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  void assign(std::size_t count) { numbers_.assign(count, no_number); }
  std::uint64_t operator[](std::size_t i) const {
    return numbers_[i] == no_number ? none : numbers_[i];
  }
  void set(std::size_t i, std::uint64_t number) { numbers_[i] = static_cast<NodeIndex>(number); }
  std::size_t size() const { return numbers_.size(); }
  const std::vector<NodeIndex>& values() const { return numbers_; }

 private:
  static constexpr NodeIndex no_number = 0xffffffffU;
  std::vector<NodeIndex> numbers_;
};

/// The numbers of nodes in planes of a box of which those in a row along an axis follow each other,
/// and some nodes have none: a bit for each node, and a number for each 64 of them.
class NumberTable {
 public:
  static constexpr std::uint64_t none = NodeNumbers::none;

  /// Without numbers, of rows along an axis, in `count` planes from plane `begin` on, around the
  /// ring of all planes.
  void assign(const Extents& extents, int axis, int begin, int count);
  /// Numbers of the nodes of a row that includes node `at`, from `first` on: has(i) says whether
  /// node i of it has one. Thread-safe for different rows.
  template <class Has>
  void set_row(const std::array<int, 3>& at, std::uint64_t first, const Has& has) {
    std::size_t word = row_of(at) * words_;
    for (int i = 0; i < length_; ++i) {
      if (i % 64 == 0) {
        if (i > 0) ++word;
        first_[word] = static_cast<NodeIndex>(first);
      }
      if (!has(i)) continue;
      bits_[word] |= std::uint64_t{1} << (i % 64);
      ++first;
    }
  }
  std::uint64_t operator()(const std::array<int, 3>& at) const {
    if (plane_of(at) >= planes_) return none;
    const auto i = static_cast<std::size_t>(at[axes_[0]]);
    const std::size_t word = row_of(at) * words_ + i / 64;
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    if ((bits_[word] & bit) == 0) return none;
    return first_[word] + static_cast<std::uint64_t>(std::popcount(bits_[word] & (bit - 1)));
  }
  /// Calls body(at, number) for the numbered nodes in the planes [begin, end) across an axis.
  template <class Body>
  void for_planes(int axis, int begin, int end, const Body& body) const {
    std::array<int, 3> from{};
    std::array<int, 3> to = extents_;
    from[static_cast<std::size_t>(axis)] = begin;
    to[static_cast<std::size_t>(axis)] = end;
    std::array<int, 3> at{};
    for (at[2] = from[2]; at[2] < to[2]; ++at[2]) {
      for (at[1] = from[1]; at[1] < to[1]; ++at[1]) {
        for (at[0] = from[0]; at[0] < to[0]; ++at[0]) {
          const std::uint64_t number = (*this)(at);
          if (number != none) body(std::as_const(at), number);
        }
      }
    }
  }

 private:
  std::size_t row_of(const std::array<int, 3>& at) const {
    return static_cast<std::size_t>(plane_of(at)) * static_cast<std::size_t>(extents_[axes_[1]]) +
           static_cast<std::size_t>(at[axes_[1]]);
  }
  int plane_of(const std::array<int, 3>& at) const {
    const int plane = at[axes_[2]] - begin_;
    return plane < 0 ? plane + extents_[axes_[2]] : plane;
  }

  std::array<int, 3> extents_{};
  std::array<std::size_t, 3> axes_{};  ///< along a row, across rows, across planes
  int begin_ = 0, planes_ = 0;         ///< the first plane, and their number
  int length_ = 0;                     ///< of a row
  std::size_t words_ = 0;              ///< of a row
  std::vector<std::uint64_t> bits_;
  std::vector<NodeIndex> first_;  ///< number of the first numbered node of a word
};

/// Throws InputError if a sparse lattice of so many nodes cannot be numbered.
void require_numbers(std::uint64_t nodes);

/// A link of a fluid or conducting node to a surface through which heat passes.
struct HeatLink {
  NodeIndex node;          ///< number of the node
  std::uint16_t incoming;  ///< population of the scalar that comes from the surface
  std::uint16_t surface;   ///< side, or 6 + index of a body
};

/// Numbers of what ranks have together in a lattice.
struct NodeCounts {
  std::uint64_t numbers = 0;   ///< of nodes, padding included
  std::int64_t fluid = 0;      ///< nodes
  std::size_t special = 0;     ///< nodes
  std::size_t links = 0;       ///< of special nodes
  std::int64_t slots = 0;      ///< sparse: non-fluid nodes that only provide slots
  std::int64_t isolated = 0;   ///< fluid nodes without a fluid neighbour
  std::size_t faces = 0;       ///< see NodeMap::faces
  std::size_t conducting = 0;  ///< nodes
  /// Nodes beside solids with slip that are in gaps one node wide, and do not slip.
  std::int64_t in_gaps = 0;
  std::size_t at_walls = 0;  ///< nodes of the kind BoundaryKind::walls
};

/// The nodes of this rank's part of the lattice numbered and sorted into kinds, on the host;
/// make_lattice uploads it. With several ranks a part has a ghost plane, whose nodes come after the
/// owned ones (lattice_part.hpp).
struct NodeMap {
  static constexpr std::uint64_t none = NodeNumbers::none;

  std::array<int, 3> nodes{};  ///< of the domain
  Extents whole;               ///< of the lattice of all ranks
  Extents extents;             ///< of this part if dense, else of all ranks
  LatticeCut cut;
  bool sparse = false;      ///< only fluid, conducting and slot nodes have numbers
  int first_axis = 0;       ///< axis along which nodes are numbered first, then the next ones
  int strip_rows = 0;       ///< sparse: rows that are numbered before those of the next plane
  std::uint64_t count = 0;  ///< number of numbers, padding included
  std::uint64_t owned = 0;  ///< the same without the ghost nodes
  NodeCounts all;           ///< of all ranks
  /// Sparse: the numbers below this one are those of the nodes of the first and the last plane, if
  /// this is a part with planes between them; else 0.
  std::uint64_t end_planes = 0;
  /// Sparse: the first number of each plane's part of each strip, (strip, plane), in the lattice of
  /// all ranks, and the end.
  std::vector<NodeIndex> whole_begin;
  /// The same in this part, of the planes that it holds; 0 of others.
  std::vector<NodeIndex> part_begin;
  NumberTable number;                                   ///< sparse
  std::vector<std::uint32_t> plain, fluid;              ///< see Lattice
  std::vector<BoundaryNode> special;                    ///< fluid nodes with boundary links
  std::vector<NodeIndex> reversing;                     ///< two-array scheme; see BoundaryKind
  std::vector<BoundaryLink<double>> links;              ///< of special nodes
  std::vector<ScalarLink<double>> scalar_links;         ///< by link; see Lattice
  std::vector<ScalarShare<double>> scalar_shares;       ///< likewise
  std::vector<HeatLink> heat_links;                     ///< of special and of conducting nodes
  std::vector<ConductingNode> conducting;               ///< by number
  std::vector<ScalarLink<double>> conducting_links;     ///< of conducting nodes
  std::vector<SolidScalar<double>> conducting_solids;   ///< by body
  std::vector<SlipShares<double>> slip_shares;          ///< of special nodes, without repetitions
  std::vector<lbm::SlipClass<double, 3>> slip_classes;  ///< without repetitions
  std::vector<std::uint32_t> link_slips;                ///< by link; see Lattice
  std::vector<std::int32_t> link_faces;                 ///< by link; see Lattice
  std::vector<OpenFace<double>> faces;                  ///< of special nodes
  std::vector<std::uint32_t> face_places;               ///< of faces, in the order of a profile
  /// Places of faces, heat_links and conducting nodes in the lists of all ranks.
  std::vector<std::size_t> whole_faces, whole_heat_links, whole_conducting;

  /// Number of a node of the domain that this rank owns; `none` if it is not in the lattice.
  std::uint64_t index(int x, int y, int z) const {
    if (sparse) return number({x, y, z});
    return extents.node(static_cast<NodeIndex>(x), static_cast<NodeIndex>(y),
                        static_cast<NodeIndex>(z - cut.own_begin()));
  }
  /// The box of nodes of the domain that this rank owns: the lowest ones along the axes, and the
  /// ends.
  std::array<std::array<int, 3>, 2> own_box() const {
    std::array<std::array<int, 3>, 2> box{std::array<int, 3>{}, nodes};
    const auto axis = static_cast<std::size_t>(cut.axis());
    box[0][axis] = std::min(cut.own_begin(), nodes[axis]);
    box[1][axis] = std::min(cut.own_end(), nodes[axis]);
    return box;
  }
  bool owns(const std::array<int, 3>& at) const {
    const int plane = at[static_cast<std::size_t>(cut.axis())];
    return plane >= cut.own_begin() && plane < cut.own_end();
  }
  bool is_fluid(std::uint64_t n) const {
    return n != none && ((fluid[n / 32] >> (n % 32)) & 1) != 0;
  }
};

/// The upper neighbours of the nodes of a sparse part, see Lattice; empty of a dense one.
struct UpperNeighbours {
  NodeNumbers first, second, third;
  std::vector<std::uint32_t> in_row;

  explicit UpperNeighbours(const NodeMap& map);
};

/// Collective: numbers and sorts the nodes of this rank's part of a domain, given the solids in its
/// planes with neighbours. With `two_array` solid nodes next to fluid are listed as reversing.
/// Throws InputError if there is no fluid node, if no fluid node has a fluid neighbour, if there
/// are more nodes than can be numbered, or if the walls of a solid do not go with its slip.
NodeMap make_node_map(const Domain& domain, bool sparse, bool two_array, NodeIndex row_multiple);

/// First planes of ranks with about as many fluid nodes each, but at least one plane, and the end.
std::vector<std::uint32_t> balanced_planes(const std::vector<std::uint64_t>& fluid, int ranks);

/// Throws logic_error if two nodes with work own the same population slot. A cut link uses a slot
/// of the node at its other end, which therefore must not be fluid.
void require_slot_owners(const NodeMap& map);

/// Links over which a body exchanges momentum with one fluid node.
struct BodyLinks {
  std::uint64_t node;   ///< number of the node
  std::int16_t body;    ///< index of the body
  std::uint32_t links;  ///< bit q: link of the node's incoming population q
  std::int32_t at[3];   ///< position of the node in the domain
};
/// The links of bodies to owned nodes, by position of the node (z, y, x) and then by body.
std::vector<BodyLinks> body_links(const Domain& domain, const NodeMap& map);

}  // namespace knudsen::lbm_d3q27
