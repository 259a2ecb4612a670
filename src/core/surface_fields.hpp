#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/field.hpp"

namespace knudsen {

/// A face of a cell that is on a surface, a side of the domain or a solid, or a piece of a surface
/// within a cell.
struct SurfaceFace {
  std::size_t cell = 0;  ///< index of the cell in a Field
  int side = 0;          ///< on which side of the cell the face is, numbered as Side
  /// Corners of a polygon within the cell that is the surface in place of the face; else empty.
  std::vector<std::array<double, 3>> corners{};
};

/// Fields on the surfaces. The index of a value is face * components + component.
struct SurfaceFields {
  std::vector<SurfaceFace> faces;
  std::vector<Field> fields;
};

}  // namespace knudsen
