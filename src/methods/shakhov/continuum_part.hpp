#pragma once

#include "methods/shakhov/continuum_balance.hpp"
#include "methods/shakhov/flow_grid.hpp"

namespace knudsen::shakhov {

/// The part of the equations of a solver that is the balance of a continuum. A cell's balance is
/// that of MacroscopicLevel, times one less `share`, plus `share` times the derivative of
/// `balance`.
template <class ExecutionSpace>
struct ContinuumPart {  // NOLINT: names in its implicit copy are the compiler's
  ContinuumBalance<ExecutionSpace> balance;  ///< its `conserved` is the state for the derivative
  View<float*, ExecutionSpace> share;
  typename MacroscopicLevel<ExecutionSpace>::Matrix wall;  ///< blocks of a preconditioner
  /// By which the balances of momentum and energy of a cell are multiplied, so that they count as
  /// much as that of the mass, which in slow flows is far larger.
  View<float*, ExecutionSpace> row_scale;
  /// The correction that leaves the state as it was before the sweep, with which solving begins:
  /// the closer the iteration is to its end, the better.
  typename MacroscopicLevel<ExecutionSpace>::Vector guess;
  ConservedView<ExecutionSpace> at_state;  ///< `balance` of all cells
  ConservedView<ExecutionSpace> shifted;   ///< a state beside it

  ContinuumPart() = default;
  ContinuumPart(const ContinuumBalance<ExecutionSpace>& of,
                const MacroscopicLevel<ExecutionSpace>& level);
};

/// Computes `at_state`.
template <class ExecutionSpace>
void set_balance(const ExecutionSpace& execution, const ContinuumPart<ExecutionSpace>& part);

/// Blends the share of a continuum into `result`, the left side of the equations for the solution
/// of a level: the derivative of the balance. Waits for the device.
template <class ExecutionSpace>
void blend_balance(const ExecutionSpace& execution, const MacroscopicLevel<ExecutionSpace>& level,
                   const ContinuumPart<ExecutionSpace>& part,
                   const typename MacroscopicLevel<ExecutionSpace>::Vector& result);

/// Multiplies the balances in a vector by `row_scale`, that of the energy without what the mass
/// carries, or undoes that.
template <class ExecutionSpace>
void scale_rows(const ExecutionSpace& execution, const MacroscopicLevel<ExecutionSpace>& level,
                const ContinuumPart<ExecutionSpace>& part,
                const typename MacroscopicLevel<ExecutionSpace>::Vector& vector, bool undo);

/// vector = right - vector
template <class ExecutionSpace>
void subtract_from(const ExecutionSpace& execution, const MacroscopicLevel<ExecutionSpace>& level,
                   const typename MacroscopicLevel<ExecutionSpace>::Vector& right,
                   const typename MacroscopicLevel<ExecutionSpace>::Vector& vector);
/// solution = guess + scale x solution
template <class ExecutionSpace>
void add_guess(const ExecutionSpace& execution, const MacroscopicLevel<ExecutionSpace>& level,
               const ContinuumPart<ExecutionSpace>& part, float scale);

// For the multigrid cycle, as the kernels of the same names without a continuum.
template <class ExecutionSpace>
void set_blended_fluxes(const ExecutionSpace& execution,
                        const MacroscopicLevel<ExecutionSpace>& level,
                        const typename MacroscopicLevel<ExecutionSpace>::Vector& change);
template <class ExecutionSpace>
void set_blended_inverse(const ExecutionSpace& execution,
                         const MacroscopicLevel<ExecutionSpace>& level);
template <class ExecutionSpace>
void coarsen_continuum(const ExecutionSpace& execution,
                       const MacroscopicLevel<ExecutionSpace>& fine,
                       const MacroscopicLevel<ExecutionSpace>& coarse);

/// Memory in bytes of a ContinuumPart.
double continuum_bytes(const FlowGrid& grid);

}  // namespace knudsen::shakhov
