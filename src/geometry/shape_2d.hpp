#pragma once

#include <array>
#include <functional>
#include <limits>
#include <vector>

namespace knudsen {

using Point2D = std::array<double, 2>;

/// A region of the plane, its boundary included. Any unit of length.
struct Shape2D {
  /// Negative inside, 0 on the boundary, positive outside; its size means nothing.
  std::function<double(const Point2D& point)> side;
  /// Corners of a box around the region, for speed only; infinite where it has no end.
  Point2D lower{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  Point2D upper{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

  bool contains(const Point2D& point) const { return side(point) <= 0; }
};

/// An ellipse, turned anticlockwise by an angle; a circle where the semi-axes (positive) are equal.
Shape2D ellipse(const Point2D& centre, const Point2D& semi_axes, double angle_degrees = 0);
/// A rectangle with sides along the axes, between two opposite corners, lower <= upper.
Shape2D box(const Point2D& lower, const Point2D& upper);
/// The inside, by the even-odd rule, of the closed line through three or more corners.
Shape2D polygon(std::vector<Point2D> corners);
/// The side of the line through `point` that the normal (of any length but 0) points away from.
Shape2D half_plane(const Point2D& point, const Point2D& normal);
/// The outside of the shape, with the same boundary.
Shape2D inverted(Shape2D shape);

/// Area enclosed by the closed line through the corners, positive when they go anticlockwise.
double signed_area(const std::vector<Point2D>& corners);

}  // namespace knudsen
