#include "methods/lbm_d3q27/instantiate.hpp"
#include "methods/lbm_d3q27/step_kernel.hpp"

namespace knudsen::lbm_d3q27 {

template <class LatticeType>
void step_aa_pattern(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                     int parity) {
  if (parity == 0) {
    launch_step<Propagation::aa_pattern, false, 0>("knudsen/lbm_d3q27/aa_even", context, lattice,
                                                   0);
  } else {
    launch_step<Propagation::aa_pattern, false, 1>("knudsen/lbm_d3q27/aa_odd", context, lattice, 1);
  }
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Precision, Velocities, Index)      \
  template void step_aa_pattern(                                               \
      const ContextOf<Lattice<ExecutionSpace, Precision, Velocities, Index>>&, \
      const Lattice<ExecutionSpace, Precision, Velocities, Index>&, int);
KNUDSEN_D3Q27_FOR_NARROW(KNUDSEN_INSTANTIATE, SinglePrecision)
KNUDSEN_D3Q27_FOR_NARROW(KNUDSEN_INSTANTIATE, DoublePrecision)

}  // namespace knudsen::lbm_d3q27
