#pragma once

#include "methods/shakhov/sweep_space.hpp"

namespace knudsen::shakhov {

/// Weight x f that comes into the gas through a face, eq. (8) of the paper, for velocities of one
/// block: diffuse and, for Maxwell's walls and symmetry planes, reflected; what leaves on the other
/// side, where sides are periodic.
template <class ExecutionSpace, class Real>
struct BoundaryValues {
  Real diffuse = 0;            ///< share x density of the wall's Maxwellian
  const Real* factors[3];      ///< its table entries for the block, along the axes
  Real returned = 0;           ///< share of what `left` holds
  const Real* left = nullptr;  ///< values of the block

  KOKKOS_INLINE_FUNCTION BoundaryValues(const SweepSpace<ExecutionSpace, Real>& space,
                                        const Block& block, int axis, int face) {
    const int wall = space.face_wall(face);
    const Real share = space.diffuse(wall);
    diffuse = share * space.face_density(face);
    for (int d = 0; d < 3; ++d) factors[d] = &space.wall_factors[d](wall, block.first[d]);
    if (share == Real(1)) return;
    returned = 1 - share;
    left = space.left[space.left_source[wall]].data() +
           block.left_place(space, axis, face - space.first_face[wall]);
  }

  /// Place along the axes and in memory, all in the block.
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(int i, int j, int k, int place) const {
    const Real value = diffuse * factors[0][i] * factors[1][j] * factors[2][k];
    return left == nullptr ? value : value + returned * left[place];
  }
};

}  // namespace knudsen::shakhov
