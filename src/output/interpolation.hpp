#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/field.hpp"

namespace knudsen {

/// The two cells nearest a point along an axis and their weights in a linear interpolation.
struct AxisWeights {
  std::array<int, 2> cells{0, 0};
  std::array<double, 2> weights{1, 0};
};

/// For a place as a fraction of the domain. Beyond the outermost centre, only that cell counts.
AxisWeights axis_weights(const CartesianGrid& grid, std::size_t axis, double fraction);

/// A cell, by its place in a scalar field, and its weight.
struct CellWeight {
  std::size_t cell = 0;
  double weight = 0;
};

/// The cells around a point whose weight is not zero: 0 * NaN is NaN, and solid cells are NaN.
std::vector<CellWeight> cell_weights(const CartesianGrid& grid,
                                     const std::array<AxisWeights, 3>& axes);

/// The cell that contains a point, by its place in a scalar field. Coordinates are fractions of the
/// domain.
std::size_t cell_at(const CartesianGrid& grid, const std::array<double, 3>& fractions);

}  // namespace knudsen
