#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "methods/lattice/slab.hpp"
#include "methods/lbm_d3q27/node_map.hpp"
#include "parallel/communicator.hpp"

namespace knudsen::lbm_d3q27 {

/// Where the nodes of a node map are in the lattice of all ranks. A rank owns a slab of planes,
/// across z in a dense lattice, and in a sparse one across the axis along which its planes are
/// numbered. Slabs of a dense lattice have equal numbers of planes, those of a sparse one about as
/// many fluid nodes (cut_lattice).
///
/// A part of a dense lattice has a ghost plane, see Slab. In a sparse lattice a node uses slots of
/// its own and of the next plane only (Esoteric Twist), so the ghost nodes of a part are those of
/// the plane after its slab. Their numbers follow those of the owned nodes. Those of the first
/// plane are the lowest ones, then come those of the last plane, then all between: so the nodes
/// that use slots on links to other ranks are one range.
class LatticePart {
 public:
  explicit LatticePart(const NodeMap& map);

  const lbm::Slab& slab() const { return slab_; }
  /// The axis across which the planes lie.
  int axis() const { return axis_; }
  /// Whether this is a part of a sparse lattice. It may have no nodes at all, between solids.
  bool sparse() const { return !whole_begin_.empty(); }
  /// The number in the whole lattice of a node that this rank owns or, if sparse, of any.
  std::uint64_t whole_number(std::uint64_t n) const {
    return sparse() ? numbers_[n] : n + slab_.first_node();
  }
  /// The same for all nodes of a part of a sparse lattice; else empty.
  const std::vector<NodeIndex>& whole_numbers() const { return numbers_; }
  /// The owned nodes have the numbers below this one.
  std::uint64_t owned_nodes() const { return owned_; }
  /// Sparse: number of nodes of the first plane.
  NodeIndex first_plane() const { return first_plane_; }
  /// All owned nodes: ranges in each of which they have the order of the whole lattice.
  std::vector<NodeRange> ranges_in_order() const;
  /// The owned planes of the domain, begin and end, of a rank.
  std::pair<int, int> planes_of_domain(int rank) const;
  /// The owned planes of the domain of this rank.
  OwnPlanes own_planes() const {
    const auto [begin, end] = planes_of_domain(slab_.rank);
    return {axis_, begin, end};
  }

  /// Calls body(number, count, n) for the runs of owned nodes of a rank with numbers in the whole
  /// lattice from `begin` up to `end`, in this order: the first number, how many, and if the rank
  /// is this one its number of the first.
  template <class Body>
  void for_runs(int rank, std::uint64_t begin, std::uint64_t end, const Body& body) const {
    if (slab_.whole()) return body(begin, end - begin, begin);
    const std::uint32_t first_plane = begin_[static_cast<std::size_t>(rank)];
    const std::uint32_t end_plane = begin_[static_cast<std::size_t>(rank) + 1];
    const auto add = [&](std::uint64_t first_number, std::uint64_t end_number, std::uint64_t n) {
      const std::uint64_t from = std::max(begin, first_number);
      const std::uint64_t to = std::min(end, end_number);
      if (from < to) body(from, to - from, n + from - first_number);
    };
    if (!sparse()) return add(first_plane * slab_.layer, end_plane * slab_.layer, 0);
    for (std::size_t strip = 0; strip < part_begin_.size(); strip += slab_.layers) {
      for (std::size_t piece = strip + first_plane; piece < strip + end_plane; ++piece) {
        add(whole_begin_[piece], whole_begin_[piece + 1], part_begin_[piece]);
      }
    }
  }

 private:
  lbm::Slab slab_;
  int axis_ = 2;
  std::array<int, 3> nodes_{};        ///< of the domain
  std::vector<std::uint32_t> begin_;  ///< first plane of each rank, and the end
  NodeIndex owned_ = 0;               ///< nodes
  NodeIndex first_plane_ = 0;         ///< sparse: nodes
  NodeIndex end_planes_ = 0;          ///< NodeMap::end_planes
  std::vector<NodeIndex> numbers_;
  std::vector<NodeIndex> whole_begin_, part_begin_;  ///< those of NodeMap
};

/// Collective: the values of all ranks on the first one, in the order of their places. With one
/// rank they must be in that order.
template <class Value>
std::vector<Value> by_place(std::vector<Value> own, const std::vector<std::size_t>& own_places) {
  if (world().size() == 1) return own;
  const std::vector<Value> all = world().concatenate_on_first(std::move(own));
  const std::vector<std::size_t> places = world().concatenate_on_first(own_places);
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  std::vector<Value> ordered;
  ordered.reserve(all.size());
  for (const std::size_t i : order) ordered.push_back(all[i]);
  return ordered;
}

}  // namespace knudsen::lbm_d3q27
