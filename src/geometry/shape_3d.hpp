#pragma once

#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "geometry/vector_3d.hpp"

namespace knudsen {

/// A box along the axes, given by two opposite corners; all of space by default.
struct Limits3D {
  Point3D lower{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                -std::numeric_limits<double>::infinity()};
  Point3D upper{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
                std::numeric_limits<double>::infinity()};
};

/// The smallest box around two boxes.
Limits3D enclosing(const Limits3D& a, const Limits3D& b);

/// The smallest box around two points.
Limits3D limits_between(const Point3D& a, const Point3D& b);

/// A closed region of space, in any unit of length. Thread-safe: all members may be called
/// concurrently.
class Shape3D {
 public:
  Shape3D() = default;
  virtual ~Shape3D() = default;
  Shape3D(const Shape3D&) = delete;
  Shape3D& operator=(const Shape3D&) = delete;

  /// Negative inside, 0 on the boundary, positive outside. The magnitude has no meaning.
  virtual double side(const Point3D& point) const = 0;
  /// A box around the region, which only saves time; infinite along axes where it is unbounded.
  virtual Limits3D limits() const { return {}; }
  /// Where the segment from `start` to `end` crosses the boundary: a fraction of the segment in
  /// (0, 1], up to rounding. Any of the crossings if there are several; negative if there is none.
  /// `start` must not be on the boundary. The base class bisects.
  virtual double crossing(const Point3D& start, const Point3D& end) const;
  /// Sets sides[i] to the sign of side({x + i, y, z}) for each i < sides.size(); x >= 0.
  virtual void sides_of_row(double x, double y, double z, std::vector<signed char>& sides) const;

  bool contains(const Point3D& point) const { return side(point) <= 0; }
};

using Shape3DPointer = std::shared_ptr<const Shape3D>;

/// An ellipsoid with positive semi-axes along x, y and z.
Shape3DPointer ellipsoid(const Point3D& centre, const Point3D& semi_axes);
/// A box with sides along the axes; lower <= upper.
Shape3DPointer cuboid(const Point3D& lower, const Point3D& upper);
/// A circular cylinder around the line through two different points: with flat ends at the points,
/// or infinite.
Shape3DPointer cylinder(const Point3D& from, const Point3D& to, double radius,
                        bool infinite = false);
/// The half-space on the side of the plane through `point` that the normal points away from. The
/// normal may have any length except 0.
Shape3DPointer half_space(const Point3D& point, const Point3D& normal);

/// The union of one or more shapes. Parts that touch or overlap have no boundary between them.
Shape3DPointer union_of(std::vector<Shape3DPointer> parts);
/// The exterior of the shape, with the same boundary.
Shape3DPointer inverted(Shape3DPointer shape);
/// The shape translated by an offset.
Shape3DPointer moved(Shape3DPointer shape, const Point3D& offset);
/// The shape rotated about a point, by the three angles about x, then y, then z. A positive angle
/// is anticlockwise as seen from the tip of the axis.
Shape3DPointer turned(Shape3DPointer shape, const Point3D& about, const Point3D& angles_degrees);

/// Rows of the rotation matrix that `turned` applies.
std::array<Point3D, 3> rotation_matrix(const Point3D& angles_degrees);

/// The offsets, except 0, of the periodic images of something within `limits` that come within
/// `margin` of the box from 0 to `size`: multiples of `size` along the periodic axes. There are
/// none along axes on which it is unbounded.
std::vector<Point3D> image_offsets(const Limits3D& limits, const Point3D& size,
                                   const std::array<bool, 3>& periodic, double margin);
/// The union of the shape and its periodic images at these offsets.
Shape3DPointer repeated(const Shape3DPointer& shape, const Point3D& size,
                        const std::array<bool, 3>& periodic, double margin);

// Helpers for classes derived from Shape3D.

inline signed char sign(double value) {
  return static_cast<signed char>((value > 0) - (value < 0));
}
/// The nodes [first, end) of a row of `count`, at the coordinates 0, 1 and so on up to one more,
/// that may lie between two coordinates: one more than necessary at each end, since the coordinates
/// may be rounded.
std::array<std::size_t, 2> row_range(double lower, double upper, std::size_t count);
/// The same of a row whose first node is at x.
std::array<std::size_t, 2> row_range(double x, double lower, double upper, std::size_t count);

}  // namespace knudsen
