#pragma once

#include "methods/bgkw/step.hpp"

namespace knudsen::bgkw {
namespace {  // so that compilers inline it as they do a kernel of one source

/// Free streaming of one cell by a team (Algorithm 1). Neighbouring cells are processed at about
/// the same time, so their values are in the cache, where the paper uses shared memory.
template <class ExecutionSpace, class Real, class Streaming>
struct StreamCell {
  PhaseSpace<ExecutionSpace, Real> space;
  int axis;

  KOKKOS_INLINE_FUNCTION void operator()(const StepMember<ExecutionSpace>& team) const {
    constexpr int width = lane_count<ExecutionSpace, Real>;
    const int cell = space.cell_of(team.league_rank());
    if (space.is_solid(cell)) return;
    const Streaming streaming(space, cell, axis);
    Real* out = space.next_values(cell);
    Segments(team, space.velocities).each([&](const Segment& segment) {
      if constexpr (width > 0) {
        alignas(16) Real values[width];
        streaming(segment, values);
        write_lanes<width>(width, out + segment.place, [&](int k) { return values[k]; });
      } else {
        streaming(segment, out + segment.place);
      }
    });
  }
};

}  // namespace

}  // namespace knudsen::bgkw
