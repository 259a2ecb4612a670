#include "device/instantiate.hpp"
#include "methods/lbm_d2q9/node_update.hpp"
#include "methods/lbm_d2q9/step.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

/// One array, AA pattern (Bailey et al. 2009). An even step reads the node's own nine slots and
/// writes each outgoing population to the slot of its opposite. An odd step reads from and writes
/// to slots of the neighbours. In both, a node writes exactly the nine slots that it reads, so
/// nodes are independent of each other within a step.
template <class Velocities, class ExecutionSpace, class Real, class CollisionType, int Width,
          bool Odd>
struct InPlaceStep {
  Lattice<ExecutionSpace, Real> lattice;
  CollisionType collision;
  ParametersOf<Velocities, Real> parameters;

  KNUDSEN_OUTLINED_FUNCTION void step_special(int x, int y, std::uint16_t index) const {
    constexpr Arrangement arrangement =
        Odd ? Arrangement::in_place_odd : Arrangement::in_place_even;
    constexpr int parity = Odd ? 1 : 0;
    const NodeClass<Real>& node = lattice.classes(index);
    Real g[Velocities::populations];
    load_and_update<Velocities>(lattice, collision, arrangement, node, index, x, y, parity,
                                parameters, g);
    std::uint32_t cuts = node.cut;
    if constexpr (has_scalar<Velocities>) cuts |= lattice.scalar_classes(index).cut * 512U;
    for_populations<Velocities>([&](auto q) {
      const bool cut = ((cuts >> q) & 1) != 0;
      lattice.populations[incoming_slot<Velocities>(arrangement, lattice.extents, q, x, y, cut)] =
          g[Velocities::opposite(q)];
    });
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const Extents extents = lattice.extents;
    const RowSegment segment = row_segment(lattice, team.league_rank());
    const AdjacentRows rows(extents, segment.y);
    // Slot of incoming population q of plain node x: its own, or an upstream neighbour's.
    const auto slot = [&](auto q, int x) {
      Real* const populations = lattice.populations.data();
      if constexpr (Odd) {
        return populations + Velocities::opposite(q) * extents.plane() +
               rows.node(x, -Velocities::cy(q)) - Velocities::cx(q);
      } else {
        return populations + q * extents.plane() + rows.node(x, 0);
      }
    };

    const auto row = [&]([[maybe_unused]] int x, [[maybe_unused]] int nodes) {
      if constexpr (is_host_backend<ExecutionSpace>) {
        Real* from[Velocities::populations];
        Real* to[Velocities::populations];
        for_populations<Velocities>(
            [&](auto q) { to[Velocities::opposite(q)] = from[q] = slot(q, x); });
        collision.rows(from, to, nodes, parameters);
      }
    };
    const auto chunk = [&](int x, std::uint32_t bits) {
      Real g[Width][Velocities::populations];
      for_populations<Velocities>([&](auto q) {
        Real values[Width];
        load_nodes<!Odd || Velocities::cx(q) == 0>(slot(q, x), values);
        for (int i = 0; i < Width; ++i) g[i][q] = values[i];
      });
      for (int i = 0; i < Width; ++i) collision.template collide<Velocities>(g[i], parameters);
      whole_or_masked<Width>(bits, [&](auto whole) {
        for_populations<Velocities>([&](auto q) {
          // The slot of incoming q receives the outgoing opposite of q.
          Real values[Width];
          for (int i = 0; i < Width; ++i) values[i] = g[i][Velocities::opposite(q)];
          store_nodes<!Odd || Velocities::cx(q) == 0, whole>(slot(q, x), values, bits);
        });
      });
    };
    const auto special = [&](int x, std::uint16_t index) { step_special(x, segment.y, index); };
    for_nodes<Width>(team, lattice, segment, row, chunk, special, SolidsRest{});
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void step_in_place(const StepContext<ExecutionSpace, Real>& context,
                   Lattice<ExecutionSpace, Real>& lattice, int parity) {
  with_collision(context, [&](auto velocities, auto collision) {
    using Velocities = decltype(velocities);
    using Collision = decltype(collision);
    const auto& parameters = context.template parameters_of<Velocities>();
    dispatch_width<ExecutionSpace>(context.tuning, [&](auto width) {
      const auto policy = segment_policy(context, lattice);
      if (parity == 0) {
        Kokkos::parallel_for("knudsen/lbm_d2q9/in_place_even", policy,
                             InPlaceStep<Velocities, ExecutionSpace, Real, Collision, width, false>{
                                 lattice, collision, parameters});
      } else {
        Kokkos::parallel_for("knudsen/lbm_d2q9/in_place_odd", policy,
                             InPlaceStep<Velocities, ExecutionSpace, Real, Collision, width, true>{
                                 lattice, collision, parameters});
      }
    });
  });
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                             \
  template void step_in_place<ExecutionSpace, Real>(const StepContext<ExecutionSpace, Real>&, \
                                                    Lattice<ExecutionSpace, Real>&, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d2q9
