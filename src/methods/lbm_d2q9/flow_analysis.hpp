#pragma once

#include <array>
#include <vector>

namespace knudsen::lbm_d2q9 {

/// Velocity of a two-dimensional flow on the host, NaN in solid nodes, and which axes are periodic.
struct PlaneFlow {
  int nx = 0;
  int ny = 0;
  std::vector<double> velocity_x, velocity_y;  ///< (y, x)
  std::array<bool, 2> periodic{false, false};

  std::size_t node(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(x);
  }
};

/// dv/dx - du/dy in every fluid node: central differences between fluid neighbours, one-sided where
/// one of them is solid or missing, zero where both are. NaN in solids.
std::vector<double> vorticity(const PlaneFlow& flow);

/// Stream function with u = d psi/dy and v = - d psi/dx, by the trapezoidal rule: along the south
/// side from the south-west corner (zero), then up each column. Walls and solids count as at rest;
/// NaN in solids.
std::vector<double> stream_function(const PlaneFlow& flow);

/// A local extremum of the stream function.
struct Vortex {
  double x = 0;  ///< position in node spacings from the south-west corner
  double y = 0;
  double stream_function = 0;
};

/// The strongest local extrema of a stream function inside a closed domain, at most `most`, the
/// strongest first; those weaker than `threshold` times the strongest are left out. Positions by a
/// quadratic through the neighbouring nodes.
std::vector<Vortex> vortices(const PlaneFlow& flow, const std::vector<double>& stream_function,
                             std::size_t most, double threshold);

}  // namespace knudsen::lbm_d2q9
