#pragma once

#include <array>
#include <string>

namespace knudsen {

/// The sides of a box. The axis normal to a side is side / 2; the lower side of an axis is even.
enum Side : int { west, east, south, north, bottom, top };

inline const std::array<std::string, 6> side_names{"west",  "east",   "south",
                                                   "north", "bottom", "top"};
inline const std::array<std::string, 3> axis_names{"x", "y", "z"};

}  // namespace knudsen
