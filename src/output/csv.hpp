#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace knudsen {

/// A CSV file of named columns. Lines that start with '#' are comments; the first other line has
/// the names, every further line is a row. Cells are kept as text, since not all need be numbers.
class CsvTable {
 public:
  /// Throws InputError: file missing or unreadable, no header line, a row whose length differs from
  /// the header's (with its line number).
  explicit CsvTable(std::filesystem::path path);

  const std::vector<std::string>& names() const { return names_; }
  std::size_t rows() const { return cells_.size(); }
  /// A column as numbers. Throws InputError: no such column (with the names of all columns), a cell
  /// that is not a number (with its line number).
  std::vector<double> column(const std::string& name) const;

 private:
  std::filesystem::path path_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> cells_;
  std::vector<std::size_t> line_numbers_;
};

/// Text of a CSV file: a comment line, the names, and the rows with 17 significant digits, which
/// are exact for double precision. CsvTable reads it, and so do NumPy and pandas with comment='#'.
std::string csv_text(const std::string& comment, const std::vector<std::string>& names,
                     const std::vector<std::vector<double>>& columns);

}  // namespace knudsen
