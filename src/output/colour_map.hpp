#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace knudsen {

struct Rgb {
  std::uint8_t red = 0, green = 0, blue = 0;
};

/// A perceptually uniform colour map.
struct ColourMap {
  std::string name;
  bool diverging = false;                 ///< for ranges symmetric about zero
  std::array<std::uint32_t, 33> control;  ///< 0xRRGGBB, equally spaced from 0 to 1

  /// Colour at a fraction of the range from 0 to 1. Beyond the range, the colour at its end.
  Rgb at(double fraction) const;
};

/// "viridis" and "inferno" (van der Walt, Smith and Firing, 2015), and "coolwarm", from blue
/// through light grey to red (after Moreland, 2009).
const std::vector<ColourMap>& colour_map_table();

}  // namespace knudsen
