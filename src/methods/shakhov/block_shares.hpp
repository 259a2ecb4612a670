#pragma once

#include "methods/shakhov/flow_grid.hpp"

namespace knudsen::shakhov {

/// How ranks share the velocity blocks (sweep_space.hpp). Each rank has whole units: a block, with
/// its mirror images at sides that reflect, so that what such a side returns was swept by the same
/// rank. Ranks have consecutive units, as many each as possible.
class BlockShares {
 public:
  /// `whole_octants`: a unit is an octant with its mirror images.
  BlockShares(const FlowGrid& grid, int octant_blocks, bool whole_octants, int ranks);

  /// Rank that sweeps a block.
  int owner(int octant, int in_octant) const;
  /// Blocks of an octant, by their numbers in it, from `begin` up to `end`.
  struct Range {
    int begin = 0;
    int end = 0;
  };
  /// The blocks of an octant that a rank sweeps; they may be none.
  Range blocks_of(int rank, int octant) const;

 private:
  /// Number of an octant, without the bits of axes along which sides reflect.
  int octant_class(int octant) const;
  /// First unit of a rank.
  std::int64_t first_unit(int rank) const;

  bool reflects_[3] = {false, false,
                       false};  ///< whether a side reverses components along each axis
  int octant_blocks_;           ///< blocks of an octant
  int octant_units_;            ///< units of an octant
  int ranks_;
};

}  // namespace knudsen::shakhov
