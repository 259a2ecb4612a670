#pragma once

#include <array>

#include "model/quantity_table.hpp"

namespace knudsen::lbm_d3q27 {

/// Velocity of a three-dimensional flow on the host, in lattice units.
struct BoxFlow {
  std::array<int, 3> nodes;             ///< extents of the box
  std::array<FieldValues, 3> velocity;  ///< (z, y, x); NaN in solid nodes; all in one precision
  std::array<bool, 3> periodic;         ///< by axis
};

/// The curl of the velocity, (z, y, x, component), by central differences between fluid neighbours.
/// With one fluid neighbour the difference is one-sided, with none it is zero. NaN in solid nodes.
/// Evaluated in double precision, returned in that of the flow.
FieldValues vorticity(const BoxFlow& flow);

/// Sum of vorticity^2 / 2 over the fluid nodes, in lattice units.
double enstrophy(const BoxFlow& flow);

}  // namespace knudsen::lbm_d3q27
