#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace knudsen {

/// Means and covariances over samples of a run, in every cell, that a method keeps beside its state
/// (Method::keep_averages). They are updated sample by sample in double precision (Welford 1962, of
/// pairs: Bennett et al. 2009):
///
///     d = x - mean,   mean += d / n,   sum_ab += d_a d_b (n - 1) / n
///
/// A row is an average of all cells: the means of the variables, then the sums of the pairs.
struct AveragePlan {
  /// A component of a field.
  struct Variable {
    std::string field;  ///< one of Problem::averaged_fields
    int component = 0;
    double factor = 1;  ///< of the field's values, from the units of the method
  };
  std::vector<Variable> variables;
  /// Variables a <= b whose covariance is kept.
  std::vector<std::array<std::size_t, 2>> pairs;

  std::size_t rows() const { return variables.size() + pairs.size(); }
};

/// Variables of a plan, at most.
inline constexpr std::size_t max_averaged = 8;

/// The arrays of a checkpoint that hold the rows: (variable, cell) and (pair, cell).
inline constexpr const char* means_key = "statistics.means";
inline constexpr const char* covariances_key = "statistics.covariances";

}  // namespace knudsen
