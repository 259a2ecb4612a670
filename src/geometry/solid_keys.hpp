#pragma once

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "case/reader.hpp"

namespace knudsen {

// What the readers of solids in two and three dimensions have in common.

/// Reads a list of as many numbers as there are dimensions, which must be there.
template <std::size_t dimensions>
std::array<double, dimensions> require_point(CaseNode& node, const std::string& key,
                                             const std::string& documentation,
                                             const Range& range = Range::any()) {
  const auto numbers = node.require_numbers(key, dimensions, documentation, range);
  std::array<double, dimensions> point{};
  std::copy(numbers.begin(), numbers.end(), point.begin());
  return point;
}

/// Reads the names of the solids of a list, one after the other.
class SolidNames {
 public:
  static constexpr std::size_t most = 32000;

  /// The name of the next element of `geometry.solids`. Throws InputError: a name of other
  /// characters than letters, digits and underscores, of a side, or given before, more than `most`
  /// solids.
  std::string next(CaseNode& geometry, CaseNode& solid);

 private:
  std::set<std::string> names_;
};

}  // namespace knudsen
