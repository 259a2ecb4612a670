#pragma once

#include <vector>

#include "kinetic/scatter.hpp"
#include "methods/shakhov/block_shares.hpp"
#include "methods/shakhov/flow_grid.hpp"
#include "methods/shakhov/sweep_space.hpp"

namespace knudsen::shakhov {

/// The sides and solids with Cercignani-Lampis walls. Before an iteration their kernel makes what
/// enters (SweepSpace::entering) from what left in the iteration before (SweepSpace::outgoing).
template <class ExecutionSpace, class Real>
class WallScattering {
 public:
  /// `whole_octants`: see BlockShares.
  WallScattering(const FlowGrid& grid, const SweepSpace<ExecutionSpace, Real>& space,
                 bool whole_octants);

  /// Sets what enters. It depends on `outgoing` only.
  void scatter(const ExecutionSpace& execution, const SweepSpace<ExecutionSpace, Real>& space);
  /// Gives all ranks what left in the blocks of each. Collective.
  void share(const SweepSpace<ExecutionSpace, Real>& space) const;

 private:
  /// Faces of one direction: those of a side, or some of solids.
  struct Side {
    int number = 0;         ///< side of the cells
    int leaving = 0;        ///< place in SweepSpace::outgoing of what leaves
    int entering = 0;       ///< likewise of what enters
    std::size_t begin = 0;  ///< first value of these faces in both
    ScatteringFaces<ExecutionSpace> faces;
  };
  /// What leaves through the faces of a side.
  View<Real*, ExecutionSpace> leaving(const SweepSpace<ExecutionSpace, Real>& space,
                                      const Side& side) const;
  std::vector<Side> sides_;
  View<Real*, ExecutionSpace> scratch_;  ///< as large as what leaves through the largest side
  BlockShares shares_;
};

/// Fluxes into the gas through the faces of a side, by side_face: those of SweepSpace::entering.
/// With facet_side those of solids, by row of SweepSpace::made_face.
template <class ExecutionSpace, class Real>
HostView<double* [flux_count]> entering_flux(const SweepSpace<ExecutionSpace, Real>& space,
                                             int side);

/// Rank that sweeps each block that leaves through a side, in the order of SweepSpace::outgoing of
/// a face.
std::vector<int> owners_of_outgoing(const BlockShares& shares, int octant_blocks, int side);

}  // namespace knudsen::shakhov
