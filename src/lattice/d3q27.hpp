#pragma once

#include <cstdint>

#include "device/function.hpp"

namespace knudsen {

/// The components of all velocities of D3Q27 along an axis: each plus one, in two bits, that of
/// population 0 in the lowest ones.
KNUDSEN_INLINE_FUNCTION constexpr std::uint64_t d3q27_components(int axis) {
  constexpr signed char first[14][3] = {{0, 0, 0},  {1, 0, 0},  {0, 1, 0},  {0, 0, 1},  {1, 1, 0},
                                        {1, -1, 0}, {1, 0, 1},  {1, 0, -1}, {0, 1, 1},  {0, 1, -1},
                                        {1, 1, 1},  {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};
  std::uint64_t all = 0;
  for (int q = 26; q >= 0; --q) {
    const int own = q % 2 == 1 ? first[(q + 1) / 2][axis] : -first[q / 2][axis];
    all = all << 2U | static_cast<std::uint64_t>(own + 1);
  }
  return all;
}

/// The D3Q27 lattice: rest, then the 6 axis, 12 edge and 8 corner velocities, each followed by its
/// opposite. The first of a pair has its first nonzero component positive.
struct D3Q27 {
  static constexpr const char* name = "D3Q27";
  static constexpr int populations = 27;
  static constexpr int dimensions = 3;

  /// Component 0, 1 or 2 of the velocity of population q: -1, 0 or 1.
  KNUDSEN_INLINE_FUNCTION static constexpr int velocity(int q, int axis) {
    // A table would be copied to the stack wherever q is not known at compile time.
    constexpr std::uint64_t of_axis[3] = {d3q27_components(0), d3q27_components(1),
                                          d3q27_components(2)};
    const std::uint64_t all = axis == 0 ? of_axis[0] : (axis == 1 ? of_axis[1] : of_axis[2]);
    return static_cast<int>((all >> (2 * q)) & 3U) - 1;
  }
  KNUDSEN_INLINE_FUNCTION static constexpr int opposite(int q) {
    return q == 0 ? 0 : ((q - 1) ^ 1) + 1;
  }
  template <class Real>
  KNUDSEN_INLINE_FUNCTION static constexpr Real weight(int q) {
    return q == 0    ? Real(8) / Real(27)
           : q <= 6  ? Real(2) / Real(27)
           : q <= 18 ? Real(1) / Real(54)
                     : Real(1) / Real(216);
  }
  /// The population with this velocity, by a search meant for compile time.
  KNUDSEN_INLINE_FUNCTION static constexpr int population(int cx, int cy, int cz) {
    int q = 0;
    while (velocity(q, 0) != cx || velocity(q, 1) != cy || velocity(q, 2) != cz) ++q;
    return q;
  }
};

}  // namespace knudsen
