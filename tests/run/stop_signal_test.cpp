#include "run/stop_signal.hpp"

#include <gtest/gtest.h>

#include "output/temporary_directory.hpp"

namespace knudsen {
namespace {

TEST(StopSignal, RecordsSignalsWhileStepping) {
  const StopSignal signal;
  EXPECT_EQ(signal.received(), 0);
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    std::raise(each);
    EXPECT_EQ(signal.received(), each);
  }
}

TEST(StopSignal, LeavesIgnoredHangupsIgnored) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    const StopSignal signal;
    std::raise(SIGHUP);
    EXPECT_EQ(signal.received(), 0);
  }
  EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN);
}

TEST(StopSignalDeathTest, EndsTheSetUpAtOnce) {
  const TemporaryDirectory directory;
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    write_all(directory / "lock", "");
    EXPECT_EXIT(
        {
          const StopSignal signal(StopSignal::Phase::set_up);
          StopSignal::delete_on_exit(directory / "lock");
          std::raise(each);
        },
        testing::ExitedWithCode(128 + each), "stopped by a signal before the first step");
    EXPECT_EQ(directory.files(), 0U);
  }
}

TEST(StopSignal, RecordsSignalsAfterTheSetUp) {
  const StopSignal signal(StopSignal::Phase::set_up);
  StopSignal::begin_stepping();
  std::raise(SIGTERM);
  EXPECT_EQ(signal.received(), SIGTERM);
}

TEST(StopSignal, HasNames) {
  EXPECT_EQ(signal_name(SIGHUP), "SIGHUP");
  EXPECT_EQ(signal_name(SIGXCPU), "SIGXCPU");
}

}  // namespace
}  // namespace knudsen
