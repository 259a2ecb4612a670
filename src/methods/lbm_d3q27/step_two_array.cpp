#include "methods/lbm_d3q27/instantiate.hpp"
#include "methods/lbm_d3q27/step_kernel.hpp"

namespace knudsen::lbm_d3q27 {

template <class LatticeType>
void step_two_array(const ContextOf<LatticeType>& context, LatticeType& lattice, int parity) {
  launch_step<Propagation::two_array, false, 0>("knudsen/lbm_d3q27/two_array", context, lattice,
                                                parity);
  std::swap(lattice.populations, lattice.next);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Precision, Velocities, Index)      \
  template void step_two_array(                                                \
      const ContextOf<Lattice<ExecutionSpace, Precision, Velocities, Index>>&, \
      Lattice<ExecutionSpace, Precision, Velocities, Index>&, int);
KNUDSEN_D3Q27_FOR_NARROW(KNUDSEN_INSTANTIATE, SinglePrecision)
KNUDSEN_D3Q27_FOR_NARROW(KNUDSEN_INSTANTIATE, DoublePrecision)

}  // namespace knudsen::lbm_d3q27
