#include "methods/lbm_d2q9/slab.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

/// The class of solid nodes without work, added if there is none.
std::uint16_t solid_class(NodeMap& map) {
  for (std::size_t i = 0; i < map.classes.size(); ++i) {
    const bool conducts = !map.scalar_classes.empty() && map.scalar_classes[i].conducts;
    if (map.classes[i].kind == NodeKind::solid && !conducts) return static_cast<std::uint16_t>(i);
  }
  map.classes.emplace_back().kind = NodeKind::solid;
  if (!map.scalar_classes.empty()) map.scalar_classes.emplace_back();
  return static_cast<std::uint16_t>(map.classes.size() - 1);
}

}  // namespace

NodeMap part_of(const NodeMap& whole, const lbm::Slab& slab) {
  const auto place = [](std::uint64_t i) { return static_cast<std::ptrdiff_t>(i); };
  NodeMap part;
  part.extents = whole.extents;
  part.extents.ny = static_cast<int>(slab.owned()) + 1;
  part.offset = whole.offset;
  part.nodes = whole.nodes;
  part.periodic = whole.periodic;
  part.classes = whole.classes;
  part.scalar_classes = whole.scalar_classes;
  part.slip_classes = whole.slip_classes;
  part.node_class.assign(whole.node_class.begin() + place(slab.first_node()),
                         whole.node_class.begin() + place(slab.end_node()));
  for (const std::uint16_t index : part.node_class) {
    if (whole.classes[index].kind == NodeKind::fluid) ++part.fluid_nodes;
  }
  part.node_class.resize(part.extents.nodes(), solid_class(part));

  part.open_kind = whole.open_kind;
  part.longest = whole.longest;
  part.open_values = whole.open_values;
  for (const std::size_t side : {west, east}) {
    const std::size_t first = side * static_cast<std::size_t>(whole.longest);
    for (std::size_t y = 0; !whole.open_values.empty() && y < slab.owned(); ++y) {
      part.open_values[first + y] = whole.open_values[first + slab.begin + y];
    }
  }
  const auto own_links = [&](const std::vector<BodyLinks>& from, std::vector<BodyLinks>& to) {
    for (BodyLinks links : from) {
      const auto y = static_cast<std::uint32_t>(links.y);
      if (y < slab.begin || y >= slab.end) continue;
      links.y -= static_cast<std::int32_t>(slab.begin);
      to.push_back(links);
    }
  };
  own_links(whole.body_links, part.body_links);
  own_links(whole.heat_links, part.heat_links);
  for (ConductingNode node : whole.conducting) {
    const auto y = static_cast<std::uint32_t>(node.y);
    if (y < slab.begin || y >= slab.end) continue;
    node.y -= static_cast<std::int32_t>(slab.begin);
    part.conducting.push_back(node);
  }
  return part;
}

}  // namespace knudsen::lbm_d2q9
