#include <cstdint>
#include <utility>

#include "device/instantiate.hpp"
#include "device/intrinsics.hpp"
#include "device/streaming_store.hpp"
#include "methods/lbm_d2q9/node_update.hpp"
#include "methods/lbm_d2q9/step.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

/// Pull: every node gathers the populations that stream to it from `populations`, collides, and
/// writes to its own slots in `next`.
template <class Velocities, class ExecutionSpace, class Real, class CollisionType, int Width>
struct TwoArrayStep {
  Lattice<ExecutionSpace, Real> lattice;
  CollisionType collision;
  ParametersOf<Velocities, Real> parameters;
  int parity;
  bool past_caches = false;  ///< on the host

  KOKKOS_INLINE_FUNCTION Real* out(int q, int x, int y) const {
    return lattice.next.data() + q * lattice.extents.plane() + lattice.extents.node(x, y);
  }

  KNUDSEN_OUTLINED_FUNCTION void step_special(int x, int y, std::uint16_t index) const {
    Real g[Velocities::populations];
    load_and_update<Velocities>(lattice, collision, Arrangement::gather, lattice.classes(index),
                                index, x, y, parity, parameters, g);
    for_populations<Velocities>([&](auto q) { *out(q, x, y) = g[q]; });
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const Extents extents = lattice.extents;
    const RowSegment segment = row_segment(lattice, team.league_rank());
    const AdjacentRows rows(extents, segment.y);
    const auto in = [&](auto q, int x) {
      return lattice.populations.data() + q * extents.plane() + rows.node(x, -Velocities::cy(q)) -
             Velocities::cx(q);
    };
    const auto row = [&]([[maybe_unused]] int x, [[maybe_unused]] int nodes) {
      if constexpr (is_host_backend<ExecutionSpace>) {
        const Real* from[Velocities::populations];
        Real* to[Velocities::populations];
        for_populations<Velocities>([&](auto q) {
          from[q] = in(q, x);
          to[q] = out(q, x, segment.y);
        });
        // All planes are cut into lines at the same nodes.
        collision.rows(from, to, nodes, parameters, nullptr, past_caches);
        if (past_caches) finish_stores_past_caches();
      }
    };
    const auto chunk = [&](int x, std::uint32_t bits) {
      Real g[Width][Velocities::populations];
      for_populations<Velocities>([&](auto q) {
        Real values[Width];
        load_nodes<Velocities::cx(q) == 0>(in(q, x), values);
        for (int i = 0; i < Width; ++i) g[i][q] = values[i];
      });
      for (int i = 0; i < Width; ++i) collision.template collide<Velocities>(g[i], parameters);
      whole_or_masked<Width>(bits, [&](auto whole) {
        for_populations<Velocities>([&](auto q) {
          Real values[Width];
          for (int i = 0; i < Width; ++i) values[i] = g[i][q];
          store_nodes<true, whole>(out(q, x, segment.y), values, bits);
        });
      });
    };
    const auto special = [&](int x, std::uint16_t index) { step_special(x, segment.y, index); };
    for_nodes<Width>(team, lattice, segment, row, chunk, special, SolidsRest{});
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void step_two_array(const StepContext<ExecutionSpace, Real>& context,
                    Lattice<ExecutionSpace, Real>& lattice, int parity) {
  with_collision(context, [&](auto velocities, auto collision) {
    using Velocities = decltype(velocities);
    const auto& parameters = context.template parameters_of<Velocities>();
    dispatch_width<ExecutionSpace>(context.tuning, [&](auto width) {
      Kokkos::parallel_for(
          "knudsen/lbm_d2q9/two_array", segment_policy(context, lattice),
          TwoArrayStep<Velocities, ExecutionSpace, Real, decltype(collision), width>{
              lattice, collision, parameters, parity,
              lattice.next.span() * sizeof(Real) > cached_bytes});
    });
  });
  std::swap(lattice.populations, lattice.next);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                              \
  template void step_two_array<ExecutionSpace, Real>(const StepContext<ExecutionSpace, Real>&, \
                                                     Lattice<ExecutionSpace, Real>&, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d2q9
