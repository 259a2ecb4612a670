#include "output/profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/error.hpp"
#include "core/sides.hpp"
#include "output/atomic_file.hpp"
#include "output/component.hpp"
#include "output/csv.hpp"
#include "output/interpolation.hpp"

namespace knudsen {
namespace {

std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// The Lagrange polynomial through `count` points from index `first`, evaluated at `position`.
double polynomial(const Profile& profile, std::size_t first, std::size_t count, double position) {
  double sum = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    double weight = 1;
    for (std::size_t j = first; j < first + count; ++j) {
      if (j == i) continue;
      weight *= (position - profile.positions[j]) / (profile.positions[i] - profile.positions[j]);
    }
    // 0 * NaN is NaN, so points without weight are skipped.
    if (weight != 0) sum += weight * profile.values[i];
  }
  return sum;
}

/// Calls body(axis, fraction) for the axes across a line.
template <class Body>
void for_axes_across(const ProfileLine& line, const Body& body) {
  std::size_t given = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (axis == static_cast<std::size_t>(line.axis)) continue;
    body(axis, given < line.at.size() ? line.at[given] : 0.5);
    ++given;
  }
}

/// Calls body(i, weights) for each cell i along a line, with the cells around it.
template <class Body>
void for_line(const CartesianGrid& grid, const ProfileLine& line, const Body& body) {
  const auto axis = static_cast<std::size_t>(line.axis);
  std::array<AxisWeights, 3> near{};
  for_axes_across(line, [&](std::size_t across, double fraction) {
    near[across] = axis_weights(grid, across, fraction);
  });
  for (int i = 0; i < grid.cells[axis]; ++i) {
    near[axis] = {{i, i}, {1, 0}};
    body(i, cell_weights(grid, near));
  }
}

}  // namespace

double Profile::at(double position) const {
  const std::size_t count = positions.size();
  if (count == 1) return values[0];
  const auto above = std::upper_bound(positions.begin(), positions.end(), position);
  const auto right = static_cast<std::size_t>(above - positions.begin());
  const std::size_t left = std::clamp<std::size_t>(right, 1, count - 1) - 1;
  const bool between_centres = position >= positions.front() && position <= positions.back();
  if (between_centres && count >= 4) {
    const std::size_t first = std::clamp<std::size_t>(left, 1, count - 3) - 1;
    const double cubic = polynomial(*this, first, 4, position);
    if (std::isfinite(cubic)) return cubic;
  }
  return polynomial(*this, left, 2, position);
}

std::vector<std::size_t> profile_cells(const CartesianGrid& grid, const ProfileLine& line) {
  std::vector<std::size_t> cells;
  for_line(grid, line, [&](int, const std::vector<CellWeight>& weights) {
    for (const CellWeight& each : weights) cells.push_back(each.cell);
  });
  return cells;
}

Profile extract_profile(const CartesianGrid& grid, const Field& field, const ProfileLine& line) {
  const auto components = static_cast<std::size_t>(field.quantity.components);
  CellValues values{field.quantity, {}};
  for (const std::size_t cell : profile_cells(grid, line)) {
    for (std::size_t c = 0; c < components; ++c) {
      values.values.push_back(field[cell * components + c]);
    }
  }
  return extract_profile(grid, values, line);
}

Profile extract_profile(const CartesianGrid& grid, const CellValues& field,
                        const ProfileLine& line) {
  const auto axis = static_cast<std::size_t>(line.axis);
  Profile profile;
  profile.name = component_name(field.quantity, line.component);
  profile.comment = profile.name + " along " + axis_names.at(axis) + " at";
  for_axes_across(line, [&](std::size_t across, double fraction) {
    profile.comment += ' ' + axis_names[across] + '=' + short_text(fraction);
  });
  profile.comment += " of the domain; positions in units of " + short_text(line.length_scale) +
                     (grid.unit.empty() ? "" : ' ' + grid.unit) + ", values in units of " +
                     short_text(line.value_scale) + " [" + field.quantity.unit + "]";

  const double low = grid.edge(axis, 0);
  profile.length = (grid.edge(axis, grid.cells[axis]) - low) / line.length_scale;
  std::size_t next = 0;
  for_line(grid, line, [&](int i, const std::vector<CellWeight>& weights) {
    double sum = 0;
    for (const CellWeight& each : weights) {
      sum += each.weight * field(next++, static_cast<std::size_t>(line.component));
    }
    const double middle = 0.5 * (grid.edge(axis, i) + grid.edge(axis, i + 1));
    profile.positions.push_back((middle - low) / line.length_scale);
    profile.values.push_back(sum / line.value_scale);
  });
  return profile;
}

void write_profile(const std::filesystem::path& path, const Profile& profile) {
  write_file(path, csv_text(profile.comment, {"position", profile.name},
                            {profile.positions, profile.values}));
}

ProfileDifference compare_profile(const std::filesystem::path& path, const Profile& profile,
                                  const ProfileReference& reference) {
  const CsvTable table(reference.path);
  const auto positions = table.column(reference.position_column);
  const auto expected = table.column(reference.value_column);
  if (positions.empty()) throw InputError(reference.path.string() + ": has no rows");

  ProfileDifference result{-1, 0};
  std::vector<double> values, differences;
  const double rounding = 1e-9 * profile.length;
  for (std::size_t row = 0; row < positions.size(); ++row) {
    const double position = positions[row];
    if (!(position >= -rounding && position <= profile.length + rounding)) {
      throw InputError(reference.path.string() + ": column '" + reference.position_column +
                       "': found " + short_text(position) + ", the profile reaches from 0 to " +
                       short_text(profile.length));
    }
    values.push_back(profile.at(position));
    differences.push_back(values.back() - expected[row]);
    const double difference = std::abs(differences.back());
    if (difference > result.largest || (std::isnan(difference) && !std::isnan(result.largest))) {
      result = {difference, position};
    }
  }
  write_file(path, csv_text(profile.comment + "; reference: column " + reference.value_column +
                                " of " + reference.path.filename().string(),
                            {"position", "value", "reference", "difference"},
                            {positions, values, expected, differences}));
  return result;
}

}  // namespace knudsen
