#pragma once

#include <array>
#include <functional>
#include <limits>
#include <vector>

namespace knudsen {

using Point2D = std::array<double, 2>;

/// The surface of a shape near one of its points.
struct SurfaceElement {
  Point2D normal{0, 0};  ///< of length one; out of the shape or into it
  /// One over the radius; positive if the normal points away from the centre of curvature.
  double curvature = 0;
};

/// A closed region of the plane, in any unit of length.
struct Shape2D {
  /// Negative inside, 0 on the boundary, positive outside. The magnitude has no meaning.
  std::function<double(const Point2D& point)> side;
  /// Lower corner of a box around the region, which only saves time; infinite if it is unbounded.
  Point2D lower{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  /// Upper corner of that box.
  Point2D upper{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  /// The surface at a point of the boundary; for points beside it, at one close by.
  std::function<SurfaceElement(const Point2D& point)> surface{};
  /// Whether all of the surface is straight and along the axes or their diagonals.
  bool aligned = false;

  bool contains(const Point2D& point) const { return side(point) <= 0; }
};

/// An ellipse with positive semi-axes, rotated anticlockwise by an angle.
Shape2D ellipse(const Point2D& centre, const Point2D& semi_axes, double angle_degrees = 0);
/// A rectangle with sides along the axes; lower <= upper.
Shape2D box(const Point2D& lower, const Point2D& upper);
/// The interior, by the even-odd rule, of a polygon of three or more corners.
Shape2D polygon(std::vector<Point2D> corners);
/// The half-plane on the side of the line through `point` that the normal points away from. The
/// normal may have any length except 0.
Shape2D half_plane(const Point2D& point, const Point2D& normal);
/// The exterior of the shape, with the same boundary.
Shape2D inverted(Shape2D shape);

/// Whether a vector is along an axis or a diagonal between the axes.
bool is_aligned(const Point2D& vector);

/// Area of a polygon, positive if its corners are in anticlockwise order.
double signed_area(const std::vector<Point2D>& corners);

}  // namespace knudsen
