#include "geometry/shape_2d.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace knudsen {
namespace {

TEST(Shape2D, CircleContainsItsBoundary) {
  const Shape2D circle = ellipse({1, 2}, {5, 5});
  EXPECT_EQ(circle.side({4, 6}), 0);  // 3, 4, 5
  EXPECT_EQ(circle.side({6, 2}), 0);
  EXPECT_LT(circle.side({1, 2}), 0);
  EXPECT_GT(circle.side({4.001, 6}), 0);
  EXPECT_TRUE(circle.contains({4, 6}));
}

TEST(Shape2D, EllipseTurnsAnticlockwise) {
  const Shape2D turned = ellipse({0, 0}, {4, 1}, 45);
  EXPECT_TRUE(turned.contains({2.8, 2.8}));
  EXPECT_FALSE(turned.contains({2.9, 2.9}));
  EXPECT_FALSE(turned.contains({2.8, -2.8}));
  EXPECT_TRUE(turned.contains({0.7, -0.7}));
  EXPECT_FALSE(turned.contains({0.71, -0.71}));
}

TEST(Shape2D, LimitsOfATurnedEllipseTouchIt) {
  const Shape2D upright = ellipse({1, 2}, {4, 3}, 90);
  EXPECT_NEAR(upright.lower[0], -2, 1e-14);
  EXPECT_NEAR(upright.upper[0], 4, 1e-14);
  EXPECT_NEAR(upright.lower[1], -2, 1e-14);
  EXPECT_NEAR(upright.upper[1], 6, 1e-14);
}

TEST(Shape2D, BoxContainsItsBoundary) {
  const Shape2D shape = box({1, 2}, {3, 5});
  for (const Point2D& on : {Point2D{1, 2}, {3, 5}, {1, 5}, {2, 2}, {3, 4}}) {
    EXPECT_EQ(shape.side(on), 0);
  }
  EXPECT_LT(shape.side({2, 3}), 0);
  for (const Point2D& out : {Point2D{0.9, 3}, {3.1, 3}, {2, 1.9}, {2, 5.1}}) {
    EXPECT_GT(shape.side(out), 0);
  }
}

TEST(Shape2D, HalfPlaneLiesAgainstItsNormal) {
  const Shape2D floor = half_plane({7, 2}, {0, 3});
  EXPECT_LT(floor.side({-100, 1.9}), 0);
  EXPECT_EQ(floor.side({50, 2}), 0);
  EXPECT_GT(floor.side({7, 2.1}), 0);
}

TEST(Shape2D, InvertedKeepsTheBoundary) {
  const Shape2D pipe = inverted(ellipse({0, 0}, {5, 5}));
  EXPECT_TRUE(pipe.contains({3, 4}));
  EXPECT_TRUE(pipe.contains({100, 0}));
  EXPECT_FALSE(pipe.contains({0, 0}));
  EXPECT_FALSE(pipe.contains({4.9, 0}));
}

/// Up to its sign, with the curvature of the same sign.
void expect_surface(const Shape2D& shape, const Point2D& at, const Point2D& normal,
                    double curvature) {
  const SurfaceElement found = shape.surface(at);
  const double sign = found.normal[0] * normal[0] + found.normal[1] * normal[1] < 0 ? -1 : 1;
  EXPECT_NEAR(found.normal[0], sign * normal[0], 1e-14);
  EXPECT_NEAR(found.normal[1], sign * normal[1], 1e-14);
  EXPECT_NEAR(found.curvature, sign * curvature, 1e-14);
}

TEST(Shape2D, SurfaceHasANormalAndACurvature) {
  expect_surface(half_plane({7, 2}, {3, 4}), {4, 4.25}, {0.6, 0.8}, 0);
  const Shape2D brick = box({1, 2}, {3, 5});
  expect_surface(brick, {1, 3}, {-1, 0}, 0);
  expect_surface(brick, {2.9, 5}, {0, 1}, 0);
  const double diagonal = std::sqrt(0.5);
  expect_surface(brick, {3, 5}, {diagonal, diagonal}, 0);
  expect_surface(polygon({{0, 0}, {4, 0}, {0, 3}}), {2, 1.5}, {0.6, 0.8}, 0);
  const Shape2D circle = ellipse({1, 2}, {5, 5});
  expect_surface(circle, {4, 6}, {0.6, 0.8}, 0.2);
  expect_surface(inverted(circle), {4, 6}, {0.6, 0.8}, 0.2);
  // At the ends of its axes an ellipse has the curvatures a / b^2 and b / a^2.
  const Shape2D turned = ellipse({0, 0}, {4, 2}, 45);
  const double half = std::sqrt(0.5);
  expect_surface(turned, {4 * half, 4 * half}, {half, half}, 1);
  expect_surface(turned, {-2 * half, 2 * half}, {-half, half}, 0.125);
}

TEST(Shape2D, SurfacesAlongAxesAndDiagonalsAreKnown) {
  EXPECT_TRUE(box({1, 2}, {3, 5}).aligned);
  EXPECT_TRUE(inverted(box({1, 2}, {3, 5})).aligned);
  EXPECT_TRUE(half_plane({0, 0}, {0, -2}).aligned);
  EXPECT_TRUE(half_plane({0, 0}, {3, -3}).aligned);
  EXPECT_FALSE(half_plane({0, 0}, {3, -3.1}).aligned);
  EXPECT_TRUE(polygon({{0, 0}, {4, 0}, {2, 2}}).aligned);
  EXPECT_FALSE(polygon({{0, 0}, {4, 0}, {2, 3}}).aligned);
  EXPECT_FALSE(ellipse({1, 2}, {5, 5}).aligned);
}

/// A square with a notch from above to its middle.
const std::vector<Point2D> notched = {{0, 0}, {4, 0}, {4, 4}, {2, 2}, {0, 4}};

TEST(Shape2D, ConcavePolygon) {
  const std::vector<Point2D> clockwise{notched.rbegin(), notched.rend()};
  for (const auto& corners : {notched, clockwise}) {
    const Shape2D shape = polygon(corners);
    EXPECT_TRUE(shape.contains({2, 1.9}));
    EXPECT_TRUE(shape.contains({0.5, 3}));
    EXPECT_TRUE(shape.contains({3.5, 3}));
    EXPECT_FALSE(shape.contains({2, 3}));
    EXPECT_FALSE(shape.contains({-1, 2}));  // level with a corner
    EXPECT_FALSE(shape.contains({5, 2}));
    EXPECT_FALSE(shape.contains({-1, 0}));  // in line with an edge
    EXPECT_FALSE(shape.contains({5, 0}));
    EXPECT_FALSE(shape.contains({-1, 4}));
    EXPECT_TRUE(shape.contains({1, 2}));
    for (const Point2D& on : {Point2D{0, 0}, {3, 0}, {4, 4}, {2, 2}, {1, 3}, {0, 2}}) {
      EXPECT_EQ(shape.side(on), 0);
    }
  }
}

TEST(Shape2D, CrossingEdgesFollowTheEvenOddRule) {
  // The centre of a five-pointed star has the winding number 2.
  const Shape2D star =
      polygon({{0, 10}, {5.878, -8.09}, {-9.511, 3.09}, {9.511, 3.09}, {-5.878, -8.09}});
  EXPECT_FALSE(star.contains({0, 0}));
  EXPECT_TRUE(star.contains({0, 6}));
}

TEST(Shape2D, SignedArea) {
  EXPECT_EQ(signed_area(notched), 12);
  EXPECT_EQ(signed_area({notched.rbegin(), notched.rend()}), -12);
  EXPECT_EQ(signed_area({{0, 0}, {1, 1}, {3, 3}}), 0);
}

}  // namespace
}  // namespace knudsen
