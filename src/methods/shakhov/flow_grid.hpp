#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kinetic/side_condition.hpp"
#include "kinetic/velocity_grid.hpp"

namespace knudsen::shakhov {

/// A solid in the box, a diffuse wall at rest.
struct Body {
  std::string name;
  double temperature = 1;
};

/// A box of cells, uniform or not, with the solids in it and its discrete velocities; host values.
/// Cells are numbered (z * ny + y) * nx + x.
struct FlowGrid {
  int dimensions = 3;
  std::array<int, 3> cells{1, 1, 1};
  std::array<std::vector<double>, 3> edges{std::vector<double>{0, 1}, {0, 1}, {0, 1}};
  VelocityGrid velocities;
  std::array<SideCondition, 6> sides;
  std::vector<Body> bodies;
  std::vector<std::int16_t> body;  ///< of each cell: -1 where there is gas; empty without bodies

  std::size_t cell_count() const {
    return static_cast<std::size_t>(cells[0]) * static_cast<std::size_t>(cells[1]) *
           static_cast<std::size_t>(cells[2]);
  }
  double width(std::size_t axis, int cell) const {
    const auto i = static_cast<std::size_t>(cell);
    return edges[axis][i + 1] - edges[axis][i];
  }
  /// The extent across `axis` of what a cell has in common with its neighbour along it.
  double face_area(std::size_t axis, const std::array<int, 3>& at) const {
    double area = 1;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
      if (d != axis) area *= width(d, at[d]);
    }
    return area;
  }
  double volume(const std::array<int, 3>& at) const { return face_area(3, at); }
  std::array<int, 3> at(std::size_t cell) const {
    const auto nx = static_cast<std::size_t>(cells[0]);
    const auto ny = static_cast<std::size_t>(cells[1]);
    return {static_cast<int>(cell % nx), static_cast<int>(cell / nx % ny),
            static_cast<int>(cell / nx / ny)};
  }
  std::size_t index(const std::array<int, 3>& at) const {
    return (static_cast<std::size_t>(at[2]) * static_cast<std::size_t>(cells[1]) +
            static_cast<std::size_t>(at[1])) *
               static_cast<std::size_t>(cells[0]) +
           static_cast<std::size_t>(at[0]);
  }
  bool solid(std::size_t cell) const { return !body.empty() && body[cell] >= 0; }
};

}  // namespace knudsen::shakhov
