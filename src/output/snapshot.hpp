#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "core/field.hpp"

namespace knudsen {

/// How a field is drawn.
struct SnapshotOptions {
  std::string title = {};              ///< drawn above the picture
  std::string colour_map = "viridis";  ///< see colour_maps()
  /// The component of a vector or tensor that is drawn; -1 for the magnitude of a vector.
  int component = -1;
  /// Value of the lowest colour; NaN for the minimum of the finite values drawn. A diverging map
  /// then has a range symmetric about zero.
  double minimum = std::numeric_limits<double>::quiet_NaN();
  /// Value of the highest colour; NaN likewise.
  double maximum = std::numeric_limits<double>::quiet_NaN();
  int longest_side = 768;  ///< of the field's picture, in pixels
};

/// Names of the colour maps (see colour_map_table).
std::vector<std::string> colour_maps();

/// Writes a PNG picture of a scalar field, a component or the magnitude of a vector: of a
/// two-dimensional grid, or of the mid-plane normal to z of a three-dimensional one. The y axis
/// points up. Each pixel has the colour of the nearest cell; NaN cells (solids) are grey. A title
/// and a labelled colour bar with name and unit are added. The picture is to scale, except that
/// very thin domains are drawn a few pixels wide. The file appears complete or not at all. Throws
/// InputError for an unknown colour map, RunError if the file cannot be written.
void write_snapshot(const std::filesystem::path& path, const CartesianGrid& grid,
                    const Field& field, const SnapshotOptions& options);

}  // namespace knudsen
