#pragma once

// The kernel of all streaming schemes. Included by the files that instantiate it.

#include "methods/lbm_d3q27/node_update.hpp"
#include "methods/lbm_d3q27/step.hpp"

namespace knudsen::lbm_d3q27 {

/// Collision and propagation in one pass. In one-array schemes each node reads and writes the same
/// slots, so no node sees another's writes of the same step. `AaParity` tells the two kinds of
/// steps of the AA pattern apart, whose addresses differ; for the other schemes, odd steps read and
/// write the array of the opposite population, which `turn` adds to the addresses: the swap of
/// pointers of the paper's algorithm. `Walls`: on a GPU, nodes with links that cross walls are
/// worked on together with the plain ones.
template <class LatticeType, class Model, Propagation Scheme, bool Sparse, int AaParity = 0,
          int Width = 1, bool Walls = false>
struct Step {
  using ExecutionSpace = typename LatticeType::Execution;
  using Velocities = typename LatticeType::Velocities;
  using Real = typename LatticeType::Real;
  using Storage = typename LatticeType::Storage;
  using Index = typename LatticeType::Index;
  static constexpr bool two_array = Scheme == Propagation::two_array;
  static constexpr bool turns =
      Scheme == Propagation::esoteric_twist || Scheme == Propagation::esoteric_pull;

  LatticeType lattice;
  Relaxation3D<Real> relaxation;
  int parity;

  KOKKOS_FORCEINLINE_FUNCTION auto stencil(Index n) const {
    if constexpr (Sparse) {
      return lattice.sparse_stencil(n);
    } else {
      return lattice.dense_stencil(n);
    }
  }

  KNUDSEN_OUTLINED_FUNCTION void special(int index) const {
    const BoundaryNode<Index>& boundary = lattice.others.data()[index];
    step_special<Model>(lattice, stencil(boundary.node), parity, boundary, relaxation);
  }

  /// Where the node of a stencil finds population q (a PopulationIndex), or the other slot of its
  /// link.
  template <bool Twin = false, class Stencil, int Q>
  KOKKOS_FORCEINLINE_FUNCTION Storage* slot(const Stencil& nodes, PopulationIndex<Q> /*q*/) const {
    const std::size_t stride = lattice.layout.stride();
    constexpr auto offset = [](int axis) {
      return Twin ? twin_offset(Scheme, AaParity, Q, axis) : slot_offset(Scheme, AaParity, Q, axis);
    };
    Storage* const node = lattice.populations.data() +
                          lattice.layout.node(nodes.node(offset(0), offset(1), offset(2)));
    if constexpr (turns && Q != 0) {
      const std::ptrdiff_t turn = (parity != 0) != Twin ? static_cast<std::ptrdiff_t>(stride) : 0;
      return node + (Q % 2 == 1 ? turn : -turn) + Q * stride;
    } else {
      constexpr int population =
          Twin ? twin_population(Scheme, AaParity, Q) : slot_population(Scheme, AaParity, Q);
      return node + population * stride;
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

  /// Steps a plain node (a null `boundary`) or one with links that cross walls, so that both can
  /// be neighbours in one group of a GPU's threads. The equations are those of load_special and
  /// update_special.
  template <class Stencil>
  KOKKOS_FORCEINLINE_FUNCTION void at_wall(const Stencil& nodes,
                                           const BoundaryNode<Index>* boundary) const {
    Real g[Velocities::populations];
    for_populations<Velocities>([&](auto q) { g[q] = static_cast<Real>(*slot(nodes, q)); });
    if (boundary != nullptr) take_from_walls(nodes, *boundary, g);
    Model::template collide<Velocities>(g, relaxation);
    if (boundary != nullptr) send_to_walls(nodes, *boundary, g);
    for_populations<Velocities>(
        [&](auto q) { *target(nodes, q) = static_cast<Storage>(g[outgoing<decltype(q)::value>]); });
  }
  template <int Q>
  KOKKOS_FORCEINLINE_FUNCTION static bool cut(const BoundaryNode<Index>& boundary,
                                              PopulationIndex<Q> /*q*/) {
    return ((boundary.cut >> Q) & 1) != 0;
  }
  template <class Stencil>
  KOKKOS_FORCEINLINE_FUNCTION void take_from_walls(const Stencil& nodes,
                                                   const BoundaryNode<Index>& boundary,
                                                   Real (&g)[Velocities::populations]) const {
    const BoundaryLink<Real>* link = lattice.links.data() + boundary.first_link;
    for_populations<Velocities>([&](auto q) {
      if (cut(boundary, q)) {
        g[q] = static_cast<Real>(*slot<true>(nodes, q)) + link->correction;
        ++link;
      }
    });
  }
  template <class Stencil>
  KOKKOS_FORCEINLINE_FUNCTION void send_to_walls(const Stencil& nodes,
                                                 const BoundaryNode<Index>& boundary,
                                                 Real (&g)[Velocities::populations]) const {
    const BoundaryLink<Real>* link = lattice.links.data() + boundary.first_link;
    for_pairs<Velocities>([&](auto q) {
      const PopulationIndex<decltype(q)::value + 1> p;
      const bool first = cut(boundary, q);
      const bool second = cut(boundary, p);
      const Real sum = g[q] + g[p];
      // What came in has left the registers, but is still where it was read.
      if (first) {
        const Real distance = link->wall_distance;
        if (distance >= Real(0)) {
          const Real before = second ? static_cast<Real>(*slot<true>(nodes, p)) + link[1].correction
                                     : static_cast<Real>(*slot(nodes, p));
          g[p] = (distance * sum + (Real(1) - distance) * before) / (Real(1) + distance);
        }
      }
      if (second) {
        const Real distance = link[first ? 1 : 0].wall_distance;
        if (distance >= Real(0)) {
          const Real before = first ? static_cast<Real>(*slot<true>(nodes, q)) + link->correction
                                    : static_cast<Real>(*slot(nodes, q));
          g[q] = (distance * sum + (Real(1) - distance) * before) / (Real(1) + distance);
        }
      }
      link += (first ? 1 : 0) + (second ? 1 : 0);
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
  KOKKOS_INLINE_FUNCTION Index run_length(Index n, Index end) const {
    if constexpr (Sparse) {
      const auto first = stencil(n);
      Index length = 1;
      for (; n + length < end; ++length) {
        const auto next = stencil(n + length);
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

  template <class Stencil>
  struct Run {
    const Step& step;
    const Stencil nodes;
    // Inlined by force: as a call, the loop over it would not be a SIMD loop.
    KOKKOS_FORCEINLINE_FUNCTION void operator()(int i) const { step.plain(nodes, i); }
  };

  /// The entry of a fluid node that is not plain, if at_wall does it.
  KOKKOS_FORCEINLINE_FUNCTION const BoundaryNode<Index>* wall_node(Index n) const {
    const BoundaryNode<Index>& boundary = lattice.special_node(n);
    return boundary.kind == BoundaryKind::walls ? &boundary : nullptr;
  }

  KOKKOS_INLINE_FUNCTION void on_host(const TeamMember<ExecutionSpace>& team) const {
    Index n = static_cast<Index>(team.league_rank()) * static_cast<Index>(lattice.segment);
    const Index rest = lattice.nodes - n;
    const auto segment = static_cast<Index>(lattice.segment);
    const Index end = n + (rest < segment ? rest : segment);
    while (n < end) {
      if (!LatticeType::bit(lattice.plain, n)) {
        ++n;
        continue;
      }
      Index run_end = n + 1;
      while (run_end < end && LatticeType::bit(lattice.plain, run_end)) ++run_end;
      while (n < run_end) {
        const Index length = run_length(n, run_end);
        const auto nodes = stencil(n);
        team_for(team, 0, static_cast<int>(length), Run<decltype(nodes)>{*this, nodes});
        n += length;
      }
    }
  }

  template <class Stencil>
  KOKKOS_FORCEINLINE_FUNCTION void one(const Stencil& nodes, Index n, bool is_plain) const {
    if constexpr (Walls) {
      const BoundaryNode<Index>* boundary = nullptr;
      if (!is_plain) {
        if (!LatticeType::bit(lattice.fluid, n)) return;
        boundary = wall_node(n);
        if (boundary == nullptr) return;
      }
      at_wall(nodes, boundary);
    } else {
      if (is_plain) plain(nodes, 0);
    }
  }

  KOKKOS_INLINE_FUNCTION void on_gpu(const TeamMember<ExecutionSpace>& team) const {
    const Index n = static_cast<Index>(team.league_rank()) * static_cast<Index>(lattice.segment) +
                    static_cast<Index>(team.team_rank()) * Width;
    if (n >= lattice.nodes) return;
    // Asked for together with the indices of neighbours.
    const std::uint32_t bits = lattice.plain.data()[n / 32] >> (n % 32);
    if constexpr (Width == 1) {
      one(stencil(n), n, (bits & 1) != 0);
    } else {
      const DenseStencil nodes[2] = {stencil(n), stencil(n + 1)};
      if ((bits & 3) == 3) {
        plain_pair(nodes);
      } else {
        one(nodes[0], n, (bits & 1) != 0);
        one(nodes[1], n + 1, (bits & 2) != 0);
      }
    }
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    if constexpr (is_host_backend<ExecutionSpace>) {
      on_host(team);
    } else {
      on_gpu(team);
    }
    if (lattice.others.extent(0) == 0) return;
    const int rank = team.league_rank();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, lattice.others_begin.data()[rank],
                                                 lattice.others_begin.data()[rank + 1]),
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
  constexpr bool on_host = is_host_backend<ExecutionSpace>;
  using Bounds = Launch<typename LatticeType::Precision, typename LatticeType::Velocities, Sparse>;
  constexpr int nodes = on_host ? 1 : Bounds::nodes;
  dispatch_model<typename LatticeType::Velocities>(context, [&](auto model) {
    const auto launch = [&](auto walls) {
      constexpr bool with_walls = decltype(walls)::value;
      using Policy = Kokkos::TeamPolicy<
          ExecutionSpace, Kokkos::IndexType<std::int32_t>,
          Kokkos::LaunchBounds<Bounds::threads,
                               with_walls ? Bounds::teams_at_walls : Bounds::teams>>;
      Kokkos::parallel_for(
          label, Policy(context.execution, lattice.segments, context.tuning.team_size, 1),
          Step<LatticeType, decltype(model), Scheme, Sparse, AaParity, nodes, with_walls>{
              lattice, context.relaxation, parity});
    };
    // Without walls a kernel needs fewer registers. Wide lattices are too rare for two kernels.
    if constexpr (on_host) {
      launch(std::false_type{});
    } else if constexpr (LatticeType::wide) {
      launch(std::true_type{});
    } else if (lattice.has_walls) {
      launch(std::true_type{});
    } else {
      launch(std::false_type{});
    }
  });
}

}  // namespace knudsen::lbm_d3q27
