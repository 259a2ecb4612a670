#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace knudsen {

/// A CSV file of named columns: lines that start with '#' are comments, the first other line holds
/// the names, each further one a row. Cells are kept as text, for some columns may not be numbers.
class CsvTable {
 public:
  /// Throws InputError: file missing or not readable, no header line, a row of another length than
  /// the header (with its line number).
  explicit CsvTable(std::filesystem::path path);

  const std::vector<std::string>& names() const { return names_; }
  std::size_t rows() const { return cells_.size(); }
  /// A column as numbers. Throws InputError: no such column (with those there are), a cell that is
  /// not a number (with its line number).
  std::vector<double> column(const std::string& name) const;

 private:
  std::filesystem::path path_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> cells_;
  std::vector<std::size_t> line_numbers_;
};

/// Text of a CSV file that CsvTable, numpy and pandas (with comment='#') read: the comment, the
/// names, and the columns row by row with 17 significant digits, which keep every bit of a double.
std::string csv_text(const std::string& comment, const std::vector<std::string>& names,
                     const std::vector<std::vector<double>>& columns);

}  // namespace knudsen
