#pragma once

#include <array>
#include <vector>

namespace knudsen::lbm_d3q27 {

/// Velocities on the nodes of a box, (z, y, x); NaN in solid nodes.
struct BoxFlow {
  std::array<int, 3> nodes;
  std::array<std::vector<double>, 3> velocity;
  std::array<bool, 3> periodic;
};

/// Curl of the velocity, three components, by central differences between fluid neighbours,
/// one-sided where there is one, zero where there is none; NaN in solid nodes.
std::array<std::vector<double>, 3> vorticity(const BoxFlow& flow);

/// Sum of vorticity^2 / 2 over the fluid nodes.
double enstrophy(const BoxFlow& flow);

}  // namespace knudsen::lbm_d3q27
