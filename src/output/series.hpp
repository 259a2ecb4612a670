#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace knudsen {

/// A time series of monitors as a CSV file (see csv_text): a comment line with the units ("# units:
/// step=1, time=s"), a header line, and one row per sample. The first column is "step". Rows are
/// kept in memory; `flush` rewrites the whole file atomically.
class Series {
 public:
  /// `names` and `units` are those of the columns after "step".
  Series(std::filesystem::path path, const std::vector<std::string>& names,
         const std::vector<std::string>& units);
  /// After a restart, replaces the rows by those of the existing file up to and including `step`,
  /// if there is one. Throws InputError if that has other columns.
  void resume(std::int64_t step);
  /// The step of the latest row, or -1 if there is none.
  std::int64_t last_step() const;
  /// The values of a monitor, by its number, from a step on.
  std::vector<double> values_from(std::int64_t step, std::size_t monitor) const;
  /// Removes the latest row.
  void drop_last();
  /// `values` are in the order of the names.
  void append(std::int64_t step, const std::vector<double>& values);
  /// Throws RunError and then leaves an existing file unchanged.
  void flush() const;

 private:
  std::filesystem::path path_;
  std::string comment_;
  std::vector<std::string> names_;            ///< "step" and the names given
  std::vector<std::vector<double>> columns_;  ///< steps are below 2^53, hence exact as a double
};

}  // namespace knudsen
