#include "methods/bgkw/step.hpp"

#include <utility>

#include "core/instantiate.hpp"

namespace knudsen::bgkw {

template <CollisionModel Model, class ExecutionSpace, class Real>
void update_cells(const StepContext<ExecutionSpace>& context,
                  const PhaseSpace<ExecutionSpace, Real>& space, bool streams, int axis);

namespace {

/// Free streaming of one cell a team (Algorithm 1; the caches hold what the paper keeps in shared
/// memory, since neighbouring cells are worked on at the same time).
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

template <class ExecutionSpace, class Real>
void update(const StepContext<ExecutionSpace>& context,
            const PhaseSpace<ExecutionSpace, Real>& space, bool streams, int axis) {
  switch (context.model) {
    case CollisionModel::bgk:
      return update_cells<CollisionModel::bgk>(context, space, streams, axis);
    case CollisionModel::shakhov:
      return update_cells<CollisionModel::shakhov>(context, space, streams, axis);
    case CollisionModel::es_bgk:
      return update_cells<CollisionModel::es_bgk>(context, space, streams, axis);
  }
}

}  // namespace

template <class ExecutionSpace, class Real>
void stream(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space,
            int axis) {
  dispatch_streaming(space, axis, [&](auto streaming) {
    using Streaming = typename decltype(streaming)::type;
    Kokkos::parallel_for("knudsen/bgkw/stream", team_policy(context, space.cell_count()),
                         StreamCell<ExecutionSpace, Real, Streaming>{space, axis < 0 ? 0 : axis});
  });
  std::swap(space.f, space.next);
}

template <class ExecutionSpace, class Real>
void collide(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space) {
  update(context, space, false, -1);
}

template <class ExecutionSpace, class Real>
void stream_collide(const StepContext<ExecutionSpace>& context,
                    PhaseSpace<ExecutionSpace, Real>& space, int axis) {
  update(context, space, true, axis);
  std::swap(space.f, space.next);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                        \
  template void stream<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&,         \
                                             PhaseSpace<ExecutionSpace, Real>&, int);    \
  template void collide<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&,        \
                                              PhaseSpace<ExecutionSpace, Real>&);        \
  template void stream_collide<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&, \
                                                     PhaseSpace<ExecutionSpace, Real>&, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
