#pragma once

#include "methods/lbm_d2q9/diagnostics.hpp"
#include "methods/lbm_d2q9/node_update.hpp"

namespace knudsen::lbm_d2q9 {

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

}  // namespace knudsen::lbm_d2q9
