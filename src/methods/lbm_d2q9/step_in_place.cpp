#include "core/instantiate.hpp"
#include "methods/lbm_d2q9/node_update.hpp"
#include "methods/lbm_d2q9/step.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

/// One array, AA pattern (Bailey et al. 2009). An even step works on the node's own nine slots and
/// leaves each outgoing population in the slot of its opposite; an odd step takes the populations
/// from the neighbours' slots and leaves the outgoing ones in the neighbours' slots. Each node
/// reads and writes the same nine slots, so no node sees another's writes of the same step.
template <class ExecutionSpace, class Real, CollisionOperator Operator, Forcing Force, int Width,
          bool Odd>
struct InPlaceStep {
  Lattice<ExecutionSpace, Real> lattice;
  Relaxation<Real> relaxation;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const Extents extents = lattice.extents;
    const RowSegment segment = row_segment(lattice, team.league_rank());
    // Row of the slots of population q taken in: the node's own, or the upstream neighbours'.
    Real* slot[9];
    for_populations([&](auto q) {
      if constexpr (Odd) {
        slot[q] = lattice.populations.data() + D2Q9::opposite(q) * extents.plane() +
                  extents.node(0, extents.wrap_y(segment.y - D2Q9::cy(q))) - D2Q9::cx(q);
      } else {
        slot[q] = lattice.populations.data() + q * extents.plane() + extents.node(0, segment.y);
      }
    });

    const auto plain = [&](int x, std::uint32_t bits) {
      Real g[Width][9];
      for_populations([&](auto q) {
        Real values[Width];
        load_nodes<!Odd || D2Q9::cx(q) == 0>(slot[q] + x, values);
        for (int i = 0; i < Width; ++i) g[i][q] = values[i];
      });
      for (int i = 0; i < Width; ++i) collide<Operator, Force>(g[i], relaxation);
      whole_or_masked<Width>(bits, [&](auto whole) {
        for_populations([&](auto q) {
          // The slot of the incoming q takes the outgoing opposite.
          Real values[Width];
          for (int i = 0; i < Width; ++i) values[i] = g[i][D2Q9::opposite(q)];
          store_nodes<!Odd || D2Q9::cx(q) == 0, whole>(slot[q] + x, values, bits);
        });
      });
    };
    const auto special = [&](int x, std::uint16_t index) {
      constexpr Arrangement arrangement =
          Odd ? Arrangement::in_place_odd : Arrangement::in_place_even;
      const NodeClass<Real>& node = lattice.classes(index);
      Real g[9];
      step_special_node<Operator, Force, arrangement>(lattice, relaxation, node, x, segment.y,
                                                      Odd ? 1 : 0, g);
      for_populations([&](auto q) {
        const bool cut = ((node.cut >> q) & 1) != 0;
        lattice.populations[incoming_slot(arrangement, extents, q, x, segment.y, cut)] =
            g[D2Q9::opposite(q)];
      });
    };
    for_nodes<Width>(team, lattice, segment, plain, special);
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void step_in_place(const StepContext<ExecutionSpace, Real>& context,
                   Lattice<ExecutionSpace, Real>& lattice, int parity) {
  dispatch_collision(context, [&](auto collision_operator, auto forcing) {
    dispatch_width<ExecutionSpace>(context.tuning, [&](auto width) {
      const auto policy = segment_policy(context, lattice);
      if (parity == 0) {
        Kokkos::parallel_for(
            "knudsen/lbm_d2q9/in_place_even", policy,
            InPlaceStep<ExecutionSpace, Real, collision_operator, forcing, width, false>{
                lattice, context.relaxation});
      } else {
        Kokkos::parallel_for(
            "knudsen/lbm_d2q9/in_place_odd", policy,
            InPlaceStep<ExecutionSpace, Real, collision_operator, forcing, width, true>{
                lattice, context.relaxation});
      }
    });
  });
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                             \
  template void step_in_place<ExecutionSpace, Real>(const StepContext<ExecutionSpace, Real>&, \
                                                    Lattice<ExecutionSpace, Real>&, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d2q9
