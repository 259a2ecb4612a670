#pragma once

#include "methods/shakhov/boundary_values.hpp"

namespace knudsen::shakhov {

/// What the sweeps need of a cut cell, for the velocities of one block. Its equation is
///
///   rate V (f_t - f) + sum over faces of |v_n| A (f_upwind - f) + (v . A_w)+ (f_wall - f) = 0
///
/// with the open areas A of the faces through which molecules enter, the area vector A_w of the
/// surface, which points into the gas, and the open volume V. Since the faces and the surface close
/// the volume, the areas through which molecules leave do not appear. A uniform gas therefore stays
/// uniform. The sweeps divide by V: A / V takes the place of 1 / width.
template <class ExecutionSpace, class Real>
struct CutValues {
  Real open[3];       ///< open shares of the faces upwind over that of the volume
  Real into_gas[3];   ///< A_w / V
  Real inverse_area;  ///< V / |A_w|
  BoundaryValues<ExecutionSpace, Real> wall;  ///< f_wall

  KOKKOS_INLINE_FUNCTION CutValues(const SweepSpace<ExecutionSpace, Real>& space,
                                   const Block& block, int cell_class)
      : wall(space, block, 0, space.faces(cell_class >> class_bits, facet_side)) {
    const int row = space.cut_row(cell_class);
    for (int axis = 0; axis < 3; ++axis) {
      open[axis] = space.cuts(row, open_number + block.upwind_side(axis));
      into_gas[axis] = space.cuts(row, into_gas_number + axis);
    }
    inverse_area = space.cuts(row, inverse_area_number);
  }

  /// v . A_w / V.
  KOKKOS_FORCEINLINE_FUNCTION Real inwards(Real x, Real y, Real z) const {
    return into_gas[0] * x + into_gas[1] * y + into_gas[2] * z;
  }
};

}  // namespace knudsen::shakhov
