#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "geometry/cut_cells.hpp"
#include "kinetic/side_condition.hpp"

// Solids of the gas methods: any shape of the geometry library, as whole cells or cutting cells.

namespace knudsen {

/// A solid body.
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
  bool cuts = false;  ///< whether the case asks for cut cells
  /// Cells that surfaces cut, ascending; their `shape` is the index of the solid. Empty if solids
  /// consist of whole cells.
  std::vector<CutCell> cut;
  /// By cell: index in `cut`, -1 for others. Empty if `cut` is.
  std::vector<std::int32_t> cut_of;
  /// false: only an estimate was asked for, and the grid is large or a shape takes long to build.
  bool built = true;

  /// The cut of a cell; null for whole cells.
  const CutCell* cut_cell(std::size_t cell) const {
    if (cut_of.empty() || cut_of[cell] < 0) return nullptr;
    return &cut[static_cast<std::size_t>(cut_of[cell])];
  }
};

}  // namespace knudsen
