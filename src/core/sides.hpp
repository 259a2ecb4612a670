#pragma once

#include <array>
#include <string>

namespace knudsen {

/// Sides of a box, for all methods in this order: the axis is side / 2, and the lower side of an
/// axis has the even number.
enum Side : int { west, east, south, north, bottom, top };

inline const std::array<std::string, 6> side_names{"west",  "east",   "south",
                                                   "north", "bottom", "top"};
inline const std::array<std::string, 3> axis_names{"x", "y", "z"};

}  // namespace knudsen
