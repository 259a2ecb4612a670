#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "kinetic/side_condition.hpp"
#include "methods/gas/solids.hpp"

namespace knudsen {

/// All surfaces of a box: its six sides, its solids, then the parts of sides that have such.
struct Surfaces {
  std::vector<SideCondition> conditions;
  std::array<int, 6> first_part{};  ///< of a side; the side itself if it has no parts

  explicit Surfaces(const std::array<SideCondition, 6>& sides, const GasSolids& solids = {})
      : conditions(sides.begin(), sides.end()) {
    for (const GasSolid& solid : solids.bodies) conditions.push_back(solid.wall);
    for (std::size_t side = 0; side < 6; ++side) {
      first_part[side] =
          sides[side].parts.empty() ? static_cast<int>(side) : static_cast<int>(conditions.size());
      conditions.insert(conditions.end(), sides[side].parts.begin(), sides[side].parts.end());
    }
  }

  /// The surface of a face of a side; `face` is its side_face.
  int of_face(int side, std::size_t face) const {
    const auto number = static_cast<std::size_t>(side);
    const std::vector<int>& parts = conditions[number].part_of_face;
    return first_part[number] + (parts.empty() ? 0 : parts[face]);
  }
  /// The side that a surface is a part of; -1 for other surfaces.
  int side_of_part(int surface) const {
    for (int side = 0; side < 6; ++side) {
      const auto number = static_cast<std::size_t>(side);
      const int first = first_part[number];
      const auto count = static_cast<int>(conditions[number].parts.size());
      if (surface >= first && surface < first + count) return side;
    }
    return -1;
  }
};

}  // namespace knudsen
