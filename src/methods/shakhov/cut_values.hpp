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

/// Sums over the velocities with v . normal > 0 of v . normal times a product of factors, for a
/// unit area. `factor(axis, i)` has the weight of the node.
template <class ExecutionSpace, class Real, class Factor>
KOKKOS_INLINE_FUNCTION void flux_along(const SweepSpace<ExecutionSpace, Real>& space,
                                       const double (&normal)[3], const Factor& factor,
                                       double (&flux)[flux_count]) {
  for (double& each : flux) each = 0;
  for (int i = 0; i < 2 * space.length[0]; ++i) {
    const auto x = double(space.nodes[0](i));
    for (int j = 0; j < 2 * space.length[1]; ++j) {
      const auto y = double(space.nodes[1](j));
      double sums[3] = {0, 0, 0};
      for (int k = 0; k < 2 * space.length[2]; ++k) {
        const auto z = double(space.nodes[2](k));
        const double inwards = normal[0] * x + normal[1] * y + normal[2] * z;
        if (!(inwards > 0)) continue;
        const double term = inwards * factor(2, k);
        if (space.is_rotational(k)) {  // part of the energy alone
          sums[2] += term;
          continue;
        }
        if (space.reduced()) {  // an entry
          sums[2 * (k % space.depth)] += term;
          continue;
        }
        sums[0] += term;
        sums[1] += term * z;
        sums[2] += term * z * z;
      }
      const double across = factor(0, i) * factor(1, j);
      flux[0] += across * sums[0];
      flux[1] += across * sums[0] * x;
      flux[2] += across * sums[0] * y;
      flux[3] += across * sums[1];
      flux[4] += 0.5 * across * (sums[0] * (x * x + y * y) + sums[2]);
    }
  }
}

/// Normal of the surface in a cut cell, into the gas; zero if it has no area.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void facet_normal(const SweepSpace<ExecutionSpace, Real>& space, int row,
                                         double (&normal)[3]) {
  for (int d = 0; d < 3; ++d) {
    normal[d] =
        double(space.cuts(row, into_gas_number + d)) * double(space.cuts(row, inverse_area_number));
  }
}

/// Sums over the velocities of what a wall emits along a normal.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void wall_flux_along(const SweepSpace<ExecutionSpace, Real>& space, int wall,
                                            const double (&normal)[3], double (&flux)[flux_count]) {
  flux_along(
      space, normal, [&](int axis, int i) { return double(space.wall_factors[axis](wall, i)); },
      flux);
}

/// Sets SweepSpace::facet_inflow of a cut cell.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void set_facet_inflow(const SweepSpace<ExecutionSpace, Real>& space,
                                             int row) {
  double normal[3];
  facet_normal(space, row, normal);
  double flux[flux_count];
  wall_flux_along(space, space.face_wall(space.first_face[facet_side] + row), normal, flux);
  for (int n = 0; n < flux_count; ++n) space.facet_inflow(row, n) = flux[n];
}

/// Sets the factors of a wall to those of a Maxwellian.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION void set_wall_factors(const SweepSpace<ExecutionSpace, Real>& space,
                                             int wall, const Maxwellian& m) {
  for (int d = 0; d < 3; ++d) {
    for (int i = 0; i < 2 * space.length[d]; ++i) {
      space.wall_factors[d](wall, i) =
          static_cast<Real>(space.weighted_factor(m, d, i) * (d == 0 ? m.amplitude : 1));
    }
  }
}

}  // namespace knudsen::shakhov
