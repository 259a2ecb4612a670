#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "core/node_planes.hpp"
#include "geometry/shape_3d.hpp"
#include "geometry/solid_keys.hpp"

namespace knudsen {

/// One solid of a three-dimensional case.
struct SolidBody3D {
  std::string name;                         ///< unique
  std::array<double, 3> velocity{0, 0, 0};  ///< of the surface, as in the case (lattice units)
  /// The exact region in node spacings; null for a voxel image.
  Shape3DPointer shape;
  /// The nodes of a voxel image, (z, y, x). Empty once the solids of all nodes are known.
  std::vector<bool> image{};
  std::string no_node{};  ///< the message that this solid covers no node
};

/// The surface that is nearest to a node, in node spacings.
struct WallFrame3D {
  Point3D normal{};     ///< of length one, towards the node
  double distance = 0;  ///< from the node
  /// The turn of the normal along axis a of a point that moves along the surface along axis b.
  /// Positive if the normal points away from the centre of curvature; exactly 0 if the radius is
  /// more than 10000, and at edges.
  std::array<Point3D, 3> curvature{};
};

/// Solids of a three-dimensional case, rasterised on nx * ny * nz nodes. Coordinates are node
/// spacings from the lower corner of the domain: node (x, y, z) is at (x + 0.5, y + 0.5, z + 0.5),
/// the west and east sides are at 0 and nx.
struct Solids3D {
  static constexpr std::size_t max_bodies = SolidNames::max_count;

  int nx = 0;
  int ny = 0;
  int nz = 0;
  std::vector<SolidBody3D> bodies;
  /// By node of `planes`: -1 for a fluid node, else the index of the last body that covers the
  /// node. Empty if only an estimate is asked for and the domain is large.
  std::vector<std::int16_t> body;
  /// Where `body` is known: in all planes, or in those that a rank needs.
  NodePlanes planes{};
  /// Messages for the user about solids that are accepted but doubtful.
  std::vector<std::string> warnings;
  /// false: only an estimate was asked for, and building the bodies takes long. Their shapes may
  /// then be null.
  bool built = true;

  /// What `body` is in other planes. `covers`, if not null: by body, set to 1 where it covers a
  /// node in these planes.
  std::vector<std::int16_t> body_in(const NodePlanes& other,
                                    std::vector<std::uint64_t>* covers = nullptr) const;
  /// The same of the nodes of a row along x.
  std::vector<std::int16_t> body_in_row(int y, int z) const;
  /// Once `body` is known in all planes: frees the memory of images.
  void drop_images();
  /// Sets `body` in these planes, and `covers` as above.
  void rasterise(const NodePlanes& in, std::vector<std::uint64_t>& covers);
  /// Throws InputError if a body covers no node, given how many ranks or parts of the domain find
  /// that it covers one.
  void require_nodes(const std::vector<std::uint64_t>& covers) const;

  /// Surface velocities in the order of the bodies.
  std::vector<std::array<double, 3>> velocities() const;

  /// Where the link from node (x, y, z) outside a body to node (x + dx, y + dy, z + dz) in it
  /// crosses the body's surface: a fraction of the link in (0, 1], up to rounding; any of the
  /// crossings if there are several. Negative if the body has no exact surface or the link does not
  /// cross it. The end of a link through a side of the domain is outside the domain, where shapes
  /// continue, periodically along periodic axes. Thread-safe.
  double wall_distance(int x, int y, int z, int dx, int dy, int dz, int body_index) const;
  /// Cosine of the angle between that link, which is along an axis, and the normal of the surface
  /// where it crosses: summed over the links along all axes, the area of the surface in node
  /// spacings squared. 1 if the body has no exact surface.
  double wall_facing(int x, int y, int z, int dx, int dy, int dz, int body_index) const;
  /// The normal of the surface where that link crosses it, of length one and towards the node.
  /// Nothing at an edge between faces. Only where wall_distance is not negative.
  std::optional<Point3D> wall_normal(int x, int y, int z, int dx, int dy, int dz,
                                     int body_index) const;
  /// The surface that is nearest to node (x, y, z), near where the link crosses it. Only where
  /// there is a wall_normal.
  WallFrame3D wall_frame(int x, int y, int z, int dx, int dy, int dz, int body_index) const;
};

/// Reads the list `solids` of a case's geometry object: shapes, surfaces of triangles, sphere
/// packings and voxel images. `scale` is the number of node spacings per unit of length of the
/// case. A node is solid if it is in the shape or on its boundary. Shapes are repeated along
/// periodic axes with the period of the domain, and cut off at the sides along others. `read_more`
/// reads what else the method wants to know of a solid. Without `rasterised` the nodes of the
/// solids are left to be found. Throws InputError: invalid value, damaged file or one that does not
/// fit the domain, duplicate name, solid that covers no node, more than max_bodies solids.
Solids3D read_solids_3d(CaseNode& geometry, int nx, int ny, int nz, double scale = 1,
                        const std::array<bool, 3>& periodic = {false, false, false},
                        const std::function<void(CaseNode& solid)>& read_more = {},
                        bool rasterised = true);

}  // namespace knudsen
