#pragma once

#include "methods/boltzmann/lanes.hpp"
#include "methods/boltzmann/state.hpp"

namespace knudsen::boltzmann {

/// What a team of `collide` has in scratch memory.
template <class Real, int Lanes>
struct CollisionScratch {
  using Values = Pack<Real, Lanes>;
  Values* h;  ///< at the places that scratch_position says
  Values* rates;
  Values* correction;
  Values* totals;
  Real* sums;
  // What global memory would be slow to give: velocity components; of the cells that are loaded
  // the time step over the widths, along x and, last, along y.
  Real* nodes[3];
  Real* ratios;
};

/// Where in scratch memory velocity k of a row stands.
template <class ExecutionSpace, class Real>
KOKKOS_FORCEINLINE_FUNCTION int place_in_scratch(const VelocitySpace<ExecutionSpace, Real>& v,
                                                 int row, int k) {
  return scratch_position<ExecutionSpace, Real>(row * v.count[2] + k);
}

/// body(i) for i in [0, count), spread over the threads of a team.
template <class Team, class Body>
KOKKOS_FORCEINLINE_FUNCTION void each(const Team& team, int count, const Body& body) {
  for (int i = team.team_rank(); i < count; i += team.team_size()) body(i);
}

}  // namespace knudsen::boltzmann
