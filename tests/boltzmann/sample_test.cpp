#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

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
  EXPECT_NEAR(2 * std::sqrt(2 / std::acos(-1.0)) * hard.rate / 2, 1.270042427, 2e-6);
  EXPECT_NEAR(collision_frequency(hard, 0) / hard.rate, 2 / std::sqrt(std::acos(-1.0)), 1e-12);
  EXPECT_NEAR(collision_frequency(hard, 50) / hard.rate, 50.01, 1e-6);
  // Maxwellian molecules with isotropic scattering: stress relaxes at half the collision rate.
  const Molecules soft = variable_hard_spheres(2, 1);
  EXPECT_NEAR(collision_frequency(soft, 1), collision_frequency(soft, 2), 1e-12);
}

/// Contents of the sets of a small grid, on the host.
template <class ExecutionSpace, class Real>
struct Drawn {
  CollisionSets<ExecutionSpace, Real> sets;
  HostView<std::uint16_t**> places;
  HostView<Real**> weights;

  Drawn(const VelocityGrid& grid, const Sampling& sampling, int samples, int count,
        std::uint64_t step)
      : sets(make_collision_sets<ExecutionSpace, Real>(grid, samples, count)) {
    const ExecutionSpace execution;
    draw_collisions(execution, sampling, step, sets);
    execution.fence();
    places = HostView<std::uint16_t**>("places", sets.places.extent(0), sets.places.extent(1));
    weights = HostView<Real**>("weights", sets.weights.extent(0), sets.weights.extent(1));
    Kokkos::deep_copy(places, sets.places);
    Kokkos::deep_copy(weights, sets.weights);
  }
};

Sampling sampling() { return {variable_hard_spheres(1, 0.5), {11, false}, 0.01, true}; }

TEST(Sampling, TheSameOnEveryBackendAndPrecisionAndInAnyBatch) {
  const VelocityGrid grid = test::velocities();
  const Drawn<HostExecutionSpace, double> host(grid, sampling(), 500, 3, 40);
  const Drawn<Space, float> device(grid, sampling(), 500, 3, 40);
  const Drawn<Space, double> later(grid, sampling(), 500, 1, 42);
  for (std::size_t m = 0; m < 500; ++m) {
    for (std::size_t set = 0; set < 3; ++set) {
      for (std::size_t q = 0; q < 4; ++q) {
        ASSERT_EQ(host.places(set, 4 * m + q), device.places(set, 4 * m + q));
      }
      ASSERT_FLOAT_EQ(static_cast<float>(host.weights(set, m)), device.weights(set, m));
    }
    ASSERT_EQ(host.places(2, 4 * m), later.places(0, 4 * m));
    ASSERT_DOUBLE_EQ(host.weights(2, m), later.weights(0, m));
  }
}

TEST(Sampling, ListsHoldEveryCollisionOnce) {
  const VelocityGrid grid = test::velocities();
  const Drawn<Space, double> drawn(grid, sampling(), 700, 2, 9);
  const auto host = [](const auto& view) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  };
  const auto entries = host(drawn.sets.entries);
  const auto lengths = host(drawn.sets.lengths);
  const auto begin = host(drawn.sets.list_begin);
  const auto rank_of = host(drawn.sets.rank_of);
  EXPECT_EQ(host(drawn.sets.overflows)(), 0);
  for (std::size_t set = 0; set < 2; ++set) {
    std::multimap<int, int> expected;  // rank -> entry
    for (int m = 0; m < 700; ++m) {
      if (drawn.weights(set, static_cast<std::size_t>(m)) == 0) continue;
      for (int q = 0; q < 4; ++q) {
        const auto place = drawn.places(set, static_cast<std::size_t>(4 * m + q));
        expected.emplace(rank_of(place), 2 * m + (q > 1 ? 1 : 0));
      }
    }
    for (int rank = 0; rank < drawn.sets.ranks; ++rank) {
      std::vector<int> listed;
      for (int i = 0; i < list_chunk * lengths(set, static_cast<std::size_t>(rank)); ++i) {
        const int chunk = i / list_chunk;
        const auto place = static_cast<std::size_t>(
            begin(static_cast<std::size_t>(rank / list_group)) +
            (chunk * list_group + rank % list_group) * list_chunk + i % list_chunk);
        if (entries(set, place) < 1400) listed.push_back(entries(set, place));
      }
      std::vector<int> wanted;
      const auto range = expected.equal_range(rank);
      for (auto it = range.first; it != range.second; ++it) wanted.push_back(it->second);
      std::sort(wanted.begin(), wanted.end());
      ASSERT_EQ(listed, wanted) << "rank " << rank;
    }
  }
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
