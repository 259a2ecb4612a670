#include "methods/gas/slab.hpp"

#include <algorithm>
#include <cstdint>

namespace knudsen {
namespace {

/// The rank that owns a layer.
int owner_of(const std::vector<CellSlab>& slabs, int layer) {
  const auto owns = [&](const CellSlab& s) {
    return layer >= s.first && layer < s.first + s.count;
  };
  return static_cast<int>(std::find_if(slabs.begin(), slabs.end(), owns) - slabs.begin());
}

/// Calls body(side, number, place) for each ghost layer; the number counts from 1 away from the
/// slab.
template <class Body>
void each_ghost(const CellSlab& slab, const Body& body) {
  for (int side = 0; side < 2; ++side) {
    for (int number = 1; number <= slab.ghosts(side); ++number) {
      body(side, number, side == 0 ? -number : slab.count - 1 + number);
    }
  }
}

}  // namespace

CellSlab CellSlab::of(const std::array<int, 3>& cells, int rank, int ranks, int depth,
                      bool periodic) {
  CellSlab slab;
  for (int axis = 1; axis < 3; ++axis) {
    if (cells[static_cast<std::size_t>(axis)] > 1) slab.axis = axis;
  }
  for (int axis = 0; axis < slab.axis; ++axis) {
    slab.layer_cells *= cells[static_cast<std::size_t>(axis)];
  }
  slab.layers = cells[static_cast<std::size_t>(slab.axis)];
  const auto begin = [&](int n) { return static_cast<int>(std::int64_t{slab.layers} * n / ranks); };
  slab.first = begin(rank);
  slab.count = begin(rank + 1) - slab.first;
  slab.depth = ranks > 1 ? depth : 0;
  slab.periodic = periodic;
  return slab;
}

int CellSlab::ghosts(int side) const {
  if (count == 0 || depth == 0) return 0;
  if (periodic) return depth;
  return std::min(depth, side == 0 ? first : layers - first - count);
}

int CellSlab::with_ghosts_behind(int place) const {
  if (place < 0) return count - place - 1;
  return place < count ? place : place + ghosts(0);
}

std::vector<LayerMessage> layers_to_receive(const std::vector<CellSlab>& slabs, int rank) {
  std::vector<LayerMessage> messages;
  const CellSlab& slab = slabs[static_cast<std::size_t>(rank)];
  each_ghost(slab, [&](int side, int number, int place) {
    const int from = owner_of(slabs, slab.layer_at(place));
    messages.push_back({from, 2 * number + side, place, side});
  });
  return messages;
}

std::vector<LayerMessage> layers_to_send(const std::vector<CellSlab>& slabs, int rank) {
  std::vector<LayerMessage> messages;
  const CellSlab& own = slabs[static_cast<std::size_t>(rank)];
  for (std::size_t to = 0; to < slabs.size(); ++to) {
    each_ghost(slabs[to], [&](int side, int number, int place) {
      const int layer = slabs[to].layer_at(place);
      if (owner_of(slabs, layer) != rank) return;
      messages.push_back({static_cast<int>(to), 2 * number + side, layer - own.first, side});
    });
  }
  return messages;
}

}  // namespace knudsen
