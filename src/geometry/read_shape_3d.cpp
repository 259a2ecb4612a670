#include "geometry/read_shape_3d.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "core/sides.hpp"
#include "core/text.hpp"
#include "geometry/solid_keys.hpp"
#include "geometry/sphere_packing.hpp"
#include "geometry/sphere_set.hpp"
#include "geometry/stl.hpp"
#include "geometry/triangle_mesh.hpp"
#include "geometry/voxel_image.hpp"

namespace knudsen {

using namespace vector_3d;  // NOLINT(google-build-using-namespace)

namespace {

/// How far links reach beyond the domain, in node spacings, and so must the copies of shapes.
constexpr double longest_link = 1;
/// Spheres up to which a shape is built where only an estimate is asked for. A packing is found by
/// simulation, which takes some 0.1 ms a sphere and step.
constexpr double max_quick_spheres = 30000;
constexpr double max_quick_packing = 300;

std::string point_text(const Point3D& point) {
  std::string text = "[";
  text += join({number_text(point[0]), number_text(point[1]), number_text(point[2])}, ", ");
  text += "]";
  return text;
}

/// Reads a vector with a number for each axis of the domain. Along missing axes it is `missing`.
Point3D read_vector(CaseNode& solid, const std::string& key, const std::string& documentation,
                    const ShapeDomain& domain, double missing = 0,
                    const Range& range = coordinate_range) {
  const auto numbers =
      solid.require_numbers(key, static_cast<std::size_t>(domain.dimensions), documentation, range);
  Point3D vector{missing, missing, missing};
  std::copy(numbers.begin(), numbers.begin() + std::min<std::ptrdiff_t>(3, std::ssize(numbers)),
            vector.begin());
  return vector;
}

/// The same for a point of the domain, in the unit of the shapes.
Point3D read_point(CaseNode& solid, const std::string& key, const std::string& documentation,
                   const ShapeDomain& domain) {
  return (read_vector(solid, key, documentation, domain) - domain.origin) * domain.scale;
}

Point3D read_angles(CaseNode& solid, const std::string& about, const ShapeDomain& domain) {
  const auto angles =
      solid.numbers_or("angles_degrees", {0, 0, 0}, 3,
                       "Rotation angles in degrees about " + about +
                           ": first about the x axis, then y, then z, each anticlockwise as seen "
                           "from the positive end of the axis.",
                       Range::between(-3600, 3600));
  if (domain.dimensions == 2 && (angles[0] != 0 || angles[1] != 0)) {
    solid.fail("angles_degrees", "in two dimensions a shape turns about the z axis only");
  }
  return {angles[0], angles[1], angles[2]};
}

// Each of the following reads the keys of a kind of shape and returns it in node spacings. In
// describing mode the result is unspecified and may be null.

Shape3DPointer read_sphere(CaseNode& solid, const ShapeDomain& domain) {
  const Point3D centre =
      read_point(solid, "centre", "Centre [x, y, z], in the case's length unit.", domain);
  const double radius =
      domain.scale *
      solid.require_number("radius", "Radius, in the case's length unit.", length_range);
  return ellipsoid(centre, {radius, radius, radius});
}

Shape3DPointer read_ellipsoid(CaseNode& solid, const ShapeDomain& domain) {
  const Point3D centre =
      read_point(solid, "centre", "Centre [x, y, z], in the case's length unit.", domain);
  const Point3D semi_axes =
      read_vector(solid, "semi_axes",
                  "Semi-axes, in the case's length unit: half the length of each axis.", domain, 1,
                  length_range) *
      domain.scale;
  return turned(ellipsoid(centre, semi_axes), centre, read_angles(solid, "its centre", domain));
}

Shape3DPointer read_box(CaseNode& solid, const ShapeDomain& domain) {
  Point3D from = read_vector(
      solid, "from", "Corner [x, y, z] with the smallest coordinates, in the case's length unit.",
      domain, -1);
  Point3D to = read_vector(
      solid, "to", "Corner [x, y, z] with the largest coordinates, in the case's length unit.",
      domain, 1);
  if (from[0] >= to[0] || from[1] >= to[1] || from[2] >= to[2]) {
    solid.fail("to", "must be greater than \"from\" along each axis");
  }
  const Point3D angles = read_angles(solid, "its centre", domain);
  if (!solid.describing() && domain.check_box && angles == Point3D{0, 0, 0}) {
    domain.check_box(solid, from, to);
  }
  from = (from - domain.origin) * domain.scale;
  to = (to - domain.origin) * domain.scale;
  return turned(cuboid(from, to), (from + to) * 0.5, angles);
}

Shape3DPointer read_cylinder(CaseNode& solid, const ShapeDomain& domain) {
  const Point3D from =
      read_point(solid, "from",
                 "One end [x, y, z] of the cylinder's axis, in the case's length unit.", domain);
  const Point3D to = read_point(solid, "to", "Other end [x, y, z] of the axis.", domain);
  if (from == to) solid.fail("to", "must differ from \"from\"");
  const double radius =
      solid.require_number("radius", "Radius, in the case's length unit.", length_range);
  const bool infinite = solid.boolean_or(
      "infinite", false, "true: the cylinder extends beyond both ends without limit.");
  return cylinder(from, to, radius * domain.scale, infinite);
}

Shape3DPointer read_half_space(CaseNode& solid, const ShapeDomain& domain) {
  const Point3D point = read_point(
      solid, "point", "Any point [x, y, z] on the plane, in the case's length unit.", domain);
  const Point3D normal = read_vector(
      solid, "normal",
      "Normal vector [x, y, z] that points out of the solid; its length does not matter.", domain);
  if (normal == Point3D{0, 0, 0}) solid.fail("normal", "must not be zero");
  return half_space(point, normal);
}

void require_three_dimensions(const CaseNode& solid, const ShapeDomain& domain) {
  if (domain.dimensions != 3) solid.fail("shape", "requires a domain of three dimensions");
}

Shape3DPointer read_sphere_array(CaseNode& solid, const ShapeDomain& domain) {
  const std::string lattice_name = solid.require_choice(
      "lattice", {"simple", "body-centred", "face-centred"},
      "simple: one sphere at the centre of each cubic cell. body-centred: spheres at the corners "
      "and the centre. face-centred: spheres at the corners and the centres of the faces.");
  const CubicLattice lattice = lattice_name == "simple"         ? CubicLattice::simple
                               : lattice_name == "body-centred" ? CubicLattice::body_centred
                                                                : CubicLattice::face_centred;
  const auto cells = solid.integers(
      "cells", 3,
      "Number of cubic cells along x, y and z that fill the domain. Default: [1, 1, 1].",
      Range::between(1, 1000));
  const double volume_fraction = solid.require_number(
      "volume_fraction", "Volume fraction of the spheres, at most that of touching spheres.",
      Range::between(0, 1));
  require_three_dimensions(solid, domain);
  if (solid.describing()) return nullptr;

  const double max_fraction = max_volume_fraction(lattice);
  if (volume_fraction <= 0 || volume_fraction > max_fraction * (1 + 1e-12)) {
    solid.fail("volume_fraction", "must be above 0 and at most " + number_text(max_fraction) +
                                      ", where the spheres of this lattice touch");
  }
  std::array<int, 3> numbers{1, 1, 1};
  if (cells) std::copy(cells->begin(), cells->end(), numbers.begin());
  const auto edge = [&](std::size_t axis) { return domain.size[axis] / numbers[axis]; };
  constexpr double rounding = 1e-12;
  if (std::abs(edge(1) - edge(0)) > rounding * edge(0) ||
      std::abs(edge(2) - edge(0)) > rounding * edge(0)) {
    solid.fail_hard("cells", "the cells are not cubes: their edges are " + number_text(edge(0)) +
                                 ", " + number_text(edge(1)) + " and " + number_text(edge(2)) +
                                 " " + domain.spacing + " long");
  }
  constexpr double min_edge = 2;
  if (edge(0) < min_edge) {
    solid.fail_hard("cells", "the cells are " + number_text(edge(0)) + " " + domain.spacing +
                                 " wide, must be at least " + number_text(min_edge));
  }
  const double spheres = double(numbers[0]) * numbers[1] * numbers[2];
  if (solid.estimating() && spheres > max_quick_spheres) return nullptr;
  // The array continues beyond all sides, periodic or not.
  return sphere_set(with_images(sphere_array(lattice, numbers, edge(0), volume_fraction),
                                domain.size, {true, true, true}, longest_link));
}

/// Reads the container of a sphere packing; lengths are node spacings.
PackingContainer read_container(CaseNode& solid, const ShapeDomain& domain) {
  const std::string kind =
      solid.choice_or("container", "box", {"box", "tube-x", "tube-y", "tube-z"},
                      "Container of the spheres: the box `from` to `to`, or a circular tube along "
                      "an axis in the middle of that box.");
  const auto from = solid.numbers(
      "from", 3,
      "Lower corner [x, y, z] of the box, in the case's length unit. Default: that of the domain.",
      coordinate_range);
  const auto to = solid.numbers(
      "to", 3,
      "Upper corner [x, y, z] of the box, in the case's length unit. Default: that of the domain.",
      coordinate_range);
  const auto tube_radius = solid.number(
      "tube_radius",
      "Radius of the tube, in the case's length unit. Default: the largest that fits into the box.",
      length_range);
  PackingContainer container;
  container.lower = {0, 0, 0};
  container.upper = domain.size;
  container.periodic = domain.periodic;
  if (solid.describing()) return container;

  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto place = [&](double coordinate) {
      return (coordinate - domain.origin[axis]) * domain.scale;
    };
    if (from) container.lower[axis] = place((*from)[axis]);
    if (to) container.upper[axis] = place((*to)[axis]);
    if (container.lower[axis] >= container.upper[axis]) {
      solid.fail_hard("to", "must be greater than \"from\" in x, y and z");
    }
    const double width = container.upper[axis] - container.lower[axis];
    if (width < 1) {
      solid.fail_hard("to", "the box is " + number_text(width) + " " + domain.spacing +
                                " wide along " + axis_names[axis] + ", must be at least 1");
    }
    // The packing is periodic only along axes on which the box spans the domain.
    constexpr double rounding = 1e-9;
    const double size = domain.size[axis];
    if (std::abs(container.lower[axis]) > rounding * size ||
        std::abs(container.upper[axis] - size) > rounding * size) {
      container.periodic[axis] = false;
    }
  }
  if (kind == "box") {
    if (tube_radius) solid.fail_hard("tube_radius", "does not belong to the container \"box\"");
    return container;
  }
  const auto axis = static_cast<std::size_t>(kind.back() - 'x');
  const std::size_t others[2] = {(axis + 1) % 3, (axis + 2) % 3};
  const Point3D size = container.upper - container.lower;
  const double widest = std::min(size[others[0]], size[others[1]]) / 2;
  container.tube_axis = axis;
  container.tube_radius = tube_radius.value_or(widest / domain.scale) * domain.scale;
  if (container.tube_radius > widest * (1 + 1e-12)) {
    solid.fail_hard("tube_radius", "the tube is wider than the box, whose half width is " +
                                       number_text(widest / domain.scale));
  }
  for (const std::size_t other : others) container.periodic[other] = false;
  return container;
}

Shape3DPointer read_sphere_packing(CaseNode& solid, const ShapeDomain& domain) {
  constexpr double max_spheres = 1e6;
  require_three_dimensions(solid, domain);
  const PackingContainer container = read_container(solid, domain);
  const auto count = solid.integer("count", "Number of spheres. Give either this or `radius`.",
                                   Range::between(1, max_spheres));
  const auto given_radius = solid.number(
      "radius", "Radius of the spheres, in the case's length unit. Give either this or `count`.",
      length_range);
  const double porosity =
      solid.number_or("porosity", 0.4,
                      "Fraction of the container's volume that stays free. With `radius` the "
                      "number of spheres is rounded to the nearest integer. Random packings reach "
                      "porosities down to about 0.38; narrow containers need more.",
                      {0, 1, true, true});
  const std::int64_t seed = solid.integer_or(
      "seed", 1,
      "Seed of the random numbers. The same seed gives the same packing on every machine.",
      Range::at_least(0));
  if (solid.describing()) return nullptr;

  if (count.has_value() == given_radius.has_value()) {
    solid.fail_hard("count", "give either the number of spheres or their radius");
  }
  const Point3D size = container.upper - container.lower;
  double radius = 0;
  double spheres = 0;
  if (count) {
    spheres = static_cast<double>(*count);
    radius = packing_radius(container, static_cast<std::size_t>(*count), porosity);
  } else {
    radius = *given_radius * domain.scale;
    spheres = std::round((1 - porosity) * container.volume() /
                         (4.0 / 3 * std::numbers::pi * radius * radius * radius));
    if (!(spheres >= 1 && spheres <= max_spheres)) {
      solid.fail_hard("radius", "this gives " + number_text(spheres) +
                                    " spheres, must be from 1 to " + number_text(max_spheres));
    }
  }
  const double widest = container.tube_axis
                            ? std::min(container.tube_radius, size[*container.tube_axis] / 2)
                            : std::min({size[0], size[1], size[2]}) / 2;
  // Smaller spheres fall between the nodes, and their number only costs time.
  constexpr double smallest = 0.25;
  if (radius < smallest) {
    solid.fail_hard(count ? "count" : "radius",
                    "the spheres have a radius of " + number_text(radius / domain.scale) +
                        ", must be at least " + number_text(smallest / domain.scale) +
                        ", that is " + number_text(smallest) + " " + domain.spacing +
                        (count ? "; use fewer spheres or a finer grid" : "; use a finer grid"));
  }
  if (radius > widest * (1 + 1e-12)) {
    solid.fail_hard(count ? "count" : "radius",
                    "the spheres have a radius of " + number_text(radius / domain.scale) +
                        ", must be at most " + number_text(widest / domain.scale) +
                        " to fit into the container");
  }
  if (solid.estimating() && spheres > max_quick_packing) return nullptr;
  const auto places = pack_spheres(container, static_cast<std::size_t>(spheres), radius,
                                   static_cast<std::uint64_t>(seed));
  if (!places) {
    solid.fail_hard("porosity",
                    number_text(spheres) + " spheres of " + number_text(radius / domain.scale) +
                        " in radius could not be packed without overlap; use a greater porosity");
  }
  std::vector<Sphere> packing;
  for (const Point3D& place : *places) packing.push_back({place, radius});
  return sphere_set(with_images(packing, domain.size, container.periodic, longest_link));
}

/// A kind of shape that a case can choose.
struct ShapeKind {
  const char* name;
  const char* documentation;
  Shape3DPointer (*read)(CaseNode&, const ShapeDomain&);
};
/// Shapes that must be repeated along periodic axes.
constexpr ShapeKind plain_kinds[] = {
    {"sphere", "A sphere.", read_sphere},
    {"ellipsoid", "An ellipsoid, rotated by angles.", read_ellipsoid},
    {"box", "A box, rotated by angles.", read_box},
    {"cylinder", "A circular cylinder along any axis.", read_cylinder},
    {"half-space", "Everything on one side of a plane.", read_half_space}};
/// Shapes whose readers return them with their periodic images.
constexpr ShapeKind sphere_kinds[] = {
    {"sphere-array", "Equal spheres on a cubic lattice that fills the domain.", read_sphere_array},
    {"sphere-packing", "A random packing of equal spheres without overlap (packed bed).",
     read_sphere_packing}};

Shape3DPointer read_surface(CaseNode& solid, const ShapeDomain& domain,
                            std::vector<std::string>& warnings) {
  const double scale = solid.number_or(
      "scale", 1, "Factor from lengths in the file to lengths of the case.", length_range);
  // A surface may be turned about any axis, since it is cut by the plane of a domain only then.
  const Point3D angles = read_angles(solid, "the origin of the file's coordinates", {});
  const auto move =
      solid.numbers_or("translate", {0, 0, 0}, 3,
                       "Position [x, y, z] of the file's origin in the domain, in the case's "
                       "length unit. The surface is scaled, then rotated, then moved.",
                       coordinate_range);
  const bool refuse_open =
      solid.choice_or(
          "open_surface", "refuse", {"refuse", "warn"},
          "Treatment of a surface with holes, i.e. with edges that do not belong to exactly two "
          "triangles. refuse: an error. warn: a warning; if a line through a node passes through a "
          "hole, a line along another axis decides whether the node is inside.") == "refuse";
  std::optional<std::vector<Triangle>> read = read_stl(solid);
  if (!read) return nullptr;
  std::vector<Triangle>& triangles = *read;

  const std::array<Point3D, 3> rows = rotation_matrix(angles);
  const Point3D moved_to{move[0], move[1], move[2]};
  for (Triangle& triangle : triangles) {
    for (Point3D& corner : triangle) {
      const Point3D turned{dot(rows[0], corner), dot(rows[1], corner), dot(rows[2], corner)};
      corner = (turned * scale + moved_to - domain.origin) * domain.scale;
    }
  }
  const auto place_text = [&](const Point3D& place) {
    return point_text(place * (1 / domain.scale) + domain.origin);
  };
  const double largest = 1e6 * *std::max_element(domain.size.begin(), domain.size.end());
  for (const Triangle& triangle : triangles) {
    for (const Point3D& corner : triangle) {
      for (const double coordinate : corner) {
        if (std::abs(coordinate) <= largest) continue;
        solid.fail_hard("file",
                        "but that surface is too large: scaled, rotated and moved it has a "
                        "corner at " +
                            place_text(corner) +
                            ", a million times as far away as the domain is wide; see "
                            "\"scale\" and \"translate\"");
      }
    }
  }
  const auto encloses_nothing = [](const Triangle& triangle) {
    return triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0];
  };
  if (std::all_of(triangles.begin(), triangles.end(), encloses_nothing)) {
    solid.fail_hard("file", "but all triangles of that STL file are degenerate (points or lines)");
  }
  const auto mesh = std::make_shared<TriangleMesh>(triangles);
  const Limits3D limits = mesh->limits();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (limits.upper[axis] >= 0 && limits.lower[axis] <= domain.size[axis]) continue;
    solid.fail_hard(
        "file",
        "but that surface lies outside of the domain: scaled, rotated and moved it extends from " +
            place_text(limits.lower) + " to " + place_text(limits.upper) + ", the domain from " +
            place_text({0, 0, 0}) + " to " + place_text(domain.size));
  }
  if (mesh->open_edges() > 0) {
    const std::string message = "that surface is open: " + std::to_string(mesh->open_edges()) +
                                " edges do not belong to two triangles each, one of them at " +
                                place_text(mesh->place_of_open_edge());
    if (refuse_open) {
      solid.fail_hard("file", "but " + message + " (\"open_surface\": \"warn\" accepts it)");
    }
    warnings.push_back(solid.path("file") + ": " + message);
  }
  return mesh;
}

/// The kinds of exact shapes that a case can choose. Reading one sets `shape`.
std::vector<CaseNode::Alternative> shape_alternatives(const ShapeDomain& domain,
                                                      Shape3DPointer& shape,
                                                      std::vector<std::string>& warnings) {
  std::vector<CaseNode::Alternative> alternatives;
  const auto add = [&](const char* name, const char* documentation, bool to_repeat,
                       const std::function<Shape3DPointer(CaseNode&)>& read) {
    alternatives.push_back({name, documentation, [&, to_repeat, read](CaseNode& node) {
                              shape = read(node);
                              const bool invert = node.boolean_or(
                                  "inverted", false,
                                  "true: the solid is everything outside of the shape.");
                              if (node.describing() || !shape) return;
                              if (to_repeat) {
                                shape = repeated(shape, domain.size, domain.periodic, longest_link);
                              }
                              if (invert) shape = inverted(std::move(shape));
                            }});
  };
  for (const ShapeKind& kind : plain_kinds) {
    add(kind.name, kind.documentation, true,
        [&, read = kind.read](CaseNode& node) { return read(node, domain); });
  }
  for (const ShapeKind& kind : sphere_kinds) {
    add(kind.name, kind.documentation, false,
        [&, read = kind.read](CaseNode& node) { return read(node, domain); });
  }
  add("stl", "The inside of a closed surface of triangles from an STL file.", true,
      [&](CaseNode& node) { return read_surface(node, domain, warnings); });
  return alternatives;
}

}  // namespace

std::string size_text(const std::array<int, 3>& size) {
  return std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " +
         std::to_string(size[2]);
}

Region3D read_region(CaseNode& solid, const ShapeDomain& domain, const std::array<int, 3>& nodes,
                     const std::string& positions, std::vector<std::string>& warnings) {
  Region3D region;
  const auto aligned_box = [](CaseNode& node, const std::string& kind) {
    return kind == "box" && !node.has("angles_degrees");
  };
  std::vector<CaseNode::Alternative> alternatives =
      shape_alternatives(domain, region.shape, warnings);
  alternatives.push_back(
      {"union", "The union of several shapes.", [&](CaseNode& node) {
         std::vector<Shape3DPointer> parts;
         node.list("parts", "Shapes of the union, at least one.", [&](CaseNode& part) {
           const std::string kind = part.alternatives(
               "shape", "Shape of this part.", shape_alternatives(domain, region.shape, warnings));
           region.aligned = region.aligned && aligned_box(part, kind);
           parts.push_back(std::move(region.shape));
         });
         const bool invert = node.boolean_or("inverted", false,
                                             "true: the solid is everything outside of the union.");
         if (node.describing()) return;
         if (parts.empty()) {
           node.fail_hard("parts", "must be a list of one shape or more");
         }
         const bool built =
             std::all_of(parts.begin(), parts.end(), [](const auto& p) { return p; });
         region.shape = built ? union_of(std::move(parts)) : nullptr;
         if (region.shape && invert) region.shape = inverted(std::move(region.shape));
       }});
  alternatives.push_back({"voxel-image",
                          "Voxels of a three-dimensional image; one voxel is one node or cell.",
                          [&](CaseNode& node) { region.image = read_voxel_image(node, nodes); }});
  const std::string kind =
      solid.alternatives("shape", "Shape of the solid. " + positions, alternatives);
  if (kind != "union") region.aligned = kind == "voxel-image" || aligned_box(solid, kind);
  return region;
}

}  // namespace knudsen
