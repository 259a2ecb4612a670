#pragma once

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "case/reader.hpp"

namespace knudsen {

// Shared by the readers of solids in two and three dimensions.

/// Reads a required list with one number for each dimension.
template <std::size_t dimensions>
std::array<double, dimensions> require_point(CaseNode& node, const std::string& key,
                                             const std::string& documentation,
                                             const Range& range = Range::any()) {
  const auto numbers = node.require_numbers(key, dimensions, documentation, range);
  std::array<double, dimensions> point{};
  std::copy(numbers.begin(), numbers.end(), point.begin());
  return point;
}

/// Reads the names of the solids of a list in order.
class SolidNames {
 public:
  static constexpr std::size_t max_count = 32000;  ///< indices of solids have 16 bits

  /// The name of the next element of `geometry.solids`. Throws InputError for more than `max_count`
  /// solids and for a name that is taken, is that of a side, or has other characters than letters,
  /// digits and underscores.
  std::string next(CaseNode& geometry, CaseNode& solid);

 private:
  std::set<std::string> names_;
};

}  // namespace knudsen
