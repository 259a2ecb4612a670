#pragma once

#include <vector>

#include "case/reader.hpp"
#include "geometry/triangle_mesh.hpp"

namespace knudsen {

/// Reads the file of triangles named by the key "file" of a solid, an STL file in binary or text
/// form, told apart by the content. Normals and attributes in it are not used. Throws InputError: a
/// file that is neither, damaged, cut off, without triangles, with numbers that are not finite.
/// Returns nothing in describing mode.
std::vector<Triangle> read_stl(CaseNode& solid);

}  // namespace knudsen
