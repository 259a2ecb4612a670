#pragma once

// Included by one file per precision and kind of nodes, so that these compile in parallel.

#include "methods/lbm_d3q27/instantiate.hpp"
#include "methods/lbm_d3q27/step_kernel.hpp"

namespace knudsen::lbm_d3q27 {

template <class LatticeType>
void step_esoteric_twist(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                         int parity) {
  launch_step<Propagation::esoteric_twist, false, 0>("knudsen/lbm_d3q27/esoteric_twist", context,
                                                     lattice, parity);
}

template <class LatticeType>
void step_esoteric_twist_sparse(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                                int parity) {
  launch_step<Propagation::esoteric_twist, true, 0>("knudsen/lbm_d3q27/esoteric_twist_sparse",
                                                    context, lattice, parity);
}

#define KNUDSEN_INSTANTIATE_TWIST(ExecutionSpace, Precision, Velocities, Index) \
  template void step_esoteric_twist(                                            \
      const ContextOf<Lattice<ExecutionSpace, Precision, Velocities, Index>>&,  \
      const Lattice<ExecutionSpace, Precision, Velocities, Index>&, int);
#define KNUDSEN_INSTANTIATE_SPARSE_TWIST(ExecutionSpace, Precision, Velocities, Index) \
  template void step_esoteric_twist_sparse(                                            \
      const ContextOf<Lattice<ExecutionSpace, Precision, Velocities, Index>>&,         \
      const Lattice<ExecutionSpace, Precision, Velocities, Index>&, int);

}  // namespace knudsen::lbm_d3q27
