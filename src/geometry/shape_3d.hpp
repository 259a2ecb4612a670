#pragma once

#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "geometry/vector_3d.hpp"

namespace knudsen {

/// The points between two opposite corners; all of space by default.
struct Limits3D {
  Point3D lower{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                -std::numeric_limits<double>::infinity()};
  Point3D upper{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
                std::numeric_limits<double>::infinity()};
};

/// The smallest box around two.
Limits3D enclosing(const Limits3D& a, const Limits3D& b);

/// The smallest box around two points.
Limits3D limits_between(const Point3D& a, const Point3D& b);

/// A region of space, its boundary included. Any unit of length. All members may be called from
/// several threads at once.
class Shape3D {
 public:
  Shape3D() = default;
  virtual ~Shape3D() = default;
  Shape3D(const Shape3D&) = delete;
  Shape3D& operator=(const Shape3D&) = delete;

  /// Negative inside, 0 on the boundary, positive outside; its size means nothing.
  virtual double side(const Point3D& point) const = 0;
  /// A box around the region, for speed only; infinite where the region has no end.
  virtual Limits3D limits() const { return {}; }
  /// Where the straight way between two points passes the boundary, into the region or out of it: a
  /// fraction of the way in (0, 1], to rounding; one of them, should there be several. Negative
  /// where it does not. `start` must not be on the boundary. By bisection here.
  virtual double crossing(const Point3D& start, const Point3D& end) const;
  /// Sets sides[x] to the sign of side({x + 0.5, y, z}), for all x of `sides`.
  virtual void sides_of_row(double y, double z, std::vector<signed char>& sides) const;

  bool contains(const Point3D& point) const { return side(point) <= 0; }
};

using Shape3DPointer = std::shared_ptr<const Shape3D>;

/// An ellipsoid with its axes along x, y, z; a sphere where the semi-axes (positive) are equal.
Shape3DPointer ellipsoid(const Point3D& centre, const Point3D& semi_axes);
/// A box with sides along the axes, between two opposite corners, lower <= upper.
Shape3DPointer cuboid(const Point3D& lower, const Point3D& upper);
/// A circular cylinder about the line through two points that differ: with flat ends at the points
/// or, where it is infinite, without ends.
Shape3DPointer cylinder(const Point3D& from, const Point3D& to, double radius,
                        bool infinite = false);
/// The side of the plane through `point` that the normal (of any length but 0) points away from.
Shape3DPointer half_space(const Point3D& point, const Point3D& normal);

/// What is in any of one or more shapes. Where the parts touch or overlap there is no boundary
/// between them.
Shape3DPointer union_of(std::vector<Shape3DPointer> parts);
/// The outside of the shape, with the same boundary.
Shape3DPointer inverted(Shape3DPointer shape);
/// The shape moved by an offset.
Shape3DPointer moved(Shape3DPointer shape, const Point3D& offset);
/// The shape turned about a point: first by the first angle about x, then by the second about y,
/// then by the third about z, each anticlockwise seen from the tip of the axis.
Shape3DPointer turned(Shape3DPointer shape, const Point3D& about, const Point3D& angles_degrees);

/// Rows of the matrix that turns vectors as `turned` does.
std::array<Point3D, 3> rotation_matrix(const Point3D& angles_degrees);

/// Multiples of the size along periodic axes, without 0, by which something within the limits can
/// be moved so that it comes within `margin` of the box from 0 to `size`. None along axes where it
/// has no end.
std::vector<Point3D> image_offsets(const Limits3D& limits, const Point3D& size,
                                   const std::array<bool, 3>& periodic, double margin);
/// The shape together with its copies moved by these offsets.
Shape3DPointer repeated(const Shape3DPointer& shape, const Point3D& size,
                        const std::array<bool, 3>& periodic, double margin);

// For those who write shapes.

inline signed char sign(double value) {
  return static_cast<signed char>((value > 0) - (value < 0));
}
/// The entries of a row of `count` nodes, as [first, end), that may lie between two coordinates,
/// with one more to each side for the rounding of the limits.
std::array<std::size_t, 2> row_range(double lower, double upper, std::size_t count);

}  // namespace knudsen
