#pragma once

#include <array>
#include <vector>

namespace knudsen::lbm_d3q27 {

/// Velocity of a three-dimensional flow on the host, in lattice units.
struct BoxFlow {
  std::array<int, 3> nodes;                     ///< extents of the box
  std::array<std::vector<double>, 3> velocity;  ///< components, (z, y, x); NaN in solid nodes
  std::array<bool, 3> periodic;                 ///< by axis
};

/// The three components of the curl of the velocity, (z, y, x), by central differences between
/// fluid neighbours. With one fluid neighbour the difference is one-sided, with none it is zero.
/// NaN in solid nodes.
std::array<std::vector<double>, 3> vorticity(const BoxFlow& flow);

/// Sum of vorticity^2 / 2 over the fluid nodes, in lattice units.
double enstrophy(const BoxFlow& flow);

}  // namespace knudsen::lbm_d3q27
