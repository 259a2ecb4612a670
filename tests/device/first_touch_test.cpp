#include "device/first_touch.hpp"

#include <gtest/gtest.h>

namespace knudsen {
namespace {

TEST(FirstTouch, AllValuesOfAllPlanesAreZero) {
  for (const std::size_t length : {1, 3, 64, 1001}) {
    for (const std::size_t planes : {1, 9, 27}) {
      // Memory that the next allocation may get is not zero.
      {
        View<double*, DeviceExecutionSpace> used("used", planes * length);
        Kokkos::deep_copy(used, 1.0);
      }
      const auto made = zeroed_planes<double, DeviceExecutionSpace>("planes", planes, length);
      ASSERT_EQ(made.extent(0), planes * length);
      const auto values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), made);
      for (std::size_t i = 0; i < values.extent(0); ++i) ASSERT_EQ(values(i), 0.0) << i;
    }
  }
}

}  // namespace
}  // namespace knudsen
