#include "device/instantiate.hpp"
#include "methods/lbm_d2q9/node_reader.hpp"
#include "parallel/communicator.hpp"

// Solids that conduct heat.

namespace knudsen::lbm_d2q9 {
namespace {

template <class ExecutionSpace, class Real>
struct Conduct {
  Lattice<ExecutionSpace, Real> lattice;
  HeatedParameters<Real> parameters;
  Arrangement arrangement;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const ConductingNode node = lattice.conducting(static_cast<std::size_t>(i));
    const std::uint16_t index = lattice.node_class(lattice.extents.node(node.x, node.y));
    const ScalarClass<Real>& scalar = lattice.scalar_classes(index);
    ScalarParameters<Real> own = parameters.scalar;
    own.antisymmetric_rate = scalar.antisymmetric_rate;
    own.symmetric_rate = scalar.symmetric_rate;
    Real h[D2Q5::populations];
    load_scalar(lattice, arrangement, index, node.x, node.y, 0, parameters.flow, h);
    collide_in_solid<D2Q5>(h, scalar.capacity, own);
    for (int q = 0; q < D2Q5::populations; ++q) {
      if (arrangement == Arrangement::gather) {
        const auto plane = static_cast<std::size_t>(9 + q) * lattice.extents.plane();
        lattice.next.data()[plane + lattice.extents.node(node.x, node.y)] = h[q];
      } else {
        const bool cut = ((scalar.cut >> q) & 1) != 0;
        lattice.populations.data()[incoming_slot<HeatedD2Q9>(
            arrangement, lattice.extents, 9 + q, node.x, node.y, cut)] = h[D2Q5::opposite(q)];
      }
    }
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void conduct(const StepContext<ExecutionSpace, Real>& context,
             const Lattice<ExecutionSpace, Real>& lattice, int parity, bool in_place) {
  const auto nodes = static_cast<std::int64_t>(lattice.conducting.extent(0));
  if (nodes == 0) return;
  const Arrangement arrangement = !in_place     ? Arrangement::gather
                                  : parity == 0 ? Arrangement::in_place_even
                                                : Arrangement::in_place_odd;
  Kokkos::parallel_for("knudsen/lbm_d2q9/conduct",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(
                           context.execution, 0, nodes),
                       Conduct<ExecutionSpace, Real>{lattice, *context.heated, arrangement});
}

template <class ExecutionSpace, class Real>
std::vector<double> scalar_in_solids(const StepContext<ExecutionSpace, Real>& context,
                                     const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase,
                                     std::size_t bodies) {
  const auto nodes = reader(context, lattice, phase);
  View<double*, ExecutionSpace> values("scalar in solids", lattice.conducting.extent(0));
  Kokkos::parallel_for(
      "knudsen/lbm_d2q9/scalar_in_solids",
      Kokkos::RangePolicy<ExecutionSpace>(context.execution, 0, values.extent(0)),
      KOKKOS_LAMBDA(std::size_t i) {
        const ConductingNode node = nodes.lattice.conducting(i);
        values(i) = double(nodes.scalar(node.x, node.y));
      });
  context.execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  const auto list = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lattice.conducting);
  struct NodeValue {
    std::size_t body;
    double value;
  };
  std::vector<NodeValue> own(host.extent(0));
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = {list(i).body, host(i)};
  std::vector<double> total(bodies, 0);
  for (const auto& [body, value] : world().concatenate_on_first(own)) total[body] += value;
  return total;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                \
  template void conduct<ExecutionSpace, Real>(const StepContext<ExecutionSpace, Real>&,          \
                                              const Lattice<ExecutionSpace, Real>&, int, bool);  \
  template std::vector<double> scalar_in_solids<ExecutionSpace, Real>(                           \
      const StepContext<ExecutionSpace, Real>&, const Lattice<ExecutionSpace, Real>&, StepPhase, \
      std::size_t);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d2q9
