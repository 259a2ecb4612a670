#pragma once

#include "kinetic/gas.hpp"

namespace knudsen {

enum Side : int { west, east, south, north, bottom, top };

enum class SideKind : int { periodic, wall, reservoir, symmetry };

/// What holds on a side of the box.
struct SideCondition {
  SideKind kind = SideKind::periodic;
  double accommodation = 1;  ///< of a wall: share of molecules it re-emits by its own Maxwellian
  GasState state;            ///< of a reservoir; velocity and temperature of a wall
};

}  // namespace knudsen
