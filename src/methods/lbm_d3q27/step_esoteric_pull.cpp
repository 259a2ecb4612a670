#include "methods/lbm_d3q27/instantiate.hpp"
#include "methods/lbm_d3q27/step_kernel.hpp"

namespace knudsen::lbm_d3q27 {

template <class LatticeType>
void step_esoteric_pull(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                        int parity) {
  launch_step<Propagation::esoteric_pull, false, 0>("knudsen/lbm_d3q27/esoteric_pull", context,
                                                    lattice, parity);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Precision, Velocities, Index)      \
  template void step_esoteric_pull(                                            \
      const ContextOf<Lattice<ExecutionSpace, Precision, Velocities, Index>>&, \
      const Lattice<ExecutionSpace, Precision, Velocities, Index>&, int);
KNUDSEN_D3Q27_FOR_NARROW(KNUDSEN_INSTANTIATE, SinglePrecision)
KNUDSEN_D3Q27_FOR_NARROW(KNUDSEN_INSTANTIATE, DoublePrecision)

}  // namespace knudsen::lbm_d3q27
