#include <utility>

#include "core/instantiate.hpp"
#include "methods/lbm_d2q9/node_update.hpp"
#include "methods/lbm_d2q9/step.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

/// Pull: every node gathers the populations that stream to it from `populations`, collides, and
/// writes to `next` at its own place.
template <class ExecutionSpace, class Real, CollisionOperator Operator, Forcing Force, int Width>
struct TwoArrayStep {
  Lattice<ExecutionSpace, Real> lattice;
  Relaxation<Real> relaxation;
  int parity;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const Extents extents = lattice.extents;
    const RowSegment segment = row_segment(lattice, team.league_rank());
    const Real* in[9];
    Real* out[9];
    for_populations([&](auto q) {
      const std::size_t plane = q * extents.plane();
      in[q] = lattice.populations.data() + plane +
              extents.node(0, extents.wrap_y(segment.y - D2Q9::cy(q))) - D2Q9::cx(q);
      out[q] = lattice.next.data() + plane + extents.node(0, segment.y);
    });

    const auto plain = [&](int x) {
      Real g[Width][9];
      for_populations([&](auto q) {
        Real values[Width];
        if constexpr (D2Q9::cx(q) == 0) {
          load_pack(in[q] + x, values);
        } else {
          for (int i = 0; i < Width; ++i) values[i] = in[q][x + i];
        }
        for (int i = 0; i < Width; ++i) g[i][q] = values[i];
      });
      for (int i = 0; i < Width; ++i) collide<Operator, Force>(g[i], relaxation);
      for_populations([&](auto q) {
        Real values[Width];
        for (int i = 0; i < Width; ++i) values[i] = g[i][q];
        store_pack(out[q] + x, values);
      });
    };
    const auto special = [&](int x, std::uint16_t index) {
      const NodeClass<Real>& node = lattice.classes(index);
      if (node.kind == NodeKind::solid) return;
      Real g[9];
      load_node(lattice, Arrangement::gather, node, x, segment.y, parity, relaxation, g);
      publish(lattice, node, x, segment.y, parity ^ 1, relaxation, g);
      update_node<Operator, Force>(node, relaxation, g);
      for_populations([&](auto q) { out[q][x] = g[q]; });
    };
    for_nodes<Width>(team, segment, extents.nx,
                     lattice.node_class.data() + extents.node(0, segment.y), plain, special);
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void step_two_array(const StepContext<ExecutionSpace, Real>& context,
                    Lattice<ExecutionSpace, Real>& lattice, int parity) {
  dispatch_collision(context, [&](auto collision_operator, auto forcing) {
    dispatch_width<ExecutionSpace>(context.tuning, [&](auto width) {
      Kokkos::parallel_for("knudsen/lbm_d2q9/two_array", segment_policy(context, lattice),
                           TwoArrayStep<ExecutionSpace, Real, collision_operator, forcing, width>{
                               lattice, context.relaxation, parity});
    });
  });
  std::swap(lattice.populations, lattice.next);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                              \
  template void step_two_array<ExecutionSpace, Real>(const StepContext<ExecutionSpace, Real>&, \
                                                     Lattice<ExecutionSpace, Real>&, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d2q9
