#include "methods/shakhov/block_shares.hpp"

#include <algorithm>

#include "kinetic/surface.hpp"

namespace knudsen::shakhov {

BlockShares::BlockShares(const FlowGrid& grid, int octant_blocks, bool whole_octants, int ranks)
    : octant_blocks_(octant_blocks),
      octant_units_(whole_octants ? 1 : octant_blocks),
      ranks_(ranks) {
  const std::array<int, 6> reversed = reversed_components(grid.sides);
  for (std::size_t side = 0; side < 6; ++side) {
    if (!surface_law(grid.sides[side]).specular) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      reflects_[axis] |= (reversed[side] >> axis & 1) != 0;
    }
  }
  // Only one of two octants has velocities.
  for (std::size_t axis = 0; axis < 3; ++axis) reflects_[axis] |= grid.velocities[axis].integrated;
}

int BlockShares::octant_class(int octant) const {
  int number = 0;
  int bit = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (reflects_[axis]) continue;
    if ((octant >> axis & 1) != 0) number += bit;
    bit *= 2;
  }
  return number;
}

std::int64_t BlockShares::first_unit(int rank) const {
  const std::int64_t units = std::int64_t{octant_class(7) + 1} * octant_units_;
  return units * rank / ranks_;
}

int BlockShares::owner(int octant, int in_octant) const {
  int rank = 0;
  while (rank + 1 < ranks_ && in_octant >= blocks_of(rank, octant).end) ++rank;
  return rank;
}

BlockShares::Range BlockShares::blocks_of(int rank, int octant) const {
  const std::int64_t first = std::int64_t{octant_class(octant)} * octant_units_;
  const auto place = [&](int of_rank) {
    const std::int64_t unit =
        std::clamp<std::int64_t>(first_unit(of_rank) - first, 0, octant_units_);
    return static_cast<int>(unit * octant_blocks_ / octant_units_);
  };
  return {place(rank), place(rank + 1)};
}

}  // namespace knudsen::shakhov
