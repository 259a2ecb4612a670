#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "core/field.hpp"

namespace knudsen {

struct SnapshotOptions {
  std::string title = {};              ///< drawn above the picture
  std::string colour_map = "viridis";  ///< see colour_maps()
  /// Of a vector or tensor field; -1: the magnitude of a vector.
  int component = -1;
  /// Range of the colours; NaN: from the finite values shown (symmetric about zero for the
  /// diverging map).
  double minimum = std::numeric_limits<double>::quiet_NaN();
  double maximum = std::numeric_limits<double>::quiet_NaN();
  int longest_side = 768;  ///< of the picture of the field, in pixels
};

/// Names of the perceptual colour maps: "viridis", "inferno" and so on, and one diverging map.
std::vector<std::string> colour_maps();

/// Writes a PNG picture (libpng) of a scalar field, of a component, or of the magnitude of a vector
/// field, on a two-dimensional grid or on the mid-plane z of a three-dimensional one: y upwards,
/// each pixel the colour of the nearest cell, colour bar with labelled ticks, title, quantity name
/// and unit. NaN cells (solids) are grey. Lengths keep their proportions, save that the shorter
/// side is never thinner than a few pixels. Appears whole or not at all. Throws InputError where
/// the colour map is unknown, RunError where the file cannot be written.
void write_snapshot(const std::filesystem::path& path, const UniformGrid& grid, const Field& field,
                    const SnapshotOptions& options);

}  // namespace knudsen
