#pragma once

#include "methods/lbm_d3q27/diagnostics.hpp"
#include "methods/lbm_d3q27/node_update.hpp"

namespace knudsen::lbm_d3q27 {

/// Calls body(n) for every node number.
template <class LatticeType, class Body>
void for_nodes(const char* label, const ContextOf<LatticeType>& context, const LatticeType& lattice,
               const Body& body) {
  using Policy =
      Kokkos::RangePolicy<typename LatticeType::Execution, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(
      label, Policy(context.execution, 0, static_cast<std::int64_t>(lattice.nodes)), body);
}

/// Reads any node of a lattice as the next step would.
template <class LatticeType>
struct NodeReader {
  using Velocities = typename LatticeType::Velocities;
  using Real = typename LatticeType::Real;

  LatticeType lattice;
  ParametersIn<LatticeType> parameters;
  int parity;

  KOKKOS_INLINE_FUNCTION bool is_fluid(NodeIndex n) const {
    return LatticeType::bit(lattice.fluid, n);
  }
  KOKKOS_FORCEINLINE_FUNCTION void load(NodeIndex n, Real (&g)[Velocities::populations]) const {
    lattice.with_stencil(n, [&](const auto& stencil) KNUDSEN_INLINE_LAMBDA {
      load_node(lattice, stencil, parity, n, g);
    });
  }
  /// The scalar of a node in a solid that conducts; NaN in any other node.
  KOKKOS_INLINE_FUNCTION Real scalar_in_solid(NodeIndex n) const {
    Real value = Real(NAN);
    if constexpr (has_scalar<Velocities>) {
      const ConductingNode* const node = lattice.conducting_node(n);
      if (node == nullptr) return value;
      lattice.with_stencil(n, [&](const auto& stencil) {
        using Scalar = WholeOf<typename Velocities::Scalar>;
        Real h[Scalar::populations];
        load_in_solid(lattice, stencil, parity, *node, h);
        value = scalar_value<Scalar>(h) / lattice.conducting_solids.data()[node->body].capacity;
      });
    }
    return value;
  }
  /// The parameters of the flow in a node with these populations, with its buoyancy.
  KOKKOS_FORCEINLINE_FUNCTION CollisionParameters<Real> parameters_at(
      const Real (&g)[Velocities::populations]) const {
    return local_parameters<Velocities>(parameters, g);
  }
  KOKKOS_FORCEINLINE_FUNCTION FlowState3D<Real> flow_of(
      const Real (&g)[Velocities::populations]) const {
    return flow_state<FlowOf<Velocities>>(flow_populations<Velocities>(g), parameters_at(g).force);
  }
  KOKKOS_FORCEINLINE_FUNCTION FlowState3D<Real> flow(NodeIndex n) const {
    Real g[Velocities::populations];
    load(n, g);
    return flow_of(g);
  }
  /// Density, NaN where a population is not finite, and speed.
  KOKKOS_INLINE_FUNCTION void density_and_speed(NodeIndex n, double& density, double& speed) const {
    Real g[Velocities::populations];
    load(n, g);
    Real zero = 0;
    for (int q = 0; q < Velocities::populations; ++q) zero += g[q] * Real(0);
    const FlowState3D<Real> state = flow_of(g);
    double square = 0;
    for (int a = 0; a < 3; ++a) {
      const double u = state.velocity[a];
      square += u * u;
    }
    density = 1 + static_cast<double>(state.density_deviation) + static_cast<double>(zero);
    speed = math::sqrt(square);
  }
};

template <class LatticeType>
NodeReader<LatticeType> reader(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                               int parity) {
  return {lattice, context.parameters, parity};
}

}  // namespace knudsen::lbm_d3q27
