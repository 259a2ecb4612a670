#include "output/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"

namespace knudsen {
namespace {

std::string trimmed(const std::string& text) {
  const std::string blank = " \t\r";
  const auto begin = text.find_first_not_of(blank);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line + ',');
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(trimmed(cell));
  return cells;
}

}  // namespace

CsvTable::CsvTable(std::filesystem::path path) : path_(std::move(path)) {
  const std::string shown = path_.string();
  if (std::filesystem::is_directory(path_)) {
    throw InputError(shown + ": is a directory, not a CSV file");
  }
  std::ifstream stream(path_);
  if (!stream) throw InputError(shown + ": cannot be opened for reading");
  std::string line;
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    line = trimmed(line);
    if (line.empty() || line[0] == '#') continue;
    auto cells = split(line);
    if (names_.empty()) {
      names_ = std::move(cells);
      continue;
    }
    if (cells.size() != names_.size()) {
      throw InputError(shown + ": line " + std::to_string(number) + ": found " +
                       std::to_string(cells.size()) + " values, the header names " +
                       std::to_string(names_.size()) + " columns");
    }
    cells_.push_back(std::move(cells));
    line_numbers_.push_back(number);
  }
  if (names_.empty()) throw InputError(shown + ": has no header line");
}

std::vector<double> CsvTable::column(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) {
    throw InputError(path_.string() + ": has no column '" + name + "', only " + join(names_, ", "));
  }
  const auto index = static_cast<std::size_t>(found - names_.begin());
  std::vector<double> values(rows());
  for (std::size_t row = 0; row < rows(); ++row) {
    const std::string& cell = cells_[row][index];
    const char* end = cell.data() + cell.size();
    const auto result = std::from_chars(cell.data(), end, values[row]);
    if (cell.empty() || result.ec != std::errc() || result.ptr != end) {
      throw InputError(path_.string() + ": line " + std::to_string(line_numbers_[row]) +
                       ", column '" + name + "': found '" + cell + "', must be a number");
    }
  }
  return values;
}

std::string csv_text(const std::string& comment, const std::vector<std::string>& names,
                     const std::vector<std::vector<double>>& columns) {
  std::string text = "# " + comment + '\n' + join(names, ",") + '\n';
  const std::size_t rows = columns.empty() ? 0 : columns.front().size();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      char number[32];
      std::snprintf(number, sizeof number, "%s%.17g", i == 0 ? "" : ",", columns[i][row]);
      text += number;
    }
    text += '\n';
  }
  return text;
}

}  // namespace knudsen
