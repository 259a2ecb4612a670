#include "methods/lbm_d2q9/diagnostics.hpp"

#include <limits>

#include "device/instantiate.hpp"
#include "lattice/valid_flow.hpp"
#include "methods/lbm_d2q9/node_update.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

/// Reads any node of a lattice as the next step would.
template <class ExecutionSpace, class Real>
struct NodeReader {
  Lattice<ExecutionSpace, Real> lattice;
  CollisionParameters<Real> parameters;
  StepPhase phase;

  KOKKOS_INLINE_FUNCTION const NodeClass<Real>& node_class(int x, int y) const {
    return lattice.classes(lattice.node_class(lattice.extents.node(x, y)));
  }
  KOKKOS_INLINE_FUNCTION bool is_fluid(int x, int y) const {
    return node_class(x, y).kind == NodeKind::fluid;
  }
  KOKKOS_INLINE_FUNCTION void load(int x, int y, Real (&g)[9]) const {
    load_node(lattice, phase.arrangement, node_class(x, y), x, y, phase.parity, parameters, g);
  }
  /// Density, NaN where a population is not finite, and speed.
  KOKKOS_INLINE_FUNCTION void density_and_speed(int x, int y, double& density,
                                                double& speed) const {
    Real g[9];
    load(x, y, g);
    Real zero = 0;
    for_populations([&](auto q) { zero += g[q] * Real(0); });
    const FlowState<Real> state = flow_state(g, parameters);
    const double ux = state.velocity_x;
    const double uy = state.velocity_y;
    density = 1 + double(state.density_deviation) + double(zero);
    speed = math::sqrt(ux * ux + uy * uy);
  }
};

template <class ExecutionSpace, class Real>
NodeReader<ExecutionSpace, Real> reader(const StepContext<ExecutionSpace, Real>& context,
                                        const Lattice<ExecutionSpace, Real>& lattice,
                                        StepPhase phase) {
  return {lattice, context.parameters, phase};
}

/// Calls body(x, y) for every node of the lattice, one team per row.
template <class ExecutionSpace, class Body>
void for_rows(const char* label, const ExecutionSpace& execution, const Extents& extents,
              const Body& body) {
  constexpr int team_size = is_host_backend<ExecutionSpace> ? 1 : 128;
  Kokkos::parallel_for(
      label, TeamPolicy<ExecutionSpace>(execution, extents.ny, team_size, 1),
      KOKKOS_LAMBDA(const TeamMember<ExecutionSpace>& team) {
        const int y = team.league_rank();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, extents.nx), [&](int x) { body(x, y); });
      });
}

template <class ExecutionSpace, class Real>
struct InitialiseNode {
  NodeReader<ExecutionSpace, Real> nodes;
  View<const Real*, ExecutionSpace> density_deviation, velocity_x, velocity_y;

  /// Derivative of `values` along an axis by central or one-sided differences between fluid nodes.
  KOKKOS_INLINE_FUNCTION Real gradient(const View<const Real*, ExecutionSpace>& values, int x,
                                       int y, int dx, int dy) const {
    const Extents& extents = nodes.lattice.extents;
    const int next_x = extents.wrap_x(x + dx);
    const int next_y = extents.wrap_y(y + dy);
    const int before_x = extents.wrap_x(x - dx);
    const int before_y = extents.wrap_y(y - dy);
    // A neighbour counts unless the link to it is cut or it is solid.
    const std::uint16_t cut = nodes.node_class(x, y).cut;
    const int from_before = dx != 0 ? 1 : 2;
    const bool has_before = ((cut >> from_before) & 1) == 0 && nodes.is_fluid(before_x, before_y);
    const bool has_next =
        ((cut >> D2Q9::opposite(from_before)) & 1) == 0 && nodes.is_fluid(next_x, next_y);
    const Real here = values(extents.node(x, y));
    const Real next = has_next ? values(extents.node(next_x, next_y)) : here;
    const Real before = has_before ? values(extents.node(before_x, before_y)) : here;
    const int distance = int(has_next) + int(has_before);
    return distance == 0 ? Real(0) : (next - before) / Real(distance);
  }

  KOKKOS_INLINE_FUNCTION void operator()(int x, int y) const {
    const NodeClass<Real>& node = nodes.node_class(x, y);
    if (node.kind == NodeKind::solid) return;
    const Extents& extents = nodes.lattice.extents;
    const std::size_t here = extents.node(x, y);
    const CollisionParameters<Real>& parameters = nodes.parameters;
    const FlowState<Real> state{density_deviation(here), velocity_x(here), velocity_y(here)};
    Real xx = 0;
    Real yy = 0;
    Real xy = 0;
    if (node.kind == NodeKind::fluid && node.open_side == 0 && node.open_corner == 0) {
      xx = gradient(velocity_x, x, y, 1, 0);
      yy = gradient(velocity_y, x, y, 0, 1);
      xy = Real(0.5) * (gradient(velocity_x, x, y, 0, 1) + gradient(velocity_y, x, y, 1, 0));
    }
    const Real density = Real(1) + state.density_deviation;
    Real g[9];
    for_populations([&](auto q) {
      constexpr int cx = D2Q9::cx(q);
      constexpr int cy = D2Q9::cy(q);
      // Non-equilibrium part of first order, f1 = - w rho / (omega cs^2) (c c - cs^2 I) : grad u,
      // less half a step of the force.
      const Real strain =
          Real(cx * cx) * xx + Real(cy * cy) * yy + Real(2 * cx * cy) * xy - (xx + yy) / Real(3);
      const Real force = Real(cx) * parameters.force[0] + Real(cy) * parameters.force[1];
      g[q] = equilibrium(q, state) -
             D2Q9::weight<Real>(q) * (Real(3) * density * strain / parameters.relaxation_rate) -
             D2Q9::weight<Real>(q) * Real(1.5) * force;
    });
    for_populations([&](auto q) {
      const bool cut = ((node.cut >> q) & 1) != 0;
      nodes.lattice.populations[incoming_slot(nodes.phase.arrangement, extents, q, x, y, cut)] =
          g[q] - node.correction[q];
    });
    publish(nodes.lattice, node, x, y, nodes.phase.parity, parameters, g);
  }
};

/// Force on a body through the links of one node.
template <class ExecutionSpace, class Real, class CollisionType>
struct BodyForce {
  NodeReader<ExecutionSpace, Real> nodes;
  View<BodyLinks*, ExecutionSpace> links;
  View<double* [2], ExecutionSpace> forces;

  KOKKOS_INLINE_FUNCTION void operator()(std::size_t i) const {
    const BodyLinks entry = links(i);
    const NodeClass<Real>& node = nodes.node_class(entry.x, entry.y);
    Real g[9];
    nodes.load(entry.x, entry.y, g);
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
      Real collided[9];
      for_populations([&](auto q) { collided[q] = g[q]; });
      CollisionType::template collide<D2Q9>(collided, nodes.parameters);
      update_node<CollisionType>(node, nodes.parameters, g);
      for_populations([&](auto q) {
        constexpr int p = D2Q9::opposite(q);
        if (((entry.links >> q) & 1) != 0) {
          add(p, double(collided[p]) + double(g[p]) + double(node.correction[q]));
        }
      });
    }
    forces(i, 0) = force_x;
    forces(i, 1) = force_y;
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void initialise(const StepContext<ExecutionSpace, Real>& context,
                Lattice<ExecutionSpace, Real>& lattice, const InitialFields& fields,
                Arrangement arrangement) {
  Kokkos::deep_copy(lattice.populations, Real(0));
  const auto upload = [&](const std::string& name, const std::vector<double>& values) {
    View<Real*, ExecutionSpace> view(name, lattice.extents.nodes());
    auto mirror = Kokkos::create_mirror_view(view);
    for (std::size_t i = 0; i < values.size(); ++i) mirror(i) = static_cast<Real>(values[i]);
    Kokkos::deep_copy(view, mirror);
    return view;
  };
  const InitialiseNode<ExecutionSpace, Real> node{
      reader(context, lattice, {arrangement, 0}),
      upload("initial density", fields.density_deviation),
      upload("initial velocity x", fields.velocity_x),
      upload("initial velocity y", fields.velocity_y)};
  for_rows("knudsen/lbm_d2q9/initialise", context.execution, lattice.extents, node);
  context.execution.fence();
}

template <class ExecutionSpace, class Real>
MacroscopicFields<ExecutionSpace, Real> macroscopic_fields(
    const StepContext<ExecutionSpace, Real>& context, const Lattice<ExecutionSpace, Real>& lattice,
    StepPhase phase, bool with_stress) {
  const auto make = [&](const std::string& name) {
    return View<Real*, ExecutionSpace>(name, lattice.extents.nodes());
  };
  MacroscopicFields<ExecutionSpace, Real> fields{
      make("density"), make("velocity x"), make("velocity y"), {}, {}, {}};
  if (with_stress) {
    fields.stress_xx = make("stress xx");
    fields.stress_yy = make("stress yy");
    fields.stress_xy = make("stress xy");
  }
  const auto nodes = reader(context, lattice, phase);
  for_rows(
      "knudsen/lbm_d2q9/macroscopic_fields", context.execution, lattice.extents,
      KOKKOS_LAMBDA(int x, int y) {
        const std::size_t here = nodes.lattice.extents.node(x, y);
        Real value[6];
        if (nodes.is_fluid(x, y)) {
          Real g[9];
          nodes.load(x, y, g);
          const FlowState<Real> state = flow_state(g, nodes.parameters);
          value[0] = state.density_deviation;
          value[1] = state.velocity_x;
          value[2] = state.velocity_y;
          value[3] = value[4] = value[5] = 0;
          for_populations([&](auto q) {
            const Real excess = equilibrium(q, state) - g[q];
            value[3] += Real(D2Q9::cx(q) * D2Q9::cx(q)) * excess;
            value[4] += Real(D2Q9::cy(q) * D2Q9::cy(q)) * excess;
            value[5] += Real(D2Q9::cx(q) * D2Q9::cy(q)) * excess;
          });
          const Real rate = Real(1) - Real(0.5) * nodes.parameters.relaxation_rate;
          const Real fx = nodes.parameters.force[0];
          const Real fy = nodes.parameters.force[1];
          // Remove the second moment of the force term, -(u F + F u) / 2: it is not a stress.
          value[3] = rate * (value[3] - state.velocity_x * fx);
          value[4] = rate * (value[4] - state.velocity_y * fy);
          value[5] =
              rate * (value[5] - Real(0.5) * (state.velocity_x * fy + state.velocity_y * fx));
        } else {
          for (Real& v : value) v = Real(NAN);
        }
        fields.density_deviation(here) = value[0];
        fields.velocity_x(here) = value[1];
        fields.velocity_y(here) = value[2];
        if (with_stress) {
          fields.stress_xx(here) = value[3];
          fields.stress_yy(here) = value[4];
          fields.stress_xy(here) = value[5];
        }
      });
  context.execution.fence();
  return fields;
}

template <class ExecutionSpace, class Real>
FlowSums flow_sums(const StepContext<ExecutionSpace, Real>& context,
                   const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase,
                   const View<Real* [2], ExecutionSpace>& remembered) {
  const auto nodes = reader(context, lattice, phase);
  const Extents extents = lattice.extents;
  const bool compare = remembered.extent(0) > 0;
  View<FlowSums*, ExecutionSpace> rows("row sums", static_cast<std::size_t>(extents.ny));
  constexpr int team_size = is_host_backend<ExecutionSpace> ? 1 : 128;
  Kokkos::parallel_for(
      "knudsen/lbm_d2q9/flow_sums",
      TeamPolicy<ExecutionSpace>(context.execution, extents.ny, team_size, 1),
      KOKKOS_LAMBDA(const TeamMember<ExecutionSpace>& team) {
        const int y = team.league_rank();
        FlowSums sums;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, extents.nx),
            [&](int x, FlowSums& sum) {
              if (!nodes.is_fluid(x, y)) return;
              Real g[9];
              nodes.load(x, y, g);
              const FlowState<Real> state = flow_state(g, nodes.parameters);
              const double ux = state.velocity_x;
              const double uy = state.velocity_y;
              const double density = 1 + double(state.density_deviation);
              const double square = ux * ux + uy * uy;
              FlowSums own;
              own.density_deviation = state.density_deviation;
              own.momentum_x = density * ux;
              own.momentum_y = density * uy;
              own.velocity_x = ux;
              own.velocity_y = uy;
              own.speed = math::sqrt(square);
              own.kinetic_energy = 0.5 * density * square;
              own.highest_speed = own.speed;
              if (compare) {
                const std::size_t here = extents.node(x, y);
                const double change_x = ux - double(remembered(here, 0));
                const double change_y = uy - double(remembered(here, 1));
                own.change_squared = change_x * change_x + change_y * change_y;
              }
              sum += own;
            },
            Kokkos::Sum<FlowSums>(sums));
        Kokkos::single(Kokkos::PerTeam(team), [&]() { rows(std::size_t(y)) = sums; });
      });
  context.execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rows);
  FlowSums total;
  for (std::size_t y = 0; y < host.extent(0); ++y) total += host(y);
  return total;
}

template <class ExecutionSpace, class Real>
void remember_velocity(const StepContext<ExecutionSpace, Real>& context,
                       const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase,
                       const View<Real* [2], ExecutionSpace>& remembered) {
  const auto nodes = reader(context, lattice, phase);
  for_rows(
      "knudsen/lbm_d2q9/remember_velocity", context.execution, lattice.extents,
      KOKKOS_LAMBDA(int x, int y) {
        if (!nodes.is_fluid(x, y)) return;
        Real g[9];
        nodes.load(x, y, g);
        const FlowState<Real> state = flow_state(g, nodes.parameters);
        const std::size_t here = nodes.lattice.extents.node(x, y);
        remembered(here, 0) = state.velocity_x;
        remembered(here, 1) = state.velocity_y;
      });
}

template <class ExecutionSpace, class Real>
InvalidNode first_invalid_node(const StepContext<ExecutionSpace, Real>& context,
                               const Lattice<ExecutionSpace, Real>& lattice, StepPhase phase) {
  const auto nodes = reader(context, lattice, phase);
  const Extents extents = lattice.extents;
  std::int64_t first = 0;
  const std::int64_t count = std::int64_t{extents.nx} * extents.ny;
  Kokkos::parallel_reduce(
      "knudsen/lbm_d2q9/first_invalid_node",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(context.execution, 0,
                                                                           count),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & lowest) {
        const int y = static_cast<int>(i / extents.nx);
        const int x = static_cast<int>(i - std::int64_t{y} * extents.nx);
        if (i >= lowest || !nodes.is_fluid(x, y)) return;
        double density = 0;
        double speed = 0;
        nodes.density_and_speed(x, y, density, speed);
        if (!is_valid_flow(density, speed)) lowest = i;
      },
      Kokkos::Min<std::int64_t>(first));
  if (first == std::numeric_limits<std::int64_t>::max()) return {};
  const int y = static_cast<int>(first / extents.nx);
  const int x = static_cast<int>(first % extents.nx);
  View<double[2], ExecutionSpace> found("invalid node");
  Kokkos::parallel_for(
      "knudsen/lbm_d2q9/invalid_node", Kokkos::RangePolicy<ExecutionSpace>(context.execution, 0, 1),
      KOKKOS_LAMBDA(int) { nodes.density_and_speed(x, y, found(0), found(1)); });
  context.execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  return {first, host(0), host(1)};
}

template <class ExecutionSpace, class Real>
std::vector<std::array<double, 2>> body_forces(const StepContext<ExecutionSpace, Real>& context,
                                               const Lattice<ExecutionSpace, Real>& lattice,
                                               StepPhase phase,
                                               const View<BodyLinks*, ExecutionSpace>& links,
                                               std::size_t bodies) {
  const auto nodes = reader(context, lattice, phase);
  View<double* [2], ExecutionSpace> forces("forces of nodes", links.extent(0));
  dispatch_collision(context, [&](auto collision) {
    Kokkos::parallel_for(
        "knudsen/lbm_d2q9/body_forces",
        Kokkos::RangePolicy<ExecutionSpace>(context.execution, 0, links.extent(0)),
        BodyForce<ExecutionSpace, Real, decltype(collision)>{nodes, links, forces});
  });
  context.execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), forces);
  const auto host_links = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), links);
  std::vector<std::array<double, 2>> total(bodies, {0, 0});
  for (std::size_t i = 0; i < host.extent(0); ++i) {
    total[host_links(i).body][0] += host(i, 0);
    total[host_links(i).body][1] += host(i, 1);
  }
  return total;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                 \
  template void initialise<ExecutionSpace, Real>(const StepContext<ExecutionSpace, Real>&,        \
                                                 Lattice<ExecutionSpace, Real>&,                  \
                                                 const InitialFields&, Arrangement);              \
  template MacroscopicFields<ExecutionSpace, Real> macroscopic_fields<ExecutionSpace, Real>(      \
      const StepContext<ExecutionSpace, Real>&, const Lattice<ExecutionSpace, Real>&, StepPhase,  \
      bool);                                                                                      \
  template FlowSums flow_sums<ExecutionSpace, Real>(                                              \
      const StepContext<ExecutionSpace, Real>&, const Lattice<ExecutionSpace, Real>&, StepPhase,  \
      const View<Real* [2], ExecutionSpace>&);                                                    \
  template void remember_velocity<ExecutionSpace, Real>(                                          \
      const StepContext<ExecutionSpace, Real>&, const Lattice<ExecutionSpace, Real>&, StepPhase,  \
      const View<Real* [2], ExecutionSpace>&);                                                    \
  template InvalidNode first_invalid_node<ExecutionSpace, Real>(                                  \
      const StepContext<ExecutionSpace, Real>&, const Lattice<ExecutionSpace, Real>&, StepPhase); \
  template std::vector<std::array<double, 2>> body_forces<ExecutionSpace, Real>(                  \
      const StepContext<ExecutionSpace, Real>&, const Lattice<ExecutionSpace, Real>&, StepPhase,  \
      const View<BodyLinks*, ExecutionSpace>&, std::size_t);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d2q9
