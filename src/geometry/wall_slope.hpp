#pragma once

namespace knudsen {

/// Distance between parallel links whose crossings tell how a surface is inclined, in node
/// spacings.
inline constexpr double beside_link = 1e-4;

/// Slope of a surface across a link that it crosses at the distance `here`, from the distances
/// along the links beside it. Negative: that link does not cross it.
inline double wall_slope(double before, double here, double after) {
  if (before < 0 && after < 0) return 0;
  if (before < 0) return (after - here) / beside_link;
  if (after < 0) return (here - before) / beside_link;
  return (after - before) / (2 * beside_link);
}

}  // namespace knudsen
