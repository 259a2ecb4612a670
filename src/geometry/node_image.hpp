#pragma once

#include <vector>

#include "case/reader.hpp"

namespace knudsen {

/// One value per node, 1 solid and 0 fluid: (y, x), starting with the southernmost row.
using NodeImage = std::vector<char>;

// Both functions read the keys of `solid` and the file that these name. They throw InputError if
// the file is invalid or does not have nx * ny nodes, and return nothing in describing mode.

/// A PNG picture with one pixel per node; its first row is the northernmost.
NodeImage read_picture(CaseNode& solid, int nx, int ny);
/// A text file: "NX NY NZ", then NX * NY * NZ numbers, 0 fluid or 1 solid, x fastest, then y.
NodeImage read_node_map(CaseNode& solid, int nx, int ny);

}  // namespace knudsen
