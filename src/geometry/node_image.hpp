#pragma once

#include <vector>

#include "case/reader.hpp"

namespace knudsen {

/// Solid nodes as (y, x), the first row the southernmost: 1 solid, 0 fluid.
using NodeImage = std::vector<char>;

// Both read the keys of `solid` and then the file they name. They throw InputError where it is
// faulty or not of nx times ny nodes, and return nothing in describing mode.

/// A PNG picture, a pixel a node, its first row the northernmost.
NodeImage read_picture(CaseNode& solid, int nx, int ny);
/// A text file "NX NY NZ" and NX * NY * NZ numbers 0 (fluid) or 1 (solid), x fastest, then y.
NodeImage read_node_map(CaseNode& solid, int nx, int ny);

}  // namespace knudsen
