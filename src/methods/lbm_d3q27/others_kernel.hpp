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
  CollisionParameters<typename LatticeType::Real> parameters;
  int parity;

  KOKKOS_INLINE_FUNCTION void operator()(std::int32_t index) const {
    update(lattice, parameters, parity, index);
  }
  KOKKOS_INLINE_FUNCTION static void update(
      const LatticeType& lattice, const CollisionParameters<typename LatticeType::Real>& parameters,
      int parity, std::int32_t index) {
    const BoundaryNode& boundary = lattice.others.data()[index];
    if constexpr (Sparse) {
      step_special<CollisionType>(lattice, lattice.sparse_stencil(boundary.node), parity, boundary,
                                  parameters);
    } else {
      step_special<CollisionType>(lattice, lattice.dense_stencil(boundary.node), parity, boundary,
                                  parameters);
    }
  }
  static void update_range(const LatticeType& lattice,
                           const CollisionParameters<typename LatticeType::Real>& parameters,
                           int parity, std::int32_t begin, std::int32_t end) {
    for (std::int32_t index = begin; index < end; ++index) {
      update(lattice, parameters, parity, index);
    }
  }
};

template <class CollisionType, bool Sparse, class LatticeType>
void launch_others(const typename LatticeType::Execution& execution, const char* label,
                   const LatticeType& lattice,
                   const CollisionParameters<typename LatticeType::Real>& parameters, int parity) {
  const auto count = static_cast<std::int32_t>(lattice.others.extent(0));
  Kokkos::parallel_for(
      std::string(label) + "_others",
      Kokkos::RangePolicy<typename LatticeType::Execution, Kokkos::IndexType<std::int32_t>>(
          execution, 0, count),
      OtherNodes<LatticeType, CollisionType, Sparse>{lattice, parameters, parity});
}

template <bool Sparse, class LatticeType>
OthersUpdate<LatticeType> begin_others(const char* label, const ContextOf<LatticeType>& context,
                                       const LatticeType& lattice, int parity) {
  OthersUpdate<LatticeType> on_host = nullptr;
  if (lattice.others.extent(0) == 0) return on_host;
  dispatch_collision<typename LatticeType::Velocities>(context, [&](auto collision) {
    using CollisionType = decltype(collision);
    if constexpr (is_host_backend<typename LatticeType::Execution>) {
      on_host = &OtherNodes<LatticeType, CollisionType, Sparse>::update_range;
    } else {
      launch_others<CollisionType, Sparse>(context.execution, label, lattice, context.parameters,
                                           parity);
    }
  });
  return on_host;
}

}  // namespace knudsen::lbm_d3q27
