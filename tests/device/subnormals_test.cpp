#include "device/subnormals.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "device/kokkos.hpp"

namespace knudsen::test {
namespace {

/// Halves of the smallest normal number, by loops over the host's threads.
template <class Real>
std::vector<Real> halves(int count) {
  std::vector<Real> values(static_cast<std::size_t>(count), std::numeric_limits<Real>::min());
  Real* const data = values.data();
  const volatile Real half = Real(0.5);
  const Real factor = half;
  Kokkos::parallel_for("halves", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, count),
                       [=](int i) { data[i] *= factor; });
  Kokkos::fence();
  return values;
}

#ifdef __SSE__
// Whichever thread has an element: a result must not depend on their number.
TEST(Subnormals, AreZeroInEveryThread) {
  for (const float value : halves<float>(10000)) EXPECT_EQ(value, 0.0F);
  for (const double value : halves<double>(10000)) EXPECT_EQ(value, 0.0);
}

TEST(Subnormals, AreKeptWhereTheyAreGiven) {
  const volatile float given = std::numeric_limits<float>::denorm_min();
  const volatile float large = 0x1p100F;
  const float product = given * large;
  EXPECT_EQ(product, 0x1p-49F);
}

TEST(Subnormals, AreThereAgainAfterwards) {
  const volatile float small = std::numeric_limits<float>::min();
  const volatile float half = 0.5F;
  const unsigned flushing = flush_subnormals();
  constexpr unsigned flush_to_zero = 1U << 15;
  restore_arithmetic(flushing & ~flush_to_zero);
  const float kept = small * half;
  EXPECT_EQ(flush_subnormals(), flushing & ~flush_to_zero);
  const float flushed = small * half;
  EXPECT_EQ(flushed, 0);
  restore_arithmetic(flushing);
  EXPECT_GT(kept, 0);
}
#endif

}  // namespace
}  // namespace knudsen::test
