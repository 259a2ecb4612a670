#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace knudsen {

/// A velocity distribution at a place.
struct DistributionSample {
  std::array<double, 3> position{0, 0, 0};
  std::array<std::vector<double>, 3> velocities;  ///< along x, y and z
  std::vector<double> values;                     ///< (x, y, z), z fastest
  std::string unit;
  std::string velocity_unit;
};

/// Writes a group probe_0, probe_1, ... for each sample with the datasets `distribution` (x, y, z),
/// `velocity_x`, `velocity_y` and `velocity_z` and the attribute `position`, as HDF5. The file
/// appears whole or not at all. Throws RunError.
void write_distributions(const std::filesystem::path& path,
                         const std::vector<DistributionSample>& samples);

}  // namespace knudsen
