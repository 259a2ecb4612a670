#include "run/batches.hpp"

#include <gtest/gtest.h>

namespace knudsen::test {
namespace {

/// What a run of `steps` steps of `seconds` each does; the first step takes `cold` times as long.
struct SimulatedRun {
  std::int64_t warm_up = 0;  ///< steps
  std::int64_t timed = 0;    ///< likewise
  std::int64_t longest = 0;  ///< steps of a batch
  double timed_seconds = 0;
  double longest_seconds = 0;
  Spread spread;

  SimulatedRun(std::int64_t steps, double seconds, double cold = 1, std::int64_t event = 1 << 30) {
    Batches batches;
    std::int64_t step = 0;
    while (step < steps) {
      const std::int64_t taken = std::min({batches.limit(), steps - step, event - step % event});
      EXPECT_GE(taken, 1);
      if (step == 0) {
        EXPECT_FALSE(batches.times_kernels());
        warm_up = taken;
      } else if (batches.times_kernels()) {
        const std::int64_t stride = batches.timing_stride(taken);
        const std::int64_t pairs = (taken + stride - 1) / stride;
        timed += std::min(taken, 2 * pairs);
        timed_seconds += seconds * static_cast<double>(std::min(taken, 2 * pairs));
      }
      const double all = seconds * static_cast<double>(taken) * (step == 0 ? cold : 1);
      longest = std::max(longest, taken);
      longest_seconds = std::max(longest_seconds, step == 0 ? 0 : all);
      step += taken;
      batches.add(taken, all, steps - step);
    }
    spread = batches.step_seconds();
  }
};

TEST(Batches, OfALongRunTakeAFifthOfASecond) {
  const SimulatedRun run(1000000, 1e-4, 100);
  EXPECT_EQ(run.warm_up, 1);
  EXPECT_NEAR(run.longest_seconds, 0.2, 0.01);
  EXPECT_GT(run.spread.count, 350);
  EXPECT_NEAR(run.spread.median, 1e-4, 1e-12);  // the cold step does not count
  EXPECT_LT(run.timed_seconds, 0.06 * 100);
  EXPECT_GT(run.timed, 64);
}

TEST(Batches, TimedStepsArePairsSpreadOverABatchAsLongAsTheOthers) {
  Batches batches;
  batches.add(1, 1e-3, 100000);
  const auto add = [&] {
    batches.add(batches.limit(), 5e-4 * static_cast<double>(batches.limit()), 100000);
  };
  while (batches.times_kernels()) add();
  while (!batches.times_kernels()) add();
  EXPECT_EQ(batches.limit(), 400);            // 0.2 s
  EXPECT_EQ(batches.timing_stride(400), 13);  // 31 pairs of the 32 that are allowed
  EXPECT_EQ(batches.timing_stride(30), 2);    // cut short by an event: all
}

TEST(Batches, OfAShortRunAreAtLeastFive) {
  for (const double seconds : {1e-3, 0.9e-2, 1.1e-2, 0.1}) {
    const SimulatedRun run(100, seconds, 10);
    EXPECT_GE(run.spread.count, 5) << seconds;
    EXPECT_GE(run.timed, 2) << seconds;
  }
}

TEST(Batches, OfStepsThatTakeSecondsAreSingleSteps) {
  const SimulatedRun run(10, 3);
  EXPECT_EQ(run.longest, 2);
  EXPECT_EQ(run.timed, 9);
  EXPECT_EQ(run.spread.count, 8);
}

TEST(Batches, OfStepsLongForTheClockAreTimedButTheFirst) {
  const auto expect = [](bool clock_is_free, double seconds, bool times_all) {
    Batches batches(clock_is_free);
    EXPECT_FALSE(batches.times_kernels());
    batches.add(1, 5 * seconds, 1000);
    for (int i = 0; i < 200; ++i) batches.add(5, 5 * seconds, 1000);
    if (times_all) {
      EXPECT_TRUE(batches.times_kernels());
      EXPECT_EQ(batches.step_seconds().count, 200);
    } else {
      EXPECT_LT(batches.step_seconds().count, 200);
    }
  };
  expect(true, 1e-6, false);
  expect(true, 1e-4, true);
  expect(false, 1e-3, false);
  expect(false, 2e-2, true);
}

TEST(Batches, MedianOverMeanIsOfTheTimedSteps) {
  Batches all(true);
  all.add(1, 9, 1000);  // warm-up, untimed
  for (const double seconds : {1, 1, 1, 5}) all.add(10, 10 * seconds, 1000);
  EXPECT_EQ(all.median_over_mean(), 0.5);
  Batches some;
  some.add(1, 0.009, 1000);
  for (const double seconds : {1, 1, 1, 5}) some.add(10, 0.01 * seconds, 1000);
  EXPECT_EQ(some.median_over_mean(), 1);
}

TEST(Batches, ThatEventsCutShortDoNotCount) {
  Batches batches;
  batches.add(1, 0.1, 1000);
  batches.add(40, 0.2, 1000);
  EXPECT_FALSE(batches.times_kernels());
  for (int i = 0; i < 4; ++i) {
    batches.add(100, 0.2, 1000);
    batches.add(1, 0.005, 1000);  // a single step before a check: mostly latency
  }
  EXPECT_EQ(batches.step_seconds().count, 4);
  EXPECT_EQ(batches.step_seconds().median, 0.002);
}

TEST(Batches, OfStepsThatBecomeSlowCountLikeTheOthers) {
  Batches batches(true);
  std::int64_t step = 0;
  const std::int64_t steps = 500;
  while (step < steps) {
    const std::int64_t taken = std::min(batches.limit(), steps - step);
    step += taken;
    batches.add(taken, (step < 200 ? 0.01 : 0.04) * static_cast<double>(taken), steps - step);
  }
  EXPECT_NEAR(batches.step_seconds().median, 0.04, 1e-12);
  EXPECT_NEAR(batches.step_seconds().lower_quartile, 0.01, 1e-12);
  EXPECT_GT(batches.median_over_mean(), 1);
}

TEST(Batches, OfOneStepHaveNoSpread) {
  const SimulatedRun run(1, 1);
  EXPECT_EQ(run.spread.count, 0);
  EXPECT_EQ(run.timed, 0);
}

TEST(Batches, SpreadIsTheQuartiles) {
  const Spread spread = spread_of(std::vector<double>{5, 1, 4, 2, 3});
  EXPECT_EQ(spread.count, 5);
  EXPECT_EQ(spread.lower_quartile, 2);
  EXPECT_EQ(spread.median, 3);
  EXPECT_EQ(spread.upper_quartile, 4);
  using Values = std::vector<double>;
  EXPECT_EQ(spread_of(Values{7}).upper_quartile, 7);
  EXPECT_EQ(spread_of(Values{}).count, 0);
}

TEST(Batches, AWeightCountsAValueOften) {
  const Spread spread = spread_of(std::vector<Weighted>{{3, 2}, {1, 2}, {2, 6}});
  EXPECT_EQ(spread.count, 3);
  EXPECT_EQ(spread.lower_quartile, 1.5);
  EXPECT_EQ(spread.median, 2);
  EXPECT_EQ(spread.upper_quartile, 2.5);
}

}  // namespace
}  // namespace knudsen::test
