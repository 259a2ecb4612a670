#include "methods/shakhov/continuum_part.hpp"

#include "device/instantiate.hpp"
#include "methods/shakhov/continuum_kernels.hpp"
#include "methods/shakhov/macroscopic_kernels.hpp"
#include "methods/shakhov/macroscopic_solver.hpp"

namespace knudsen::shakhov {
namespace {

/// shifted = state + scale x change
template <class ExecutionSpace>
struct ShiftState {
  ConservedView<ExecutionSpace> state;
  ConservedView<ExecutionSpace> shifted;
  typename MacroscopicLevel<ExecutionSpace>::Vector change;
  double scale;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    for (int i = 0; i < conserved_count; ++i) {
      shifted(cell, i) = state(cell, i) + scale * double(change(cell, i));
    }
  }
};

template <class ExecutionSpace>
struct LargestValue {
  typename MacroscopicLevel<ExecutionSpace>::Vector vector;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell, float& largest) const {
    for (int i = 0; i < conserved_count; ++i) {
      const float value = math::fabs(vector(cell, i));
      if (value > largest) largest = value;
    }
  }
};

/// Multiplies the balances by ContinuumPart::row_scale, that of the energy without what the mass
/// carries, or undoes that.
template <class ExecutionSpace>
struct ScaleRows {
  View<float*, ExecutionSpace> row_scale;
  View<float*, ExecutionSpace> share;
  View<float* [5], ExecutionSpace> gas;  ///< MacroscopicLevel::gas
  typename MacroscopicLevel<ExecutionSpace>::Vector vector;
  bool undo;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    const float scale = undo ? 1 / row_scale(cell) : row_scale(cell);
    const float carried = 2.5F * share(cell) * gas(cell, 4) * vector(cell, 0);
    for (int d = 0; d < 3; ++d) vector(cell, 1 + d) *= scale;
    vector(cell, 4) =
        undo ? scale * vector(cell, 4) + carried : scale * (vector(cell, 4) - carried);
  }
};

/// result = scale x vector + other
template <class ExecutionSpace>
struct AddVector {
  using Vector = typename MacroscopicLevel<ExecutionSpace>::Vector;
  Vector vector;
  Vector other;
  Vector result;
  float scale;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    for (int i = 0; i < conserved_count; ++i) {
      result(cell, i) = scale * vector(cell, i) + other(cell, i);
    }
  }
};

/// The share of a continuum on a coarser grid, after Coarsen.
template <class ExecutionSpace>
struct CoarsenContinuum {
  MacroscopicLevel<ExecutionSpace> fine;
  MacroscopicLevel<ExecutionSpace> coarse;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    if (!(coarse.volume(cell) > 0)) return;
    float share = 0;
    for_children(fine, coarse, cell, [&](std::int64_t child, const bool(&)[3]) {
      share += fine.volume(child) * fine.continuum(child);
    });
    coarse.continuum(cell) = share / coarse.volume(cell);
  }
};

}  // namespace

template <class ExecutionSpace>
ContinuumPart<ExecutionSpace>::ContinuumPart(const ContinuumBalance<ExecutionSpace>& of,
                                             const MacroscopicLevel<ExecutionSpace>& level)
    : balance(of) {
  const auto count = static_cast<std::size_t>(level.cell_count());
  balance.level = level;
  balance.conserved = ConservedView<ExecutionSpace>("continuum state", count);
  at_state = ConservedView<ExecutionSpace>("continuum balance", count);
  shifted = ConservedView<ExecutionSpace>("continuum state beside it", count);
  share = View<float*, ExecutionSpace>("continuum share", count);
  row_scale = View<float*, ExecutionSpace>("continuum scales", count);
  guess = typename MacroscopicLevel<ExecutionSpace>::Vector("continuum guess", count);
  wall = typename MacroscopicLevel<ExecutionSpace>::Matrix("continuum walls", count);
}

template <class ExecutionSpace>
void set_balance(const ExecutionSpace& execution, const ContinuumPart<ExecutionSpace>& part) {
  if (part.balance.cuts.present()) return set_cut_balance(execution, part);
  for_cells(execution, "knudsen/shakhov/continuum_balance", part.balance.level.cell_count(),
            SetBalance<ExecutionSpace>{part.balance, part.at_state});
}

template <class ExecutionSpace>
void blend_balance(const ExecutionSpace& execution, const MacroscopicLevel<ExecutionSpace>& level,
                   const ContinuumPart<ExecutionSpace>& part,
                   const typename MacroscopicLevel<ExecutionSpace>::Vector& result) {
  // The derivative along the solution, by a step that is small beside the state, of order one.
  float largest = 0;
  Kokkos::parallel_reduce("knudsen/shakhov/largest_value",
                          Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(
                              execution, 0, level.cell_count()),
                          LargestValue<ExecutionSpace>{level.solution},
                          Kokkos::Max<float>(largest));
  execution.fence();
  constexpr double step = 1e-6;
  const double scale = largest > 0 ? step / double(largest) : 1;
  for_cells(
      execution, "knudsen/shakhov/shift_state", level.cell_count(),
      ShiftState<ExecutionSpace>{part.balance.conserved, part.shifted, level.solution, scale});
  ContinuumBalance<ExecutionSpace> shifted = part.balance;
  shifted.conserved = part.shifted;
  if (shifted.cuts.present()) {
    return blend_cut_balance(execution, shifted, part, result, scale);
  }
  for_cells(execution, "knudsen/shakhov/blend_balance", level.cell_count(),
            BlendBalance<ExecutionSpace>{shifted, part.at_state, part.share, result, scale});
}

template <class ExecutionSpace>
void scale_rows(const ExecutionSpace& execution, const MacroscopicLevel<ExecutionSpace>& level,
                const ContinuumPart<ExecutionSpace>& part,
                const typename MacroscopicLevel<ExecutionSpace>::Vector& vector, bool undo) {
  for_cells(execution, "knudsen/shakhov/scale_rows", level.cell_count(),
            ScaleRows<ExecutionSpace>{part.row_scale, part.share, level.gas, vector, undo});
}

template <class ExecutionSpace>
void subtract_from(const ExecutionSpace& execution, const MacroscopicLevel<ExecutionSpace>& level,
                   const typename MacroscopicLevel<ExecutionSpace>::Vector& right,
                   const typename MacroscopicLevel<ExecutionSpace>::Vector& vector) {
  for_cells(execution, "knudsen/shakhov/subtract_from", level.cell_count(),
            AddVector<ExecutionSpace>{vector, right, vector, -1});
}

template <class ExecutionSpace>
void add_guess(const ExecutionSpace& execution, const MacroscopicLevel<ExecutionSpace>& level,
               const ContinuumPart<ExecutionSpace>& part, float scale) {
  for_cells(execution, "knudsen/shakhov/add_guess", level.cell_count(),
            AddVector<ExecutionSpace>{level.solution, part.guess, level.solution, scale});
}

template <class ExecutionSpace>
void set_blended_fluxes(const ExecutionSpace& execution,
                        const MacroscopicLevel<ExecutionSpace>& level,
                        const typename MacroscopicLevel<ExecutionSpace>::Vector& change) {
  for_cells(execution, "knudsen/shakhov/blended_fluxes", level.cell_count(),
            SetFluxes<ExecutionSpace, true>{level, change});
}

template <class ExecutionSpace>
void set_blended_inverse(const ExecutionSpace& execution,
                         const MacroscopicLevel<ExecutionSpace>& level) {
  for_cells(execution, "knudsen/shakhov/blended_inverse", level.cell_count(),
            SetInverse<ExecutionSpace, true>{level});
}

template <class ExecutionSpace>
void coarsen_continuum(const ExecutionSpace& execution,
                       const MacroscopicLevel<ExecutionSpace>& fine,
                       const MacroscopicLevel<ExecutionSpace>& coarse) {
  for_cells(execution, "knudsen/shakhov/coarsen_continuum", coarse.cell_count(),
            CoarsenContinuum<ExecutionSpace>{fine, coarse});
}

double continuum_bytes(const FlowGrid& grid) {
  using Solver = MacroscopicSolver<HostExecutionSpace>;
  const double basis =
      4.0 * conserved_count * (Solver::max_iterations_with_continuum - Solver::max_iterations);
  return continuum_cuts_bytes(grid) +
         static_cast<double>(grid.cell_count()) *
             (basis + 3 * 8.0 * conserved_count + 4.0 * (2 + conserved_count + block_entries));
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace)                                                        \
  template struct ContinuumPart<ExecutionSpace>;                                                   \
  template void set_balance(const ExecutionSpace&, const ContinuumPart<ExecutionSpace>&);          \
  template void blend_balance(const ExecutionSpace&, const MacroscopicLevel<ExecutionSpace>&,      \
                              const ContinuumPart<ExecutionSpace>&,                                \
                              const MacroscopicLevel<ExecutionSpace>::Vector&);                    \
  template void scale_rows(const ExecutionSpace&, const MacroscopicLevel<ExecutionSpace>&,         \
                           const ContinuumPart<ExecutionSpace>&,                                   \
                           const MacroscopicLevel<ExecutionSpace>::Vector&, bool);                 \
  template void subtract_from(const ExecutionSpace&, const MacroscopicLevel<ExecutionSpace>&,      \
                              const MacroscopicLevel<ExecutionSpace>::Vector&,                     \
                              const MacroscopicLevel<ExecutionSpace>::Vector&);                    \
  template void add_guess(const ExecutionSpace&, const MacroscopicLevel<ExecutionSpace>&,          \
                          const ContinuumPart<ExecutionSpace>&, float);                            \
  template void set_blended_fluxes(const ExecutionSpace&, const MacroscopicLevel<ExecutionSpace>&, \
                                   const MacroscopicLevel<ExecutionSpace>::Vector&);               \
  template void set_blended_inverse(const ExecutionSpace&,                                         \
                                    const MacroscopicLevel<ExecutionSpace>&);                      \
  template void coarsen_continuum(const ExecutionSpace&, const MacroscopicLevel<ExecutionSpace>&,  \
                                  const MacroscopicLevel<ExecutionSpace>&);
KNUDSEN_INSTANTIATE(HostExecutionSpace)
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
KNUDSEN_INSTANTIATE(DeviceExecutionSpace)
#endif

}  // namespace knudsen::shakhov
