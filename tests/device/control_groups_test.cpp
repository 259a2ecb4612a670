#include "device/control_groups.hpp"

#include <gtest/gtest.h>

#include "output/temporary_directory.hpp"

namespace knudsen {
namespace {

/// A machine's /proc and /sys in a temporary directory.
class ControlGroups : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    const auto file = directory_ / name;
    std::filesystem::create_directories(file.parent_path());
    write_all(file, text);
  }
  ControlGroupLimits limits() const { return control_group_limits(directory_.path()); }

  TemporaryDirectory directory_;
};

TEST_F(ControlGroups, AMachineWithoutAnyHasNoLimits) {
  EXPECT_FALSE(limits().cores);
  EXPECT_FALSE(limits().memory_total);
  EXPECT_FALSE(limits().memory_free);
}

TEST_F(ControlGroups, Version2) {
  write("proc/self/cgroup", "0::/job/step\n");
  write("sys/fs/cgroup/job/step/cpu.max", "150000 100000\n");
  write("sys/fs/cgroup/job/step/memory.max", "max\n");
  write("sys/fs/cgroup/job/step/memory.current", "5000\n");
  write("sys/fs/cgroup/job/cpu.max", "max 100000\n");
  write("sys/fs/cgroup/job/memory.max", "10000\n");
  write("sys/fs/cgroup/job/memory.current", "6000\n");
  write("sys/fs/cgroup/job/memory.stat",
        "anon 3000\nfile 3000\ninactive_file 1500\nactive_file 500\n");
  EXPECT_EQ(limits().cores, 1.5);
  EXPECT_EQ(limits().memory_total, 10000U);
  EXPECT_EQ(limits().memory_free, 6000U);
}

TEST_F(ControlGroups, Version2NoLimits) {
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/cpu.max", "max 100000\n");
  write("sys/fs/cgroup/memory.max", "max\n");
  write("sys/fs/cgroup/memory.current", "123\n");
  EXPECT_FALSE(limits().cores);
  EXPECT_FALSE(limits().memory_free);
}

TEST_F(ControlGroups, TheTightestOfAllLevelsCounts) {
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
  write("sys/fs/cgroup/a/cpu.max", "200000 100000\n");
  write("sys/fs/cgroup/a/b/memory.max", "1000\n");
  write("sys/fs/cgroup/a/b/memory.current", "100\n");
  write("sys/fs/cgroup/a/memory.max", "5000\n");
  write("sys/fs/cgroup/a/memory.current", "4900\n");
  EXPECT_EQ(limits().cores, 2);
  EXPECT_EQ(limits().memory_total, 1000U);
  EXPECT_EQ(limits().memory_free, 100U);
}

TEST_F(ControlGroups, Version1) {
  write("proc/self/cgroup", "5:cpu,cpuacct:/job\n4:memory:/job\n3:pids:/other\n0::/\n");
  write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "50000\n");
  write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "8000\n");
  write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "7000\n");
  write("sys/fs/cgroup/memory/job/memory.stat",
        "cache 9\nactive_file 1\ntotal_active_file 1000\ntotal_inactive_file 500\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "70000\n");
  EXPECT_EQ(limits().cores, 0.5);
  EXPECT_EQ(limits().memory_total, 8000U);
  EXPECT_EQ(limits().memory_free, 2500U);
}

TEST_F(ControlGroups, InAContainerTheMountPointIsTheGroup) {
  write("proc/self/cgroup", "4:memory:/docker/0123\n1:cpu:/docker/0123\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "300000\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "8000\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "9000\n");
  EXPECT_EQ(limits().cores, 3);
  EXPECT_EQ(limits().memory_free, 0U);
}

TEST_F(ControlGroups, FilesThatAreNotAsExpectedAreNoLimits) {
  write("proc/self/cgroup", "nonsense\n0::/\n");
  write("sys/fs/cgroup/cpu.max", "");
  write("sys/fs/cgroup/memory.max", "\n");
  EXPECT_FALSE(limits().cores);
  EXPECT_FALSE(limits().memory_free);
}

}  // namespace
}  // namespace knudsen
