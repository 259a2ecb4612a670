#include "geometry/solids_3d.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "device/host_parallel.hpp"
#include "geometry/read_shape_3d.hpp"
#include "geometry/wall_slope.hpp"

namespace knudsen {

namespace {

Point3D position(int x, int y, int z) { return {x + 0.5, y + 0.5, z + 0.5}; }

/// Marks the nodes of plane z, in the rows [rows[0], rows[1]), that are in the shape. Returns
/// whether there is any.
bool rasterise_plane(Solids3D& solids, std::size_t index, const Shape3D& shape, std::size_t z,
                     const std::array<std::size_t, 2>& rows) {
  const auto nx = static_cast<std::size_t>(solids.nx);
  const auto ny = static_cast<std::size_t>(solids.ny);
  std::vector<signed char> sides(nx);
  bool any = false;
  for (std::size_t y = rows[0]; y < rows[1]; ++y) {
    shape.sides_of_row(0.5, static_cast<double>(y) + 0.5, static_cast<double>(z) + 0.5, sides);
    std::int16_t* row = solids.body.data() + (z * ny + y) * nx;
    for (std::size_t x = 0; x < nx; ++x) {
      if (sides[x] > 0) continue;
      row[x] = static_cast<std::int16_t>(index);
      any = true;
    }
  }
  return any;
}

/// Marks all nodes in the shape as body `index`. Returns whether there is any.
bool rasterise(Solids3D& solids, std::size_t index, const Shape3D& shape) {
  const Limits3D limits = shape.limits();
  const auto rows =
      row_range(limits.lower[1], limits.upper[1], static_cast<std::size_t>(solids.ny));
  const auto planes =
      row_range(limits.lower[2], limits.upper[2], static_cast<std::size_t>(solids.nz));
  std::vector<char> marked(planes[1] - planes[0], 0);
  parallel_for_host("knudsen/geometry/rasterise", static_cast<std::int64_t>(marked.size()),
                    [&](std::int64_t plane) {
                      const auto i = static_cast<std::size_t>(plane);
                      marked[i] =
                          rasterise_plane(solids, index, shape, planes[0] + i, rows) ? 1 : 0;
                    });
  return std::find(marked.begin(), marked.end(), 1) != marked.end();
}

/// The same for the nodes of an image, (z, y, x), that are not 0.
bool rasterise(Solids3D& solids, std::size_t index, const std::vector<char>& nodes) {
  bool any = false;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (nodes[node] == 0) continue;
    solids.body[node] = static_cast<std::int16_t>(index);
    any = true;
  }
  return any;
}

}  // namespace

std::vector<std::array<double, 3>> Solids3D::velocities() const {
  std::vector<std::array<double, 3>> all;
  for (const SolidBody3D& each : bodies) all.push_back(each.velocity);
  return all;
}

double Solids3D::wall_distance(int x, int y, int z, int dx, int dy, int dz, int body_index) const {
  const Shape3DPointer& shape = bodies.at(static_cast<std::size_t>(body_index)).shape;
  return shape ? shape->crossing(position(x, y, z), position(x + dx, y + dy, z + dz)) : -1;
}

double Solids3D::wall_facing(int x, int y, int z, int dx, int dy, int dz, int body_index) const {
  const double here = wall_distance(x, y, z, dx, dy, dz, body_index);
  if (here < 0) return 1;
  const Shape3D& shape = *bodies.at(static_cast<std::size_t>(body_index)).shape;
  const Point3D way{double(dx), double(dy), double(dz)};
  double square = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (way[axis] != 0) continue;
    const auto beside = [&](double by) {
      Point3D start = position(x, y, z);
      start[axis] += by;
      using vector_3d::operator+;
      return shape.contains(start) ? -1.0 : shape.crossing(start, start + way);
    };
    const double slope = wall_slope(beside(-beside_link), here, beside(beside_link));
    square += slope * slope;
  }
  return 1 / std::sqrt(square);
}

Solids3D read_solids_3d(CaseNode& geometry, int nx, int ny, int nz, double scale,
                        const std::array<bool, 3>& periodic,
                        const std::function<void(CaseNode& solid)>& read_more) {
  const std::array<int, 3> nodes{nx, ny, nz};
  ShapeDomain domain;
  domain.size = {double(nx), double(ny), double(nz)};
  domain.scale = scale;
  domain.periodic = periodic;
  Solids3D solids{nx, ny, nz, {}, {}, {}, true};
  const double count = double(nx) * ny * nz;
  if (builds_solids(geometry, nodes)) solids.body.assign(static_cast<std::size_t>(count), -1);
  SolidNames names;
  geometry.list(
      "solids", "Solid bodies. Where they overlap, the later one wins.", [&](CaseNode& node) {
        const std::size_t index = solids.bodies.size();
        SolidBody3D body;
        body.name = names.next(geometry, node);
        const auto velocity = node.numbers_or("velocity", {0, 0, 0}, 3,
                                              "Velocity [u, v, w] of the surface, in "
                                              "characteristic velocities (`fluid.velocity`), or in "
                                              "m/s in a case in SI units.");
        body.velocity = {velocity[0], velocity[1], velocity[2]};
        if (read_more) read_more(node);
        const Region3D region = read_region(
            node, domain, nodes,
            "Positions are measured from the lower corner of the domain (west, south, bottom). A "
            "node is solid if its centre is in the shape or on its boundary. Shapes are repeated "
            "along periodic axes with the period of the domain, and cut off at the other sides.",
            solids.warnings);
        body.shape = region.shape;
        if (node.describing()) return;

        if (!builds_solids(node, nodes) || !region.built()) solids.built = false;
        const bool any = !solids.built || (body.shape ? rasterise(solids, index, *body.shape)
                                                      : rasterise(solids, index, region.image));
        if (!any) {
          node.fail_hard("", "this solid covers none of the domain's " + size_text(nodes) +
                                 " nodes: it lies outside the domain or between nodes");
        }
        solids.bodies.push_back(std::move(body));
      });
  if (!solids.built) solids.body = {};
  return solids;
}

}  // namespace knudsen
