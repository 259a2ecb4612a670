#include "device/instantiate.hpp"
#include "methods/lbm_d2q9/node_reader.hpp"
#include "parallel/communicator.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

/// Force on a body through the links of one node.
template <class ExecutionSpace, class Real, class CollisionType>
struct BodyForce {
  NodeReader<ExecutionSpace, Real> nodes;
  CollisionType collision;
  View<BodyLinks*, ExecutionSpace> links;
  View<double* [2], ExecutionSpace> forces;

  /// What returned to a node over a cut link, before walls add to it.
  KOKKOS_INLINE_FUNCTION Real bounced(const BodyLinks& entry, int q) const {
    return nodes.lattice.populations(
        incoming_slot(nodes.phase.arrangement, nodes.lattice.extents, q, entry.x, entry.y, true));
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::size_t i) const {
    const BodyLinks entry = links(i);
    const NodeClass<Real>& node = nodes.node_class(entry.x, entry.y);
    const CollisionParameters<Real> parameters = nodes.parameters_at(entry.x, entry.y);
    Real g[9];
    nodes.load(entry.x, entry.y, parameters, g);
    double force_x = 0;
    double force_y = 0;
    const auto add = [&](int p, double momentum) {
      force_x += D2Q9::cx(p) * momentum;
      force_y += D2Q9::cy(p) * momentum;
    };
    if (node.kind == NodeKind::reversing) {
      // Population q arrives from the fluid without the correction and leaves with it.
      for_populations([&](auto q) {
        if (((entry.links >> q) & 1) != 0) add(q, 2 * double(g[q]) - double(node.correction[q]));
      });
    } else {
      // What walls add to the populations that return from them. Those with slip add in the next
      // step what follows from its populations; what they have added in this one stands for it.
      Real from_wall[9];
      for_populations([&](auto q) {
        from_wall[q] = node.solid_slip == 0 ? node.correction[q] : g[q] - bounced(entry, q);
      });
      Real collided[9];
      for_populations([&](auto q) { collided[q] = g[q]; });
      collision.template collide<D2Q9>(collided, parameters);
      update_node(collision, node, parameters, g);
      for_populations([&](auto q) {
        constexpr int p = D2Q9::opposite(q);
        if (((entry.links >> q) & 1) != 0) {
          add(p, double(collided[p]) + double(g[p]) + double(from_wall[q]));
        }
      });
    }
    forces(i, 0) = force_x;
    forces(i, 1) = force_y;
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
std::vector<std::array<double, 2>> body_forces(const StepContext<ExecutionSpace, Real>& context,
                                               const Lattice<ExecutionSpace, Real>& lattice,
                                               StepPhase phase,
                                               const View<BodyLinks*, ExecutionSpace>& links,
                                               std::size_t bodies) {
  const auto nodes = reader(context, lattice, phase);
  View<double* [2], ExecutionSpace> forces("forces of nodes", links.extent(0));
  with_collision_on<D2Q9>(context, [&](auto collision) {
    Kokkos::parallel_for(
        "knudsen/lbm_d2q9/body_forces",
        Kokkos::RangePolicy<ExecutionSpace>(context.execution, 0, links.extent(0)),
        BodyForce<ExecutionSpace, Real, decltype(collision)>{nodes, collision, links, forces});
  });
  context.execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), forces);
  const auto host_links = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), links);
  struct NodeForce {
    std::size_t body;
    std::array<double, 2> force;
  };
  std::vector<NodeForce> own(host.extent(0));
  for (std::size_t i = 0; i < own.size(); ++i) {
    own[i] = {host_links(i).body, {host(i, 0), host(i, 1)}};
  }
  std::vector<std::array<double, 2>> total(bodies, {0, 0});
  for (const auto& [body, force] : world().concatenate_on_first(own)) {
    total[body][0] += force[0];
    total[body][1] += force[1];
  }
  return total;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                \
  template std::vector<std::array<double, 2>> body_forces<ExecutionSpace, Real>(                 \
      const StepContext<ExecutionSpace, Real>&, const Lattice<ExecutionSpace, Real>&, StepPhase, \
      const View<BodyLinks*, ExecutionSpace>&, std::size_t);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d2q9
