#include "methods/lbm_d3q27/lattice_part.hpp"

#include <algorithm>
#include <numeric>

namespace knudsen::lbm_d3q27 {
namespace {

bool bit_of(const std::vector<std::uint32_t>& bits, std::uint64_t n) {
  return ((bits[n / 32] >> (n % 32)) & 1) != 0;
}

}  // namespace

LatticePart::LatticePart(const NodeMap& whole)
    : slab_(lbm::cut_into_slabs(whole.sparse ? whole.number_of_planes : whole.extents.nz,
                                std::uint64_t{whole.extents.pitch} * whole.extents.ny, 1,
                                "planes")),
      axis_(whole.sparse ? (whole.first_axis + 2) % 3 : 2),
      nodes_(whole.nodes) {
  faces_.resize(whole.faces.size());
  std::iota(faces_.begin(), faces_.end(), std::size_t{0});
  if (slab_.whole()) return;
  if (whole.sparse) {
    cut_sparse(whole);
  } else {
    begin_ = world().concatenate(std::vector{slab_.begin});
    begin_.push_back(slab_.layers);
  }
}

void LatticePart::cut_sparse(const NodeMap& whole) {
  part_begin_ = whole.part_begin;
  const std::size_t planes = slab_.layers;
  const auto for_plane = [&](std::size_t plane, const auto& body) {
    for (std::size_t first = plane; first + 1 < whole.part_begin.size(); first += planes) {
      for (NodeIndex n = whole.part_begin[first]; n < whole.part_begin[first + 1]; ++n) body(n);
    }
  };
  begin_ = balanced_planes(whole.fluid_of_planes, slab_.ranks);
  slab_.begin = begin_[static_cast<std::size_t>(slab_.rank)];
  slab_.end = begin_[static_cast<std::size_t>(slab_.rank) + 1];
  for (std::size_t first = 0; first + 1 < whole.part_begin.size(); first += planes) {
    for (NodeIndex n = whole.part_begin[first + slab_.begin];
         n < whole.part_begin[first + slab_.end]; ++n) {
      if (n < whole.part_begin[first + slab_.begin + 1]) {
        first_plane_.push_back(static_cast<NodeIndex>(numbers_.size()));
      }
      numbers_.push_back(n);
    }
  }
  owned_ = static_cast<NodeIndex>(numbers_.size());
  for_plane(slab_.end % planes, [&](NodeIndex n) { numbers_.push_back(n); });
}

std::uint64_t LatticePart::number_of(std::uint64_t whole_number) const {
  if (slab_.whole()) return whole_number;
  if (numbers_.empty()) {
    return slab_.owns(whole_number) ? whole_number - slab_.first_node() : NodeMap::none;
  }
  const auto end = numbers_.begin() + owned_;
  const auto found = std::lower_bound(numbers_.begin(), end, whole_number);
  return found != end && *found == whole_number
             ? static_cast<std::uint64_t>(found - numbers_.begin())
             : NodeMap::none;
}

std::pair<int, int> LatticePart::planes_of_domain(int rank) const {
  const int nodes = nodes_[static_cast<std::size_t>(axis_)];
  if (slab_.whole()) return {0, nodes};
  const auto r = static_cast<std::size_t>(rank);
  const int end = std::min(static_cast<int>(begin_[r + 1]), nodes);
  return {std::min(static_cast<int>(begin_[r]), end), end};
}

NodeMap LatticePart::map_of(const NodeMap& whole) {
  NodeMap part;
  part.is_part = true;
  part.nodes = whole.nodes;
  part.extents = whole.extents;
  part.sparse = whole.sparse;
  part.first_axis = whole.first_axis;
  if (whole.sparse) {
    part.count = numbers_.size();
    part.owned = owned_;
  } else {
    part.extents.nz = slab_.owned() + 1;
    part.count = part.extents.nodes();
    part.owned = slab_.end_node() - slab_.first_node();
  }
  part.fluid.assign(part.count / 32 + 1, 0);
  part.plain = part.fluid;
  for (std::uint64_t n = 0; n < part.owned; ++n) {
    const std::uint32_t bit = std::uint32_t{1} << (n % 32);
    if (bit_of(whole.fluid, whole_number(n))) part.fluid[n / 32] |= bit;
    if (bit_of(whole.plain, whole_number(n))) part.plain[n / 32] |= bit;
  }
  for (const std::uint32_t word : part.fluid) part.fluid_nodes += count_bits(word);
  for (const NodeIndex node : whole.reversing) {
    const std::uint64_t n = number_of(node);
    if (n != NodeMap::none) part.reversing.push_back(static_cast<NodeIndex>(n));
  }
  add_special(whole, part);
  add_conducting(whole, part);
  if (whole.sparse) link_sparse(whole, part);
  return part;
}

void LatticePart::add_special(const NodeMap& whole, NodeMap& part) {
  faces_.clear();
  part.slip_shares = whole.slip_shares;
  for (auto node = whole.special.begin(); node != whole.special.end(); ++node) {
    const std::uint64_t n = number_of(node->node);
    if (n == NodeMap::none) continue;
    const auto next = std::next(node);
    const std::size_t end = next == whole.special.end() ? whole.links.size() : next->first_link;
    BoundaryNode entry = *node;
    entry.node = static_cast<NodeIndex>(n);
    entry.first_link = static_cast<std::uint32_t>(part.links.size());
    part.special.push_back(entry);
    const std::size_t first_face = faces_.size();
    for (std::size_t link = node->first_link; link < end; ++link) {
      part.links.push_back(whole.links[link]);
      if (!whole.scalar_links.empty()) part.scalar_links.push_back(whole.scalar_links[link]);
      if (!whole.scalar_shares.empty()) part.scalar_shares.push_back(whole.scalar_shares[link]);
      const std::int32_t face = whole.link_faces[link];
      if (face < 0) {
        part.link_faces.push_back(face);
        continue;
      }
      const auto number = static_cast<std::size_t>(face);
      auto known =
          std::find(faces_.begin() + static_cast<std::ptrdiff_t>(first_face), faces_.end(), number);
      if (known == faces_.end()) {
        known = faces_.insert(known, number);
        part.faces.push_back(whole.faces[number]);
      }
      part.link_faces.push_back(static_cast<std::int32_t>(known - faces_.begin()));
    }
  }
}

void LatticePart::add_conducting(const NodeMap& whole, NodeMap& part) const {
  part.conducting_solids = whole.conducting_solids;
  for (ConductingNode node : whole.conducting) {
    const std::uint64_t n = number_of(node.node);
    if (n == NodeMap::none) continue;
    const auto first = whole.conducting_links.begin() + node.first_link;
    node.node = static_cast<NodeIndex>(n);
    node.first_link = static_cast<std::uint32_t>(part.conducting_links.size());
    part.conducting.push_back(node);
    part.conducting_links.insert(part.conducting_links.end(), first, first + count_bits(node.cut));
  }
}

void LatticePart::link_sparse(const NodeMap& whole, NodeMap& part) const {
  const auto part_number = [&](std::uint64_t whole_number) {
    const std::uint64_t owned = number_of(whole_number);
    if (owned != NodeMap::none) return owned;
    const auto ghosts = numbers_.begin() + owned_;
    const auto found = std::lower_bound(ghosts, numbers_.end(), whole_number);
    return found != numbers_.end() && *found == whole_number
               ? static_cast<std::uint64_t>(found - numbers_.begin())
               : NodeMap::none;
  };
  NodeNumbers* const to[3] = {&part.next_first, &part.next_second, &part.next_third};
  for (NodeNumbers* list : to) {
    list->assign(part.count + 1);
    list->set(part.count, 0);
  }
  const std::array<int, 3> extents{static_cast<int>(whole.extents.nx),
                                   static_cast<int>(whole.extents.ny),
                                   static_cast<int>(whole.extents.nz)};
  const auto link = [&](const std::array<int, 3>& at, std::uint64_t number) {
    const std::uint64_t n = part_number(number);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t axis = (static_cast<std::size_t>(whole.first_axis) + i) % 3;
      std::array<int, 3> up = at;
      up[axis] = (at[axis] + 1) % extents[axis];
      // Where there is no neighbour, or it is not in the part, no fluid node needs it, so any index
      // will do: see number_nodes.
      std::uint64_t upper = whole.number(up);
      if (upper == NodeMap::none && i == 0) upper = number + 1;
      const std::uint64_t known = upper == NodeMap::none ? n : part_number(upper);
      to[i]->set(n, known != NodeMap::none ? known : (i == 0 ? n + 1 : n));
    }
  };
  const auto begin = static_cast<int>(slab_.begin);
  const auto end = static_cast<int>(slab_.end);
  const int ghost = end % static_cast<int>(slab_.layers);
  whole.number.for_planes(axis_, begin, end, link);
  whole.number.for_planes(axis_, ghost, ghost + 1, link);
  part.in_row.assign(part.count / 32 + 1, 0);
  for (std::uint64_t n = 0; n < part.count; ++n) {
    if (part.next_first[n] == n + 1) part.in_row[n / 32] |= std::uint32_t{1} << (n % 32);
  }
  const std::size_t planes = slab_.layers;
  part.part_begin.push_back(0);
  for (std::size_t first = 0; first + 1 < whole.part_begin.size(); first += planes) {
    for (std::size_t plane = slab_.begin; plane < slab_.end; ++plane) {
      part.part_begin.push_back(part.part_begin.back() + whole.part_begin[first + plane + 1] -
                                whole.part_begin[first + plane]);
    }
  }
  part.number_of_planes = slab_.owned();
}

}  // namespace knudsen::lbm_d3q27
