#pragma once

#include <cstddef>
#include <vector>

namespace knudsen {

/// The mean of a quantity that fluctuates in time, and how well it is known.
struct TimeAverage {
  double mean = 0;
  double rms = 0;    ///< root mean square of the fluctuation about the mean
  double error = 0;  ///< standard error of the mean
  /// Whether the error no longer grows with the length of the blocks that it comes from. If it
  /// still does, the values are correlated over most of the series, and the error is too small.
  bool settled = false;
};

/// The least number of values of an average.
inline constexpr std::size_t least_averaged_values = 32;

/// The average of values at equal intervals. Since neighbouring values are correlated, its standard
/// error is not rms / sqrt(n): the values are joined to blocks of 2, 4, 8, ... as long as there are
/// 16 blocks, and the error is the largest one that their means give (Flyvbjerg and Petersen,
/// J. Chem. Phys. 91, 1989, 461). For a periodic quantity it is an upper bound.
///
/// Needs at least least_averaged_values values.
TimeAverage time_average(std::vector<double> values);

}  // namespace knudsen
