#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "geometry/shape_2d.hpp"
#include "geometry/solid_keys.hpp"

namespace knudsen {

/// One solid of a two-dimensional case.
struct SolidBody {
  std::string name;                      ///< unique
  std::array<double, 2> velocity{0, 0};  ///< of the surface, as in the case (lattice units)
  /// The exact region in node spacings; nothing for an image or a node map.
  std::optional<Shape2D> shape;
};

/// The surface that is nearest to a node, in node spacings.
struct WallFrame {
  SurfaceElement surface;  ///< with the normal towards the node
  double distance = 0;     ///< from the node
};

/// Solids of a two-dimensional case, rasterised on nx * ny nodes. Coordinates are node spacings
/// from the south-west corner of the domain: node (x, y) is at (x + 0.5, y + 0.5), the west and
/// east sides are at 0 and nx.
struct Solids2D {
  static constexpr std::size_t max_bodies = SolidNames::max_count;

  int nx = 0;
  int ny = 0;
  std::vector<SolidBody> bodies;
  /// (y, x): -1 for a fluid node, else the index of the last body that covers the node.
  /// Empty if only an estimate is asked for and the domain is large.
  std::vector<std::int16_t> body;
  /// false: only an estimate was asked for, and the domain is too large to build the bodies.
  bool built = true;

  /// Surface velocities in the order of the bodies.
  std::vector<std::array<double, 2>> velocities() const;

  /// Where the link from node (x, y) outside a body to node (x + dx, y + dy) in it crosses the
  /// body's surface: a fraction of the link in (0, 1], up to rounding; any of the crossings if
  /// there are several. Negative if the body has no exact surface, or if the link's end is not in
  /// its shape. The latter is so for links through periodic sides, as shapes are not repeated.
  double wall_distance(int x, int y, int dx, int dy, int body_index) const;
  /// Cosine of the angle between that link, which is along an axis, and the normal of the surface
  /// where it crosses: summed over the links along all axes, the area of the surface (in two
  /// dimensions its length) in node spacings. 1 if the body has no exact surface.
  double wall_facing(int x, int y, int dx, int dy, int body_index) const;
  /// The surface where that link crosses it, with the normal towards the node; nothing where
  /// wall_distance is negative.
  std::optional<SurfaceElement> wall_surface(int x, int y, int dx, int dy, int body_index) const;
  /// The surface that is nearest to node (x, y), near where the link crosses it.
  WallFrame wall_frame(int x, int y, int dx, int dy, int body_index) const;
};

/// Reads the list `solids` of a case's geometry object: shapes, images and node maps. `scale` is
/// the number of node spacings per unit of length of the case. `read_more` reads what else the
/// method wants to know of a solid. A node is solid if it is in the
/// shape or on its boundary. Shapes are cut off at the sides of the domain, periodic or not. Throws
/// InputError: invalid value, damaged file, image or node map that is not of nx * ny nodes,
/// duplicate name, solid that covers no node, more than max_bodies solids.
Solids2D read_solids_2d(CaseNode& geometry, int nx, int ny, double scale = 1,
                        const std::function<void(CaseNode& solid)>& read_more = {});

}  // namespace knudsen
