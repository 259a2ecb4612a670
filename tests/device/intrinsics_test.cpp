#include "device/intrinsics.hpp"

#include <gtest/gtest.h>

// Each instruction in the form that kernels use, and in its generic form. (A kernel's lambda must
// not stand in a TEST, whose body is a private function.)

namespace knudsen {
namespace {

using Space = DeviceExecutionSpace;

struct alignas(16) Piece {
  int value[4];
};

template <class Value>
void expect_loaded_lines() {
  constexpr int count = 1000;
  const View<Value*, Space> from("from", count + 1);
  const View<Value* [2], Space> to("to", count);
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Space>(0, count + 1),
      KOKKOS_LAMBDA(int i) { from(i) = static_cast<Value>(3 * i + 1); });
  // One value further than a line starts, as rows of any length have it.
  Kokkos::parallel_for(
      "load", Kokkos::RangePolicy<Space>(0, count), KOKKOS_LAMBDA(int i) {
        prefetch(from.data() + i);
        prefetch_on_host(from.data() + i, sizeof(Value));
        to(i, 0) = load_line(from.data() + 1 + i);
        to(i, 1) = generic::load_line(from.data() + 1 + i);
      });
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), to);
  for (int i = 0; i < count; ++i) {
    ASSERT_EQ(found(i, 0), static_cast<Value>(3 * (i + 1) + 1)) << i;
    ASSERT_EQ(found(i, 1), found(i, 0)) << i;
  }
}

TEST(Intrinsics, LoadLineLoadsTheValue) {
  expect_loaded_lines<std::uint16_t>();
  expect_loaded_lines<float>();
  expect_loaded_lines<double>();
  expect_loaded_lines<std::uint64_t>();
}

void expect_stored_pieces() {
  constexpr int count = 257;
  const View<Piece* [2], Space> to("to", count);
  Kokkos::parallel_for(
      "store", Kokkos::RangePolicy<Space>(0, count), KOKKOS_LAMBDA(int i) {
        Piece* address = &to(i, 0);
        keep_address(address);
        const Piece piece{{i, i + 1, -i, 7}};
        store_evict_first(address, piece);
        generic::store_evict_first(&to(i, 1), piece);
      });
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), to);
  for (int i = 0; i < count; ++i) {
    for (int form = 0; form < 2; ++form) {
      EXPECT_EQ(found(i, form).value[0], i);
      EXPECT_EQ(found(i, form).value[1], i + 1);
      EXPECT_EQ(found(i, form).value[2], -i);
      EXPECT_EQ(found(i, form).value[3], 7);
    }
  }
}

TEST(Intrinsics, StoreEvictFirstStoresSixteenBytes) { expect_stored_pieces(); }

void expect_counted_additions() {
  constexpr int count = 10000;
  const View<unsigned long long* [2], Space> sums("sums", 1);
  const View<int*, Space> seen("seen", count);
  Kokkos::parallel_for(
      "add", Kokkos::RangePolicy<Space>(0, count), KOKKOS_LAMBDA(int) {
        const unsigned long long before = fetch_add(&sums(0, 0), 1ULL);
        Kokkos::atomic_fetch_add(&seen(static_cast<int>(before)), 1);
        generic::fetch_add(&sums(0, 1), 2ULL);
      });
  const auto total = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  const auto once = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), seen);
  EXPECT_EQ(total(0, 0), static_cast<unsigned long long>(count));
  EXPECT_EQ(total(0, 1), 2ULL * count);
  for (int i = 0; i < count; ++i) ASSERT_EQ(once(i), 1) << i;
}

TEST(Intrinsics, FetchAddCountsEveryAddition) { expect_counted_additions(); }

/// A warp's threads reverse the order of their values by way of memory.
struct ReverseInWarp {
  View<int*, Space> values;
  View<int*, Space> memory;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<Space>& team) const {
    constexpr int lanes = warp_size<Space>;
    const int thread = team.league_rank() * team.team_size() + team.team_rank();
    const int lane = thread % lanes;
    memory(thread) = values(thread);
    warp_barrier();
    values(thread) = memory(thread - lane + lanes - 1 - lane);
  }
};

void expect_reversed_warps() {
  constexpr int lanes = warp_size<Space>;
  constexpr int league = 50;
  const int team = is_host_backend<Space> ? 1 : 128;
  const View<int*, Space> values("values", league * team);
  const View<int*, Space> memory("memory", league * team);
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Space>(0, league * team),
      KOKKOS_LAMBDA(int i) { values(i) = i; });
  Kokkos::parallel_for("reverse", TeamPolicy<Space>(league, team, 1),
                       ReverseInWarp{values, memory});
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  for (int i = 0; i < league * team; ++i) {
    ASSERT_EQ(found(i), i - i % lanes + lanes - 1 - i % lanes) << i;
  }
}

TEST(Intrinsics, WarpBarrierMakesWritesVisibleToTheWarp) { expect_reversed_warps(); }

}  // namespace
}  // namespace knudsen
