#pragma once

// Launch of the steps. Included only by the generated files that instantiate step_by, see
// step.cpp.in.

#include <string>
#include <utility>

#include "methods/lbm_d3q27/step.hpp"
#include "methods/lbm_d3q27/step_kernel.hpp"

namespace knudsen::lbm_d3q27 {

/// Launches the kernels of a step.
template <Propagation Scheme, bool Sparse, int AaParity, class LatticeType>
void launch_step(const char* label, const ContextOf<LatticeType>& context,
                 const LatticeType& lattice, int parity) {
  using ExecutionSpace = typename LatticeType::Execution;
  using Index = Kokkos::IndexType<std::int32_t>;
  const OthersUpdate<LatticeType> update_others =
      begin_others<Sparse>(label, context, lattice, parity);
  with_collision<LatticeType>(context, [&](auto collision) {
    using CollisionType = decltype(collision);
    if constexpr (is_host_backend<ExecutionSpace>) {
      Kokkos::parallel_for(label,
                           Kokkos::TeamPolicy<ExecutionSpace, Index>(
                               context.execution, lattice.segments, context.tuning.team_size, 1),
                           Step<LatticeType, CollisionType, Scheme, Sparse, AaParity>{
                               lattice, collision, context.parameters, parity, update_others});
    } else {
      using Bounds =
          Launch<typename LatticeType::Precision, typename LatticeType::Velocities, Sparse>;
      const auto launch = [&](auto walls, auto stores) {
        constexpr bool with_walls = decltype(walls)::value;
        constexpr bool stores_velocities = decltype(stores)::value;
        constexpr int teams =
            with_walls ? Bounds::teams_at_walls(stores_velocities)
                       : Bounds::template teams<CollisionType>(AaParity == 1, stores_velocities);
        using Policy =
            Kokkos::TeamPolicy<ExecutionSpace, Index, Kokkos::LaunchBounds<Bounds::threads, teams>>;
        Policy policy(context.execution, lattice.teams, context.tuning.team_size, 1);
        if (with_walls && lattice.interpolated) {
          using Real = typename LatticeType::Real;
          policy.set_scratch_size(0, Kokkos::PerTeam(link_scratch_bytes<Real>(lattice.max_links)));
        }
        Kokkos::parallel_for(
            label, policy,
            Step<LatticeType, CollisionType, Scheme, Sparse, AaParity, Bounds::nodes, with_walls,
                 stores_velocities>{lattice, collision, context.parameters, parity, update_others});
      };
      // A kernel without walls needs fewer registers. A temperature in 16 bits does without one, to
      // save the time that it takes to compile.
      constexpr bool always_walls = Bounds::is_half && has_scalar<typename LatticeType::Velocities>;
      const auto launch_one = [&](auto stores) {
        if (always_walls || lattice.has_walls) {
          launch(std::true_type{}, stores);
        } else if constexpr (!always_walls) {
          launch(std::false_type{}, stores);
        }
      };
      if constexpr (CollisionType::eddy_viscosity == EddyViscosity::given) {
        if (lattice.velocity_before != nullptr) return launch_one(std::true_type{});
      }
      launch_one(std::false_type{});
    }
  });
}

/// The name of the kernel.
template <Propagation Scheme, bool Sparse>
constexpr const char* step_label() {
  switch (Scheme) {
    case Propagation::two_array:
      return "knudsen/lbm_d3q27/two_array";
    case Propagation::esoteric_pull:
      return "knudsen/lbm_d3q27/esoteric_pull";
    default:
      return Sparse ? "knudsen/lbm_d3q27/esoteric_twist_sparse"
                    : "knudsen/lbm_d3q27/esoteric_twist";
  }
}

template <Propagation Scheme, bool Sparse, class LatticeType>
void step_by(const ContextOf<LatticeType>& context, LatticeType& lattice, int parity) {
  if constexpr (Scheme == Propagation::aa_pattern) {
    if (parity == 0) {
      launch_step<Scheme, Sparse, 0>("knudsen/lbm_d3q27/aa_even", context, lattice, 0);
    } else {
      launch_step<Scheme, Sparse, 1>("knudsen/lbm_d3q27/aa_odd", context, lattice, 1);
    }
  } else {
    launch_step<Scheme, Sparse, 0>(step_label<Scheme, Sparse>(), context, lattice, parity);
  }
  if constexpr (Scheme == Propagation::two_array) std::swap(lattice.populations, lattice.next);
}

}  // namespace knudsen::lbm_d3q27
