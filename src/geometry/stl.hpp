#pragma once

#include <optional>
#include <vector>

#include "case/reader.hpp"
#include "geometry/triangle_mesh.hpp"

namespace knudsen {

/// Reads the STL file that the key "file" of a solid names, binary or text, as its content shows.
/// Ignores normals and attributes. Throws InputError: not an STL file, damaged or truncated, no
/// triangles, a number that is not finite. Returns nothing in describing mode, and where only an
/// estimate is asked for and the file has more than 50 MB.
std::optional<std::vector<Triangle>> read_stl(CaseNode& solid);

}  // namespace knudsen
