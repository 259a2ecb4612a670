#include "device/instantiate.hpp"
#include "methods/lbm_d2q9/node_reader.hpp"
#include "parallel/communicator.hpp"

namespace knudsen::lbm_d2q9 {

template <class ExecutionSpace, class Real>
std::vector<double> heat_flows(const StepContext<ExecutionSpace, Real>& context,
                               const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase,
                               const View<BodyLinks*, ExecutionSpace>& links,
                               std::size_t surfaces) {
  const auto nodes = reader(context, lattice, phase);
  View<double*, ExecutionSpace> flows("heat flows of nodes", links.extent(0));
  Kokkos::parallel_for(
      "knudsen/lbm_d2q9/heat_flows",
      Kokkos::RangePolicy<ExecutionSpace>(context.execution, 0, links.extent(0)),
      KOKKOS_LAMBDA(std::size_t i) {
        const BodyLinks entry = links(i);
        const Extents& extents = nodes.lattice.extents;
        const std::uint16_t index = nodes.lattice.node_class(extents.node(entry.x, entry.y));
        Real h[D2Q5::populations];
        load_scalar(nodes.lattice, nodes.phase.arrangement, index, entry.x, entry.y,
                    nodes.phase.parity, nodes.parameters.flow, h);
        double flow = 0;
        for_populations<D2Q5>([&](auto q) {
          if (((entry.links >> q) & 1) == 0) return;
          // What the node sent is in its own slot, or in that of the node at the other end.
          const bool cut = ((nodes.lattice.scalar_classes(index).cut >> q) & 1) != 0;
          const int x = cut ? entry.x : extents.wrap_x(entry.x - D2Q5::cx(q));
          const int y = cut ? entry.y : extents.wrap_y(entry.y - D2Q5::cy(q));
          const int sent = 9 + (cut ? int(q) : D2Q5::opposite(q));
          const std::size_t slot =
              incoming_slot<HeatedD2Q9>(nodes.phase.arrangement, extents, sent, x, y, cut);
          flow += double(h[q]) - double(nodes.lattice.populations[slot]);
        });
        flows(i) = flow;
      });
  context.execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), flows);
  const auto host_links = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), links);
  struct NodeFlow {
    std::size_t surface;
    double flow;
  };
  std::vector<NodeFlow> own(host.extent(0));
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = {host_links(i).body, host(i)};
  std::vector<double> total(surfaces, 0);
  for (const auto& [surface, flow] : world().concatenate_on_first(own)) total[surface] += flow;
  return total;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                \
  template std::vector<double> heat_flows<ExecutionSpace, Real>(                                 \
      const StepContext<ExecutionSpace, Real>&, const Lattice<ExecutionSpace, Real>&, StepPhase, \
      const View<BodyLinks*, ExecutionSpace>&, std::size_t);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d2q9
