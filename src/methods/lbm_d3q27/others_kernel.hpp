#pragma once

// Update of the nodes that step kernels leave out. Included only by the generated files that
// instantiate begin_others, see step_others.cpp.in.

#include <string>

#include "methods/lbm_d3q27/node_update.hpp"
#include "methods/lbm_d3q27/step.hpp"

namespace knudsen::lbm_d3q27 {

/// On a GPU a separate kernel, since within the step kernel this code would cost all nodes
/// registers.
template <class LatticeType, class CollisionType, bool Sparse>
struct OtherNodes {
  LatticeType lattice;
  CollisionType collision;
  ParametersIn<LatticeType> parameters;
  int parity;

  KOKKOS_INLINE_FUNCTION void operator()(std::int32_t index) const {
    update(lattice, collision, parameters, parity, index);
  }
  KOKKOS_INLINE_FUNCTION static void update(const LatticeType& lattice,
                                            const CollisionType& collision,
                                            const ParametersIn<LatticeType>& parameters, int parity,
                                            std::int32_t index) {
    const BoundaryNode& boundary = lattice.others.data()[index];
    if constexpr (Sparse) {
      step_special(lattice, lattice.sparse_stencil(boundary.node), parity, boundary, collision,
                   parameters);
    } else {
      step_special(lattice, lattice.dense_stencil(boundary.node), parity, boundary, collision,
                   parameters);
    }
  }
  static void update_range(const LatticeType& lattice, const CollisionType& collision,
                           const ParametersIn<LatticeType>& parameters, int parity,
                           std::int32_t begin, std::int32_t end) {
    for (std::int32_t index = begin; index < end; ++index) {
      update(lattice, collision, parameters, parity, index);
    }
  }
};

template <bool Sparse, class CollisionType, class LatticeType>
void launch_others(const typename LatticeType::Execution& execution, const char* label,
                   const LatticeType& lattice, const CollisionType& collision,
                   const ParametersIn<LatticeType>& parameters, int parity) {
  const auto count = static_cast<std::int32_t>(lattice.others.extent(0));
  Kokkos::parallel_for(
      std::string(label) + "_others",
      Kokkos::RangePolicy<typename LatticeType::Execution, Kokkos::IndexType<std::int32_t>>(
          execution, 0, count),
      OtherNodes<LatticeType, CollisionType, Sparse>{lattice, collision, parameters, parity});
}

template <bool Sparse, class LatticeType>
OthersUpdate<LatticeType> begin_others(const char* label, const ContextOf<LatticeType>& context,
                                       const LatticeType& lattice, int parity) {
  if (lattice.others.extent(0) == 0) return nullptr;
  if constexpr (is_host_backend<typename LatticeType::Execution>) {
    using Collision = RowCollision<typename LatticeType::Real, ParametersIn<LatticeType>>;
    return &OtherNodes<LatticeType, Collision, Sparse>::update_range;
  } else {
    with_collision<LatticeType>(context, [&](auto collision) {
      launch_others<Sparse>(context.execution, label, lattice, collision, context.parameters,
                            parity);
    });
    return nullptr;
  }
}

}  // namespace knudsen::lbm_d3q27
