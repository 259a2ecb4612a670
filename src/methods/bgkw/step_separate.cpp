#include <utility>

#include "core/instantiate.hpp"
#include "methods/bgkw/cell_update.hpp"

namespace knudsen::bgkw {
namespace {

/// Free streaming of one cell a team (Algorithm 1; the caches hold what the paper keeps in shared
/// memory, since neighbouring cells are worked on at the same time).
template <class ExecutionSpace, class Real, int Dimensions>
struct StreamCell {
  PhaseSpace<ExecutionSpace, Real> space;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const auto& v = space.velocities;
    const Streaming<ExecutionSpace, Real, Dimensions> streaming(space, team.league_rank());
    Real* out = &space.next(team.league_rank(), 0);
    team_each(team, chunk_count<ExecutionSpace, Real>(v), [&](int index) {
      const Chunk chunk = make_chunk(v, index);
      Real* place = out + chunk.row + chunk.begin;
      if constexpr (chunk_width < ExecutionSpace, Real >> 0) {
        Access<Real> values;
        streaming(chunk, values.value);
        *reinterpret_cast<Access<Real>*>(place) = values;
      } else {
        streaming(chunk, place);
      }
    });
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void stream(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space) {
  dispatch_dimensions(space.dimensions, [&](auto dimensions) {
    const TeamPolicy<ExecutionSpace> policy(context.execution, space.cell_count(),
                                            context.tuning.team_size, 1);
    Kokkos::parallel_for("knudsen/bgkw/stream", policy,
                         StreamCell<ExecutionSpace, Real, dimensions>{space});
  });
  std::swap(space.f, space.next);
}

template <class ExecutionSpace, class Real>
void collide(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space) {
  dispatch_model(context.model, [&](auto model) {
    run_cell_update<ExecutionSpace, Real, 0, model>("knudsen/bgkw/collide", context, space);
  });
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                 \
  template void stream<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&,  \
                                             PhaseSpace<ExecutionSpace, Real>&);  \
  template void collide<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&, \
                                              PhaseSpace<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
