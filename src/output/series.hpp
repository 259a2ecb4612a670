#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace knudsen {

/// A time series of monitored quantities as CSV: a comment line with the units ("# units: step=1,
/// time=s"), a header line, one row a sample, numbers with 17 significant digits; pandas and numpy
/// read it with comment='#'. The first column is "step". Rows are kept in memory and the whole file
/// is rewritten atomically at `flush`.
class Series {
 public:
  /// `names` and `units` of the columns after "step".
  Series(std::filesystem::path path, const std::vector<std::string>& names,
         const std::vector<std::string>& units);
  /// After a restart: takes over the rows of an existing file up to and including `step`, in place
  /// of any appended so far. A missing file is fine; one with other columns is an InputError.
  void resume(std::int64_t step);
  /// `values` in the order of the names.
  void append(std::int64_t step, const std::vector<double>& values);
  /// Throws RunError and leaves an earlier file as it was.
  void flush() const;

 private:
  std::filesystem::path path_;
  std::string comment_;
  std::vector<std::string> names_;            ///< "step" and the names given
  std::vector<std::vector<double>> columns_;  ///< a step is below 2^53, so exact as a double
};

}  // namespace knudsen
