#include "geometry/solids_3d.hpp"

#include <algorithm>
#include <utility>

#include "core/kokkos.hpp"

namespace knudsen {

namespace {

Point3D position(int x, int y, int z) { return {x + 0.5, y + 0.5, z + 0.5}; }

std::string size_text(int nx, int ny, int nz) {
  return std::to_string(nx) + " x " + std::to_string(ny) + " x " + std::to_string(nz);
}

/// The domain as far as readers of shapes need it. Lengths of the case times `scale` are spacings.
struct Domain {
  int nx, ny, nz;
  double scale;
  std::array<bool, 3> periodic;

  Point3D size() const { return {double(nx), double(ny), double(nz)}; }
};

// The readers of shapes return them in node spacings.

Shape3DPointer read_sphere(CaseNode& solid, const Domain& domain) {
  const Point3D centre =
      scaled(require_point<3>(solid, "centre", "Centre [x, y, z]."), domain.scale);
  const double radius =
      domain.scale * solid.require_number("radius", "Radius of the sphere.", Range::positive());
  return ellipsoid(centre, {radius, radius, radius});
}

Point3D read_angles(CaseNode& solid, const std::string& about) {
  const auto angles =
      solid.numbers_or("angles_degrees", {0, 0, 0}, 3,
                       "Angles by which it is turned about " + about +
                           ": first about x, then about y, then about z, anticlockwise seen from "
                           "the tip of the axis.");
  return {angles[0], angles[1], angles[2]};
}

Shape3DPointer read_ellipsoid(CaseNode& solid, const Domain& domain) {
  const Point3D centre =
      scaled(require_point<3>(solid, "centre", "Centre [x, y, z]."), domain.scale);
  const Point3D semi_axes = scaled(
      require_point<3>(solid, "semi_axes", "Half of the length of each axis.", Range::positive()),
      domain.scale);
  return turned(ellipsoid(centre, semi_axes), centre, read_angles(solid, "its centre"));
}

Shape3DPointer read_box(CaseNode& solid, const Domain& domain) {
  const Point3D from =
      require_point<3>(solid, "from", "Corner [x, y, z] of the least coordinates.");
  const Point3D to = require_point<3>(solid, "to", "Corner [x, y, z] of the greatest coordinates.");
  if (from[0] >= to[0] || from[1] >= to[1] || from[2] >= to[2]) {
    solid.fail("to", "must be greater than \"from\" in x, y and z");
  }
  const Point3D lower = scaled(from, domain.scale);
  const Point3D upper = scaled(to, domain.scale);
  const Point3D middle{(lower[0] + upper[0]) / 2, (lower[1] + upper[1]) / 2,
                       (lower[2] + upper[2]) / 2};
  return turned(cuboid(lower, upper), middle, read_angles(solid, "its middle"));
}

Shape3DPointer read_cylinder(CaseNode& solid, const Domain& domain) {
  const Point3D from = require_point<3>(solid, "from", "A point [x, y, z] on the axis: one end.");
  const Point3D to = require_point<3>(solid, "to", "Another point on the axis: the other end.");
  if (from == to) solid.fail("to", "must differ from \"from\"");
  const double radius =
      solid.require_number("radius", "Radius of the cylinder.", Range::positive());
  const bool infinite = solid.boolean_or("infinite", false, "It goes on beyond both ends.");
  return cylinder(scaled(from, domain.scale), scaled(to, domain.scale), radius * domain.scale,
                  infinite);
}

Shape3DPointer read_half_space(CaseNode& solid, const Domain& domain) {
  const Point3D point = require_point<3>(solid, "point", "A point [x, y, z] on the surface.");
  const Point3D normal =
      require_point<3>(solid, "normal", "Direction [x, y, z] out of the solid, of any length.");
  if (normal == Point3D{0, 0, 0}) solid.fail("normal", "must not be [0, 0, 0]");
  return half_space(scaled(point, domain.scale), normal);
}

/// Gives the nodes in the shape the index. Returns whether there is any.
bool rasterise(Solids3D& solids, std::size_t index, const Shape3D& shape) {
  const auto nx = static_cast<std::size_t>(solids.nx);
  const auto ny = static_cast<std::size_t>(solids.ny);
  int planes_met = 0;
  Kokkos::parallel_reduce(
      "knudsen/geometry/rasterise",
      Kokkos::RangePolicy<HostExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>(0, solids.nz),
      [&](const int z, int& met) {
        std::vector<signed char> sides(nx);
        bool any = false;
        for (std::size_t y = 0; y < ny; ++y) {
          shape.sides_of_row(static_cast<double>(y) + 0.5, z + 0.5, sides);
          std::int16_t* row = solids.body.data() + (static_cast<std::size_t>(z) * ny + y) * nx;
          for (std::size_t x = 0; x < nx; ++x) {
            if (sides[x] > 0) continue;
            row[x] = static_cast<std::int16_t>(index);
            any = true;
          }
        }
        met += any ? 1 : 0;
      },
      planes_met);
  return planes_met > 0;
}

using ShapeReader = Shape3DPointer (*)(CaseNode&, const Domain&);
struct ShapeKind {
  const char* name;
  const char* documentation;
  ShapeReader read;
};
constexpr ShapeKind shape_kinds[] = {
    {"sphere", "A ball.", read_sphere},
    {"ellipsoid", "An ellipsoid, turned by angles.", read_ellipsoid},
    {"box", "A box, turned by angles.", read_box},
    {"cylinder", "A circular cylinder about any axis.", read_cylinder},
    {"half_space", "All on one side of a plane.", read_half_space}};

/// Reads the keys that tell where a solid is.
Shape3DPointer read_region(CaseNode& solid, const Domain& domain) {
  Shape3DPointer shape;
  std::vector<CaseNode::Alternative> alternatives;
  for (const ShapeKind& kind : shape_kinds) {
    alternatives.push_back(
        {kind.name, kind.documentation, [&](CaseNode& node) {
           shape = kind.read(node, domain);
           const bool invert =
               node.boolean_or("inverted", false, "The solid is all outside of the shape.");
           if (node.describing()) return;
           constexpr double longest_link = 1;
           shape = repeated(std::move(shape), domain.size(), domain.periodic, longest_link);
           if (invert) shape = inverted(std::move(shape));
         }});
  }
  solid.alternatives(
      "shape",
      "What is solid. Positions are measured from the lower corner of the domain. A node is solid "
      "when its centre is in the shape or on its boundary. Along periodic axes shapes are repeated "
      "with the period of the domain, along others what lies outside of it is cut off.",
      alternatives);
  return shape;
}

}  // namespace

std::vector<std::array<double, 3>> Solids3D::velocities() const {
  std::vector<std::array<double, 3>> all;
  for (const SolidBody3D& each : bodies) all.push_back(each.velocity);
  return all;
}

double Solids3D::wall_distance(int x, int y, int z, int dx, int dy, int dz, int body_index) const {
  const Shape3DPointer& shape = bodies.at(static_cast<std::size_t>(body_index)).shape;
  if (!shape) return -1;
  const Point3D end = position(x + dx, y + dy, z + dz);
  return shape->contains(end) ? shape->crossing(position(x, y, z), end) : -1;
}

Solids3D read_solids_3d(CaseNode& geometry, int nx, int ny, int nz, double scale,
                        const std::array<bool, 3>& periodic) {
  const Domain domain{nx, ny, nz, scale, periodic};
  Solids3D solids{nx, ny, nz, {}, {}, {}};
  solids.body.assign(
      static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) * static_cast<std::size_t>(nz),
      -1);
  SolidNames names;
  geometry.list(
      "solids", "Solid bodies; where they overlap, the later one counts.", [&](CaseNode& node) {
        const std::size_t index = solids.bodies.size();
        SolidBody3D body;
        body.name = names.next(geometry, node);
        const auto velocity =
            node.numbers_or("velocity", {0, 0, 0}, 3, "Velocity [u, v, w] of the surface.");
        body.velocity = {velocity[0], velocity[1], velocity[2]};
        body.shape = read_region(node, domain);
        if (node.describing()) return;

        if (!rasterise(solids, index, *body.shape)) {
          node.fail_hard("", "this solid covers none of the domain's " + size_text(nx, ny, nz) +
                                 " nodes: it lies outside of the domain or between nodes");
        }
        solids.bodies.push_back(std::move(body));
      });
  return solids;
}

}  // namespace knudsen
