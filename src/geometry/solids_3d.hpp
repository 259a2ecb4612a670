#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "geometry/shape_3d.hpp"
#include "geometry/solid_keys.hpp"

namespace knudsen {

/// One solid of a three-dimensional case.
struct SolidBody3D {
  std::string name;                         ///< unique; letters, digits and underscores
  std::array<double, 3> velocity{0, 0, 0};  ///< of the surface, as in the case (lattice units)
  /// The exact region in node spacings; null where an image of voxels gives the solid.
  Shape3DPointer shape;
};

/// Solids of a three-dimensional case, rasterised on nx times ny times nz nodes. Lengths are node
/// spacings from the lower corner of the domain: node (x, y, z) is at (x + 0.5, y + 0.5, z + 0.5),
/// sides lie at 0 and nx.
struct Solids3D {
  static constexpr std::size_t most_bodies = SolidNames::most;

  int nx = 0;
  int ny = 0;
  int nz = 0;
  std::vector<SolidBody3D> bodies;
  /// (z, y, x): -1 for a fluid node, else the index of the body; later bodies cover earlier ones.
  std::vector<std::int16_t> body;
  /// What the user should know of the solids although it stops no run: one message each.
  std::vector<std::string> warnings;

  /// Surface velocities in the order of the bodies.
  std::vector<std::array<double, 3>> velocities() const;

  /// Where the link from node (x, y, z) outside of a body to (x + dx, y + dy, z + dz) in it crosses
  /// the body's surface: a fraction of the link in (0, 1], to rounding (one of the crossings,
  /// should there be several). Negative where the body has no exact surface and where the link does
  /// not meet it. The link may pass a side of the domain: its end is then not taken back into the
  /// domain, and shapes go on there, periodically along periodic axes. May be called from several
  /// threads at once.
  double wall_distance(int x, int y, int z, int dx, int dy, int dz, int body_index) const;
};

/// Reads `solids`, a list of shapes, surfaces, images of voxels and sphere packings, of a case's
/// geometry object. Lengths of the case times `scale` are node spacings. A node is solid when its
/// position is in the shape or on its boundary. Along periodic axes shapes are repeated with the
/// period of the domain; along others they are cut off at its sides. Throws InputError: faulty
/// values, a file that is damaged or does not fit, a name given twice, a solid that covers no node,
/// more than most_bodies solids.
Solids3D read_solids_3d(CaseNode& geometry, int nx, int ny, int nz, double scale = 1,
                        const std::array<bool, 3>& periodic = {false, false, false});

}  // namespace knudsen
