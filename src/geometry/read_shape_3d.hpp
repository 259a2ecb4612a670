#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "geometry/shape_3d.hpp"

namespace knudsen {

/// What the readers of shapes need to know of the domain. Shapes have a unit of length of their
/// own, in which the spacing of the nodes or cells is about 1.
struct ShapeDomain {
  Point3D size{0, 0, 0};  ///< extents in the unit of the shapes; 0 along missing axes
  double scale = 1;       ///< units of the shapes per unit of length of the case
  std::array<bool, 3> periodic{false, false, false};
  Point3D origin{0, 0, 0};  ///< lower corner of the domain, in coordinates of the case
  /// Axes of the domain, and numbers of a point. The shapes are cut by the plane or line through
  /// the origin. 0: a point may have any length, where keys are described for all dimensions.
  int dimensions = 3;
  std::string spacing = "node spacings";  ///< what the unit of the shapes is called in messages
  /// Called with the corners of each box along the axes, in coordinates of the case; may be empty.
  std::function<void(const CaseNode&, const Point3D& from, const Point3D& to)> check_box;
};

/// "64 x 64 x 128"
std::string size_text(const std::array<int, 3>& size);

/// The region that a solid covers: a shape in its own unit, with its copies along periodic axes, or
/// a value for each node, (z, y, x), that is true in the solid. Both are empty if only an estimate
/// is asked for and the shape takes long to build.
struct Region3D {
  Shape3DPointer shape;
  std::vector<bool> image;
  /// Whether it is an image, or consists of boxes along the axes: whole nodes or cells.
  bool aligned = true;

  bool built() const { return shape || !image.empty(); }
};

/// Reads the region of a solid, one of the kinds of shapes, a union of them or an image of `nodes`.
/// `positions` says what coordinates are and which nodes are solid, for the documentation. Appends
/// to `warnings`. In describing mode the result is unspecified.
Region3D read_region(CaseNode& solid, const ShapeDomain& domain, const std::array<int, 3>& nodes,
                     const std::string& positions, std::vector<std::string>& warnings);

}  // namespace knudsen
