#include "device/async_copy.hpp"

#include <gtest/gtest.h>

#include "device/block_launch.hpp"

namespace knudsen {
namespace {

using Space = DeviceExecutionSpace;

struct alignas(16) Piece {
  int value[4];
};

/// Each thread moves a column of pieces through two places of scratch memory: the next copy is
/// under way while the last one is read.
struct Pipeline {
  static constexpr int max_threads = 128;
  View<Piece*, Space> from, to;
  int rows;
  int columns;

  template <class Team, class Scratch>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Scratch& scratch) const {
    const auto places = scratch.template as<Piece>();
    for (int block = team.league_rank(); block < columns / team.team_size();
         block += team.league_size()) {
      const int column = block * team.team_size() + team.team_rank();
      const auto place = [&](int row) {
        return places + (row % 2 * team.team_size() + team.team_rank());
      };
      const auto index = [&](int row) { return row * columns + column; };
      start_copy(place(0), from.data() + index(0));
      commit_copies();
      for (int row = 0; row < rows; ++row) {
        if (row + 1 < rows) {
          start_copy(place(row + 1), from.data() + index(row + 1));
          commit_copies();
          wait_for_all_but(1);
        } else {
          wait_for_copies();
        }
        to(index(row)) = place(row)[0];
      }
    }
  }
};

void expect_all_copied(std::size_t extra_scratch) {
  constexpr int rows = 9;
  constexpr int team = is_host_backend<Space> ? 1 : Pipeline::max_threads;
  constexpr int columns = 37 * team;
  const Pipeline kernel{View<Piece*, Space>("from", rows * columns),
                        View<Piece*, Space>("to", rows * columns), rows, columns};
  const auto from = Kokkos::create_mirror_view(kernel.from);
  for (int i = 0; i < rows * columns; ++i) from(i) = {{i, -i, 2 * i, 5}};
  Kokkos::deep_copy(kernel.from, from);
  launch_blocks("pipeline", Space(), columns / team, team, 2 * team * sizeof(Piece) + extra_scratch,
                kernel);
  Space().fence();
  const auto to = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kernel.to);
  for (int i = 0; i < rows * columns; ++i) {
    ASSERT_EQ(to(i).value[0], i);
    ASSERT_EQ(to(i).value[1], -i);
    ASSERT_EQ(to(i).value[2], 2 * i);
    ASSERT_EQ(to(i).value[3], 5);
  }
}

TEST(AsyncCopy, ArrivesInFastScratchMemory) { expect_all_copied(0); }

/// Teams that ask for more scratch memory than there is of the fast one get device memory, to which
/// no asynchronous copy goes.
TEST(AsyncCopy, ArrivesInDeviceMemoryInPlaceOfScratch) {
  expect_all_copied(max_block_scratch<Space>());
}

TEST(BlockLaunch, TeamsHaveRanksAndSizes) {
  static_assert(BlockMember<TeamMember<Space>>);
  static_assert(BlockMember<TeamMember<HostExecutionSpace>>);
  EXPECT_GT(max_block_scratch<Space>(), 16384U);
}

}  // namespace
}  // namespace knudsen
