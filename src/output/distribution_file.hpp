#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace knudsen {

/// A velocity distribution at a point.
struct DistributionSample {
  std::array<double, 3> position{0, 0, 0};
  std::array<std::vector<double>, 3> velocities;  ///< the nodes along x, y and z
  std::vector<double> values;                     ///< (x, y, z), z fastest
  std::string unit;                               ///< of the values
  std::string velocity_unit;                      ///< of the nodes
};

/// Writes an HDF5 file with a group probe_0, probe_1, ... for each sample. A group has the datasets
/// `distribution` (x, y, z), `velocity_x`, `velocity_y` and `velocity_z` and the attribute
/// `position`. The file appears complete or not at all. Throws RunError.
void write_distributions(const std::filesystem::path& path,
                         const std::vector<DistributionSample>& samples);

}  // namespace knudsen
