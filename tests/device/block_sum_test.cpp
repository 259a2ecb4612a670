#include "device/block_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace knudsen {
namespace {

using Space = DeviceExecutionSpace;

/// Sums of values that only thread and number determine.
template <class Real, int Count>
struct SumOverBlock {
  static constexpr int max_threads = 256;
  View<Real* [Count], Space> totals;

  KOKKOS_INLINE_FUNCTION static Real value(int thread, int n) {
    return Real(1) / Real(1 + thread) + Real(n);
  }

  template <class Team, class Scratch>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Scratch& scratch) const {
    Real* const partial = reinterpret_cast<Real*>(scratch.get());
    Real* const sums = partial + block_sum_scratch(team.team_size(), Count);
    for (int task = team.league_rank(); task < int(totals.extent(0)); task += team.league_size()) {
      Real values[Count];
      for (int n = 0; n < Count; ++n) values[n] = value(team.team_rank(), n);
      sum_over_block(team, values, partial, sums);
      // Every thread sees every sum.
      for (int n = team.team_rank(); n < Count; n += team.team_size()) totals(task, n) = sums[n];
      team.team_barrier();
    }
  }
};

template <class Real, int Count>
void expect_sums(int threads) {
  constexpr int league = 300;
  const int team = is_host_backend<Space> ? 1 : threads;
  const SumOverBlock<Real, Count> kernel{View<Real* [Count], Space>("totals", league)};
  const std::size_t bytes = (std::size_t(block_sum_scratch(team, Count)) + Count) * sizeof(Real);
  launch_blocks("sums", Space(), league, team, bytes, kernel);
  Space().fence();
  const auto totals = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kernel.totals);
  for (int n = 0; n < Count; ++n) {
    double expected = 0;
    for (int thread = 0; thread < team; ++thread) {
      expected += double(SumOverBlock<Real, Count>::value(thread, n));
    }
    const double tolerance = (sizeof(Real) == 4 ? 1e-6 : 1e-15) * expected * std::sqrt(team);
    for (int task = 0; task < league; ++task) {
      ASSERT_NEAR(totals(task, n), expected, tolerance) << n << " of " << Count;
      ASSERT_EQ(totals(task, n), totals(0, n)) << "the same bits in every team";
    }
  }
}

TEST(BlockSum, AddsUpOverTheThreadsOfATeam) {
  for (const int threads : {32, 64, 96, 256}) {
    SCOPED_TRACE(threads);
    expect_sums<double, 1>(threads);
    expect_sums<double, 5>(threads);
    expect_sums<float, 13>(threads);
    expect_sums<double, 35>(threads);
  }
}

struct SumOverLanes {
  static constexpr int max_threads = 128;
  View<double*, Space> sums;

  template <class Team, class Scratch>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Scratch& /*scratch*/) const {
    constexpr int lanes = lanes_of_a_sum<Team>;
    constexpr int parts = 40;
    sum_over_lanes(
        team, static_cast<int>(sums.extent(0)),
        [&](int n, int lane) {
          double sum = 0;
          for (int i = lane; i < parts; i += lanes) sum += n + i;
          return sum;
        },
        [&](int n, double sum) { sums(n) = sum; });
  }
};

TEST(BlockSum, AddsUpOverLanes) {
  for (const int count : {1, 7, 16, 100}) {
    const SumOverLanes kernel{View<double*, Space>("sums", count)};
    launch_blocks("lanes", Space(), 1, is_host_backend<Space> ? 1 : 128, 64, kernel);
    Space().fence();
    const auto sums = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kernel.sums);
    for (int n = 0; n < count; ++n) EXPECT_EQ(sums(n), 40.0 * n + 780) << count;
  }
}

}  // namespace
}  // namespace knudsen
