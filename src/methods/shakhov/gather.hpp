#pragma once

#include "methods/shakhov/sweep.hpp"

namespace knudsen::shakhov {

/// Raw moment (of RawMoments<13>) that is the flux along `axis` of mass, momentum x, y, z or twice
/// the energy.
KOKKOS_INLINE_FUNCTION int flux_moment(int axis, int flux) {
  constexpr int table[3][flux_count] = {{1, 4, 7, 9, 10}, {2, 7, 5, 8, 11}, {3, 9, 8, 6, 12}};
  return table[axis][flux];
}

/// A raw moment of the degree of a flux onto a surface.
KOKKOS_INLINE_FUNCTION int facet_moment(int flux) {
  constexpr int table[flux_count] = {1, 4, 4, 4, 10};
  return table[flux];
}

/// Adds a raw moment of molecules that leave the cell `at` to the sums of the walls and sides that
/// it borders on. `value` is the moment of velocities of one octant, whose signs are `sign` (0 or 1
/// for each axis). finish_iteration turns the sums into fluxes.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void add_to_fluxes(const SweepSpace<ExecutionSpace, Real>& space,
                                          const int (&at)[3], const int (&sign)[3], int moment,
                                          const SplitSum& value) {
  const int here = space.cell_class(space.cell_index(at[0], at[1], at[2]));
  for (int axis = 0; axis < space.dimensions; ++axis) {
    int flux = 0;
    while (flux < flux_count && flux_moment(axis, flux) != moment) ++flux;
    if (flux == flux_count) continue;
    const int side = 2 * axis + sign[axis];
    if ((here >> side & 1) != 0) {
      space.add_to_flux(space.faces(here >> class_bits, side), flux, value);
      continue;
    }
    if (space.order == 1) continue;
    // Second order: the value at a wall on the far side of the downwind neighbour is extrapolated
    // from that neighbour and this cell.
    int next_at[3] = {at[0], at[1], at[2]};
    next_at[axis] += sign[axis] > 0 ? 1 : -1;
    const int next = space.cell_class(space.cell_index(next_at[0], next_at[1], next_at[2]));
    if ((next & solid_bit) != 0 || (next >> side & 1) == 0) continue;
    space.add_to_far_flux(space.faces(next >> class_bits, side), flux, value);
  }
}

/// Adds the block sums of a diagonal to the moments of its cells and the fluxes through their
/// faces.
template <class ExecutionSpace, class Real>
void gather_moments(const SweepContext<ExecutionSpace>& context,
                    const SweepSpace<ExecutionSpace, Real>& space,
                    const SweepStorage<ExecutionSpace, Real>& storage, const Batch& batch,
                    const Diagonal& diagonal);

}  // namespace knudsen::shakhov
