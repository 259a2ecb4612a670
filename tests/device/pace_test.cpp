#include "device/pace.hpp"

#include <gtest/gtest.h>

namespace knudsen {
namespace {

using Space = DeviceExecutionSpace;

/// Task n consists of n % 5 rounds of work.
struct Unequal {
  static constexpr int max_threads = 64;
  static constexpr int round = 20;
  View<int*, Space> done;
  View<Pace::Count*, Space> progress;
  int league;

  template <class Team, class Scratch>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Scratch& /*scratch*/) const {
    constexpr int max_rounds = 4;
    const int turns = (league - 1) / team.league_size() + 1;
    Pace pace(team, progress.data(), team.league_size(),
              static_cast<Pace::Count>(turns * max_rounds * round));
    for (int task = team.league_rank(); task < league; task += team.league_size()) {
      for (int piece = 0; piece < task % (max_rounds + 1) * round; ++piece) {
        const Pace::Count seen = pace.look();
        team.team_barrier();
        if (team.team_rank() == 0) ++done(task);
        pace.step(seen);
      }
    }
    pace.leave();
  }
};

TEST(Pace, LetsAllTeamsThroughAndStartsAnew) {
  constexpr int league = 700;
  const Unequal kernel{View<int*, Space>("pieces", league),
                       View<Pace::Count*, Space>("progress", 2), league};
  constexpr int team = is_host_backend<Space> ? 1 : Unequal::max_threads;
  constexpr int launches = 3;
  for (int n = 0; n < launches; ++n) launch_blocks("pace", Space(), league, team, 64, kernel);
  Space().fence();
  const auto done = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kernel.done);
  for (int task = 0; task < league; ++task) {
    ASSERT_EQ(done(task), launches * (task % 5) * Unequal::round) << task;
  }
  const auto left = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kernel.progress);
  EXPECT_EQ(left(0), 0U);
  EXPECT_EQ(left(1), 0U);
}

}  // namespace
}  // namespace knudsen
