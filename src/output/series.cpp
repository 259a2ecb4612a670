#include "output/series.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "output/atomic_file.hpp"
#include "output/csv.hpp"

namespace knudsen {

Series::Series(std::filesystem::path path, const std::vector<std::string>& names,
               const std::vector<std::string>& units)
    : path_(std::move(path)), comment_("units: step=1"), names_{"step"} {
  for (std::size_t i = 0; i < names.size(); ++i) {
    comment_ += ", " + names[i] + '=' + units.at(i);
    names_.push_back(names[i]);
  }
  columns_.resize(names_.size());
}

void Series::resume(std::int64_t step) {
  if (!std::filesystem::exists(path_)) return;
  const CsvTable table(path_);
  if (table.names() != names_) {
    throw InputError(path_.string() +
                     ": has other columns than the monitors of this case; choose another output "
                     "directory or move the file away");
  }
  std::vector<std::vector<double>> read;
  for (const auto& name : names_) read.push_back(table.column(name));
  for (auto& column : columns_) column.clear();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (read[0][row] > static_cast<double>(step)) continue;
    for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].push_back(read[i][row]);
  }
}

std::int64_t Series::last_step() const {
  return columns_[0].empty() ? -1 : static_cast<std::int64_t>(columns_[0].back());
}

std::vector<double> Series::values_from(std::int64_t step, std::size_t monitor) const {
  const auto& steps = columns_[0];
  const auto first =
      std::lower_bound(steps.begin(), steps.end(), static_cast<double>(step)) - steps.begin();
  return {columns_.at(monitor + 1).begin() + first, columns_[monitor + 1].end()};
}

void Series::drop_last() {
  for (auto& column : columns_) column.pop_back();
}

void Series::append(std::int64_t step, const std::vector<double>& values) {
  columns_[0].push_back(static_cast<double>(step));
  for (std::size_t i = 1; i < columns_.size(); ++i) columns_[i].push_back(values.at(i - 1));
}

void Series::flush() const { write_file(path_, csv_text(comment_, names_, columns_)); }

}  // namespace knudsen
