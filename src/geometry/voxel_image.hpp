#pragma once

#include <array>
#include <vector>

#include "case/reader.hpp"

namespace knudsen {

/// Reads an image of voxels, a voxel a node: the keys of `solid` and then the file they name, bare
/// numbers (raw) or NRRD (http://teem.sourceforge.net/nrrd/format.html), told by its content.
/// Returns (z, y, x), 1 solid, 0 fluid. Throws InputError where the file is faulty, of another type
/// than told or does not fit the domain of `size` nodes; returns nothing in describing mode.
std::vector<char> read_voxel_image(CaseNode& solid, const std::array<int, 3>& size);

}  // namespace knudsen
