#include "model/place_functions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "core/sides.hpp"
#include "core/text.hpp"
#include "output/csv.hpp"
#include "output/vtkhdf.hpp"

namespace knudsen {
namespace {

/// Distance beyond a table, relative to its largest coordinate, that counts as rounding.
constexpr double coordinate_tolerance = 1e-9;
/// Of the width of a table that is used, at least: in another unit of length it would be a
/// hundredth or less.
constexpr double least_share_of_table = 0.02;
/// Place of the time among the variables of formulas.
constexpr std::size_t time_variable = 3;

std::string place_text(const PlacePoint& at) {
  return "(" + number_text(at[0]) + ", " + number_text(at[1]) + ", " + number_text(at[2]) + ")";
}

/// Place of a coordinate among ascending lines: that of the line at or below it, and how far it is
/// towards the next one, from 0 to 1. Nothing if it is outside.
std::optional<std::pair<std::size_t, double>> place_among(const std::vector<double>& lines,
                                                          double coordinate) {
  const double slack =
      coordinate_tolerance * std::max(std::abs(lines.front()), std::abs(lines.back()));
  if (!(coordinate >= lines.front() - slack && coordinate <= lines.back() + slack)) return {};
  const auto above = std::upper_bound(lines.begin(), lines.end(), coordinate);
  if (above == lines.begin()) return {{0, 0.0}};
  const auto below = static_cast<std::size_t>(above - lines.begin()) - 1;
  if (above == lines.end()) return {{below, 0.0}};
  return {{below, (coordinate - lines[below]) / (lines[below + 1] - lines[below])}};
}

}  // namespace

PlaceTable::PlaceTable(const std::filesystem::path& file,
                       const std::vector<std::string>& quantities) {
  const CsvTable csv(file);
  const std::string shown = file.string();
  std::array<std::vector<double>, 3> places;
  for (const std::string& name : csv.names()) {
    const auto axis = std::find(axis_names.begin(), axis_names.end(), name);
    const bool is_quantity =
        std::find(quantities.begin(), quantities.end(), name) != quantities.end();
    if (axis == axis_names.end() && !is_quantity) {
      throw InputError(shown + ": found the column " + quote(name) + ", must be one of " +
                       quote_list({"x", "y", "z"}) + ", " + quote_list(quantities));
    }
    if (std::count(csv.names().begin(), csv.names().end(), name) > 1) {
      throw InputError(shown + ": has several columns " + quote(name));
    }
    if (is_quantity) {
      values_[name] = csv.column(name);
    } else {
      places[static_cast<std::size_t>(axis - axis_names.begin())] = csv.column(name);
    }
  }
  if (values_.empty()) {
    throw InputError(shown + ": has no column of a quantity, must have one of " +
                     quote_list(quantities));
  }
  if (csv.rows() == 0) throw InputError(shown + ": has no rows");
  double points = 1;
  bool has_places = false;
  for (std::size_t d = 0; d < 3; ++d) {
    if (places[d].empty()) continue;
    has_places = true;
    for (const double coordinate : places[d]) {
      if (std::isfinite(coordinate)) continue;
      throw InputError(shown + ": found " + axis_names[d] + " = " + number_text(coordinate) +
                       ", must be finite");
    }
    lines_[d] = places[d];
    std::sort(lines_[d].begin(), lines_[d].end());
    lines_[d].erase(std::unique(lines_[d].begin(), lines_[d].end()), lines_[d].end());
    points *= static_cast<double>(lines_[d].size());
  }
  if (!has_places) {
    throw InputError(shown + ": has no column of coordinates, must have \"x\", \"y\" or \"z\"");
  }
  if (points != static_cast<double>(csv.rows())) {
    throw InputError(shown + ": has " + std::to_string(csv.rows()) +
                     " rows, must have one for each point of a grid of its coordinates, " +
                     number_text(points));
  }
  // Places of the rows in the order of `values_`.
  std::vector<std::size_t> order(csv.rows());
  std::vector<bool> found(csv.rows(), false);
  for (std::size_t row = 0; row < order.size(); ++row) {
    std::size_t stride = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      if (places[d].empty()) continue;
      const auto line = std::lower_bound(lines_[d].begin(), lines_[d].end(), places[d][row]);
      order[row] += stride * static_cast<std::size_t>(line - lines_[d].begin());
      stride *= lines_[d].size();
    }
    if (found[order[row]]) {
      throw InputError(shown + ": two rows have the same coordinates");
    }
    found[order[row]] = true;
  }
  for (auto& [name, values] : values_) {
    const std::vector<double> rows = values;
    for (std::size_t row = 0; row < rows.size(); ++row) values[order[row]] = rows[row];
  }
}

std::optional<double> PlaceTable::value(const std::string& quantity, const PlacePoint& at) const {
  std::array<std::size_t, 3> below{};
  std::array<double, 3> share{};
  for (std::size_t d = 0; d < 3; ++d) {
    if (lines_[d].empty()) continue;
    const auto place = place_among(lines_[d], at[d]);
    if (!place) return {};
    std::tie(below[d], share[d]) = *place;
  }
  const std::vector<double>& values = values_.at(quantity);
  double sum = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    double weight = 1;
    std::size_t index = 0;
    std::size_t stride = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      const bool upper = (corner >> d & 1U) != 0;
      weight *= upper ? share[d] : 1 - share[d];
      if (lines_[d].empty()) continue;
      index += stride * (below[d] + (upper ? 1 : 0));
      stride *= lines_[d].size();
    }
    // Where the weight is 0 there may be no such point.
    if (weight > 0) sum += weight * values[index];
  }
  return sum;
}

std::optional<std::array<double, 2>> PlaceTable::range(std::size_t axis) const {
  if (lines_[axis].empty()) return {};
  return {{lines_[axis].front(), lines_[axis].back()}};
}

std::string PlaceTable::extent() const {
  std::vector<std::string> parts;
  for (std::size_t d = 0; d < 3; ++d) {
    if (lines_[d].empty()) continue;
    parts.push_back(axis_names[d] + " from " + number_text(lines_[d].front()) + " to " +
                    number_text(lines_[d].back()));
  }
  return join(parts, " and ");
}

PlaceFunctions::PlaceFunctions(CaseNode& node, const std::vector<PlacedQuantity>& quantities,
                               Options options)
    : takes_time_(options.time) {
  std::vector<std::string> variables{"x", "y", "z"};
  if (options.time) variables.emplace_back("t");
  std::vector<std::string> names;
  for (const PlacedQuantity& each : quantities) {
    names.push_back(each.name);
    const auto formula = node.formula(each.name, variables, each.documentation);
    if (!formula) continue;
    functions_[each.name] = {formula, each.range, node.message(each.name, "")};
  }
  const std::string table =
      "CSV file in place of formulas. A header line names its columns: the coordinates on which "
      "the values depend, of x, y and z, and quantities, by the names of these keys. Its rows are "
      "the points of a grid in any order, between which values are interpolated linearly. Lines "
      "that start with # are comments.";
  const auto file = node.file(
      "file", !options.fields ? table
                              : table +
                                    " Or a field file of a run, fields_<step>.vtkhdf, with as "
                                    "many cells along each axis.");
  if (!file) return;
  if (!functions_.empty()) {
    node.fail(functions_.begin()->first, "cannot be combined with \"file\"; leave one of them out");
  }
  if (options.fields && is_hdf5(*file)) {
    field_file_ = file;
    return;
  }
  table_.emplace(*file, names);
  table_where_ = node.message("file", "");
  for (const PlacedQuantity& each : quantities) {
    if (!table_->has(each.name)) continue;
    functions_[each.name] = {{}, each.range, node.message("file", each.name + " ")};
  }
}

double PlaceFunctions::value(const std::string& quantity, const PlacePoint& at, double time) const {
  const Function& function = functions_.at(quantity);
  double value = std::numeric_limits<double>::quiet_NaN();
  if (function.formula) {
    value = (*function.formula)(std::array{at[0], at[1], at[2], time});
  } else if (const auto found = table_->value(quantity, at)) {
    value = *found;
  } else {
    throw InputError(function.where + "is not known at " + place_text(at) +
                     ", since the table covers " + table_->extent());
  }
  if (std::isfinite(value) && function.range.contains(value)) return value;
  const std::string limits = function.range.text();
  throw InputError(function.where + "is " + number_text(value) + " at " + place_text(at) +
                   (takes_time_ ? " and t = " + number_text(time) : "") + ", must be finite" +
                   (limits.empty() ? "" : " and " + limits));
}

void PlaceFunctions::check_width(std::size_t axis, double begin, double end) const {
  if (!table_) return;
  const auto range = table_->range(axis);
  if (!range || end - begin >= least_share_of_table * ((*range)[1] - (*range)[0])) return;
  const std::string& name = axis_names[axis];
  throw InputError(table_where_ + "the table covers " + name + " from " + number_text((*range)[0]) +
                   " to " + number_text((*range)[1]) + ", but only " + name + " from " +
                   number_text(begin) + " to " + number_text(end) +
                   " is used, less than a fiftieth of it; coordinates of a table are in the length "
                   "unit of the case, in m in a case in SI units: convert them (from mm?), or cut "
                   "the table to what is used");
}

bool PlaceFunctions::varies() const {
  return std::any_of(functions_.begin(), functions_.end(), [](const auto& entry) {
    return entry.second.formula && entry.second.formula->uses(time_variable);
  });
}

}  // namespace knudsen
