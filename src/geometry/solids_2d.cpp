#include "geometry/solids_2d.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/node_image.hpp"
#include "geometry/solid_keys.hpp"
#include "geometry/wall_slope.hpp"

namespace knudsen {

namespace {

Point2D position(int x, int y) { return {x + 0.5, y + 0.5}; }

std::size_t node_index(int nx, int x, int y) {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(x);
}

Point2D scaled(const Point2D& point, double scale) { return {point[0] * scale, point[1] * scale}; }

// Each of the following reads the keys of a kind of shape and returns it in node spacings.

Shape2D read_circle(CaseNode& solid, double scale) {
  const Point2D centre =
      scaled(require_point<2>(solid, "centre", "Centre [x, y], in the case's length unit."), scale);
  const double radius =
      scale * solid.require_number("radius", "Radius, in the case's length unit.", length_range);
  return ellipse(centre, {radius, radius});
}

Shape2D read_ellipse(CaseNode& solid, double scale) {
  const Point2D centre =
      scaled(require_point<2>(solid, "centre", "Centre [x, y], in the case's length unit."), scale);
  const Point2D semi_axes =
      scaled(require_point<2>(solid, "semi_axes",
                              "Semi-axes, in the case's length unit: half the length of each axis.",
                              length_range),
             scale);
  const double angle = solid.number_or(
      "angle_degrees", 0, "Angle in degrees from the x axis to the first axis, anticlockwise.",
      Range::between(-3600, 3600));
  return ellipse(centre, semi_axes, angle);
}

Shape2D read_box(CaseNode& solid, double scale) {
  const Point2D from =
      require_point<2>(solid, "from", "South-west corner [x, y], in the case's length unit.");
  const Point2D to =
      require_point<2>(solid, "to", "North-east corner [x, y], in the case's length unit.");
  if (from[0] >= to[0] || from[1] >= to[1]) {
    solid.fail("to", "must be greater than \"from\" in x and in y");
  }
  return box(scaled(from, scale), scaled(to, scale));
}

Shape2D read_half_plane(CaseNode& solid, double scale) {
  const Point2D point =
      require_point<2>(solid, "point", "Any point [x, y] on the line, in the case's length unit.");
  const Point2D normal = require_point<2>(
      solid, "normal",
      "Normal vector [x, y] that points out of the solid; its length does not matter.");
  if (normal == Point2D{0, 0}) solid.fail("normal", "must not be [0, 0]");
  return half_plane(scaled(point, scale), normal);
}

Shape2D read_polygon(CaseNode& solid, double scale) {
  const auto numbers =
      solid.require_numbers("points", 0,
                            "Corners [x0, y0, x1, y1, ...] in clockwise or anticlockwise order, in "
                            "the case's length unit. The last is joined to the first. If edges "
                            "cross, the even-odd rule decides what is inside.",
                            coordinate_range);
  if (solid.describing()) return {};

  if (numbers.size() < 6 || numbers.size() % 2 != 0) {
    solid.fail_hard("points", "found " + std::to_string(numbers.size()) +
                                  " numbers, must be two for each of three or more corners");
  }
  std::vector<Point2D> corners;
  for (std::size_t index = 0; index < numbers.size(); index += 2) {
    corners.push_back({numbers[index] * scale, numbers[index + 1] * scale});
  }
  Shape2D shape = polygon(corners);
  const double width = shape.upper[0] - shape.lower[0];
  const double height = shape.upper[1] - shape.lower[1];
  constexpr double rounding = 1e-12;
  if (std::abs(signed_area(corners)) <= rounding * std::max(width * width, height * height)) {
    solid.fail_hard("points", "the polygon encloses no area");
  }
  return shape;
}

/// The nodes [first, second), out of `nodes`, whose positions may lie between two coordinates.
std::array<int, 2> node_range(double lower, double upper, int nodes) {
  // One node more at each end, since the limits are rounded.
  const double first = std::clamp(std::floor(lower) - 1, 0.0, static_cast<double>(nodes));
  const double end = std::clamp(std::ceil(upper) + 1, first, static_cast<double>(nodes));
  return {static_cast<int>(first), static_cast<int>(end)};
}

/// Marks the nodes within the ranges for which is_solid(x, y) holds as body `index`. Returns
/// whether there is any.
template <class IsSolid>
bool cover(Solids2D& solids, const std::array<int, 2>& x_range, const std::array<int, 2>& y_range,
           std::size_t index, const IsSolid& is_solid) {
  bool any = false;
  for (int y = y_range[0]; y < y_range[1]; ++y) {
    for (int x = x_range[0]; x < x_range[1]; ++x) {
      if (!is_solid(x, y)) continue;
      solids.body[node_index(solids.nx, x, y)] = static_cast<std::int16_t>(index);
      any = true;
    }
  }
  return any;
}

bool rasterise(Solids2D& solids, std::size_t index, const Shape2D& shape) {
  return cover(solids, node_range(shape.lower[0], shape.upper[0], solids.nx),
               node_range(shape.lower[1], shape.upper[1], solids.ny), index,
               [&](int x, int y) { return shape.contains(position(x, y)); });
}

bool rasterise(Solids2D& solids, std::size_t index, const NodeImage& nodes) {
  return cover(solids, {0, solids.nx}, {0, solids.ny}, index,
               [&](int x, int y) { return nodes[node_index(solids.nx, x, y)] != 0; });
}

/// Reads the region of a solid: into `shape` or, if it has no exact surface, into `nodes`.
void read_region(CaseNode& solid, int nx, int ny, double scale, std::optional<Shape2D>& shape,
                 NodeImage& nodes) {
  using ShapeReader = Shape2D (*)(CaseNode&, double);
  const auto exact = [&](const std::string& name, const std::string& documentation,
                         ShapeReader read) {
    return CaseNode::Alternative{
        name, documentation, [&shape, scale, read](CaseNode& node) {
          shape = read(node, scale);
          if (node.boolean_or("inverted", false,
                              "true: the solid is everything outside of the shape.")) {
            shape = inverted(std::move(*shape));
          }
        }};
  };
  solid.alternatives(
      "shape",
      "Shape of the solid. Positions are measured from the south-west corner of the domain. A node "
      "is solid if its centre is in the shape or on its boundary. Parts outside of the domain are "
      "cut off, also at periodic sides.",
      {exact("circle", "A circle.", read_circle),
       exact("ellipse", "An ellipse, rotated by an angle.", read_ellipse),
       exact("box", "A rectangle with sides parallel to the axes.", read_box),
       exact("polygon", "A polygon.", read_polygon),
       exact("half-plane", "Everything on one side of a straight line.", read_half_plane),
       {"image", "The dark or the light pixels of a PNG picture.",
        [&](CaseNode& node) { nodes = read_picture(node, nx, ny); }},
       {"node-map", "The nodes marked as solid in a text file.",
        [&](CaseNode& node) { nodes = read_node_map(node, nx, ny); }}});
}

}  // namespace

std::vector<std::array<double, 2>> Solids2D::velocities() const {
  std::vector<std::array<double, 2>> all;
  for (const SolidBody& each : bodies) all.push_back(each.velocity);
  return all;
}

namespace {

/// Where the way from `start` crosses the surface of the shape, as a fraction; negative if its end
/// is not in the shape.
double crossing(const Shape2D& shape, const Point2D& start, double dx, double dy) {
  const auto at = [&](double way) { return Point2D{start[0] + way * dx, start[1] + way * dy}; };
  if (!shape.contains(at(1))) return -1;
  double outside = 0;
  double inside = 1;
  while (inside - outside > std::numeric_limits<double>::epsilon() / 2) {
    const double middle = (outside + inside) / 2;
    (shape.contains(at(middle)) ? inside : outside) = middle;
  }
  return inside;
}

/// The surface of a shape at a point that the way (dx, dy) leads to from outside.
SurfaceElement surface_seen(const Shape2D& shape, const Point2D& point, double dx, double dy) {
  SurfaceElement surface = shape.surface(point);
  if (surface.normal[0] * dx + surface.normal[1] * dy > 0) {
    surface.normal = {-surface.normal[0], -surface.normal[1]};
    surface.curvature = -surface.curvature;
  }
  return surface;
}

}  // namespace

double Solids2D::wall_distance(int x, int y, int dx, int dy, int body_index) const {
  const std::optional<Shape2D>& shape = bodies.at(static_cast<std::size_t>(body_index)).shape;
  return shape ? crossing(*shape, position(x, y), dx, dy) : -1;
}

double Solids2D::wall_facing(int x, int y, int dx, int dy, int body_index) const {
  const double here = wall_distance(x, y, dx, dy, body_index);
  if (here < 0) return 1;
  const Shape2D& shape = *bodies.at(static_cast<std::size_t>(body_index)).shape;
  const auto beside = [&](double by) {
    Point2D start = position(x, y);
    start[0] -= by * dy;
    start[1] += by * dx;
    return shape.contains(start) ? -1.0 : crossing(shape, start, dx, dy);
  };
  return 1 / std::hypot(1.0, wall_slope(beside(-beside_link), here, beside(beside_link)));
}

std::optional<SurfaceElement> Solids2D::wall_surface(int x, int y, int dx, int dy,
                                                     int body_index) const {
  const double way = wall_distance(x, y, dx, dy, body_index);
  if (way < 0) return std::nullopt;
  const Point2D node = position(x, y);
  return surface_seen(*bodies.at(static_cast<std::size_t>(body_index)).shape,
                      {node[0] + way * dx, node[1] + way * dy}, dx, dy);
}

WallFrame Solids2D::wall_frame(int x, int y, int dx, int dy, int body_index) const {
  const Shape2D& shape = *bodies.at(static_cast<std::size_t>(body_index)).shape;
  const Point2D node = position(x, y);
  const double way = wall_distance(x, y, dx, dy, body_index);
  SurfaceElement surface = *wall_surface(x, y, dx, dy, body_index);
  double distance = -way * (surface.normal[0] * dx + surface.normal[1] * dy);
  // Along the normal of where the last way met the surface, until that no longer moves: each time
  // by the part distance / radius of the last.
  constexpr int most = 100;
  constexpr double reach = 2;
  constexpr double settled = 1e-15;
  double turn = 1;
  for (int i = 0; i < most && surface.curvature != 0 && turn > settled; ++i) {
    const Point2D last = surface.normal;
    const Point2D towards{-reach * surface.normal[0], -reach * surface.normal[1]};
    const double met = crossing(shape, node, towards[0], towards[1]);
    if (met < 0) break;
    distance = met * reach;
    surface = surface_seen(shape, {node[0] + met * towards[0], node[1] + met * towards[1]},
                           towards[0], towards[1]);
    turn = std::hypot(surface.normal[0] - last[0], surface.normal[1] - last[1]);
  }
  return {surface, distance};
}

Solids2D read_solids_2d(CaseNode& geometry, int nx, int ny, double scale,
                        const std::function<void(CaseNode& solid)>& read_more) {
  Solids2D solids{nx, ny, {}, {}, true};
  const double count = double(nx) * ny;
  if (builds_solids(geometry, nx, ny)) solids.body.assign(static_cast<std::size_t>(count), -1);
  SolidNames names;
  geometry.list(
      "solids", "Solid bodies. Where they overlap, the later one wins.", [&](CaseNode& node) {
        const std::size_t index = solids.bodies.size();
        SolidBody body;
        body.name = names.next(geometry, node);
        const auto velocity = node.numbers_or("velocity", {0, 0}, 2,
                                              "Velocity [u, v] of the surface, in characteristic "
                                              "velocities (`fluid.velocity`), or in "
                                              "m/s in a case in SI units.");
        body.velocity = {velocity[0], velocity[1]};
        if (read_more) read_more(node);
        NodeImage nodes;
        read_region(node, nx, ny, scale, body.shape, nodes);
        if (node.describing()) return;

        if (!builds_solids(node, nx, ny)) solids.built = false;
        const bool any = !solids.built || (body.shape ? rasterise(solids, index, *body.shape)
                                                      : rasterise(solids, index, nodes));
        if (!any) {
          node.fail_hard("", "this solid covers none of the domain's " + std::to_string(nx) +
                                 " x " + std::to_string(ny) +
                                 " nodes: it lies outside the domain or between nodes");
        }
        solids.bodies.push_back(std::move(body));
      });
  return solids;
}

}  // namespace knudsen
