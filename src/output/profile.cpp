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

namespace knudsen {
namespace {

std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// The two cells nearest a point along an axis and their weights in a linear interpolation.
struct Neighbours {
  std::array<int, 2> cells;
  std::array<double, 2> weights;
};

Neighbours neighbours(const CartesianGrid& grid, std::size_t axis, double fraction) {
  const int cells = grid.cells[axis];
  double index = fraction * cells - 0.5;
  if (!grid.edges[axis].empty()) {
    const auto centre = [&](int i) { return 0.5 * (grid.edge(axis, i) + grid.edge(axis, i + 1)); };
    const double begin = grid.edge(axis, 0);
    const double place = begin + fraction * (grid.edge(axis, cells) - begin);
    int low = 0;
    while (low + 2 < cells && centre(low + 1) <= place) ++low;
    index = cells > 1 ? low + (place - centre(low)) / (centre(low + 1) - centre(low)) : 0;
  }
  // Rounding must not give a solid cell, which is NaN, a weight.
  if (std::abs(index - std::round(index)) < 1e-9) index = std::round(index);
  index = std::clamp(index, 0.0, cells - 1.0);
  const int low = std::min(static_cast<int>(index), std::max(cells - 2, 0));
  return {{low, std::min(low + 1, cells - 1)}, {low + 1 - index, index - low}};
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

Profile extract_profile(const CartesianGrid& grid, const Field& field, const ProfileLine& line) {
  const auto axis = static_cast<std::size_t>(line.axis);
  Profile profile;
  profile.name = component_name(field.quantity, line.component);
  profile.comment = profile.name + " along " + axis_names.at(axis) + " at";

  std::array<Neighbours, 3> near{};
  std::size_t given = 0;
  for (std::size_t other = 0; other < 3; ++other) {
    if (other == axis) continue;
    const double fraction = given < line.at.size() ? line.at[given] : 0.5;
    near[other] = neighbours(grid, other, fraction);
    profile.comment += ' ' + axis_names[other] + '=' + short_text(fraction);
    ++given;
  }
  profile.comment += " of the domain; positions in units of " + short_text(line.length_scale) +
                     ", values in units of " + short_text(line.value_scale) + " [" +
                     field.quantity.unit + "]";

  const int cells = grid.cells[axis];
  const double low = grid.edge(axis, 0);
  profile.length = (grid.edge(axis, cells) - low) / line.length_scale;
  for (int i = 0; i < cells; ++i) {
    near[axis] = {{i, i}, {1, 0}};
    double sum = 0;
    for (std::size_t corner = 0; corner < 8; ++corner) {
      std::array<std::size_t, 3> cell{};
      double weight = 1;
      for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t side = corner >> a & 1;
        cell[a] = static_cast<std::size_t>(near[a].cells[side]);
        weight *= near[a].weights[side];
      }
      const std::size_t index = (cell[2] * static_cast<std::size_t>(grid.cells[1]) + cell[1]) *
                                    static_cast<std::size_t>(grid.cells[0]) +
                                cell[0];
      const auto components = static_cast<std::size_t>(field.quantity.components);
      // 0 * NaN is NaN, so cells without weight, which may be solid, are skipped.
      if (weight != 0) {
        sum += weight * field[index * components + static_cast<std::size_t>(line.component)];
      }
    }
    const double middle = 0.5 * (grid.edge(axis, i) + grid.edge(axis, i + 1));
    profile.positions.push_back((middle - low) / line.length_scale);
    profile.values.push_back(sum / line.value_scale);
  }
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
