#pragma once

#include <cstdint>

#include "device/kokkos.hpp"

// Moments of a block of velocities in three stages. Sums of f v_z^n over z give nine sums over y
// and z for each x (row sums). Those, with powers of x, give sixteen sums over the block (block
// sums). The thirteen raw moments are combinations of block sums, formed when the blocks are added
// up.

namespace knudsen::shakhov {

inline constexpr int row_sum_count = 9;
inline constexpr int block_sum_count = 16;

/// Adds velocities with y component `y` (given with its square and cube) to the row sums. p0 to p3
/// are their sums over z of f z^n. The row sums are those of f times 1, y, z, y^2, z^2, yz,
/// y (y^2 + z^2), z (y^2 + z^2) and y^2 + z^2. The ninth is the sum of the fourth and the fifth and
/// is left to the caller.
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

/// Row sum from which block sum n is formed: it is the sum over x of x^x_power(n) times this.
KOKKOS_FORCEINLINE_FUNCTION int row_sum_of(int n) {
  return static_cast<int>(std::uint64_t{0x7685432221110000} >> (4 * n) & 15);
}
/// Power of x in block sum n.
KOKKOS_FORCEINLINE_FUNCTION int x_power(int n) {
  return static_cast<int>(std::uint64_t{0x0010002102103210} >> (4 * n) & 15);
}

/// First block sum of a raw moment of RawMoments<13>.
KOKKOS_FORCEINLINE_FUNCTION int first_block_sum(int moment) {
  return static_cast<int>(std::uint64_t{0x0009638c5ba27410} >> (4 * moment) & 15);
}
/// Second block sum of a raw moment, to be added to the first; -1 if there is none.
KOKKOS_FORCEINLINE_FUNCTION int second_block_sum(int moment) {
  return moment < 10 ? -1 : moment + 3;
}

/// x^power for a power from 0 to 3.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real power_of(Real x, int power) {
  Real result = 1;
  for (int n = 0; n < power; ++n) result *= x;
  return result;
}

}  // namespace knudsen::shakhov
