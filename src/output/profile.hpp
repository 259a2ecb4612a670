#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/field.hpp"

namespace knudsen {

/// A straight line of cells along an axis, and how its values are written.
struct ProfileLine {
  int component = 0;            ///< of the field
  int axis = 0;                 ///< the line runs along this axis
  std::vector<double> at = {};  ///< fractions (0..1) of the domain in the other axes, in order;
                                ///< those left out are 0.5
  double length_scale = 1;      ///< positions are divided by it
  double value_scale = 1;       ///< values are divided by it
};

/// Values at the cell centres of a line, in rising order of position. Positions are counted from
/// the low end of the domain, not from the grid's origin.
struct Profile {
  std::string name;     ///< of the component
  std::string comment;  ///< where the line is, scales, unit
  double length = 0;    ///< of the domain, in the unit of the positions
  std::vector<double> positions;
  std::vector<double> values;

  /// Value at a position from 0 to `length`: between cell centres by the cubic polynomial through
  /// the four nearest (the line through the two nearest where one of the four is not finite),
  /// between the outermost centres and the walls by the line through the two nearest.
  double at(double position) const;
};

/// Takes the line out of a field, linearly interpolated between the two nearest cell centres in
/// each axis across it (the outermost centre's value beyond it).
Profile extract_profile(const UniformGrid& grid, const Field& field, const ProfileLine& line);

/// Writes columns `position` and the component's name as CSV. Throws RunError.
void write_profile(const std::filesystem::path& path, const Profile& profile);

/// Values of a CSV file with '#' comments and a header line to compare a profile with.
struct ProfileReference {
  std::filesystem::path path;
  std::string position_column;  ///< in the unit of the profile's positions
  std::string value_column;
};

/// Where a profile differs most from its reference; NaN where a value is not finite.
struct ProfileDifference {
  double largest = 0;  ///< absolute
  double position = 0;
};

/// Writes columns `position`, `value`, `reference` and `difference` (value - reference), one row a
/// row of the reference file, as CSV. Throws InputError: reference missing, without the columns or
/// without rows, not numbers, positions outside the domain; RunError: `path` cannot be written.
ProfileDifference compare_profile(const std::filesystem::path& path, const Profile& profile,
                                  const ProfileReference& reference);

}  // namespace knudsen
