#pragma once

#include <cstdint>

namespace knudsen {

/// From now on Kokkos reports its allocations to this file: large ones on the host get huge pages.
/// With a tool loaded (KOKKOS_TOOLS_LIBS) that gets the reports instead.
void watch_allocations();

/// Memory that Kokkos allocates on the device (on the host where there is no other backend), as it
/// reports to its tools. If a tool is loaded (KOKKOS_TOOLS_LIBS), that gets the reports, and
/// nothing is measured.
struct DeviceMemory {
  /// Begins to count; later calls begin a new measurement of the peak.
  static void begin();
  /// The largest amount at any time since `begin`, less what there was then, in bytes; 0 if it is
  /// not measured.
  static std::int64_t peak();
};

}  // namespace knudsen
