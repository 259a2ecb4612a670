#pragma once

#include "methods/lbm_d2q9/diagnostics.hpp"
#include "methods/lbm_d2q9/node_update.hpp"

namespace knudsen::lbm_d2q9 {

/// Reads any node of a lattice as the next step would.
template <class ExecutionSpace, class Real>
struct NodeReader {
  Lattice<ExecutionSpace, Real> lattice;
  HeatedParameters<Real> parameters;  ///< the scalar's only matter where there is one
  StepPhase phase;

  KOKKOS_INLINE_FUNCTION const NodeClass<Real>& node_class(int x, int y) const {
    return lattice.classes(lattice.node_class(lattice.extents.node(x, y)));
  }
  KOKKOS_INLINE_FUNCTION bool is_fluid(int x, int y) const {
    return node_class(x, y).kind == NodeKind::fluid;
  }
  /// Whether a node is in a solid that conducts.
  KOKKOS_INLINE_FUNCTION bool conducts(int x, int y) const {
    return lattice.with_scalar() && lattice.scalar_class(x, y).conducts;
  }
  /// The scalar of a fluid or conducting node, less its reference value; 0 without a scalar.
  KOKKOS_INLINE_FUNCTION Real scalar(int x, int y) const {
    if (!lattice.with_scalar()) return 0;
    Real h[D2Q5::populations];
    load_scalar(lattice, phase.arrangement, lattice.node_class(lattice.extents.node(x, y)), x, y,
                phase.parity, parameters.flow, h);
    return scalar_value<D2Q5>(h) / lattice.scalar_class(x, y).capacity;
  }
  /// The parameters of the flow in a fluid node, with its buoyancy.
  KOKKOS_INLINE_FUNCTION CollisionParameters<Real> parameters_at(int x, int y) const {
    return lattice.with_scalar() ? parameters.at(scalar(x, y)) : parameters.flow;
  }
  KOKKOS_INLINE_FUNCTION void load(int x, int y, const CollisionParameters<Real>& local,
                                   Real (&g)[9]) const {
    load_node(lattice, phase.arrangement, node_class(x, y), x, y, phase.parity, local, g);
  }
  KOKKOS_INLINE_FUNCTION FlowState<Real> flow(int x, int y) const {
    const CollisionParameters<Real> local = parameters_at(x, y);
    Real g[9];
    load(x, y, local, g);
    return flow_state(g, local);
  }
  /// Density, NaN where a population is not finite, and speed.
  KOKKOS_INLINE_FUNCTION void density_and_speed(int x, int y, double& density,
                                                double& speed) const {
    const CollisionParameters<Real> local = parameters_at(x, y);
    Real g[9];
    load(x, y, local, g);
    Real zero = scalar(x, y) * Real(0);
    for_populations([&](auto q) { zero += g[q] * Real(0); });
    const FlowState<Real> state = flow_state(g, local);
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
  return {lattice, context.heated.value_or(HeatedParameters<Real>{context.parameters, {}}), phase};
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

}  // namespace knudsen::lbm_d2q9
