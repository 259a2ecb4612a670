#pragma once

#include <array>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "kinetic/side_condition.hpp"

// Solids of the discrete-velocity methods: boxes of whole cells.

namespace knudsen {

/// Coordinates of the grid lines along an axis, ascending: equally spaced from 0, or of a list that
/// outlives this. By default 0 and 1, for unused axes.
class AxisLines {
 public:
  AxisLines() = default;
  AxisLines(int cells, double spacing)
      : count_(static_cast<std::size_t>(cells) + 1), spacing_(spacing) {}
  explicit AxisLines(const std::vector<double>& lines) : lines_(&lines), count_(lines.size()) {}

  std::size_t size() const { return count_; }
  double operator[](std::size_t i) const {
    return lines_ == nullptr ? static_cast<double>(i) * spacing_ : (*lines_)[i];
  }
  double front() const { return (*this)[0]; }
  double back() const { return (*this)[count_ - 1]; }
  /// Index of the first line at or above a coordinate; `size()` if there is none.
  std::size_t first_from(double coordinate) const;

 private:
  const std::vector<double>* lines_ = nullptr;
  std::size_t count_ = 2;
  double spacing_ = 1;
};
/// Along x, y and z.
using GridLines = std::array<AxisLines, 3>;

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
