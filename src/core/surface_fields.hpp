#pragma once

#include <cstddef>
#include <vector>

#include "core/field.hpp"

namespace knudsen {

/// A face of a cell that is on a surface: a side of the domain or a solid.
struct SurfaceFace {
  std::size_t cell = 0;  ///< index of the cell in a Field
  int side = 0;          ///< on which side of the cell the face is, numbered as Side
};

/// Fields on the surfaces. The index of a value is face * components + component.
struct SurfaceFields {
  std::vector<SurfaceFace> faces;
  std::vector<Field> fields;
};

}  // namespace knudsen
