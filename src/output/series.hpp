#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace knudsen {

/// A time series of monitored quantities as CSV: a comment line with units ('# step,1 time,...'
/// style is up to the implementation, but pandas and numpy must read it with comment='#'), a header
/// line, one row a sample, numbers with 17 significant digits. Rows are kept in memory and the
/// whole file is rewritten atomically at `flush`.
class Series {
 public:
  Series(std::filesystem::path path, std::vector<std::string> names,
         std::vector<std::string> units);
  /// After a restart: takes over the rows of an existing file up to and including `step`.
  /// A missing file is fine; one with other columns is an InputError.
  void resume(std::int64_t step);
  void append(std::int64_t step, const std::vector<double>& values);
  void flush();

 private:
  std::filesystem::path path_;
  std::vector<std::string> names_;
  std::vector<std::string> units_;
  std::vector<std::int64_t> steps_;
  std::vector<std::vector<double>> rows_;
};

}  // namespace knudsen
