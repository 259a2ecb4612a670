#pragma once

#include <array>
#include <functional>
#include <vector>

namespace knudsen::lbm {

/// What bounds a cross-section at an end of one of its axes.
enum class SectionEnd {
  periodic,
  wall,  ///< at rest, half a spacing beyond the outermost nodes
  open   ///< another open side, along which nothing changes
};

/// The nodes of an open side, with what lies around them.
struct CrossSection {
  std::array<int, 2> nodes{1, 1};                   ///< along the side's lower and higher axis
  std::vector<unsigned char> is_open;               ///< lower axis fastest; 0: solid
  std::array<std::array<SectionEnd, 2>, 2> ends{};  ///< (axis, low or high end)
  bool walls_move = false;                          ///< some walls or solids do
  /// Distance from the open node (a, b) to the surface of the solid node beside it, along an axis
  /// in a direction (-1, 1), as a fraction of a spacing. Negative: one half.
  std::function<double(int a, int b, int axis, int direction)> wall_distance;

  std::size_t size() const { return is_open.size(); }
  std::size_t index(int a, int b) const {
    return static_cast<std::size_t>(b) * static_cast<std::size_t>(nodes[0]) +
           static_cast<std::size_t>(a);
  }
};

// Shapes of a velocity, by node: 0 in solid nodes, with the mean 1 over the open ones. Both throw
// InputError if the section has no open node, no wall, or a wall that moves.

/// Fully developed laminar flow: the solution of Poisson's equation with the same source at all
/// nodes, 0 at walls. Differences of second order that take the walls where they are, solved by
/// successive over-relaxation. Without solids, parabolas are exact.
std::vector<double> fully_developed_shape(const CrossSection& section);

/// Power law of turbulent flows, (distance to the nearest wall)^(1 / exponent), with all walls
/// half-way between nodes.
std::vector<double> power_law_shape(const CrossSection& section, double exponent);

}  // namespace knudsen::lbm
