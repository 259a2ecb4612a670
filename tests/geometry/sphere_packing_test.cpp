#include "geometry/sphere_packing.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numbers>

namespace knudsen {
namespace {

constexpr PackingContainer periodic_box{{0, 0, 0}, {2, 1, 1}, {true, true, true}, {}, 0};
constexpr PackingContainer walled_box{{-1, 2, 0}, {1, 3, 1}, {false, false, true}, {}, 0};
constexpr PackingContainer tube{{0, 0, 0}, {1, 1.5, 4}, {false, false, true}, 2, 0.45};

double distance(const Point3D& a, const Point3D& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// Expects that no two spheres or periodic images overlap and that none extends beyond a wall.
void expect_no_overlap(const PackingContainer& container, const std::vector<Point3D>& places,
                       double radius) {
  const double least = 2 * radius * (1 - 1e-12);
  std::vector<Sphere> spheres;
  Point3D size{};
  for (const Point3D& place : places) {
    Sphere sphere{{0, 0, 0}, radius};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      size[axis] = container.upper[axis] - container.lower[axis];
      sphere.centre[axis] = place[axis] - container.lower[axis];
      const double room = container.periodic[axis] ? 0 : radius * (1 - 1e-12);
      ASSERT_GE(sphere.centre[axis], room);
      ASSERT_LE(sphere.centre[axis], size[axis] - room);
    }
    if (container.tube_axis) {
      const std::size_t first = (*container.tube_axis + 1) % 3;
      const std::size_t second = (*container.tube_axis + 2) % 3;
      ASSERT_LE(std::hypot(sphere.centre[first] - size[first] / 2,
                           sphere.centre[second] - size[second] / 2),
                container.tube_radius - radius * (1 - 1e-12));
    }
    spheres.push_back(sphere);
  }
  const auto all = with_images(spheres, size, container.periodic, radius);
  for (std::size_t one = 0; one < places.size(); ++one) {
    for (std::size_t other = one + 1; other < all.size(); ++other) {
      ASSERT_GE(distance(all[one].centre, all[other].centre), least) << one << ' ' << other;
    }
  }
}

TEST(SpherePacking, RadiusLeavesThePorosity) {
  for (const PackingContainer& container : {periodic_box, tube}) {
    const double radius = packing_radius(container, 70, 0.4);
    const double filled = 70 * 4 * std::numbers::pi / 3 * radius * radius * radius;
    EXPECT_NEAR(1 - filled / container.volume(), 0.4, 1e-14);
  }
  EXPECT_NEAR(tube.volume(), 4 * std::numbers::pi * 0.45 * 0.45, 1e-14);
}

TEST(SpherePacking, NoOverlapInAPeriodicBox) {
  const double radius = packing_radius(periodic_box, 1000, 0.4);
  const auto places = pack_spheres(periodic_box, 1000, radius, 1);
  ASSERT_TRUE(places);
  ASSERT_EQ(places->size(), 1000U);
  expect_no_overlap(periodic_box, *places, radius);
}

TEST(SpherePacking, NoOverlapBetweenWalls) {
  const double radius = packing_radius(walled_box, 1000, 0.42);
  const auto places = pack_spheres(walled_box, 1000, radius, 1);
  ASSERT_TRUE(places);
  expect_no_overlap(walled_box, *places, radius);
}

TEST(SpherePacking, NoOverlapInATube) {
  const double radius = packing_radius(tube, 1000, 0.44);
  const auto places = pack_spheres(tube, 1000, radius, 1);
  ASSERT_TRUE(places);
  expect_no_overlap(tube, *places, radius);
}

TEST(SpherePacking, FewSpheresBesideTheirOwnImages) {
  const PackingContainer cube{{0, 0, 0}, {1, 1, 1}, {true, true, true}, {}, 0};
  for (const std::size_t count : {1, 2, 5, 9}) {
    const double radius = packing_radius(cube, count, 0.55);
    const auto places = pack_spheres(cube, count, radius, 3);
    ASSERT_TRUE(places) << count;
    expect_no_overlap(cube, *places, radius);
  }
}

TEST(SpherePacking, ThousandsOfSpheres) {
  const double radius = packing_radius(periodic_box, 10000, 0.4);
  const auto places = pack_spheres(periodic_box, 10000, radius, 7);
  ASSERT_TRUE(places);
  // Spread evenly: each eighth of the length has about an eighth of the spheres.
  std::array<int, 8> counts{};
  for (const Point3D& place : *places) ++counts.at(static_cast<std::size_t>(place[0] * 4) % 8);
  for (const int count : counts) EXPECT_NEAR(count, 1250, 60);
}

TEST(SpherePacking, SameSeedSameBits) {
  const double radius = packing_radius(periodic_box, 200, 0.4);
  const auto places = pack_spheres(periodic_box, 200, radius, 5);
  EXPECT_EQ(places, pack_spheres(periodic_box, 200, radius, 5));
  EXPECT_NE(places, pack_spheres(periodic_box, 200, radius, 6));
}

TEST(SpherePacking, BitsAreTheSameOnAllMachines) {
  // Recorded when the test was written: the sum of the hashes of all coordinates' bits.
  const auto places = pack_spheres(periodic_box, 200, packing_radius(periodic_box, 200, 0.4), 5);
  ASSERT_TRUE(places);
  std::uint64_t hash = 0;
  for (const Point3D& place : *places) {
    for (const double coordinate : place) {
      hash = hash * 0x9e3779b97f4a7c15U + std::bit_cast<std::uint64_t>(coordinate);
    }
  }
  EXPECT_EQ(hash, 6949322951678779474U);
}

TEST(SpherePacking, AnotherUnitOfLengthScalesThePlaces) {
  const auto places = pack_spheres(periodic_box, 300, packing_radius(periodic_box, 300, 0.4), 5);
  PackingContainer scaled = periodic_box;
  const double scale = 96 * 0.7;
  for (double& coordinate : scaled.upper) coordinate *= scale;
  const auto scaled_places = pack_spheres(scaled, 300, packing_radius(scaled, 300, 0.4), 5);
  ASSERT_TRUE(places && scaled_places);
  for (std::size_t index = 0; index < 300; ++index) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ASSERT_NEAR((*scaled_places)[index][axis], scale * (*places)[index][axis], 1e-10);
    }
  }
}

TEST(SpherePacking, NothingWhereThereIsNoRoom) {
  EXPECT_FALSE(pack_spheres(periodic_box, 100, packing_radius(periodic_box, 100, 0.2), 1));
  // Wider than the box.
  EXPECT_FALSE(pack_spheres(walled_box, 1, 0.51, 1));
}

}  // namespace
}  // namespace knudsen
