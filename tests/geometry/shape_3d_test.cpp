#include "geometry/shape_3d.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "geometry/sphere_set.hpp"

namespace knudsen {
namespace {

/// Points of a cube around the origin.
class RandomPoints {
 public:
  explicit RandomPoints(double reach) : distribution_(-reach, reach) {}
  Point3D next() {
    return {distribution_(engine_), distribution_(engine_), distribution_(engine_)};
  }

 private:
  std::mt19937_64 engine_{1};
  std::uniform_real_distribution<double> distribution_;
};

/// Expects that exactly the points for which is_inside is true are in the shape, that all of these
/// are within its limits, and that rows agree with single points.
template <class IsInside>
void expect_region(const Shape3D& shape, const IsInside& is_inside) {
  RandomPoints points(12);
  int inside = 0;
  for (int index = 0; index < 5000; ++index) {
    const Point3D point = points.next();
    ASSERT_EQ(shape.contains(point), is_inside(point))
        << point[0] << ' ' << point[1] << ' ' << point[2];
    if (!is_inside(point)) continue;
    ++inside;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ASSERT_GE(point[axis], shape.limits().lower[axis]);
      ASSERT_LE(point[axis], shape.limits().upper[axis]);
    }
  }
  EXPECT_GT(inside, 20);
  EXPECT_LT(inside, 4980);
  std::vector<signed char> sides(12);
  for (int index = 0; index < 500; ++index) {
    const Point3D point = points.next();
    shape.sides_of_row(0.5, point[1], point[2], sides);
    for (std::size_t x = 0; x < sides.size(); ++x) {
      ASSERT_EQ(sides[x], sign(shape.side({static_cast<double>(x) + 0.5, point[1], point[2]})));
    }
  }
}

/// Expects that segments into the shape cross its surface where `side` changes its sign.
void expect_crossings(const Shape3D& shape) {
  RandomPoints points(12);
  int ways = 0;
  while (ways < 300) {
    const Point3D start = points.next();
    const Point3D end = points.next();
    if (shape.contains(start) || !shape.contains(end)) continue;
    ++ways;
    const double fraction = shape.crossing(start, end);
    const auto on_way = [&](double part) {
      return Point3D{start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1]),
                     start[2] + part * (end[2] - start[2])};
    };
    ASSERT_GT(fraction, 0);
    ASSERT_LE(fraction, 1);
    constexpr double rounding = 1e-12;
    ASSERT_FALSE(shape.contains(on_way(fraction - rounding)));
    ASSERT_TRUE(shape.contains(on_way(std::min(fraction + rounding, 1.0))));
  }
}

double squared(double value) { return value * value; }

TEST(Shape3D, SphereContainsItsBoundary) {
  const Shape3DPointer sphere = ellipsoid({1, 2, 3}, {7, 7, 7});
  EXPECT_EQ(sphere->side({3, 5, 9}), 0);  // 2, 3, 6 and 7
  EXPECT_EQ(sphere->side({8, 2, 3}), 0);
  EXPECT_LT(sphere->side({1, 2, 3}), 0);
  EXPECT_GT(sphere->side({3, 5, 9.001}), 0);
}

TEST(Shape3D, Ellipsoid) {
  const Shape3DPointer shape = ellipsoid({1, -2, 3}, {7, 4, 2});
  expect_region(*shape, [](const Point3D& p) {
    return squared((p[0] - 1) / 7) + squared((p[1] + 2) / 4) + squared((p[2] - 3) / 2) <= 1;
  });
  expect_crossings(*shape);
  EXPECT_EQ(shape->side({8, -2, 3}), 0);
  EXPECT_EQ(shape->side({1, 2, 3}), 0);
  EXPECT_EQ(shape->side({1, -2, 1}), 0);
}

TEST(Shape3D, BoxContainsItsBoundary) {
  const Shape3DPointer shape = cuboid({-7, -2, 1}, {3, 5, 9});
  expect_region(*shape, [](const Point3D& p) {
    return p[0] >= -7 && p[0] <= 3 && p[1] >= -2 && p[1] <= 5 && p[2] >= 1 && p[2] <= 9;
  });
  expect_crossings(*shape);
  for (const Point3D& on : {Point3D{-7, -2, 1}, {3, 5, 9}, {0, 0, 9}, {0, -2, 9}}) {
    EXPECT_EQ(shape->side(on), 0);
  }
}

TEST(Shape3D, CylinderWithEnds) {
  const Shape3DPointer shape = cylinder({-6, 1, 2}, {8, 1, 2}, 5);
  expect_region(*shape, [](const Point3D& p) {
    return p[0] >= -6 && p[0] <= 8 && std::hypot(p[1] - 1, p[2] - 2) <= 5;
  });
  expect_crossings(*shape);
  EXPECT_EQ(shape->limits().lower, (Point3D{-6, -4, -3}));
  EXPECT_EQ(shape->limits().upper, (Point3D{8, 6, 7}));
  EXPECT_EQ(shape->side({0, 4, 6}), 0);  // 3, 4, 5
  EXPECT_EQ(shape->side({8, 2, 2}), 0);
}

TEST(Shape3D, CylinderWithoutEnds) {
  const Shape3DPointer shape = cylinder({0, 1, 2}, {0, 1, 1}, 5, true);
  expect_region(*shape, [](const Point3D& p) { return std::hypot(p[0], p[1] - 1) <= 5; });
  EXPECT_TRUE(shape->contains({0, 1, -1e6}));
}

TEST(Shape3D, CylinderAboutASlantedAxis) {
  const Shape3DPointer upright = cylinder({0, 0, -7}, {0, 0, 7}, 3);
  const double half_root = std::sqrt(0.5);
  const Shape3DPointer slanted =
      cylinder({7 * half_root, 0, -7 * half_root}, {-7 * half_root, 0, 7 * half_root}, 3);
  // Turned by -45 degrees about y.
  expect_region(*slanted, [&](const Point3D& p) {
    return upright->contains({(p[0] + p[2]) * half_root, p[1], (p[2] - p[0]) * half_root});
  });
  expect_crossings(*slanted);
}

TEST(Shape3D, HalfSpaceLiesAgainstItsNormal) {
  const Shape3DPointer shape = half_space({1, 2, 3}, {1, 1, 2});
  expect_region(*shape, [](const Point3D& p) { return p[0] + p[1] + 2 * p[2] <= 9; });
  expect_crossings(*shape);
}

TEST(Shape3D, InvertedKeepsTheBoundary) {
  const Shape3DPointer pipe = inverted(cylinder({0, 0, 0}, {0, 0, 1}, 5, true));
  EXPECT_TRUE(pipe->contains({3, 4, 7}));
  EXPECT_TRUE(pipe->contains({100, 0, 7}));
  EXPECT_FALSE(pipe->contains({0, 0, 7}));
  expect_region(*pipe, [](const Point3D& p) { return std::hypot(p[0], p[1]) >= 5; });
  expect_crossings(*pipe);
}

TEST(Shape3D, Union) {
  const Shape3DPointer shape =
      union_of({cuboid({-9, -9, -9}, {0, 0, 0}), ellipsoid({3, 3, 3}, {5, 5, 5})});
  expect_region(*shape, [](const Point3D& p) {
    return std::max({p[0], p[1], p[2]}) <= 0 && std::min({p[0], p[1], p[2]}) >= -9
               ? true
               : squared(p[0] - 3) + squared(p[1] - 3) + squared(p[2] - 3) <= 25;
  });
}

TEST(Shape3D, TurnedAboutEachAxisAnticlockwise) {
  // A box that is long along one axis is turned onto the next.
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t from = (axis + 1) % 3;
    const std::size_t to = (axis + 2) % 3;
    Point3D upper{1, 1, 1};
    upper[from] = 6;
    Point3D angles{0, 0, 0};
    angles[axis] = 90;
    const Shape3DPointer shape = turned(cuboid({-1, -1, -1}, upper), {0, 0, 0}, angles);
    Point3D far{0, 0, 0};
    far[to] = 5.9;
    EXPECT_TRUE(shape->contains(far)) << axis;
    EXPECT_NEAR(shape->limits().upper[to], 6, 1e-12);
    EXPECT_NEAR(shape->limits().upper[from], 1, 1e-12);
    far[to] = -5.9;
    EXPECT_FALSE(shape->contains(far)) << axis;
  }
}

TEST(Shape3D, TurnedFirstAboutXThenAboutYThenAboutZ) {
  const Shape3DPointer shape = ellipsoid({3, 0, 1}, {6, 3, 1});
  const Point3D about{1, 2, 3};
  const Point3D angles{20, 130, -70};
  Shape3DPointer in_turn = shape;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Point3D angle{0, 0, 0};
    angle[axis] = angles[axis];
    in_turn = turned(in_turn, about, angle);
  }
  const Shape3DPointer at_once = turned(shape, about, angles);
  expect_region(*at_once, [&](const Point3D& p) { return in_turn->contains(p); });
  expect_crossings(*at_once);
}

TEST(Shape3D, RepeatedAlongPeriodicAxes) {
  const Shape3DPointer shape =
      repeated(ellipsoid({0, 4, 9}, {2, 2, 2}), {10, 10, 10}, {true, false, true}, 1);
  EXPECT_TRUE(shape->contains({0, 4, 9}));
  EXPECT_TRUE(shape->contains({10, 4, 9}));
  EXPECT_TRUE(shape->contains({0, 4, -1}));
  EXPECT_TRUE(shape->contains({10, 4, -1}));
  EXPECT_FALSE(shape->contains({0, -6, 9}));
  EXPECT_FALSE(shape->contains({0, 14, 9}));
}

// Many spheres.

TEST(SphereSet, IsTheUnionOfItsSpheres) {
  RandomPoints places(11);
  std::vector<Sphere> spheres;
  std::vector<Shape3DPointer> parts;
  for (int index = 0; index < 40; ++index) {
    const double radius = 1 + 0.05 * index;
    spheres.push_back({places.next(), radius});
    parts.push_back(ellipsoid(spheres.back().centre, {radius, radius, radius}));
  }
  const Shape3DPointer set = sphere_set(spheres);
  const Shape3DPointer all = union_of(parts);
  expect_region(*set, [&](const Point3D& p) { return all->contains(p); });
  std::vector<signed char> sides(12);
  std::vector<signed char> expected(12);
  for (int index = 0; index < 500; ++index) {
    const Point3D point = places.next();
    set->sides_of_row(0.5, point[1], point[2], sides);
    all->sides_of_row(0.5, point[1], point[2], expected);
    ASSERT_EQ(sides, expected);
  }
}

TEST(SphereSet, CrossingIsTheFirst) {
  RandomPoints points(11);
  std::vector<Sphere> spheres;
  for (int index = 0; index < 30; ++index) spheres.push_back({points.next(), 2});
  const Shape3DPointer set = sphere_set(spheres);
  int ways = 0;
  while (ways < 500) {
    const Point3D start = points.next();
    const Point3D end = points.next();
    if (set->contains(start) || !set->contains(end)) continue;
    ++ways;
    // No point before the crossing, in steps of a thousandth, may be inside.
    const double fraction = set->crossing(start, end);
    const auto contains = [&](double part) {
      return set->contains({start[0] + part * (end[0] - start[0]),
                            start[1] + part * (end[1] - start[1]),
                            start[2] + part * (end[2] - start[2])});
    };
    for (int step = 0; step * 1e-3 < fraction; ++step) ASSERT_FALSE(contains(step * 1e-3));
    ASSERT_FALSE(contains(fraction - 1e-12));
    ASSERT_TRUE(contains(std::min(fraction + 1e-12, 1.0)));
  }
}

TEST(SphereSet, ImagesComeWithinTheMargin) {
  const auto all =
      with_images({{{0.5, 5, 5}, 1}, {{5, 5, 5}, 1}}, {10, 10, 10}, {true, true, true}, 1);
  // The first sphere extends beyond one side, so that it has an image at 10.5. The second has none.
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[2].centre, (Point3D{10.5, 5, 5}));
  EXPECT_EQ(with_images({{{0.5, 0.5, 0.5}, 1}}, {10, 10, 10}, {true, true, true}, 1).size(), 8U);
  EXPECT_EQ(with_images({{{0.5, 0.5, 0.5}, 1}}, {10, 10, 10}, {false, false, false}, 1).size(), 1U);
}

TEST(SphereSet, ArraysTouchAtTheirGreatestFraction) {
  const std::pair<CubicLattice, double> lattices[] = {
      {CubicLattice::simple, 1},
      {CubicLattice::body_centred, std::sqrt(3) / 2},
      {CubicLattice::face_centred, std::sqrt(0.5)}};
  for (const auto& [lattice, nearest] : lattices) {
    const auto spheres = sphere_array(lattice, {2, 2, 2}, 3, max_volume_fraction(lattice));
    EXPECT_NEAR(2 * spheres[0].radius, 3 * nearest, 1e-12);
    double least = 100;
    for (const Sphere& other : with_images(spheres, {6, 6, 6}, {true, true, true}, 3)) {
      const double distance = std::sqrt(squared(other.centre[0] - spheres[0].centre[0]) +
                                        squared(other.centre[1] - spheres[0].centre[1]) +
                                        squared(other.centre[2] - spheres[0].centre[2]));
      if (distance > 0) least = std::min(least, distance);
    }
    EXPECT_NEAR(least, 3 * nearest, 1e-12);
  }
}

}  // namespace
}  // namespace knudsen
