#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "methods/lattice/slab.hpp"
#include "methods/lbm_d3q27/node_map.hpp"
#include "parallel/communicator.hpp"

namespace knudsen::lbm_d3q27 {

/// The nodes of a lattice that this rank owns: a slab of planes, across z in a dense lattice, and
/// in a sparse one across the axis along which its planes are numbered. Slabs of a dense lattice
/// have equal numbers of planes, those of a sparse one about as many fluid nodes.
///
/// A part of a dense lattice has a ghost plane, see Slab. In a sparse lattice a node uses slots of
/// its own and of the next plane only (Esoteric Twist), so the ghost nodes of a part are those of
/// the plane after its slab. Their numbers follow those of the owned nodes.
class LatticePart {
 public:
  /// Throws InputError if there are more ranks than planes.
  explicit LatticePart(const NodeMap& whole);

  const lbm::Slab& slab() const { return slab_; }
  /// The axis across which the planes lie.
  int axis() const { return axis_; }
  /// The node map of the part, if there are several.
  NodeMap map_of(const NodeMap& whole);

  /// The part's number of a node; NodeMap::none if this rank does not own it.
  std::uint64_t number_of(std::uint64_t whole_number) const;
  /// The number in the whole lattice of a node that this rank owns or, if sparse, of any.
  std::uint64_t whole_number(std::uint64_t n) const {
    return numbers_.empty() ? n + slab_.first_node() : numbers_[n];
  }
  /// The same for all nodes of a part of a sparse lattice; else empty.
  const std::vector<NodeIndex>& whole_numbers() const { return numbers_; }
  /// The owned nodes have the numbers below this one.
  std::uint64_t owned_nodes() const {
    return numbers_.empty() ? slab_.end_node() - slab_.first_node() : owned_;
  }
  /// Sparse: the part's numbers of the nodes of its first plane. Those of the ghost plane are the
  /// last ones.
  const std::vector<NodeIndex>& first_plane() const { return first_plane_; }
  /// The numbers of its faces in the whole lattice.
  const std::vector<std::size_t>& faces() const { return faces_; }

  /// The owned planes of the domain, begin and end, of a rank.
  std::pair<int, int> planes_of_domain(int rank) const;
  /// Collective: the values of all nodes of the domain, (z, y, x), on the first rank, from those of
  /// the owned planes in that order.
  template <class Value>
  std::vector<Value> of_domain(std::vector<Value> own) const;

 private:
  void cut_sparse(const NodeMap& whole);
  void add_special(const NodeMap& whole, NodeMap& part);
  void add_conducting(const NodeMap& whole, NodeMap& part) const;
  void link_sparse(const NodeMap& whole, NodeMap& part) const;

  lbm::Slab slab_;
  int axis_ = 2;
  std::array<int, 3> nodes_{};        ///< of the domain
  std::vector<std::uint32_t> begin_;  ///< first plane of each rank, and the end
  NodeIndex owned_ = 0;               ///< sparse: nodes
  std::vector<NodeIndex> numbers_, first_plane_;
  std::vector<std::size_t> faces_;
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

template <class Value>
std::vector<Value> LatticePart::of_domain(std::vector<Value> own) const {
  std::vector<Value> all = world().concatenate_on_first(std::move(own));
  if (axis_ == 2 || slab_.whole() || !world().is_first()) return all;
  std::vector<Value> ordered(all.size());
  std::size_t next = 0;
  for (int rank = 0; rank < slab_.ranks; ++rank) {
    std::array<int, 3> begin{};
    std::array<int, 3> end = nodes_;
    std::tie(begin[static_cast<std::size_t>(axis_)], end[static_cast<std::size_t>(axis_)]) =
        planes_of_domain(rank);
    for (int z = begin[2]; z < end[2]; ++z) {
      for (int y = begin[1]; y < end[1]; ++y) {
        for (int x = begin[0]; x < end[0]; ++x) {
          const auto row = static_cast<std::size_t>(z) * static_cast<std::size_t>(nodes_[1]) +
                           static_cast<std::size_t>(y);
          ordered[row * static_cast<std::size_t>(nodes_[0]) + static_cast<std::size_t>(x)] =
              all[next++];
        }
      }
    }
  }
  return ordered;
}

}  // namespace knudsen::lbm_d3q27
