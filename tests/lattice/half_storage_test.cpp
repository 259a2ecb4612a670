#include "lattice/half_storage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace knudsen {
namespace {

/// The value of IEEE half bits by its definition.
double value_of(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double size = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                      : exponent == 0 ? std::ldexp(fraction, -24)
                                      : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

template <class ExecutionSpace>
struct Encode {
  using Policy = Kokkos::RangePolicy<ExecutionSpace>;
  View<float*, ExecutionSpace> values;
  View<std::uint16_t*, ExecutionSpace> bits;
  KOKKOS_FUNCTION void operator()(int i) const { bits(i) = half_detail::half_bits(values(i)); }
};
template <class ExecutionSpace>
struct Decode {
  using Policy = Kokkos::RangePolicy<ExecutionSpace>;
  View<std::uint16_t*, ExecutionSpace> bits;
  View<float*, ExecutionSpace> values;
  KOKKOS_FUNCTION void operator()(int i) const { values(i) = half_detail::float_of_half(bits(i)); }
};
template <class ExecutionSpace>
struct Store {
  using Policy = Kokkos::RangePolicy<ExecutionSpace>;
  View<float*, ExecutionSpace> values;
  View<float*, ExecutionSpace> again;
  KOKKOS_FUNCTION void operator()(int i) const {
    again(i) = static_cast<float>(HalfPopulation(values(i)));
  }
};

/// Runs Kernel over `input`, one value each.
template <template <class> class Kernel, class ExecutionSpace, class Out, class In>
std::vector<Out> mapped(const std::vector<In>& input) {
  const View<In*, ExecutionSpace> from("input", input.size());
  const View<Out*, ExecutionSpace> to("output", input.size());
  const auto host_from = Kokkos::create_mirror_view(from);
  for (std::size_t i = 0; i < input.size(); ++i) host_from(i) = input[i];
  Kokkos::deep_copy(from, host_from);
  const Kernel<ExecutionSpace> kernel{from, to};
  Kokkos::parallel_for("knudsen/test/half",
                       typename Kernel<ExecutionSpace>::Policy(0, static_cast<int>(input.size())),
                       kernel);
  const auto host_to = Kokkos::create_mirror_view(to);
  Kokkos::deep_copy(host_to, to);
  return {host_to.data(), host_to.data() + input.size()};
}

template <class ExecutionSpace>
class HalfStorage : public testing::Test {};
using Spaces =
    std::conditional_t<has_device_backend, testing::Types<HostExecutionSpace, DeviceExecutionSpace>,
                       testing::Types<HostExecutionSpace>>;
TYPED_TEST_SUITE(HalfStorage, Spaces);

std::vector<std::uint16_t> all_bits() {
  std::vector<std::uint16_t> bits;
  for (int i = 0; i < 65536; ++i) bits.push_back(static_cast<std::uint16_t>(i));
  return bits;
}

TYPED_TEST(HalfStorage, DecodesEveryHalfExactly) {
  const auto bits = all_bits();
  const auto values = mapped<Decode, TypeParam, float>(bits);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const double expected = value_of(bits[i]);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(values[i])) << i;
    } else {
      EXPECT_EQ(static_cast<double>(values[i]), expected) << i;
      EXPECT_EQ(std::signbit(values[i]), std::signbit(expected)) << i;
    }
  }
}

TYPED_TEST(HalfStorage, EveryHalfSurvivesTheRoundTrip) {
  const auto bits = all_bits();
  const auto again =
      mapped<Encode, TypeParam, std::uint16_t>(mapped<Decode, TypeParam, float>(bits));
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (!std::isnan(value_of(bits[i]))) {
      EXPECT_EQ(again[i], bits[i]);
    } else {
      EXPECT_TRUE(std::isnan(value_of(again[i]))) << i;
    }
  }
}

TYPED_TEST(HalfStorage, RoundsToTheNearestAndTiesToEven) {
  // Between each two neighbours: the middle, and the floats next to it.
  std::vector<float> values;
  std::vector<std::uint16_t> expected;
  for (std::uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const auto next = static_cast<std::uint16_t>(bits + 1);
    const auto middle = static_cast<float>((value_of(bits) + value_of(next)) / 2);
    values.insert(values.end(),
                  {std::nextafterf(middle, 0), middle, std::nextafterf(middle, 1e6f)});
    expected.insert(expected.end(), {bits, bits % 2 == 0 ? bits : next, next});
  }
  EXPECT_EQ((mapped<Encode, TypeParam, std::uint16_t>(values)), expected);
}

TYPED_TEST(HalfStorage, WhatIsTooLargeBecomesInfinite) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> values{65504, 65519, 65520, 1e30f, infinity, -65520, -infinity};
  const std::vector<std::uint16_t> expected{0x7bff, 0x7bff, 0x7c00, 0x7c00, 0x7c00, 0xfc00, 0xfc00};
  EXPECT_EQ((mapped<Encode, TypeParam, std::uint16_t>(values)), expected);
  const auto not_a_number = mapped<Encode, TypeParam, std::uint16_t>(
      std::vector<float>{std::numeric_limits<float>::quiet_NaN()});
  EXPECT_TRUE(std::isnan(value_of(not_a_number[0])));
}

TYPED_TEST(HalfStorage, IsMonotonicAndOdd) {
  std::vector<float> values;
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> exponent(-30, 17);
  for (int i = 0; i < 20000; ++i) values.push_back(std::exp2(exponent(generator)));
  std::sort(values.begin(), values.end());
  std::vector<float> negative;
  for (const float value : values) negative.push_back(-value);
  const auto bits = mapped<Encode, TypeParam, std::uint16_t>(values);
  const auto mirrored = mapped<Encode, TypeParam, std::uint16_t>(negative);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    EXPECT_LE(bits[i == 0 ? 0 : i - 1], bits[i]);
    EXPECT_EQ(mirrored[i], bits[i] | 0x8000);
  }
}

TYPED_TEST(HalfStorage, PopulationsKeepElevenBits) {
  std::vector<float> values{0, 0.999f, -0.999f};
  std::mt19937 generator(2);
  std::uniform_real_distribution<float> exponent(-29.9f, -0.01f);
  for (int i = 0; i < 20000; ++i) values.push_back(std::exp2(exponent(generator)));
  const auto again = mapped<Store, TypeParam, float>(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(again[i], values[i], std::abs(values[i]) * 0x1p-11f) << values[i];
  }
}

TYPED_TEST(HalfStorage, TinyPopulationsKeepTheirSize) {
  std::vector<float> values;
  for (int i = -1000; i <= 1000; ++i) values.push_back(static_cast<float>(i) * 1e-12f);
  const auto again = mapped<Store, TypeParam, float>(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(again[i], values[i], 0x1p-41f) << values[i];  // half the smallest half, 2^-40
  }
}

}  // namespace
}  // namespace knudsen
