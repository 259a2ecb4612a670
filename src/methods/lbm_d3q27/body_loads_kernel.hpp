#pragma once

// Loads on bodies. Included only by the generated files that instantiate body_loads, see
// body_loads.cpp.in.

#include <utility>

#include "methods/lbm_d3q27/diagnostics.hpp"
#include "methods/lbm_d3q27/lattice_part.hpp"
#include "methods/lbm_d3q27/node_update.hpp"

namespace knudsen::lbm_d3q27 {

/// Force and torque on a body over its links to one node.
template <class LatticeType, class CollisionType>
struct LinkLoad {
  using ExecutionSpace = typename LatticeType::Execution;
  using Velocities = typename LatticeType::Velocities;
  using Real = typename LatticeType::Real;

  LatticeType lattice;
  CollisionType collision;
  ParametersIn<LatticeType> parameters;
  int parity;
  View<BodyLinks*, ExecutionSpace> links;
  View<double* [3], ExecutionSpace> centres;
  View<double* [6], ExecutionSpace> loads;

  /// What returns from a wall before anything is added.
  KOKKOS_INLINE_FUNCTION Real returned(NodeIndex node, int q) const {
    Real found = 0;
    lattice.with_stencil(node, [&](const auto& stencil) {
      found = static_cast<Real>(
          lattice.populations.data()[incoming_slot(lattice, stencil, parity, q, true)]);
    });
    return found;
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const BodyLinks entry = links.data()[i];
    const auto node = static_cast<NodeIndex>(entry.node);
    Real incoming[Velocities::populations];
    lattice.with_stencil(
        node, [&](const auto& stencil) { load_node(lattice, stencil, parity, node, incoming); });
    // On a cut link the reflected population returns after one step and depends on what the node
    // sends now. On an implicit link it arrives now.
    Real sent[Velocities::populations];
    Real back[Velocities::populations];
    Real position[Velocities::populations];
    for (int q = 0; q < Velocities::populations; ++q) {
      sent[q] = incoming[q];
      back[q] = incoming[q];
      position[q] = Real(0.5);
    }
    collision.template collide<Velocities>(sent, parameters);
    if (!LatticeType::bit(lattice.plain, node)) {
      const BoundaryNode& boundary = lattice.special_node(node);
      Real replaced[Velocities::populations];
      for (int q = 0; q < Velocities::populations; ++q) replaced[q] = sent[q];
      interpolate_at_walls(lattice, boundary, incoming, replaced);
      std::uint32_t link = boundary.first_link;
      for (int q = 0; q < FlowOf<Velocities>::populations; ++q) {
        if (((boundary.cut >> q) & 1) == 0) continue;
        const std::int32_t face = lattice.face_of(link);
        const BoundaryLink<Real>& data = lattice.links.data()[link++];
        if (face >= 0) continue;
        // Walls of solids with slip add in the next step what follows from its populations; what
        // they have added in this one stands for it.
        const Real added = boundary.kind == BoundaryKind::solid_slip
                               ? incoming[q] - returned(node, q)
                               : data.correction;
        back[q] = replaced[Velocities::opposite(q)] + added;
        if (data.wall_distance >= Real(0)) position[q] = data.wall_distance;
      }
    }
    double load[6] = {};
    for (int q = 1; q < FlowOf<Velocities>::populations; ++q) {
      if (((entry.links >> q) & 1) == 0) continue;
      const int p = Velocities::opposite(q);
      const double momentum = static_cast<double>(sent[p]) + static_cast<double>(back[q]);
      double force[3];
      double arm[3];
      for (int a = 0; a < 3; ++a) {
        force[a] = momentum * Velocities::velocity(p, a);
        arm[a] = entry.at[a] + 0.5 + static_cast<double>(position[q]) * Velocities::velocity(p, a) -
                 centres.data()[3 * entry.body + a];
      }
      for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3;
        const int c = (a + 2) % 3;
        load[a] += force[a];
        load[3 + a] += arm[b] * force[c] - arm[c] * force[b];
      }
    }
    for (int a = 0; a < 6; ++a) loads.data()[6 * i + a] = load[a];
  }
};

template <class LatticeType>
std::vector<BodyLoad> body_loads(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                                 int parity,
                                 const View<BodyLinks*, typename LatticeType::Execution>& links,
                                 const std::vector<std::array<double, 3>>& centres,
                                 const std::vector<std::size_t>& places) {
  using ExecutionSpace = typename LatticeType::Execution;
  View<double* [3], ExecutionSpace> centres_view("centres of bodies", centres.size());
  const auto centres_host = Kokkos::create_mirror_view(centres_view);
  for (std::size_t i = 0; i < centres.size(); ++i) {
    for (std::size_t a = 0; a < 3; ++a) centres_host(i, a) = centres[i][a];
  }
  Kokkos::deep_copy(centres_view, centres_host);
  View<double* [6], ExecutionSpace> loads("loads of nodes", links.extent(0));
  with_collision<LatticeType>(context, [&](auto collision) {
    Kokkos::parallel_for(
        "knudsen/lbm_d3q27/body_loads",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(
            context.execution, 0, static_cast<std::int64_t>(links.extent(0))),
        LinkLoad<LatticeType, decltype(collision)>{lattice, collision, context.parameters, parity,
                                                   links, centres_view, loads});
  });
  context.execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), loads);
  const auto host_links = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), links);
  std::vector<BodyLoad> total(centres.size());
  const auto add = [&](std::size_t body, const auto& load) {
    for (std::size_t a = 0; a < 3; ++a) {
      total[body].force[a] += load(a);
      total[body].torque[a] += load(3 + a);
    }
  };
  if (world().size() == 1) {
    for (std::size_t i = 0; i < host.extent(0); ++i) {
      add(static_cast<std::size_t>(host_links(i).body),
          [&](std::size_t component) { return host(i, component); });
    }
    return total;
  }
  struct NodeLoad {
    std::size_t body;
    std::array<double, 6> load;
  };
  std::vector<NodeLoad> own(host.extent(0));
  for (std::size_t i = 0; i < own.size(); ++i) {
    own[i].body = static_cast<std::size_t>(host_links(i).body);
    for (std::size_t a = 0; a < 6; ++a) own[i].load[a] = host(i, a);
  }
  for (const NodeLoad& each : by_place(std::move(own), places)) {
    add(each.body, [&](std::size_t component) { return each.load[component]; });
  }
  return total;
}

}  // namespace knudsen::lbm_d3q27
