#include "methods/lbm_d3q27/slab.hpp"

#include <algorithm>

namespace knudsen::lbm_d3q27 {
namespace {

/// The bits [begin, end) of a list, followed by zeros up to `count` bits.
std::vector<std::uint32_t> bits_of(const std::vector<std::uint32_t>& bits, std::uint64_t begin,
                                   std::uint64_t end, std::uint64_t count) {
  std::vector<std::uint32_t> part(count / 32 + 1, 0);
  for (std::uint64_t n = begin; n < end; ++n) {
    const std::uint64_t to = n - begin;
    if (((bits[n / 32] >> (n % 32)) & 1) != 0) part[to / 32] |= std::uint32_t{1} << (to % 32);
  }
  return part;
}

}  // namespace

NodeMap part_of(const NodeMap& whole, const lbm::Slab& slab) {
  NodeMap part;
  part.nodes = whole.nodes;
  // The last planes of the lattice may be beyond the domain.
  part.nodes[2] = std::max(
      0, std::min(static_cast<int>(slab.end), whole.nodes[2]) - static_cast<int>(slab.begin));
  part.extents = whole.extents;
  part.extents.nz = slab.owned() + 1;
  part.count = part.extents.nodes();
  part.owned = slab.end_node() - slab.first_node();
  part.fluid = bits_of(whole.fluid, slab.first_node(), slab.end_node(), part.count);
  part.plain = bits_of(whole.plain, slab.first_node(), slab.end_node(), part.count);
  for (const std::uint32_t word : part.fluid) part.fluid_nodes += count_bits(word);
  for (const NodeIndex node : whole.reversing) {
    if (slab.owns(node)) {
      part.reversing.push_back(static_cast<NodeIndex>(node - slab.first_node()));
    }
  }

  part.special = entries_of(whole.special, slab);
  // Links and faces are in the order of the nodes, too.
  const auto before =
      std::partition_point(whole.special.begin(), whole.special.end(),
                           [&](const BoundaryNode& node) { return node.node < slab.first_node(); });
  const auto after = before + static_cast<std::ptrdiff_t>(part.special.size());
  const auto link_of = [&](auto node) {
    return node == whole.special.end() ? whole.links.size() : std::size_t{node->first_link};
  };
  const std::size_t first_link = link_of(before);
  const std::size_t end_link = link_of(after);
  for (BoundaryNode& node : part.special) {
    node.first_link -= static_cast<std::uint32_t>(first_link);
  }
  const auto at = [](const auto& list, std::size_t i) {
    return list.begin() + static_cast<std::ptrdiff_t>(i);
  };
  part.links.assign(at(whole.links, first_link), at(whole.links, end_link));
  part.link_faces.assign(at(whole.link_faces, first_link), at(whole.link_faces, end_link));
  std::int32_t first_face = -1;
  std::int32_t end_face = 0;
  for (const std::int32_t face : part.link_faces) {
    if (face < 0) continue;
    if (first_face < 0) first_face = face;
    first_face = std::min(first_face, face);
    end_face = std::max(end_face, face + 1);
  }
  if (first_face >= 0) {
    for (std::int32_t& face : part.link_faces) face = face < 0 ? face : face - first_face;
    part.faces.assign(at(whole.faces, static_cast<std::size_t>(first_face)),
                      at(whole.faces, static_cast<std::size_t>(end_face)));
  }
  return part;
}

}  // namespace knudsen::lbm_d3q27
