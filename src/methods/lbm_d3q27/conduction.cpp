#include <utility>

#include "methods/lbm_d3q27/instantiate.hpp"
#include "methods/lbm_d3q27/node_update.hpp"
#include "methods/lbm_d3q27/step.hpp"

// Solids that conduct heat.

namespace knudsen::lbm_d3q27 {
namespace {

/// In one-array schemes a node stores to the slots that it loads from, as fluid nodes do.
template <class LatticeType>
struct Conduct {
  using Velocities = typename LatticeType::Velocities;
  using Real = typename LatticeType::Real;
  using Storage = typename LatticeType::Storage;

  LatticeType lattice;
  int parity;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const ConductingNode node = lattice.conducting.data()[i];
    lattice.with_stencil(node.node, [&](const auto& stencil) { update(stencil, node); });
  }
  template <class Stencil>
  KOKKOS_INLINE_FUNCTION void update(const Stencil& stencil, const ConductingNode& node) const {
    using Scalar = WholeOf<typename Velocities::Scalar>;
    constexpr int first = Velocities::Flow::populations;
    const SolidScalar<Real>& solid = lattice.conducting_solids.data()[node.body];
    Real h[Scalar::populations];
    load_in_solid(lattice, stencil, parity, node, h);
    collide_in_solid<Scalar>(h, solid.capacity, solid.parameters);
    h[0] /= rest_in_solid(lattice, node);
    for (int q = 0; q < Scalar::populations; ++q) {
      if (lattice.propagation == Propagation::two_array) {
        lattice.next.data()[lattice.slot(node.node, first + q)] = static_cast<Storage>(h[q]);
      } else {
        set_incoming_scalar(lattice, stencil, parity, q, false, h[Scalar::opposite(q)]);
      }
    }
  }
};

}  // namespace

template <class LatticeType>
void conduct(const ContextOf<LatticeType>& context, LatticeType lattice, int parity) {
  if constexpr (has_scalar<typename LatticeType::Velocities>) {
    const auto nodes = static_cast<std::int64_t>(lattice.conducting.extent(0));
    if (nodes == 0) return;
    // With two arrays the step has swapped them, and solid nodes beside fluid have reversed the
    // scalar, too, which is overwritten here.
    if (lattice.propagation == Propagation::two_array) std::swap(lattice.populations, lattice.next);
    Kokkos::parallel_for(
        "knudsen/lbm_d3q27/conduct",
        Kokkos::RangePolicy<typename LatticeType::Execution, Kokkos::IndexType<std::int64_t>>(
            context.execution, 0, nodes),
        Conduct<LatticeType>{lattice, parity});
  }
}

#define KNUDSEN_INSTANTIATE(...) \
  template void conduct(const ContextOf<__VA_ARGS__>&, __VA_ARGS__, int);
KNUDSEN_D3Q27_FOR_LATTICES(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d3q27
