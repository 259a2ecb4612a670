#pragma once

#include <array>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "kinetic/side_condition.hpp"

// Solids of discrete-velocity methods: bodies that end on grid lines.

namespace knudsen {

/// Coordinates of the grid lines along x, y and z; {0, 1} along axes that are not there.
using GridLines = std::array<std::vector<double>, 3>;

/// Cells from `begin` up to but not including `end`.
struct CellBox {
  std::array<int, 3> begin{0, 0, 0};
  std::array<int, 3> end{1, 1, 1};
};

/// Fails where a body that extends from `low` to `high` along an axis reaches beyond the box.
void check_body_extent(CaseNode& node, const std::string& key, std::size_t axis, double low,
                       double high, const GridLines& lines,
                       const std::array<SideCondition, 6>& sides);

/// Reads a list of one number a dimension, which must be there; empty while describing.
std::vector<double> read_corner(CaseNode& node, const std::string& key,
                                const std::string& documentation, std::size_t dimensions);

/// Reads the ends "from" and "to" of a box. Throws InputError: ends that are not on grid lines, not
/// in order, or beyond the sides.
CellBox read_cell_box(CaseNode& node, std::size_t dimensions, const GridLines& lines,
                      const std::array<SideCondition, 6>& sides);

}  // namespace knudsen
