#pragma once

#include <cstdint>
#include <vector>

#include "kinetic/gas.hpp"
#include "kinetic/moments.hpp"
#include "methods/shakhov/flow_grid.hpp"
#include "methods/shakhov/sweep_space.hpp"

// Cells whose second order has no positive solution. Linear upwind differences extrapolate, so that
// behind a body in a fast stream, on cells too wide for the flow there, a distribution may be
// negative enough to make the temperature negative. Where that lasts, the cell and its neighbours
// stay of first order, which is positive (README, "Positive cells"). So do the cells of shocks that
// are thinner than a cell, where the iteration of second order swings or diverges.

namespace knudsen::shakhov {

/// Iterations in a row whose step a cell may have shortened (RowChanges) before it is made
/// positive.
inline constexpr int iterations_to_hold = 5;
/// Largest change of the moments from which on these count. First iterates shorten steps that the
/// solution does not need: before a shock that moves away from a body for up to 16 iterations,
/// while the moments change by a tenth.
inline constexpr double settled_change = 0.05;
/// Iterations in a row that may shorten steps before the moments have settled, until all cells are
/// made of first order. With one, short runs that need none of this take up to 10 more.
inline constexpr int iterations_to_start = 8;
/// Iterations that may shorten steps, without one that changes little, until a run counts as
/// diverged.
inline constexpr int most_shortened = 50;
/// Largest change of the moments at which first iterates of first order give way to the second.
/// With 0.03 a square at Mach 4 on cells of 3 mean free paths takes 10 % more iterations.
inline constexpr double started_change = 0.01;
/// The same where shocks are thinner than a cell, whose place must be known by then (thin_shocks).
inline constexpr double shock_change = 1e-3;
/// Pressure ratio of neighbours, and width in mean free paths of the gas ahead, from which on a
/// compression is a shock thinner than a cell.
inline constexpr double shock_ratio = 2;
inline constexpr double shock_width = 3.5;
/// If there is one, the ratio from which on cells wider than a mean free path belong to it.
inline constexpr double compression_ratio = 1.2;
/// Heat flux over density x temperature^(3/2), in rho_ref v_ref^3, to which targets are limited
/// during the start. That of Shakhov's model is the more negative the larger it is: at Mach 3 past
/// a cube on cells of 28 free paths iterates grew without bound, also of first order and without
/// acceleration. A solution may have more, so not after the start.
inline constexpr double starting_heat_flux = 10;
/// Density or temperature below which a cell whose step was shortened is made positive at once.
inline constexpr double vanishing = 1e-6;

/// Makes a cell be of first order: its faces get its own value.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void make_first_order(const SweepSpace<ExecutionSpace, Real>& space,
                                             std::int64_t cell) {
  const int before = Kokkos::atomic_fetch_or(&space.cell_class(cell), positive_bit);
  if ((before & side_bits) == 0) return;
  for (int side = 0; side < facet_side; ++side) {
    const int face = space.faces(before >> class_bits, side);
    if (face >= 0) space.face_extrapolation(face) = 0;
  }
}

/// The same for a cell and its neighbours, from which values come to it. May be called by many
/// threads at once.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void make_positive(const SweepSpace<ExecutionSpace, Real>& space,
                                          std::int64_t cell) {
  const std::int64_t nx = space.cells[0];
  const std::int64_t strides[3] = {1, nx, nx * space.cells[1]};
  make_first_order(space, cell);
  for (int side = 0; side < 2 * space.dimensions; ++side) {
    const int axis = side / 2;
    const auto at = static_cast<int>(cell / strides[axis] % space.cells[axis]);
    const int last = space.cells[axis] - 1;
    std::int64_t step = side % 2 == 0 ? -1 : 1;
    if (at == (step < 0 ? 0 : last)) {
      const bool periodic = space.outgoing_source[side] == (side ^ 1);
      if (!periodic) continue;
      step *= -last;
    }
    const std::int64_t next = cell + step * strides[axis];
    if ((space.cell_class(next) & solid_bit) == 0) make_first_order(space, next);
  }
}

/// Of each cell SweepSpace::held, and 0x8000 in those of first order; empty with order 1.
template <class ExecutionSpace, class Real>
std::vector<std::uint16_t> positive_cells(const SweepSpace<ExecutionSpace, Real>& space);

/// The cells of second order that became of first order.
template <class ExecutionSpace, class Real>
std::vector<std::size_t> first_order_cells(const SweepSpace<ExecutionSpace, Real>& space);

/// Sets these numbers; without any all cells are of second order.
template <class ExecutionSpace, class Real>
void set_positive_cells(const FlowGrid& grid, SweepSpace<ExecutionSpace, Real>& space,
                        const std::vector<std::uint16_t>& numbers = {});

/// Numbers for set_positive_cells by which the cells of shocks that are thinner than a cell are of
/// first order; empty if there is no such shock. `states`: of the cells.
std::vector<std::uint16_t> thin_shocks(const FlowGrid& grid, const Gas& gas,
                                       const std::vector<Macroscopic>& states);

/// Makes all cells be of first order, until set_positive_cells.
template <class ExecutionSpace, class Real>
void make_all_first_order(const FlowGrid& grid, SweepSpace<ExecutionSpace, Real>& space);

}  // namespace knudsen::shakhov
