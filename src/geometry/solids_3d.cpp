#include "geometry/solids_3d.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "device/host_parallel.hpp"
#include "geometry/read_shape_3d.hpp"
#include "geometry/wall_slope.hpp"

namespace knudsen {

namespace {

using Coordinates = std::array<int, 3>;

Point3D position(int x, int y, int z) { return {x + 0.5, y + 0.5, z + 0.5}; }

/// The body of each node in a part of the row through (y, z) that begins at node x, which is set
/// where `solid` covers nodes. Returns whether it covers any. `sides` has the length of the part.
bool mark_row(const SolidBody3D& solid, std::int16_t index, const Coordinates& first,
              const Coordinates& nodes, std::vector<signed char>& sides, std::int16_t* body) {
  bool any = false;
  const auto mark = [&](const auto& covers) {
    for (std::size_t i = 0; i < sides.size(); ++i) {
      if (!covers(i)) continue;
      body[i] = index;
      any = true;
    }
  };
  if (solid.shape) {
    solid.shape->sides_of_row(first[0] + 0.5, first[1] + 0.5, first[2] + 0.5, sides);
    mark([&](std::size_t i) { return sides[i] <= 0; });
  } else {
    const std::size_t at = NodePlanes(nodes)(first);
    mark([&](std::size_t i) { return solid.image[at + i]; });
  }
  return any;
}

/// Indices of the nodes in [first, end) of an axis that a body may cover.
std::array<int, 2> range_of(const SolidBody3D& solid, std::size_t axis, int first, int end) {
  if (!solid.shape) return {first, end};
  const Limits3D limits = solid.shape->limits();
  const auto [from, to] =
      row_range(limits.lower[axis], limits.upper[axis], static_cast<std::size_t>(end));
  return {std::max(first, static_cast<int>(from)), static_cast<int>(to)};
}

/// Rows that a thread takes at a time.
constexpr int rows_of_block = 64;

/// Marks the nodes of a body in the box between two nodes. Returns whether there is any.
bool mark_box(const SolidBody3D& solid, std::int16_t index, const Coordinates& first,
              const Coordinates& end, const Coordinates& nodes, const NodePlanes& planes,
              std::vector<std::int16_t>& body) {
  const auto [first_row, end_row] = range_of(solid, 1, first[1], end[1]);
  const auto [first_plane, end_plane] = range_of(solid, 2, first[2], end[2]);
  if (first_row >= end_row || first_plane >= end_plane) return false;
  const int blocks = (end_row - first_row + rows_of_block - 1) / rows_of_block;
  std::vector<char> marked(
      static_cast<std::size_t>(end_plane - first_plane) * static_cast<std::size_t>(blocks), 0);
  parallel_for_host("knudsen/geometry/rasterise", static_cast<std::int64_t>(marked.size()),
                    [&, begin = first_row, last = end_row, plane = first_plane](std::int64_t i) {
                      std::vector<signed char> sides(static_cast<std::size_t>(end[0] - first[0]));
                      Coordinates at{first[0], begin + static_cast<int>(i) % blocks * rows_of_block,
                                     plane + static_cast<int>(i) / blocks};
                      const int behind = std::min(at[1] + rows_of_block, last);
                      for (; at[1] < behind; ++at[1]) {
                        if (mark_row(solid, index, at, nodes, sides, body.data() + planes(at))) {
                          marked[static_cast<std::size_t>(i)] = 1;
                        }
                      }
                    });
  return std::find(marked.begin(), marked.end(), 1) != marked.end();
}

}  // namespace

std::vector<std::int16_t> Solids3D::body_in(const NodePlanes& other,
                                            std::vector<std::uint64_t>* covers) const {
  std::vector<std::int16_t> found(other.size(), -1);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    other.for_boxes([&](const Coordinates& first, const Coordinates& end) {
      const bool any =
          mark_box(bodies[i], static_cast<std::int16_t>(i), first, end, {nx, ny, nz}, other, found);
      if (any && covers != nullptr) (*covers)[i] = 1;
    });
  }
  return found;
}

std::vector<std::int16_t> Solids3D::body_in_row(int y, int z) const {
  std::vector<std::int16_t> found(static_cast<std::size_t>(nx), -1);
  std::vector<signed char> sides(found.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto [first_row, end_row] = range_of(bodies[i], 1, y, y + 1);
    const auto [first_plane, end_plane] = range_of(bodies[i], 2, z, z + 1);
    if (first_row >= end_row || first_plane >= end_plane) continue;
    mark_row(bodies[i], static_cast<std::int16_t>(i), {0, y, z}, {nx, ny, nz}, sides, found.data());
  }
  return found;
}

void Solids3D::rasterise(const NodePlanes& in, std::vector<std::uint64_t>& covers) {
  body = {};  // before the new one, to save memory
  covers.resize(bodies.size());
  body = body_in(in, &covers);
  planes = in;
}

void Solids3D::drop_images() {
  for (SolidBody3D& each : bodies) each.image = {};
}

void Solids3D::require_nodes(const std::vector<std::uint64_t>& covers) const {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (covers[i] == 0) throw InputError(bodies[i].no_node);
  }
}

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

namespace {

using namespace vector_3d;  // NOLINT(google-build-using-namespace)

Point3D of_length_one(const Point3D& way) { return way * (1 / std::sqrt(dot(way, way))); }

/// A surface as ways beside each other see it: how far it is along them.
class SurfaceSeen {
 public:
  SurfaceSeen(const Shape3D& shape, const Point3D& start, const Point3D& way)
      : shape_(shape), start_(start), way_(way), length_(std::sqrt(dot(way, way))) {
    // Two directions across the way; the axes, if it is along an axis.
    const auto axis = static_cast<std::size_t>(
        std::max_element(way.begin(), way.end(),
                         [](double a, double b) { return std::fabs(a) < std::fabs(b); }) -
        way.begin());
    Point3D other{};
    other[(axis + 1) % 3] = 1;
    across_[1] = of_length_one(cross(way, other));
    across_[0] = of_length_one(cross(across_[1], way));
    here_ = beside({0, 0, 0});
  }

  double distance() const { return here_; }

  /// The normal, against the way. Of ways that graze the surface, and at edges, a rough one.
  Point3D normal() const {
    Point3D found = way_ * (-1 / length_);
    for (const Point3D& direction : across_) found = found + direction * slope(direction);
    found = of_length_one(found);
    // What is along an axis or a diagonal up to rounding is exactly so.
    constexpr double rounding = 1e-7;
    for (std::size_t a = 0; a < 3; ++a) {
      double& one = found[a];
      const double& next = found[(a + 1) % 3];
      if (std::fabs(one) < rounding) one = 0;
      if (std::fabs(std::fabs(one) - std::fabs(next)) < rounding) {
        one = std::copysign(next, one);
      }
    }
    return of_length_one(found);
  }
  /// Whether the way meets an edge between faces that differ by about 30 degrees or more.
  bool is_edge() const {
    constexpr double smooth = 0.5;
    return std::any_of(across_.begin(), across_.end(), [&](const Point3D& direction) {
      return std::fabs(bend(direction)) * step_ > smooth;
    });
  }
  /// Where the way meets the surface.
  Point3D place() const { return start_ + way_ * (here_ / length_); }

  /// The curvature of a surface that the way is normal to, see WallFrame3D.
  std::array<Point3D, 3> curvature() const {
    const double first = bend(across_[0]);
    const double last = bend(across_[1]);
    const double both = bend((across_[0] + across_[1]) * std::sqrt(0.5)) - (first + last) / 2;
    constexpr double straight = 1e-4;
    constexpr double edge = 0.5;
    const double most = std::max({std::fabs(first), std::fabs(last), std::fabs(both)});
    std::array<Point3D, 3> found{};
    const bool seen = std::isfinite(first + last + both);
    if (!seen || most <= straight || most >= edge) return found;
    for (std::size_t a = 0; a < 3; ++a) {
      found[a] = across_[0] * (first * across_[0][a] + both * across_[1][a]) +
                 across_[1] * (both * across_[0][a] + last * across_[1][a]);
    }
    return found;
  }

 private:
  static constexpr double step_ = 1.0 / 256;  ///< in node spacings

  /// The distance along the way that begins at this offset; NaN if it does not meet the surface.
  double beside(const Point3D& offset) const {
    const Point3D from = start_ + offset;
    const double met = shape_.contains(from) ? -1 : shape_.crossing(from, from + way_);
    return met < 0 ? NAN : met * length_;
  }
  double slope(const Point3D& direction) const {
    const double before = (here_ - beside(direction * -step_)) / step_;
    const double after = (beside(direction * step_) - here_) / step_;
    if (std::isnan(before)) return std::isnan(after) ? 0 : after;
    return std::isnan(after) ? before : (before + after) / 2;
  }
  double bend(const Point3D& direction) const {
    return (beside(direction * -step_) - 2 * here_ + beside(direction * step_)) / (step_ * step_);
  }

  const Shape3D& shape_;
  Point3D start_;
  Point3D way_;
  double length_;
  std::array<Point3D, 2> across_;
  double here_ = 0;
};

}  // namespace

std::optional<Point3D> Solids3D::wall_normal(int x, int y, int z, int dx, int dy, int dz,
                                             int body_index) const {
  const Shape3D& shape = *bodies.at(static_cast<std::size_t>(body_index)).shape;
  const SurfaceSeen along_link(shape, position(x, y, z), {double(dx), double(dy), double(dz)});
  // Links may graze the surface, so once more from above it.
  constexpr double above = 0.125;
  const Point3D rough = along_link.normal();
  const SurfaceSeen seen(shape, along_link.place() + rough * above, rough * (-2 * above));
  if (std::isnan(seen.distance())) return rough;
  if (seen.is_edge()) return std::nullopt;
  return seen.normal();
}

WallFrame3D Solids3D::wall_frame(int x, int y, int z, int dx, int dy, int dz,
                                 int body_index) const {
  const Shape3D& shape = *bodies.at(static_cast<std::size_t>(body_index)).shape;
  const Point3D node = position(x, y, z);
  const Point3D way{double(dx), double(dy), double(dz)};
  WallFrame3D frame{wall_normal(x, y, z, dx, dy, dz, body_index).value(), 0, {}};
  frame.distance = -wall_distance(x, y, z, dx, dy, dz, body_index) * dot(frame.normal, way);
  // Along the normal of where the last way met the surface, until that no longer moves: each time
  // by the part distance / radius of the last.
  constexpr int most = 6;
  constexpr double reach = 2;
  constexpr double settled = 1e-6;
  for (int i = 0; i < most; ++i) {
    const SurfaceSeen seen(shape, node, frame.normal * -reach);
    if (std::isnan(seen.distance()) || seen.is_edge()) break;
    const Point3D turn = seen.normal() - frame.normal;
    frame = {seen.normal(), seen.distance(), seen.curvature()};
    if (dot(turn, turn) < settled * settled) break;
  }
  return frame;
}

Solids3D read_solids_3d(CaseNode& geometry, int nx, int ny, int nz, double scale,
                        const std::array<bool, 3>& periodic,
                        const std::function<void(CaseNode& solid)>& read_more, bool rasterised) {
  const std::array<int, 3> nodes{nx, ny, nz};
  ShapeDomain domain;
  domain.size = {double(nx), double(ny), double(nz)};
  domain.scale = scale;
  domain.periodic = periodic;
  Solids3D solids{nx, ny, nz, {}, {}, {}, {}, true};
  SolidNames names;
  geometry.list(
      "solids", "Solid bodies. Where they overlap, the later one wins.", [&](CaseNode& node) {
        SolidBody3D body;
        body.name = names.next(geometry, node);
        const auto velocity = node.numbers_or("velocity", {0, 0, 0}, 3,
                                              "Velocity [u, v, w] of the surface, in "
                                              "characteristic velocities (`fluid.velocity`), or in "
                                              "m/s in a case in SI units.");
        body.velocity = {velocity[0], velocity[1], velocity[2]};
        if (read_more) read_more(node);
        Region3D region = read_region(
            node, domain, nodes,
            "Positions are measured from the lower corner of the domain (west, south, bottom). A "
            "node is solid if its centre is in the shape or on its boundary. Shapes are repeated "
            "along periodic axes with the period of the domain, and cut off at the other sides.",
            solids.warnings);
        body.shape = region.shape;
        if (node.describing()) return;

        if (!builds_solids(node, nodes) || !region.built()) solids.built = false;
        body.image = std::move(region.image);
        body.no_node =
            node.message("", "this solid covers none of the domain's " + size_text(nodes) +
                                 " nodes: it lies outside the domain or between nodes");
        solids.bodies.push_back(std::move(body));
      });
  if (rasterised && solids.built && builds_solids(geometry, nodes)) {
    std::vector<std::uint64_t> covers;
    solids.rasterise(NodePlanes(nodes), covers);
    solids.require_nodes(covers);
    solids.drop_images();
  }
  return solids;
}

}  // namespace knudsen
