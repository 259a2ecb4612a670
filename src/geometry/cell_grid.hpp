#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/shape_3d.hpp"

namespace knudsen {

/// A uniform grid over a set of boxes that finds the boxes near a point. Each cell lists all boxes
/// that touch it. There are about as many cells as boxes.
class CellGrid {
 public:
  using Cell = std::array<std::size_t, 3>;

  CellGrid() = default;
  /// Takes at most 2^32 boxes, all of finite size.
  explicit CellGrid(const std::vector<Limits3D>& boxes);

  /// Whether a coordinate is within the grid.
  bool covers(std::size_t axis, double coordinate) const {
    return coordinate >= limits_.lower[axis] && coordinate <= limits_.upper[axis];
  }
  bool covers(const Point3D& point) const {
    return covers(0, point[0]) && covers(1, point[1]) && covers(2, point[2]);
  }
  /// The limits of all boxes together; upper < lower if there are no boxes.
  const Limits3D& limits() const { return limits_; }
  std::size_t cells(std::size_t axis) const { return cells_[axis]; }
  /// Index along an axis of the cell that holds a coordinate; outside the grid, of the nearest
  /// cell.
  std::size_t place(std::size_t axis, double coordinate) const {
    const double cell = (coordinate - limits_.lower[axis]) * cells_per_length_[axis];
    return static_cast<std::size_t>(std::clamp(cell, 0.0, static_cast<double>(cells_[axis] - 1)));
  }
  Cell cell(const Point3D& point) const {
    return {place(0, point[0]), place(1, point[1]), place(2, point[2])};
  }
  /// Indices of the boxes that touch a cell, ascending.
  std::span<const std::uint32_t> boxes(std::size_t i, std::size_t j, std::size_t k) const {
    const std::size_t index = (k * cells_[1] + j) * cells_[0] + i;
    return {boxes_.data() + starts_[index], boxes_.data() + starts_[index + 1]};
  }
  std::span<const std::uint32_t> boxes(const Cell& cell) const {
    return boxes(cell[0], cell[1], cell[2]);
  }
  /// Calls visit(i, j, k) for every cell that the box touches.
  template <class Visit>
  void for_cells(const Limits3D& box, const Visit& visit) const {
    const Cell first = cell(box.lower);
    const Cell last = cell(box.upper);
    for (std::size_t k = first[2]; k <= last[2]; ++k) {
      for (std::size_t j = first[1]; j <= last[1]; ++j) {
        for (std::size_t i = first[0]; i <= last[0]; ++i) visit(i, j, k);
      }
    }
  }

 private:
  Limits3D limits_{{0, 0, 0}, {-1, -1, -1}};
  Cell cells_{1, 1, 1};                    ///< number of cells along each axis
  Point3D cells_per_length_{0, 0, 0};      ///< 0 along an axis on which the grid has no extent
  std::vector<std::size_t> starts_{0, 0};  ///< cell c lists boxes_[starts_[c]] to [starts_[c + 1])
  std::vector<std::uint32_t> boxes_;       ///< indices of boxes, cell by cell
};

}  // namespace knudsen
