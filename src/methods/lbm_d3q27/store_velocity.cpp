#include <utility>

#include "lattice/row_velocity.hpp"
#include "methods/lbm_d3q27/instantiate.hpp"
#include "methods/lbm_d3q27/node_reader.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

/// Slots of the incoming populations of a node, so that they are found once for all rows.
template <class Velocities>
struct IncomingSlots {
  std::int8_t offset[Velocities::populations][3];
  std::int8_t population[Velocities::populations];

  IncomingSlots(Propagation propagation, int parity) {
    for (int q = 0; q < Velocities::populations; ++q) {
      for (int a = 0; a < 3; ++a) {
        offset[q][a] = static_cast<std::int8_t>(slot_offset<Velocities>(propagation, parity, q, a));
      }
      population[q] = static_cast<std::int8_t>(slot_population<Velocities>(propagation, parity, q));
    }
  }
};

template <class LatticeType>
struct StoreVelocity {
  using ExecutionSpace = typename LatticeType::Execution;
  using Velocities = typename LatticeType::Velocities;
  using Real = typename LatticeType::Real;
  using Storage = typename LatticeType::Storage;

  NodeReader<LatticeType> nodes;
  View<Real**, ExecutionSpace> velocity;
  IncomingSlots<Velocities> slots;

  /// Any node.
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t index) const {
    const auto n = static_cast<NodeIndex>(index);
    if (!nodes.is_fluid(n)) return;
    const FlowState3D<Real> state = nodes.flow(n);
    for (std::size_t a = 0; a < 3; ++a) velocity(a, n) = state.velocity[a];
  }

  /// End of the run of plain nodes from n on whose neighbours, too, have consecutive numbers.
  KOKKOS_INLINE_FUNCTION NodeIndex run_end(NodeIndex n, NodeIndex end) const {
    const LatticeType& lattice = nodes.lattice;
    end = LatticeType::run_end(lattice.plain, n + 1, end);
    if (lattice.sparse) return n + lattice.octant_run(n, end);
    const NodeIndex x = n % lattice.extents.pitch;
    if (x == 0 || x + 1 == lattice.extents.nx) return n + 1;
    const NodeIndex last = n - x + lattice.extents.nx - 1;
    return last < end ? last : end;
  }

  /// Stores the velocities of such a run, on the host.
  KOKKOS_INLINE_FUNCTION void store_row(NodeIndex n, int count) const {
    if constexpr (is_host_backend<ExecutionSpace>) {
      const LatticeType& lattice = nodes.lattice;
      decltype(numbers_of(std::declval<Storage*>())) from[Velocities::populations];
      lattice.with_stencil(n, [&](const auto& stencil) {
        for (int q = 0; q < Velocities::populations; ++q) {
          const auto& by = slots.offset[q];
          from[q] =
              numbers_of(lattice.populations.data() +
                         lattice.slot(stencil.node(by[0], by[1], by[2]), slots.population[q]));
        }
      });
      Real* const to[3] = {&velocity(0, n), &velocity(1, n), &velocity(2, n)};
      velocities_of_row<Velocities, Real>(from, to, count, nodes.parameters);
    }
  }

  /// A segment of the nodes, on the host.
  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const LatticeType& lattice = nodes.lattice;
    const auto segment = static_cast<NodeIndex>(lattice.segment);
    NodeIndex n = static_cast<NodeIndex>(team.league_rank()) * segment;
    const NodeIndex end = lattice.nodes - n < segment ? lattice.nodes : n + segment;
    while (n < end) {
      if (LatticeType::bit(lattice.plain, n)) {
        const NodeIndex next = run_end(n, end);
        store_row(n, static_cast<int>(next - n));
        n = next;
      } else {
        (*this)(std::int64_t{n++});
      }
    }
  }
};

}  // namespace

template <class LatticeType>
void store_velocity(
    const ContextOf<LatticeType>& context, const LatticeType& lattice, int parity,
    const View<typename LatticeType::Real**, typename LatticeType::Execution>& velocity) {
  using ExecutionSpace = typename LatticeType::Execution;
  const char* label = "knudsen/lbm_d3q27/store_velocity";
  const StoreVelocity<LatticeType> kernel{
      reader(context, lattice, parity), velocity, {lattice.propagation, parity}};
  if constexpr (is_host_backend<ExecutionSpace>) {
    Kokkos::parallel_for(
        label, TeamPolicy<ExecutionSpace>(context.execution, lattice.segments, 1, 1), kernel);
  } else {
    for_nodes(label, context, lattice, kernel);
  }
}

#define KNUDSEN_INSTANTIATE(...)                                                       \
  template void store_velocity(const ContextOf<__VA_ARGS__>&, const __VA_ARGS__&, int, \
                               const View<__VA_ARGS__::Real**, __VA_ARGS__::Execution>&);
KNUDSEN_D3Q27_FOR_LATTICES(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d3q27
