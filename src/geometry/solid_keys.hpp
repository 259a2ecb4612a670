#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "case/part_names.hpp"
#include "case/reader.hpp"

namespace knudsen {

// Shared by the readers of solids in two and three dimensions.

/// Coordinates and lengths of shapes, such that no product of theirs overflows.
inline const Range coordinate_range = Range::between(-1e12, 1e12);
inline const Range length_range = {0, 1e12, true, false};

/// Whether solids on a grid of nodes are built: not where only the keys are described, and not on
/// large grids where only an estimate is asked for, since they take seconds and gigabytes.
inline bool builds_solids(const CaseNode& node, int nx, int ny) {
  constexpr double max_quick_nodes = 8e6;
  if (node.describing()) return false;
  return !node.estimating() || double(nx) * ny <= max_quick_nodes;
}
inline bool builds_solids(const CaseNode& node, const std::array<int, 3>& nodes) {
  constexpr double max_quick_nodes = 2.2e6;
  if (node.describing()) return false;
  return !node.estimating() || double(nodes[0]) * nodes[1] * nodes[2] <= max_quick_nodes;
}

/// Reads a required list with one number for each dimension.
template <std::size_t dimensions>
std::array<double, dimensions> require_point(CaseNode& node, const std::string& key,
                                             const std::string& documentation,
                                             const Range& range = coordinate_range) {
  const auto numbers = node.require_numbers(key, dimensions, documentation, range);
  std::array<double, dimensions> point{};
  std::copy(numbers.begin(), numbers.end(), point.begin());
  return point;
}

/// Reads the names of the solids of a list in order.
class SolidNames {
 public:
  SolidNames();
  static constexpr std::size_t max_count = 32000;  ///< indices of solids have 16 bits

  /// The name of the next element of `geometry.solids`. Throws InputError for more than `max_count`
  /// solids, for a name that is taken or that of a side, and for one that breaks the rule of names.
  std::string next(CaseNode& geometry, CaseNode& solid);

 private:
  std::size_t count_ = 0;
  PartNames names_;
};

}  // namespace knudsen
