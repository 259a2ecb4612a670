#pragma once

#include "methods/lattice/slab.hpp"
#include "methods/lbm_d3q27/node_map.hpp"

namespace knudsen::lbm_d3q27 {

/// The part of a dense node map that belongs to a slab of planes, with its ghost plane.
NodeMap part_of(const NodeMap& whole, const lbm::Slab& slab);

/// The entries of a list that belong to a slab, with the slab's numbers of nodes.
template <class List>
List entries_of(const List& whole, const lbm::Slab& slab) {
  List part;
  for (auto entry : whole) {
    if (!slab.owns(entry.node)) continue;
    entry.node -= static_cast<decltype(entry.node)>(slab.first_node());
    part.push_back(entry);
  }
  return part;
}

}  // namespace knudsen::lbm_d3q27
