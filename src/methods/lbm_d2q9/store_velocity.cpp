#include "device/instantiate.hpp"
#include "lattice/row_velocity.hpp"
#include "methods/lbm_d2q9/node_reader.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

template <class Velocities, class ExecutionSpace, class Real>
struct StoreVelocity {
  NodeReader<ExecutionSpace, Real> nodes;
  View<Real**, ExecutionSpace> velocity;
  ParametersOf<Velocities, Real> parameters;

  /// Any node.
  KOKKOS_INLINE_FUNCTION void operator()(int x, int y) const {
    if (!nodes.is_fluid(x, y)) return;
    const FlowState<Real> state = nodes.flow(x, y);
    const std::size_t here = nodes.lattice.extents.node(x, y);
    velocity(0, here) = state.velocity_x;
    velocity(1, here) = state.velocity_y;
  }
  /// A segment of a row, on the host.
  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    if constexpr (is_host_backend<ExecutionSpace>) {
      const RowSegment segment = row_segment(nodes.lattice, team.league_rank());
      const Extents& extents = nodes.lattice.extents;
      const auto row = [&](int x, int count) {
        const Real* from[Velocities::populations];
        for (int q = 0; q < Velocities::populations; ++q) {
          from[q] =
              nodes.lattice.populations.data() +
              incoming_slot<Velocities>(nodes.phase.arrangement, extents, q, x, segment.y, false);
        }
        const std::size_t here = extents.node(x, segment.y);
        Real* const to[2] = {&velocity(0, here), &velocity(1, here)};
        velocities_of_row<Velocities>(from, to, count, parameters);
      };
      const auto special = [&](int x, std::uint16_t) { (*this)(x, segment.y); };
      for_nodes<1>(
          team, nodes.lattice, segment, row, [](int, std::uint32_t) {}, special, SolidsRest{});
    }
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void store_velocity(const StepContext<ExecutionSpace, Real>& context,
                    const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase,
                    const View<Real**, ExecutionSpace>& velocity) {
  const char* label = "knudsen/lbm_d2q9/store_velocity";
  const auto store = [&](auto velocities) {
    using Velocities = decltype(velocities);
    const StoreVelocity<Velocities, ExecutionSpace, Real> kernel{
        reader(context, lattice, phase), velocity, context.template parameters_of<Velocities>()};
    if constexpr (is_host_backend<ExecutionSpace>) {
      Kokkos::parallel_for(label, segment_policy(context, lattice), kernel);
    } else {
      for_rows(label, context.execution, lattice.extents, kernel);
    }
  };
  // On a GPU one kernel reads flows with and without a temperature.
  if constexpr (is_host_backend<ExecutionSpace>) {
    if (context.heated) return store(HeatedD2Q9{});
  }
  store(D2Q9{});
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                \
  template void store_velocity<ExecutionSpace, Real>(                                            \
      const StepContext<ExecutionSpace, Real>&, const Lattice<ExecutionSpace, Real>&, StepPhase, \
      const View<Real**, ExecutionSpace>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d2q9
