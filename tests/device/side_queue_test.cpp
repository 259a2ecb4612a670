#include "device/side_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "device/to_list.hpp"

namespace knudsen {
namespace {

/// values <- factor * values + added
template <class Space>
void change(const Space& space, const View<std::int64_t*, Space>& values, std::int64_t factor,
            std::int64_t added) {
  Kokkos::parallel_for(
      "test/change",
      Kokkos::RangePolicy<Space>(space, 0, static_cast<std::int64_t>(values.extent(0))),
      KOKKOS_LAMBDA(std::int64_t i) {
        auto& value = values(static_cast<std::size_t>(i));
        value = (factor * value + added) % 1000003;
      });
}

template <class Space>
void launches_keep_the_order_asked_for() {
  const Space space;
  SideQueue<Space> side(space);
  // Long enough that the next launch would begin before the end of this one.
  const View<std::int64_t*, Space> values("values", std::size_t{1} << 20);
  std::int64_t expected = 0;
  for (int step = 0; step < 50; ++step) {
    change(space, values, 3, step);
    side.begin_after_main();
    change(side.execution(), values, 5, 1);
    side.let_main_wait();
    expected = (3 * expected + step) % 1000003;
    expected = (5 * expected + 1) % 1000003;
  }
  // No later than that it says that nothing runs.
  space.fence();
  EXPECT_FALSE(is_busy(space));
  const auto found = to_list(values);
  EXPECT_EQ(std::count(found.begin(), found.end(), expected),
            static_cast<std::ptrdiff_t>(found.size()));
}

TEST(SideQueue, LaunchesKeepTheOrderAskedFor) {
  launches_keep_the_order_asked_for<HostExecutionSpace>();
  launches_keep_the_order_asked_for<DeviceExecutionSpace>();
}

}  // namespace
}  // namespace knudsen
