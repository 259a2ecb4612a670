#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/field.hpp"
#include "core/piecewise_field.hpp"

namespace knudsen {

/// A line through the domain along an axis, and the scales of its positions and values.
struct ProfileLine {
  int component = 0;  ///< of the field
  int axis = 0;       ///< along which the line runs
  /// Where the line is along the other axes, in ascending order, as fractions of the domain; 0.5
  /// where left out.
  std::vector<double> at = {};
  double length_scale = 1;  ///< positions are divided by it
  double value_scale = 1;   ///< values are divided by it
};

/// Values at the cell centres along a line. Positions are measured from the low end of the domain,
/// not from the grid's origin.
struct Profile {
  std::string name;               ///< of the component
  std::string comment;            ///< where the line is, scales, unit
  double length = 0;              ///< of the domain, in the unit of the positions
  std::vector<double> positions;  ///< ascending
  std::vector<double> values;     ///< one per position

  /// Value at a position from 0 to `length`. Between cell centres by cubic interpolation of the
  /// four nearest values. Linear, from the two nearest, if one of the four is not finite, and
  /// between an outermost centre and the end of the domain.
  double at(double position) const;
};

/// The profile of a field along a line. Across the line, values are interpolated linearly between
/// the nearest cell centres along each axis, and constant beyond the outermost centre.
Profile extract_profile(const CartesianGrid& grid, const Field& field, const ProfileLine& line);
/// The same by the values in profile_cells.
Profile extract_profile(const CartesianGrid& grid, const CellValues& field,
                        const ProfileLine& line);
/// The cells whose values make a profile, by their places in a field, in the order in which they
/// are needed.
std::vector<std::size_t> profile_cells(const CartesianGrid& grid, const ProfileLine& line);

/// Writes a CSV file with the columns `position` and the component's name. Throws RunError.
void write_profile(const std::filesystem::path& path, const Profile& profile);

/// Reference values for a profile: columns of a CSV file as CsvTable reads it.
struct ProfileReference {
  std::filesystem::path path;
  std::string position_column;  ///< in the unit of the profile's positions
  std::string value_column;
};

/// The largest difference between a profile and its reference.
struct ProfileDifference {
  double largest = 0;   ///< absolute; NaN if a value is not finite
  double position = 0;  ///< of the largest difference
};

/// Compares a profile with its reference and writes a CSV file with the columns `position`,
/// `value`, `reference` and `difference` (value - reference), one row per row of the reference.
/// Throws InputError: reference missing, without these columns or any rows, not numbers, positions
/// outside the domain; RunError: `path` cannot be written.
ProfileDifference compare_profile(const std::filesystem::path& path, const Profile& profile,
                                  const ProfileReference& reference);

}  // namespace knudsen
