#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace knudsen {

struct Rgb {
  std::uint8_t red = 0, green = 0, blue = 0;
};

/// A perceptually even scale of colours.
struct ColourMap {
  std::string name;
  bool diverging = false;                 ///< meant for ranges symmetric about zero
  std::array<std::uint32_t, 33> control;  ///< 0xRRGGBB, equally spaced from 0 to 1

  /// Colour at a fraction of the range; fractions outside 0..1 get the end colours.
  Rgb at(double fraction) const;
};

/// "viridis" and "inferno" (van der Walt, Smith and Firing, 2015) and "coolwarm" (blue to red
/// through a light grey, after Moreland, 2009).
const std::vector<ColourMap>& colour_map_table();

}  // namespace knudsen
