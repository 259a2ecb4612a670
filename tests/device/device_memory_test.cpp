#include "device/device_memory.hpp"

#include <gtest/gtest.h>

#include "device/kokkos.hpp"

namespace knudsen {
namespace {

using Bytes = Kokkos::View<char*, DeviceExecutionSpace::memory_space>;

/// Kokkos may add a header of some bytes to each allocation.
constexpr double header = 1024;

TEST(DeviceMemory, ThePeakIsTheMostThatIsAllocatedAtOnce) {
  constexpr std::size_t size = 1 << 20;
  const Bytes before("before", 5 * size);
  DeviceMemory::begin();
  {
    const Bytes one("one", size);
    { const Bytes two("two", 2 * size); }
    const Bytes three("three", size);
  }
  EXPECT_NEAR(double(DeviceMemory::peak()), 3.0 * size, header);
  DeviceMemory::begin();
  const Bytes again("again", size);
  EXPECT_NEAR(double(DeviceMemory::peak()), double(size), header);
}

}  // namespace
}  // namespace knudsen
