#pragma once

#include "methods/lbm_d3q27/node_map.hpp"

namespace knudsen::lbm_d3q27 {

/// The planes of a dense lattice, all nodes of equal z, that a rank owns. Planes of solid nodes
/// beyond a side that is not periodic count, so that the lattice is always periodic along z.
///
/// With several ranks the lattice of one has a ghost plane after the planes that it owns. Addresses
/// wrap, so this plane stands both for the first plane of the next rank and for the last one of the
/// rank before; in all streaming schemes these two use different slots of it. GhostSlots
/// keeps them equal to the slots of their owners. The ghost plane has no fluid nodes, so kernels do
/// not update it.
struct Slab {
  int rank = 0, ranks = 1;
  NodeIndex begin = 0, end = 0;  ///< planes
  NodeIndex planes = 0;          ///< of all ranks
  std::uint64_t layer = 0;       ///< nodes of a plane, padding included

  NodeIndex owned() const { return end - begin; }
  /// Index of the ghost plane.
  NodeIndex ghost() const { return owned(); }
  bool whole() const { return ranks == 1; }
  /// Numbers of the owned nodes in the whole lattice.
  std::uint64_t first_node() const { return begin * layer; }
  std::uint64_t end_node() const { return end * layer; }
  bool owns(std::uint64_t node) const { return node >= first_node() && node < end_node(); }
};

/// Cuts a dense lattice into slabs that differ by at most one plane. Throws InputError if there are
/// more ranks than planes. A sparse lattice is one slab.
Slab cut_into_slabs(const NodeMap& map, int rank, int ranks);

/// The part of a dense node map that belongs to a slab, with a ghost plane if there are several.
NodeMap part_of(const NodeMap& whole, const Slab& slab);

/// The entries of a list sorted by node that belong to a slab, with the slab's numbers of nodes.
template <class List>
List entries_of(const List& whole, const Slab& slab) {
  List part;
  for (auto entry : whole) {
    if (!slab.owns(entry.node)) continue;
    entry.node -= static_cast<decltype(entry.node)>(slab.first_node());
    part.push_back(entry);
  }
  return part;
}

}  // namespace knudsen::lbm_d3q27
