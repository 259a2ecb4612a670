#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "geometry/shape_2d.hpp"
#include "geometry/solid_keys.hpp"

namespace knudsen {

/// One solid of a two-dimensional case.
struct SolidBody {
  std::string name;                      ///< unique; letters, digits and underscores
  std::array<double, 2> velocity{0, 0};  ///< of the surface, as in the case (lattice units)
  /// The exact region in node spacings; none where an image or a node map gives the solid.
  std::optional<Shape2D> shape;
};

/// Solids of a two-dimensional case, rasterised on nx times ny nodes. Lengths are node spacings
/// from the south-west corner of the domain: node (x, y) is at (x + 0.5, y + 0.5), sides lie at 0
/// and nx.
struct Solids2D {
  static constexpr std::size_t most_bodies = SolidNames::most;

  int nx = 0;
  int ny = 0;
  std::vector<SolidBody> bodies;
  /// (y, x): -1 for a fluid node, else the index of the body; later bodies cover earlier ones.
  std::vector<std::int16_t> body;

  /// Surface velocities in the order of the bodies.
  std::vector<std::array<double, 2>> velocities() const;

  /// Where the surface of a body crosses the link from node (x, y) outside of it to (x + dx, y +
  /// dy) in it: a fraction of the link in (0, 1], to rounding (one of the crossings, should there
  /// be several). Negative where the body has no exact surface, and where the link's end is not in
  /// its shape, as when the link passes a periodic side: shapes are not repeated periodically.
  double wall_distance(int x, int y, int dx, int dy, int body_index) const;
};

/// Reads `solids`, a list of shapes, images and node maps, of a case's geometry object. Lengths of
/// the case times `scale` are node spacings. A node is solid when its position is in the shape or
/// on its boundary. Shapes are cut off at the sides of the domain, periodic or not. Throws
/// InputError: faulty values, an image or node map of another size than nx times ny or damaged, a
/// name given twice, a solid that covers no node, more than most_bodies solids.
Solids2D read_solids_2d(CaseNode& geometry, int nx, int ny, double scale = 1);

}  // namespace knudsen
