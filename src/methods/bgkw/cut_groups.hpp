#pragma once

#include <vector>

#include "methods/bgkw/make_phase_space.hpp"

namespace knudsen::bgkw {

/// Cut cells, and with which cells they are merged after each streaming: a streaming may take more
/// out of a small cell than there is, but not out of its group.
struct CutGroups {
  std::vector<int>
      cells;  ///< the cut cells, in the order of GasSolids::cut, then whole cells of groups
  /// Groups of two and more cells, as places in `cells`, one group after the other.
  std::vector<int> members;
  std::vector<int> first;  ///< first member of each group; the last entry is their number
  /// Largest share of its gas that leaves a group in a time step, of velocities as fast as the
  /// grid has along each axis. Above one only where there is no other cell to merge with.
  double largest_courant = 0;
};

/// Merges cut cells with neighbours, along the normal of the surface, as far as the time step of
/// the grid requires. The groups do not depend on backend, threads or precision.
CutGroups find_cut_groups(const PhaseGrid& grid, const Neighbours& neighbours);

}  // namespace knudsen::bgkw
