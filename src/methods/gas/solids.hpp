#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kinetic/side_condition.hpp"

// Solids of the gas methods: any shape of the geometry library, as whole cells.

namespace knudsen {

/// A solid: whole cells without gas.
struct GasSolid {
  std::string name;                           ///< prefix of its monitors
  SideCondition wall{SideKind::wall, 1, {}};  ///< condition on all its faces
};

/// All solids of a case.
struct GasSolids {
  std::vector<GasSolid> bodies;
  /// By cell, x fastest, then y, then z: the index of the solid that covers it, -1 for gas. Empty
  /// without solids, or if they are not built.
  std::vector<std::int16_t> body;
  /// false: only an estimate was asked for, and the grid is large or a shape takes long to build.
  bool built = true;
};

}  // namespace knudsen
