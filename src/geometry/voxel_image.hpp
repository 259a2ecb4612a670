#pragma once

#include <array>
#include <vector>

#include "case/reader.hpp"

namespace knudsen {

/// Reads an image with one voxel per node: the keys of `solid` and the file that these name, raw
/// numbers or NRRD (http://teem.sourceforge.net/nrrd/format.html), as its content shows. Returns
/// one value per node, (z, y, x), true in the solid. Throws InputError if the file is damaged, is
/// not of the given type, or does not fit the domain of `size` nodes. Returns nothing in describing
/// mode.
std::vector<bool> read_voxel_image(CaseNode& solid, const std::array<int, 3>& size);

}  // namespace knudsen
