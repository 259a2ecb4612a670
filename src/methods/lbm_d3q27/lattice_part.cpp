#include "methods/lbm_d3q27/lattice_part.hpp"

#include <algorithm>

namespace knudsen::lbm_d3q27 {

LatticePart::LatticePart(const NodeMap& map)
    : axis_(map.cut.axis()),
      nodes_(map.nodes),
      begin_(map.cut.begin),
      owned_(static_cast<NodeIndex>(map.owned)) {
  slab_.rank = map.cut.rank;
  slab_.ranks = map.cut.ranks();
  slab_.begin = begin_[static_cast<std::size_t>(slab_.rank)];
  slab_.end = begin_[static_cast<std::size_t>(slab_.rank) + 1];
  slab_.layers = begin_.back();
  slab_.layer = std::uint64_t{map.whole.pitch} * map.whole.ny;
  if (slab_.whole() || !map.sparse) return;
  whole_begin_ = map.whole_begin;
  part_begin_ = map.part_begin;
  end_planes_ = static_cast<NodeIndex>(map.end_planes);
  numbers_.resize(map.count);
  const auto number_plane = [&](std::uint32_t plane) {
    std::size_t nodes = 0;
    for (std::size_t piece = plane; piece < part_begin_.size(); piece += slab_.layers) {
      const NodeIndex count = whole_begin_[piece + 1] - whole_begin_[piece];
      const auto first = numbers_.begin() + part_begin_[piece];
      std::iota(first, first + count, whole_begin_[piece]);
      nodes += count;
    }
    return static_cast<NodeIndex>(nodes);
  };
  for (std::uint32_t plane = slab_.begin; plane < slab_.end; ++plane) {
    const NodeIndex nodes = number_plane(plane);
    if (plane == slab_.begin) first_plane_ = nodes;
  }
  number_plane(slab_.end % slab_.layers);
}

std::vector<NodeRange> LatticePart::ranges_in_order() const {
  if (!sparse()) return {{0, owned_}};
  const NodeIndex inner = std::max(first_plane_, end_planes_);
  return {{0, first_plane_}, {first_plane_, inner}, {inner, owned_}};
}

std::pair<int, int> LatticePart::planes_of_domain(int rank) const {
  const int nodes = nodes_[static_cast<std::size_t>(axis_)];
  const auto r = static_cast<std::size_t>(rank);
  const int end = std::min(static_cast<int>(begin_[r + 1]), nodes);
  return {std::min(static_cast<int>(begin_[r]), end), end};
}

}  // namespace knudsen::lbm_d3q27
