#include "run/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace knudsen {
namespace {

using testing::HasSubstr;
using testing::Not;

ProgressState sample_state() { return {420, 1000, 412.3e6, "node", 12.4, ""}; }

TEST(Progress, ShowsShareStepRateAndTimeLeft) {
  EXPECT_EQ(progress_text(sample_state()),
            " 42.0 %  step 420 of 1000  412.3 M node updates/s  0:12 left");
}

TEST(Progress, ShowsTheResidualWhereThereIsOne) {
  ProgressState state = sample_state();
  state.residual = "velocity_change 1.20e-05";
  EXPECT_THAT(progress_text(state), HasSubstr("left  velocity_change 1.20e-05"));
}

TEST(Progress, LeavesOutATimeThatIsNotKnown) {
  ProgressState state = sample_state();
  state.seconds_left = -1;
  EXPECT_THAT(progress_text(state), Not(HasSubstr("left")));
}

TEST(Progress, SaysAHundredPercentOnlyWhenDone) {
  ProgressState state = sample_state();
  state.last_step = 1000000;
  state.step = 999999;
  EXPECT_THAT(progress_text(state), HasSubstr(" 99.9 %"));
  state.step = 1000000;
  EXPECT_THAT(progress_text(state), HasSubstr("100.0 %"));
}

TEST(Progress, RatesHaveAPrefix) {
  EXPECT_EQ(rate_text(52.34e9, "node"), "52.34 G node updates/s");
  EXPECT_EQ(rate_text(12, "phase-space point"), "12.00 phase-space point updates/s");
}

TEST(Progress, DurationsHaveHoursWhereNeeded) {
  EXPECT_EQ(duration_text(0.2), "0:00");
  EXPECT_EQ(duration_text(75), "1:15");
  EXPECT_EQ(duration_text(3723), "1:02:03");
  EXPECT_EQ(duration_text(360000), "100:00:00");
}

}  // namespace
}  // namespace knudsen
