#include "methods/lbm_d3q27/lattice_part.hpp"

#include <algorithm>

namespace knudsen::lbm_d3q27 {

LatticePart::LatticePart(const NodeMap& map)
    : axis_(map.cut.axis()), nodes_(map.nodes), begin_(map.cut.begin) {
  slab_.rank = map.cut.rank;
  slab_.ranks = map.cut.ranks();
  slab_.begin = begin_[static_cast<std::size_t>(slab_.rank)];
  slab_.end = begin_[static_cast<std::size_t>(slab_.rank) + 1];
  slab_.layers = begin_.back();
  slab_.layer = std::uint64_t{map.whole.pitch} * map.whole.ny;
  if (slab_.whole() || !map.sparse) return;
  part_begin_ = map.whole_begin;
  const auto add = [&](std::size_t begin, std::size_t end) {
    for (NodeIndex n = part_begin_[begin]; n < part_begin_[end]; ++n) numbers_.push_back(n);
  };
  numbers_.reserve(map.count);
  for (std::size_t strip = 0; strip + 1 < part_begin_.size(); strip += slab_.layers) {
    const std::size_t before = numbers_.size();
    add(strip + slab_.begin, strip + slab_.begin + 1);
    for (std::size_t n = before; n < numbers_.size(); ++n) {
      first_plane_.push_back(static_cast<NodeIndex>(n));
    }
    add(strip + slab_.begin + 1, strip + slab_.end);
  }
  owned_ = static_cast<NodeIndex>(numbers_.size());
  const std::size_t ghost = slab_.end % slab_.layers;
  for (std::size_t strip = 0; strip + 1 < part_begin_.size(); strip += slab_.layers) {
    add(strip + ghost, strip + ghost + 1);
  }
}

std::pair<int, int> LatticePart::planes_of_domain(int rank) const {
  const int nodes = nodes_[static_cast<std::size_t>(axis_)];
  const auto r = static_cast<std::size_t>(rank);
  const int end = std::min(static_cast<int>(begin_[r + 1]), nodes);
  return {std::min(static_cast<int>(begin_[r]), end), end};
}

}  // namespace knudsen::lbm_d3q27
