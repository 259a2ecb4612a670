#pragma once

#include <cstdint>

#include "device/kokkos.hpp"

// The moments of a block of velocities, from power sums over z of its items. First sums over y and
// z for equal x (row sums), then over x with the powers of x that are needed (block sums, sixteen),
// of which the thirteen raw moments are made when blocks are added up.

namespace knudsen::shakhov {

inline constexpr int row_sum_count = 9;
inline constexpr int block_sum_count = 16;

/// Adds sums over z of f z^n, n = 0 to 3, of velocities with y component `y` (its square and cube
/// given) to sums of f times 1, y, z, y^2, z^2, yz, y (y^2 + z^2), z (y^2 + z^2). The ninth, of
/// y^2 + z^2, is left: fourth and fifth together.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void add_to_row(Real y, Real square, Real cube, Real p0, Real p1,
                                            Real p2, Real p3, Real (&row)[row_sum_count]) {
  row[0] += p0;
  row[1] += y * p0;
  row[2] += p1;
  row[3] += square * p0;
  row[4] += p2;
  row[5] += y * p1;
  row[6] += cube * p0 + y * p2;
  row[7] += square * p1 + p3;
}

/// Block sum n is the sum over x of x^x_power(n) times row sum row_sum_of(n).
KOKKOS_FORCEINLINE_FUNCTION int row_sum_of(int n) {
  return static_cast<int>(std::uint64_t{0x7685432221110000} >> (4 * n) & 15);
}
KOKKOS_FORCEINLINE_FUNCTION int x_power(int n) {
  return static_cast<int>(std::uint64_t{0x0010002102103210} >> (4 * n) & 15);
}

/// Raw moment n, in the order of RawMoments<13>, is a block sum, from the tenth on plus another.
KOKKOS_FORCEINLINE_FUNCTION int first_block_sum(int moment) {
  return static_cast<int>(std::uint64_t{0x0009638c5ba27410} >> (4 * moment) & 15);
}
KOKKOS_FORCEINLINE_FUNCTION int second_block_sum(int moment) {
  return moment < 10 ? -1 : moment + 3;
}

/// x to a power of 0 to 3.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real power_of(Real x, int power) {
  Real result = 1;
  for (int n = 0; n < power; ++n) result *= x;
  return result;
}

}  // namespace knudsen::shakhov
