#pragma once

#include "methods/bgkw/phase_space.hpp"

// The order in which the teams of SinglePass visit the cells. Lines of cells along x are cut into
// runs, and a team goes along one run after the other.

namespace knudsen::bgkw {

/// A cell on a walk.
struct CellVisit {
  int cell;     ///< -1: the walk has ended
  bool linked;  ///< the cell visited before is its neighbour at lower x
};

/// Runs of at most `length` cells along x.
template <class ExecutionSpace, class Real>
struct CellRuns {
  const PhaseSpace<ExecutionSpace, Real>& space;
  int length;

  KOKKOS_INLINE_FUNCTION int lines() const { return space.cells[1] * space.cells[2]; }
  KOKKOS_INLINE_FUNCTION int count() const {
    return (space.cells[0] + length - 1) / length * lines();
  }
};

/// Visits the gas cells of every `stride`-th run.
template <class ExecutionSpace, class Real>
struct CellWalk {
  CellRuns<ExecutionSpace, Real> runs;
  int stride;    ///< runs from one run of this walk to the next
  int run;       ///< current run
  int cell = 0;  ///< next cell of the run
  int end = 0;   ///< one past the last cell of the run

  KOKKOS_FORCEINLINE_FUNCTION CellWalk(const CellRuns<ExecutionSpace, Real>& all_runs, int first,
                                       int run_stride)
      : runs(all_runs), stride(run_stride), run(first - run_stride) {}
  KOKKOS_FORCEINLINE_FUNCTION CellVisit next() {
    const auto& space = runs.space;
    bool linked = true;
    while (true) {
      if (cell == end) {
        linked = false;
        run += stride;
        if (run >= runs.count()) {
          run -= stride;
          return {-1, false};
        }
        const int start = run / runs.lines() * runs.length;
        const int left_over = space.cells[0] - start;
        cell = run % runs.lines() * space.cells[0] + start;
        end = cell + (left_over < runs.length ? left_over : runs.length);
      }
      ++cell;
      if (!space.has_solids || !space.is_solid(cell - 1)) return {cell - 1, linked};
      linked = false;
    }
  }
};

/// Length of runs with which `teams` teams that a device runs at once finish `lines` lines of
/// `cells` cells soonest: the last round of runs should occupy as many teams as the others. The
/// first cell of a run costs half a cell more, since nothing has been loaded for it. `teams` is 0
/// if unknown.
inline int run_length(int cells, int lines, int teams) {
  // Values read on a neighbouring line must still be in the cache.
  const int longest = lines > 1 && cells > 64 ? 64 : cells;
  if (teams <= 0) return cells < 16 ? cells : 16;
  int best = 1;
  double least = 0;
  for (int length = 1; length <= longest; ++length) {
    const int runs = (cells + length - 1) / length * lines;
    const int rounds = (runs + teams - 1) / teams;
    const double cost = rounds * (length + 0.5);
    if (length == 1 || cost < least) {
      best = length;
      least = cost;
    }
  }
  return best;
}

}  // namespace knudsen::bgkw
