#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace knudsen {

/// What the control groups of this process (cgroups, versions 1 and 2) allow it. Containers and
/// batch systems set these limits. Without a limit a member is empty.
struct ControlGroupLimits {
  std::optional<double> cores;                ///< CPU time per wall time
  std::optional<std::uint64_t> memory_total;  ///< bytes
  /// Bytes until the limit is reached, of the group that is nearest to it. Cached files do not
  /// count as used, since the kernel drops them when memory is needed.
  std::optional<std::uint64_t> memory_free;
};

/// Reads the limits of the process's groups and of all groups above them. `root` is the directory
/// that holds proc/ and sys/.
ControlGroupLimits control_group_limits(const std::filesystem::path& root = "/");

}  // namespace knudsen
