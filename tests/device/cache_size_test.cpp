#include "device/cache_size.hpp"

#include <gtest/gtest.h>

#include "output/temporary_directory.hpp"

namespace knudsen {
namespace {

class CacheSize : public testing::Test {
 protected:
  void write(int processor, int index, const std::string& level, const std::string& type,
             const std::string& size, const std::string& sharers) {
    const auto cache = directory_ / ("sys/devices/system/cpu/cpu" + std::to_string(processor) +
                                     "/cache/index" + std::to_string(index));
    std::filesystem::create_directories(cache);
    write_all(cache / "level", level + "\n");
    write_all(cache / "type", type + "\n");
    write_all(cache / "size", size + "\n");
    write_all(cache / "shared_cpu_list", sharers + "\n");
  }

  TemporaryDirectory directory_;
};

TEST_F(CacheSize, IsZeroWhereTheSystemDoesNotSay) {
  EXPECT_EQ(data_cache_bytes(directory_.path()), 0U);
  write(0, 0, "1", "Data", "large", "0");
  EXPECT_EQ(data_cache_bytes(directory_.path()), 0U);
}

TEST_F(CacheSize, CountsSharedCachesOnceAndNoInstructions) {
  for (int processor = 0; processor < 2; ++processor) {
    const std::string own = std::to_string(processor);
    write(processor, 0, "1", "Data", "32K", own);
    write(processor, 1, "1", "Instruction", "32K", own);
    write(processor, 2, "2", "Unified", "1M", own);
    write(processor, 3, "3", "Unified", "32768K", "0-1");
  }
  EXPECT_EQ(data_cache_bytes(directory_.path()), (64U + 2048U + 32768U) * 1024U);
}

TEST(CacheSizeOfThisMachine, IsPlausible) {
  EXPECT_LT(data_cache_bytes(), std::uint64_t{1} << 36U);
}

}  // namespace
}  // namespace knudsen
