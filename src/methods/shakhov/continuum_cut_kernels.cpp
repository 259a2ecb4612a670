#include "device/instantiate.hpp"
#include "methods/shakhov/continuum_kernels.hpp"
#include "methods/shakhov/macroscopic_kernels.hpp"

// The kernels of a continuum with cut cells.

namespace knudsen::shakhov {
namespace {

/// Sets the gradients that a balance needs before it is computed.
template <class ExecutionSpace>
struct SetGradients {
  ContinuumBalance<ExecutionSpace, true> balance;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const { balance.store_gradients(cell); }
};

template <class ExecutionSpace>
ContinuumBalance<ExecutionSpace, true> with_gradients(
    const ExecutionSpace& execution, const ContinuumBalance<ExecutionSpace>& balance) {
  const ContinuumBalance<ExecutionSpace, true> cut(balance);
  for_cells(execution, "knudsen/shakhov/continuum_gradients", cut.level.cell_count(),
            SetGradients<ExecutionSpace>{cut});
  return cut;
}

}  // namespace

template <class ExecutionSpace>
void set_cut_balance(const ExecutionSpace& execution, const ContinuumPart<ExecutionSpace>& part) {
  for_cells(
      execution, "knudsen/shakhov/cut_balance", part.balance.level.cell_count(),
      SetBalance<ExecutionSpace, true>{with_gradients(execution, part.balance), part.at_state});
}

template <class ExecutionSpace>
void blend_cut_balance(const ExecutionSpace& execution,
                       const ContinuumBalance<ExecutionSpace>& shifted,
                       const ContinuumPart<ExecutionSpace>& part,
                       const typename MacroscopicLevel<ExecutionSpace>::Vector& result,
                       double scale) {
  for_cells(execution, "knudsen/shakhov/blend_cut_balance", shifted.level.cell_count(),
            BlendBalance<ExecutionSpace, true>{with_gradients(execution, shifted), part.at_state,
                                               part.share, result, scale});
}

template <class ExecutionSpace>
void blend_cut_equations(const ExecutionSpace& execution,
                         const ContinuumPart<ExecutionSpace>& part) {
  const ContinuumBalance<ExecutionSpace, true> cut(part.balance);
  for_cells(execution, "knudsen/shakhov/blend_cut_equations", cut.level.cell_count(),
            BlendEquations<ExecutionSpace, true>{cut.level, part, cut});
}

template <class ExecutionSpace, class Real>
void finish_with_cuts(const ExecutionSpace& execution,
                      const SweepSpace<ExecutionSpace, Real>& space,
                      const ContinuumPart<ExecutionSpace>& part,
                      const View<double* [continuum_numbers], ExecutionSpace>& faces) {
  for_cells(execution, "knudsen/shakhov/finish_with_cuts", part.balance.level.cell_count(),
            Finish<ExecutionSpace, Real, true>{space, with_gradients(execution, part.balance),
                                               part.share, faces});
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace)                                                       \
  template void set_cut_balance(const ExecutionSpace&, const ContinuumPart<ExecutionSpace>&);     \
  template void blend_cut_balance(const ExecutionSpace&, const ContinuumBalance<ExecutionSpace>&, \
                                  const ContinuumPart<ExecutionSpace>&,                           \
                                  const MacroscopicLevel<ExecutionSpace>::Vector&, double);       \
  template void blend_cut_equations(const ExecutionSpace&, const ContinuumPart<ExecutionSpace>&);
KNUDSEN_INSTANTIATE(HostExecutionSpace)
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
KNUDSEN_INSTANTIATE(DeviceExecutionSpace)
#endif
#undef KNUDSEN_INSTANTIATE

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                \
  template void finish_with_cuts(const ExecutionSpace&, const SweepSpace<ExecutionSpace, Real>&, \
                                 const ContinuumPart<ExecutionSpace>&,                           \
                                 const View<double* [continuum_numbers], ExecutionSpace>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::shakhov
