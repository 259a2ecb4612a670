#pragma once

#include <array>

#include "model/quantity_table.hpp"
#include "parallel/shared_cells.hpp"

namespace knudsen::lbm_d3q27 {

/// A rank's part of the velocity of a three-dimensional flow on the host, in lattice units.
struct BoxFlow {
  std::array<int, 3> nodes;  ///< extents of the box
  OwnPlanes planes;          ///< that the rank owns
  /// (z, y, x), of the own planes and of one more on either side, SharedCells::with_neighbours; NaN
  /// in solid nodes and beyond the box; all in one precision.
  std::array<FieldValues, 3> velocity;
  std::array<bool, 3> periodic;  ///< by axis
};

/// The curl of the velocity in the own planes, (z, y, x, component), by central differences between
/// fluid neighbours. With one fluid neighbour the difference is one-sided, with none it is zero.
/// NaN in solid nodes. Evaluated in double precision, returned in that of the flow.
FieldValues vorticity(const BoxFlow& flow);

/// Collective: the sum of vorticity^2 / 2 over the fluid nodes of all ranks, in lattice units, on
/// the first rank.
double enstrophy(const BoxFlow& flow);

}  // namespace knudsen::lbm_d3q27
