#pragma once

#include "device/team_loops.hpp"
#include "methods/boltzmann/lanes.hpp"
#include "methods/boltzmann/state.hpp"

namespace knudsen::boltzmann {

/// Scratch memory of a team of CollideCells.
template <class Real, int Lanes>
struct CollisionScratch {
  using Values = Pack<Real, Lanes>;
  Values* h;           ///< deviation of the cells, by scratch_position
  Values* rates;       ///< rates of the collisions, then a zero that pads the lists
  Values* correction;  ///< coefficients of eq. (25)
  Values* totals;      ///< sums over the team from which they follow
  Real* sums;          ///< workspace of sum_over_block
  Real* nodes[3];      ///< velocity components, here because global memory is slow out of order
  Real* ratios;        ///< LoadCells::ratio of the cells being loaded
};

/// Scratch position of velocity k of a row.
template <class ExecutionSpace, class Real>
KOKKOS_FORCEINLINE_FUNCTION int place_in_scratch(const VelocitySpace<ExecutionSpace, Real>& v,
                                                 int row, int k) {
  return scratch_position<ExecutionSpace, Real>(row * v.count[2] + k);
}

}  // namespace knudsen::boltzmann
