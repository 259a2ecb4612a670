#include "output/interpolation.hpp"

#include <algorithm>
#include <cmath>

namespace knudsen {
namespace {

std::size_t place_of(const CartesianGrid& grid, const std::array<int, 3>& cell) {
  return (static_cast<std::size_t>(cell[2]) * static_cast<std::size_t>(grid.cells[1]) +
          static_cast<std::size_t>(cell[1])) *
             static_cast<std::size_t>(grid.cells[0]) +
         static_cast<std::size_t>(cell[0]);
}

}  // namespace

AxisWeights axis_weights(const CartesianGrid& grid, std::size_t axis, double fraction) {
  const int cells = grid.cells[axis];
  double index = fraction * cells - 0.5;
  if (!grid.edges[axis].empty()) {
    const auto centre = [&](int i) { return 0.5 * (grid.edge(axis, i) + grid.edge(axis, i + 1)); };
    const double begin = grid.edge(axis, 0);
    const double place = begin + fraction * (grid.edge(axis, cells) - begin);
    int low = 0;
    while (low + 2 < cells && centre(low + 1) <= place) ++low;
    index = cells > 1 ? low + (place - centre(low)) / (centre(low + 1) - centre(low)) : 0;
  }
  // Rounding must not give a solid cell, which is NaN, a weight.
  if (std::abs(index - std::round(index)) < 1e-9) index = std::round(index);
  index = std::clamp(index, 0.0, cells - 1.0);
  const int low = std::min(static_cast<int>(index), std::max(cells - 2, 0));
  return {{low, std::min(low + 1, cells - 1)}, {low + 1 - index, index - low}};
}

std::vector<CellWeight> cell_weights(const CartesianGrid& grid,
                                     const std::array<AxisWeights, 3>& axes) {
  std::vector<CellWeight> found;
  for (std::size_t corner = 0; corner < 8; ++corner) {
    std::array<int, 3> cell{};
    double weight = 1;
    for (std::size_t a = 0; a < 3; ++a) {
      const std::size_t side = corner >> a & 1;
      cell[a] = axes[a].cells[side];
      weight *= axes[a].weights[side];
    }
    if (weight != 0) found.push_back({place_of(grid, cell), weight});
  }
  return found;
}

std::size_t cell_at(const CartesianGrid& grid, const std::array<double, 3>& fractions) {
  std::array<int, 3> cell{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int cells = grid.cells[axis];
    const double begin = grid.edge(axis, 0);
    const double place = begin + fractions[axis] * (grid.edge(axis, cells) - begin);
    if (grid.edges[axis].empty()) {
      cell[axis] = std::clamp(static_cast<int>(fractions[axis] * cells), 0, cells - 1);
    } else {
      while (cell[axis] + 1 < cells && grid.edge(axis, cell[axis] + 1) <= place) ++cell[axis];
    }
  }
  return place_of(grid, cell);
}

}  // namespace knudsen
