#pragma once

#include "core/sides.hpp"
#include "kinetic/gas.hpp"

namespace knudsen {

/// Kinds of boundary condition; `symmetry` is specular reflection.
enum class SideKind : int { periodic, wall, reservoir, symmetry };

/// Boundary condition on a side of the box.
struct SideCondition {
  SideKind kind = SideKind::periodic;
  double accommodation = 1;  ///< wall: fraction of molecules reflected diffusely
  /// Of a reservoir, with density 0 the vacuum; velocity and temperature of a wall.
  GasState state;

  bool is_vacuum() const { return kind == SideKind::reservoir && state.density == 0; }
};

}  // namespace knudsen
