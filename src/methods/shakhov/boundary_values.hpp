#pragma once

#include "methods/shakhov/sweep_space.hpp"

namespace knudsen::shakhov {

/// Values weight x f that enter the gas through a boundary face, eq. (8) of the paper, for the
/// velocities of one block: the wall's Maxwellian plus the values reflected by a wall with
/// accommodation below one or by a symmetry plane. Periodic sides take the values that left on the
/// opposite side, Cercignani-Lampis walls those that their kernel makes. An antisymmetric side
/// takes those of the octant in which components along it are reversed as well.
template <class ExecutionSpace, class Real>
struct BoundaryValues {
  Real diffuse = 0;        ///< diffuse share x density of the wall's Maxwellian
  const Real* factors[3];  ///< factors of the wall's Maxwellian for this block, for each axis
  Real returned = 0;       ///< weight of the values in `entering`
  const Real* entering =
      nullptr;                  ///< SweepSpace::entering() of this block; null for a diffuse wall
  const Real* cells = nullptr;  ///< of cells beyond the side (keeps_cells); null for other sides

  KOKKOS_INLINE_FUNCTION BoundaryValues(const SweepSpace<ExecutionSpace, Real>& space,
                                        const Block& block, int axis, int face) {
    const int wall = space.face_wall(face);
    const int side = block.upwind_side(axis);
    const Real share = space.diffuse(wall);
    const InflowWeights<Real> weights(share, space.face_density(face));
    diffuse = weights.emitted;
    for (int d = 0; d < 3; ++d) factors[d] = &space.wall_factors[d](wall, block.first[d]);
    if (share == Real(1)) return;
    returned = weights.mirrored;
    const int row = space.made_row.extent(0) == 0 ? -1 : space.made_row(face);
    if (row >= 0) {
      entering = space.entering(facet_side).data() + block.outgoing_place(space, axis, row);
      return;
    }
    Block source = block;
    source.octant ^= space.reversed[side];  // its bit along `axis` does not matter
    const auto& values = space.outgoing[space.outgoing_source[side]];
    entering = values.data() + source.outgoing_place(space, axis, face - space.first_face[side]);
    if (space.keeps_cells(side)) cells = entering + values.extent(0) / 2;
  }

  /// Value for the velocity with indices i, j, k and memory offset `place` in the block.
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(int i, int j, int k, int place) const {
    const Real value = diffuse * factors[0][i] * factors[1][j] * factors[2][k];
    return entering == nullptr ? value : value + returned * entering[place];
  }
};

/// Where the values of a block that leave a cell of this class along an axis are kept for a solid
/// that scatters; null where there is none.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Real* scattering_values(const SweepSpace<ExecutionSpace, Real>& space,
                                               const Block& block, int axis, int cell_class) {
  const int side = block.downwind_side(axis);
  if ((cell_class >> side & 1) == 0) return nullptr;
  const int row = space.scattering_row(space.faces(cell_class >> class_bits, side));
  if (row < 0) return nullptr;
  return space.outgoing[leaving_to_solids].data() + block.outgoing_place(space, axis, row);
}

}  // namespace knudsen::shakhov
