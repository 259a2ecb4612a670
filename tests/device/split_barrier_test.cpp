#include "device/split_barrier.hpp"

#include <gtest/gtest.h>

namespace knudsen {
namespace {

using Space = DeviceExecutionSpace;

/// Threads hand values round by scratch memory, many times. `written` stands between writing and
/// reading, `read` between reading and the next writing.
struct HandRound {
  static constexpr int max_threads = 192;
  View<int*, Space> values;
  int turns;

  template <class Team, class Scratch>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Scratch& scratch) const {
    char* const memory = scratch.get();
    SplitBarrier<Team> written(team, memory, 0);
    SplitBarrier<Team> read(team, memory, 1);
    int* const shared = reinterpret_cast<int*>(memory + 2 * split_barrier_bytes);
    team.team_barrier();
    const int next = (team.team_rank() + 1) % team.team_size();
    for (int block = team.league_rank(); block < int(values.extent(0)) / team.team_size();
         block += team.league_size()) {
      int value = team.team_rank();
      for (int turn = 0; turn < turns; ++turn) {
        shared[team.team_rank()] = value;
        written.arrive();
        written.wait(team);
        value = shared[next];
        read.arrive();
        read.wait(team);
      }
      values(block * team.team_size() + team.team_rank()) = value;
    }
  }
};

TEST(SplitBarrier, OrdersWritesAndReads) {
  const int team = is_host_backend<Space> ? 1 : HandRound::max_threads;
  constexpr int blocks = 400;
  constexpr int turns = 101;
  const HandRound kernel{View<int*, Space>("values", blocks * team), turns};
  launch_blocks("hand round", Space(), blocks, team,
                2 * split_barrier_bytes + std::size_t(team) * sizeof(int), kernel);
  Space().fence();
  const auto values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kernel.values);
  for (int i = 0; i < blocks * team; ++i) ASSERT_EQ(values(i), (i % team + turns) % team) << i;
}

}  // namespace
}  // namespace knudsen
