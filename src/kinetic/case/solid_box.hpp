#pragma once

#include <array>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "kinetic/side_condition.hpp"

// Solids of the discrete-velocity methods: boxes of whole cells.

namespace knudsen {

/// Coordinates of the grid lines along x, y and z; {0, 1} along unused axes.
using GridLines = std::array<std::vector<double>, 3>;

/// A box of cells.
struct CellBox {
  std::array<int, 3> begin{0, 0, 0};  ///< first cell along each axis
  std::array<int, 3> end{1, 1, 1};    ///< one past the last cell along each axis
};

/// Fails if a body that extends from `low` to `high` along `axis` reaches beyond the domain.
void check_body_extent(CaseNode& node, const std::string& key, std::size_t axis, double low,
                       double high, const GridLines& lines,
                       const std::array<SideCondition, 6>& sides);

/// Reads a required list with one number for each dimension; empty while describing.
std::vector<double> read_corner(CaseNode& node, const std::string& key,
                                const std::string& documentation, std::size_t dimensions);

/// Reads the corners "from" and "to" of a box. Throws InputError unless both lie on grid lines of
/// the domain and "from" is below "to" along each axis.
CellBox read_cell_box(CaseNode& node, std::size_t dimensions, const GridLines& lines,
                      const std::array<SideCondition, 6>& sides);

}  // namespace knudsen
