#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numbers>

#include "gas_box.hpp"

namespace knudsen::boltzmann {
namespace {

using test::Space;
using testing::Each;
using testing::ElementsAre;
using testing::Lt;

TEST(Random, PhiloxGivesItsPublishedValues) {
  // Known answers of the authors' test suite.
  std::uint32_t zeros[4] = {0, 0, 0, 0};
  Philox{{0, 0}}(zeros);
  EXPECT_THAT(zeros, ElementsAre(0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U));
  std::uint32_t digits[4] = {0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U};
  Philox{{0xa4093822U, 0x299f31d0U}}(digits);
  EXPECT_THAT(digits, ElementsAre(0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U));
}

TEST(Random, VelocitiesAreMaxwellianAndDirectionsUniform) {
  for (const bool quasi_random : {false, true}) {
    const UniformSource source{3, quasi_random};
    constexpr int count = 40000;
    double square[3] = {};
    double quartic = 0;
    double direction_square[3] = {};
    double product = 0;
    for (std::uint32_t sample = 0; sample < count; ++sample) {
      double u[uniforms_per_collision];
      source(5, sample, u);
      double a = 0;
      double b = 0;
      box_muller(u[0], u[1], a, b);
      double k[3];
      unit_sphere(u[6], u[7], k);
      square[0] += a * a / count;
      square[1] += b * b / count;
      product += a * b / count;
      quartic += a * a * a * a / count;
      for (int d = 0; d < 3; ++d) direction_square[d] += k[d] * k[d] / count;
    }
    EXPECT_NEAR(square[0], 0.5, 0.02);
    EXPECT_NEAR(square[1], 0.5, 0.02);
    EXPECT_NEAR(product, 0, 0.02);
    EXPECT_NEAR(quartic, 0.75, 0.06);
    for (const double value : direction_square) EXPECT_NEAR(value, 1.0 / 3, 0.01);
  }
}

TEST(Molecules, CollisionRateGivesTheViscosity) {
  // The mean number of collisions is gamma_1 delta (Sone's ratio of viscosity to mean free path).
  const Molecules hard = variable_hard_spheres(2, 0.5);
  EXPECT_NEAR(2 * std::sqrt(2 / std::numbers::pi) * hard.rate / 2, 1.270042427, 2e-6);
  EXPECT_NEAR(collision_frequency(hard, 0) / hard.rate, 2 / std::sqrt(std::numbers::pi), 1e-12);
  EXPECT_NEAR(collision_frequency(hard, 50) / hard.rate, 50.01, 1e-6);
  // Maxwellian molecules with isotropic scattering: stress relaxes at half the collision rate.
  const Molecules soft = variable_hard_spheres(2, 1);
  EXPECT_NEAR(collision_frequency(soft, 1), collision_frequency(soft, 2), 1e-12);
}

/// Contents of the sets of a small grid, on the host.
template <class ExecutionSpace, class Real>
struct Drawn {
  CollisionSets<ExecutionSpace, Real> sets;
  HostView<std::uint16_t**> velocities;  ///< of v, v_1, v*, v_1*
  HostView<Real**> weights;

  Drawn(const VelocityGrid& grid, const Sampling& sampling, int samples, int count,
        std::uint64_t step)
      : sets(make_collision_sets<ExecutionSpace, Real>(grid, samples, count)) {
    const ExecutionSpace execution;
    draw_collisions(execution, sampling, step, sets);
    execution.fence();
    velocities =
        HostView<std::uint16_t**>("velocities", sets.positions.extent(0), sets.positions.extent(1));
    weights = HostView<Real**>("weights", sets.weights.extent(0), sets.weights.extent(1));
    Kokkos::deep_copy(velocities, sets.positions);
    Kokkos::deep_copy(weights, sets.weights);
    for (std::size_t set = 0; set < velocities.extent(0); ++set) {
      for (std::size_t n = 0; n < velocities.extent(1); ++n) {
        velocities(set, n) =
            static_cast<std::uint16_t>(scratch_position<ExecutionSpace, Real>(velocities(set, n)));
      }
    }
  }
};

Sampling sampling(bool keep_order = true) {
  return {variable_hard_spheres(1, 0.5), {11, false}, 0.01, true, false, keep_order};
}

TEST(Sampling, TheSameOnEveryBackendAndPrecisionAndInAnyBatch) {
  const VelocityGrid grid = test::velocities();
  const Drawn<HostExecutionSpace, double> host(grid, sampling(), 500, 3, 40);
  const Drawn<Space, float> device(grid, sampling(), 500, 3, 40);
  const Drawn<Space, double> later(grid, sampling(), 500, 1, 42);
  for (std::size_t m = 0; m < 500; ++m) {
    for (std::size_t set = 0; set < 3; ++set) {
      for (std::size_t q = 0; q < 4; ++q) {
        ASSERT_EQ(host.velocities(set, 4 * m + q), device.velocities(set, 4 * m + q));
      }
      ASSERT_FLOAT_EQ(static_cast<float>(host.weights(set, m)), device.weights(set, m));
    }
    ASSERT_EQ(host.velocities(2, 4 * m), later.velocities(0, 4 * m));
    ASSERT_NEAR(host.weights(2, m), later.weights(0, m), 1e-12 * host.weights(2, m));
  }
}

/// Velocities of a sample, with v and v_1, and v* and v_1*, in rising order, and its weight.
using Sample = std::array<double, 5>;

template <class D>
std::vector<Sample> samples_of(const D& drawn, std::size_t set) {
  std::vector<Sample> samples;
  for (std::size_t m = 0; m < drawn.weights.extent(1); ++m) {
    Sample sample{};
    for (std::size_t q = 0; q < 4; ++q) sample[q] = drawn.velocities(set, 4 * m + q);
    if (sample[0] > sample[1]) std::swap(sample[0], sample[1]);
    if (sample[2] > sample[3]) std::swap(sample[2], sample[3]);
    sample[4] = drawn.weights(set, m);
    samples.push_back(sample);
  }
  std::sort(samples.begin(), samples.end());
  return samples;
}

TEST(Sampling, AnotherOrderHasTheSameSamples) {
  const VelocityGrid grid = test::velocities();
  // Not whole batches, nor whole groups.
  const Drawn<Space, float> kept(grid, sampling(), 500, 2, 40);
  const Drawn<Space, float> any(grid, sampling(false), 500, 2, 40);
  for (std::size_t set = 0; set < 2; ++set) {
    EXPECT_EQ(samples_of(kept, set), samples_of(any, set));
  }
}

TEST(Sampling, ListsHoldEveryCollisionOnce) {
  const VelocityGrid grid = test::velocities();
  const Drawn<Space, double> drawn(grid, sampling(false), 700, 2, 9);
  const auto host = [](const auto& view) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  };
  const auto entries = host(drawn.sets.entries);
  const auto lists = host(drawn.sets.lists);
  const auto list_indices = host(drawn.sets.list_indices);
  const auto begin = host(drawn.sets.group_begin);
  const auto indices = host(drawn.sets.indices);
  for (std::size_t set = 0; set < 2; ++set) {
    std::multimap<std::uint32_t, int> expected;  // velocity -> entry
    for (int m = 0; m < 700; ++m) {
      if (drawn.weights(set, static_cast<std::size_t>(m)) == 0) continue;
      for (int q = 0; q < 4; ++q) {
        const auto velocity = drawn.velocities(set, static_cast<std::size_t>(4 * m + q));
        expected.emplace(indices(velocity), 2 * m + (q > 1 ? 1 : 0));
      }
    }
    std::multimap<std::uint32_t, int> found;
    std::size_t longest = expected.size();
    for (std::size_t list = 0; list < static_cast<std::size_t>(lists(set)); ++list) {
      const std::size_t group = list / list_group;
      const int chunks = (begin(set, group + 1) - begin(set, group)) / (list_group * list_chunk);
      std::size_t length = 0;
      for (int i = 0; i < list_chunk * chunks; ++i) {
        const auto place = static_cast<std::size_t>(
            begin(set, group) +
            (i / list_chunk * list_group + static_cast<int>(list) % list_group) * list_chunk +
            i % list_chunk);
        if (entries(set, place) == 1400) continue;
        found.emplace(list_indices(set, list), entries(set, place));
        ++length;
      }
      const std::size_t length_chunks = (length + list_chunk - 1) / list_chunk;
      EXPECT_GT(length, 0U);
      EXPECT_LE(length_chunks, longest);
      longest = length_chunks;
    }
    const auto sorted = [](const auto& map) {
      std::vector<std::pair<std::uint32_t, int>> pairs(map.begin(), map.end());
      std::sort(pairs.begin(), pairs.end());
      return pairs;
    };
    EXPECT_EQ(sorted(found), sorted(expected));
  }
}

TEST(Sampling, WeightsMakeUpForTheTemperatureOfSamples) {
  VelocityGrid wide = test::velocities();
  for (VelocityAxis& axis : wide) axis = uniform_axis(-5, 5, 10);
  Sampling drawing = sampling();
  drawing.time_step = 1e-6;
  double sums[2] = {};
  for (const bool hot : {false, true}) {
    drawing.temperature = hot ? 1.5 : 1;
    const Drawn<Space, double> drawn(wide, drawing, 30000, 1, 3);
    for (std::size_t m = 0; m < 30000; ++m) sums[hot ? 1 : 0] += drawn.weights(0, m);
  }
  EXPECT_NEAR(sums[1] / sums[0], 1, 0.02);
}

TEST(Sampling, ListsAreTheSameInEveryRun) {
  const VelocityGrid grid = test::velocities(6);
  std::vector<std::vector<int>> found;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const Drawn<Space, float> drawn(grid, sampling(false), 2000, 2, 5);
    const auto entries =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), drawn.sets.entries);
    found.emplace_back(entries.data(), entries.data() + entries.size());
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

TEST(Sampling, CollisionsOutOfTheVelocityBoxDoNothing) {
  VelocityGrid narrow = test::velocities();
  for (VelocityAxis& axis : narrow) axis = uniform_axis(-1, 1, 4);
  const Drawn<Space, double> drawn(narrow, sampling(), 400, 1, 0);
  int none = 0;
  for (std::size_t m = 0; m < 400; ++m) none += drawn.weights(0, m) == 0 ? 1 : 0;
  EXPECT_GT(none, 100);
  EXPECT_LT(none, 400);
}

}  // namespace
}  // namespace knudsen::boltzmann
