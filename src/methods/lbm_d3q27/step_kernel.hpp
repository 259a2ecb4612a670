#pragma once

// The kernel of all streaming schemes. Included by the files that instantiate it.

#include "methods/lbm_d3q27/node_update.hpp"
#include "methods/lbm_d3q27/step.hpp"

namespace knudsen::lbm_d3q27 {

/// Collision and propagation in one pass. In one-array schemes each node reads and writes the same
/// slots, so no node sees another's writes of the same step. `AaParity` tells the two kinds of
/// steps of the AA pattern apart, whose addresses differ; for the other schemes, odd steps read and
/// write the array of the opposite population, which `turn` adds to the addresses: the swap of
/// pointers of the paper's algorithm.
template <class LatticeType, class Model, Propagation Scheme, bool Sparse, int AaParity = 0,
          int Width = 1>
struct Step {
  using ExecutionSpace = typename LatticeType::Execution;
  using Velocities = typename LatticeType::Velocities;
  using Real = typename LatticeType::Real;
  using Storage = typename LatticeType::Storage;
  static constexpr bool two_array = Scheme == Propagation::two_array;
  static constexpr bool turns =
      Scheme == Propagation::esoteric_twist || Scheme == Propagation::esoteric_pull;

  LatticeType lattice;
  Relaxation3D<Real> relaxation;
  int parity;

  KOKKOS_FORCEINLINE_FUNCTION auto stencil(NodeIndex n) const {
    if constexpr (Sparse) {
      return lattice.sparse_stencil(n);
    } else {
      return lattice.dense_stencil(n);
    }
  }

  KNUDSEN_OUTLINED_FUNCTION void special(int index) const {
    const BoundaryNode& boundary = lattice.special.data()[index];
    step_special<Model>(lattice, stencil(boundary.node), parity, boundary, relaxation);
  }

  /// Where the node of a stencil finds population q (a PopulationIndex).
  template <class Stencil, int Q>
  KOKKOS_FORCEINLINE_FUNCTION Storage* slot(const Stencil& nodes, PopulationIndex<Q> /*q*/) const {
    const std::size_t stride = lattice.layout.stride();
    Storage* const node = lattice.populations.data() +
                          lattice.layout.node(nodes.node(slot_offset(Scheme, AaParity, Q, 0),
                                                         slot_offset(Scheme, AaParity, Q, 1),
                                                         slot_offset(Scheme, AaParity, Q, 2)));
    if constexpr (turns && Q != 0) {
      const std::ptrdiff_t turn = parity != 0 ? static_cast<std::ptrdiff_t>(stride) : 0;
      return node + (Q % 2 == 1 ? turn : -turn) + Q * stride;
    } else {
      return node + slot_population(Scheme, AaParity, Q) * stride;
    }
  }
  template <class Stencil, int Q>
  KOKKOS_FORCEINLINE_FUNCTION Storage* target(const Stencil& nodes, PopulationIndex<Q> q) const {
    if constexpr (two_array) {
      return lattice.next.data() + lattice.layout.node(nodes.node(0, 0, 0)) +
             Q * lattice.layout.stride();
    } else {
      return slot(nodes, q);
    }
  }
  /// The population that goes to target(q).
  template <int Q>
  static constexpr int outgoing = two_array ? Q : Velocities::opposite(Q);

  /// Steps the plain node `i` numbers after that of the stencil; its neighbours must be as many
  /// numbers after the stencil's. On a GPU `i` is 0.
  template <class Stencil>
  KOKKOS_FORCEINLINE_FUNCTION void plain(const Stencil& nodes, std::ptrdiff_t i) const {
    Real g[Velocities::populations];
    for_populations<Velocities>([&](auto q) { g[q] = static_cast<Real>(slot(nodes, q)[i]); });
    Model::template collide<Velocities>(g, relaxation);
    for_populations<Velocities>([&](auto q) {
      target(nodes, q)[i] = static_cast<Storage>(g[outgoing<decltype(q)::value>]);
    });
  }

  /// Steps two plain nodes that follow each other along x, the first of an even number, with one
  /// access for both where it is aligned.
  KOKKOS_FORCEINLINE_FUNCTION void plain_pair(const DenseStencil (&nodes)[2]) const {
    struct alignas(2 * sizeof(Storage)) Pair {
      Storage value[2];
    };
    // Packed as stored, and one node computed after the other, which spares registers.
    Pair pairs[Velocities::populations];
    for_populations<Velocities>([&](auto q) {
      if constexpr (slot_offset(Scheme, AaParity, decltype(q)::value, 0) == 0) {
        pairs[q] = *reinterpret_cast<const Pair*>(slot(nodes[0], q));
      } else {
        pairs[q] = {{*slot(nodes[0], q), *slot(nodes[1], q)}};
      }
    });
    const auto update = [&](auto i) {
      Real g[Velocities::populations];
      for_populations<Velocities>([&](auto q) { g[q] = static_cast<Real>(pairs[q].value[i]); });
      Model::template collide<Velocities>(g, relaxation);
      for_populations<Velocities>([&](auto q) { pairs[q].value[i] = static_cast<Storage>(g[q]); });
    };
    update(PopulationIndex<0>{});
    update(PopulationIndex<1>{});
    for_populations<Velocities>([&](auto q) {
      const Pair& pair = pairs[outgoing<decltype(q)::value>];
      if constexpr (two_array || slot_offset(Scheme, AaParity, decltype(q)::value, 0) == 0) {
        *reinterpret_cast<Pair*>(target(nodes[0], q)) = pair;
      } else {
        *target(nodes[0], q) = pair.value[0];
        *target(nodes[1], q) = pair.value[1];
      }
    });
  }

  /// Number of the nodes from n on, up to `end`, whose neighbours have numbers as far apart as they
  /// themselves.
  KOKKOS_INLINE_FUNCTION NodeIndex run_length(NodeIndex n, NodeIndex end) const {
    if constexpr (Sparse) {
      const SparseStencil first = stencil(n);
      NodeIndex length = 1;
      for (; n + length < end; ++length) {
        const SparseStencil next = stencil(n + length);
        for (int corner = 1; corner < 8; ++corner) {
          if (next.corner[corner] != first.corner[corner] + length) return length;
        }
      }
      return length;
    } else {
      const NodeIndex x = n % lattice.extents.pitch;
      if (x == 0 || x + 1 == lattice.extents.nx) return 1;
      const NodeIndex last = n - x + lattice.extents.nx - 1;
      return (last < end ? last : end) - n;
    }
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const int rank = team.league_rank();
    if constexpr (is_host_backend<ExecutionSpace>) {
      NodeIndex n = static_cast<NodeIndex>(rank) * lattice.segment;
      const NodeIndex rest = lattice.nodes - n;
      const NodeIndex end = n + (rest < lattice.segment ? rest : lattice.segment);
      while (n < end) {
        if (!LatticeType::bit(lattice.plain, n)) {
          ++n;
          continue;
        }
        NodeIndex run_end = n + 1;
        while (run_end < end && LatticeType::bit(lattice.plain, run_end)) ++run_end;
        while (n < run_end) {
          const NodeIndex length = run_length(n, run_end);
          const auto nodes = stencil(n);
          team_for(team, 0, static_cast<int>(length), [&](int i) { plain(nodes, i); });
          n += length;
        }
      }
    } else {
      const NodeIndex n = static_cast<NodeIndex>(rank) * lattice.segment +
                          static_cast<NodeIndex>(team.team_rank()) * Width;
      if (n < lattice.nodes) {
        if constexpr (Width == 1) {
          if (LatticeType::bit(lattice.plain, n)) plain(stencil(n), 0);
        } else {
          const DenseStencil nodes[2] = {stencil(n), stencil(n + 1)};
          const std::uint32_t bits = (lattice.plain.data()[n / 32] >> (n % 32)) & 3;
          if (bits == 3) {
            plain_pair(nodes);
          } else {
            if ((bits & 1) != 0) plain(nodes[0], 0);
            if ((bits & 2) != 0) plain(nodes[1], 0);
          }
        }
      }
    }
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, lattice.special_begin.data()[rank],
                                                 lattice.special_begin.data()[rank + 1]),
                         [&](int index) { special(index); });
  }
};

/// Calls body(CollisionModel) of the context.
template <class Velocities, class Context, class Body>
void dispatch_model(const Context& context, const Body& body) {
  using Operator = CollisionOperator;
  const bool eddy = context.eddy_viscosity == EddyViscosity::smagorinsky;
  constexpr EddyViscosity none = EddyViscosity::none;
  constexpr EddyViscosity smagorinsky = EddyViscosity::smagorinsky;
  if constexpr (Velocities::populations == 27) {
    switch (context.collision_operator) {
      case Operator::central_moments:
        return body(CollisionModel<Operator::central_moments, none>{});
      case Operator::cumulant:
      case Operator::cumulant_galilean:
        return body(CollisionModel<Operator::cumulant_galilean, none>{});
      case Operator::cumulant_parametrised:
        return body(CollisionModel<Operator::cumulant_parametrised, none>{});
      case Operator::bgk:
      case Operator::trt:
        break;
    }
  }
  if (context.collision_operator == Operator::bgk) {
    eddy ? body(CollisionModel<Operator::bgk, smagorinsky>{})
         : body(CollisionModel<Operator::bgk, none>{});
  } else {
    eddy ? body(CollisionModel<Operator::trt, smagorinsky>{})
         : body(CollisionModel<Operator::trt, none>{});
  }
}

/// Launches the step of one scheme.
template <Propagation Scheme, bool Sparse, int AaParity, class LatticeType>
void launch_step(const char* label, const ContextOf<LatticeType>& context,
                 const LatticeType& lattice, int parity) {
  using ExecutionSpace = typename LatticeType::Execution;
  using Bounds = Launch<typename LatticeType::Precision, typename LatticeType::Velocities, Sparse>;
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::IndexType<std::int32_t>,
                                    Kokkos::LaunchBounds<Bounds::threads, Bounds::teams>>;
  constexpr int nodes = is_host_backend<ExecutionSpace> ? 1 : Bounds::nodes;
  dispatch_model<typename LatticeType::Velocities>(context, [&](auto model) {
    Kokkos::parallel_for(label,
                         Policy(context.execution, lattice.segments, context.tuning.team_size, 1),
                         Step<LatticeType, decltype(model), Scheme, Sparse, AaParity, nodes>{
                             lattice, context.relaxation, parity});
  });
}

}  // namespace knudsen::lbm_d3q27
