#include "run/schedule.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace knudsen {
namespace {

RunSettings sample_settings() {
  RunSettings settings;
  settings.stop.steps = 25;
  settings.stop.check_every = 10;
  settings.output.series_every = 4;
  settings.output.fields_every = 12;
  settings.checkpoint.every = 20;
  return settings;
}

TEST(Schedule, FindsTheNextEventOfAnyKind) {
  const RunSettings settings = sample_settings();
  const Schedule schedule(settings);
  std::vector<std::int64_t> events;
  for (std::int64_t step = 0; step < 25;) events.push_back(step = schedule.next(step));
  EXPECT_EQ(events, (std::vector<std::int64_t>{4, 8, 10, 12, 16, 20, 24, 25}));
}

TEST(Schedule, FindsTheNextEventFromAnyStep) {
  const RunSettings settings = sample_settings();
  const Schedule schedule(settings);
  EXPECT_EQ(schedule.next(3), 4);
  EXPECT_EQ(schedule.next(9), 10);
  EXPECT_EQ(schedule.next(17), 20);
  EXPECT_EQ(schedule.next(23), 24);
}

TEST(Schedule, TellsWhatIsDue) {
  const RunSettings settings = sample_settings();
  const Schedule schedule(settings);
  const Events twelve = schedule.at(12);
  EXPECT_FALSE(twelve.check);
  EXPECT_TRUE(twelve.series);
  EXPECT_TRUE(twelve.fields);
  EXPECT_FALSE(twelve.snapshots);
  EXPECT_FALSE(twelve.checkpoint);
  const Events twenty = schedule.at(20);
  EXPECT_TRUE(twenty.check);
  EXPECT_FALSE(twenty.fields);
  EXPECT_TRUE(twenty.checkpoint);
  EXPECT_FALSE(schedule.at(13).any());
}

TEST(Schedule, LastStepIsCheckedAndARow) {
  const RunSettings settings = sample_settings();
  const Events last = Schedule(settings).at(25);
  EXPECT_TRUE(last.check);
  EXPECT_TRUE(last.series);
}

TEST(Schedule, SeriesGoesWithTheChecksByDefault) {
  RunSettings settings = sample_settings();
  settings.output.series_every = 0;
  EXPECT_TRUE(Schedule(settings).at(10).series);
  EXPECT_FALSE(Schedule(settings).at(4).series);
}

TEST(Schedule, ManyStepsDoNotOverflow) {
  RunSettings settings;
  settings.stop.steps = std::numeric_limits<std::int64_t>::max();
  settings.stop.check_every = std::numeric_limits<std::int64_t>::max() - 1;
  EXPECT_EQ(Schedule(settings).next(5), settings.stop.check_every);
  EXPECT_EQ(Schedule(settings).next(settings.stop.check_every), settings.stop.steps);
}

}  // namespace
}  // namespace knudsen
