#include "geometry/triangle_mesh.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "geometry/vector_3d.hpp"

namespace knudsen {

using namespace vector_3d;  // NOLINT(google-build-using-namespace)

/// A line along an axis at (first, second) of the next two axes, in turn. A corner that lies level
/// with it counts as above it or, where the line is moved aside, as below.
struct TriangleMesh::Line {
  std::size_t axis = 0;
  double first = 0;
  double second = 0;
  bool first_moved = false;
  bool second_moved = false;
  bool meets_edge = false;
  std::vector<Passage> passages;

  bool is_above(double coordinate, double level, bool moved) {
    if (coordinate == level) meets_edge = true;
    return moved ? coordinate > level : coordinate >= level;
  }
};

namespace {

/// The point between two at a level of a coordinate that lies between theirs.
Point3D at_level(const Point3D& below, const Point3D& above, std::size_t axis, double level) {
  const double fraction = (level - below[axis]) / (above[axis] - below[axis]);
  Point3D point = below + (above - below) * fraction;
  for (std::size_t each = 0; each < 3; ++each) {
    const auto [least, most] = std::minmax(below[each], above[each]);
    point[each] = std::clamp(point[each], least, most);
  }
  return point;
}

Limits3D limits_of(const Point3D& a, const Point3D& b) { return enclosing({a, a}, {b, b}); }

/// Where the way from a point passes through the triangle, in ways; above 1 where it does not. By
/// Moeller and Trumbore, Journal of Graphics Tools 2 (1997) 21.
double passage(const Point3D& start, const Point3D& way, const Point3D& a, const Point3D& b,
               const Point3D& c) {
  constexpr double never = 2;
  constexpr double rounding = 1e-9;
  const Point3D side_b = b - a;
  const Point3D side_c = c - a;
  const Point3D across = cross(way, side_c);
  const double determinant = dot(side_b, across);
  if (determinant == 0) return never;
  const Point3D from_a = start - a;
  const double share_b = dot(from_a, across) / determinant;
  if (share_b < -rounding || share_b > 1 + rounding) return never;
  const Point3D normal = cross(from_a, side_b);
  const double share_c = dot(way, normal) / determinant;
  if (share_c < -rounding || share_b + share_c > 1 + rounding) return never;
  const double fraction = dot(side_c, normal) / determinant;
  return fraction > 0 ? fraction : never;
}

}  // namespace

TriangleMesh::TriangleMesh(const std::vector<Triangle>& triangles) {
  // Corners in order, so that equal ones lie side by side.
  std::vector<std::uint32_t> order(3 * triangles.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto corner_of = [&](std::uint32_t index) { return triangles[index / 3][index % 3]; };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return corner_of(a) < corner_of(b); });
  std::vector<std::uint32_t> number(order.size());
  for (const std::uint32_t index : order) {
    if (corners_.empty() || corners_.back() != corner_of(index)) {
      corners_.push_back(corner_of(index));
    }
    number[index] = static_cast<std::uint32_t>(corners_.size() - 1);
  }
  std::vector<Limits3D> boxes;
  for (std::size_t index = 0; index < number.size(); index += 3) {
    const std::array<std::uint32_t, 3> kept{number[index], number[index + 1], number[index + 2]};
    if (kept[0] == kept[1] || kept[1] == kept[2] || kept[2] == kept[0]) continue;
    triangles_.push_back(kept);
    boxes.push_back(enclosing(limits_of(corners_[kept[0]], corners_[kept[1]]),
                              limits_of(corners_[kept[1]], corners_[kept[2]])));
  }
  grid_ = CellGrid(boxes);
  find_open_edges();
}

void TriangleMesh::find_open_edges() {
  struct Edge {
    std::uint32_t lower, upper;
    int direction;
  };
  std::vector<Edge> edges;
  edges.reserve(3 * triangles_.size());
  for (const auto& triangle : triangles_) {
    for (std::size_t index = 0; index < 3; ++index) {
      const std::uint32_t from = triangle[index];
      const std::uint32_t to = triangle[(index + 1) % 3];
      edges.push_back({std::min(from, to), std::max(from, to), from < to ? 1 : -1});
    }
  }
  const auto key = [](const Edge& edge) { return std::pair(edge.lower, edge.upper); };
  std::sort(edges.begin(), edges.end(),
            [&](const Edge& a, const Edge& b) { return key(a) < key(b); });
  for (std::size_t index = 0; index < edges.size();) {
    const Edge& edge = edges[index];
    std::size_t users = 0;
    int directions = 0;
    for (; index < edges.size() && key(edges[index]) == key(edge); ++index, ++users) {
      directions += edges[index].direction;
    }
    if (users % 2 != 0) {
      ++open_edges_;
      place_of_open_edge_ = (corners_[edge.lower] + corners_[edge.upper]) * 0.5;
    } else if (directions != 0) {
      oriented_ = false;
    }
  }
}

void TriangleMesh::add_passage(Line& line, std::size_t triangle, std::size_t cell) const {
  const std::size_t first_axis = (line.axis + 1) % 3;
  const std::size_t second_axis = (line.axis + 2) % 3;
  // The triangle is cut with the plane at `second`, then the cut with the line.
  Point3D upwards{};
  Point3D downwards{};
  bool cut = false;
  for (std::size_t index = 0; index < 3; ++index) {
    const Point3D& from = corner(triangle, index);
    const Point3D& to = corner(triangle, (index + 1) % 3);
    const bool from_above = line.is_above(from[second_axis], line.second, line.second_moved);
    const bool to_above = line.is_above(to[second_axis], line.second, line.second_moved);
    if (from_above == to_above) continue;
    cut = true;
    (to_above ? upwards : downwards) = to_above ? at_level(from, to, second_axis, line.second)
                                                : at_level(to, from, second_axis, line.second);
  }
  if (!cut) return;
  const bool up_above = line.is_above(upwards[first_axis], line.first, line.first_moved);
  const bool down_above = line.is_above(downwards[first_axis], line.first, line.first_moved);
  if (up_above == down_above) return;
  const Point3D met = up_above ? at_level(downwards, upwards, first_axis, line.first)
                               : at_level(upwards, downwards, first_axis, line.first);
  const double place = met[line.axis];
  // A triangle is in several cells; the passage counts in the cell it lies in.
  if (grid_.place(line.axis, place) == cell) line.passages.push_back({place, up_above ? 1 : -1});
}

bool TriangleMesh::find_passages(Line& line) const {
  line.passages.clear();
  line.meets_edge = false;
  const std::size_t first_axis = (line.axis + 1) % 3;
  const std::size_t second_axis = (line.axis + 2) % 3;
  if (!grid_.covers(first_axis, line.first) || !grid_.covers(second_axis, line.second)) {
    return false;
  }
  CellGrid::Cell cell{};
  cell[first_axis] = grid_.place(first_axis, line.first);
  cell[second_axis] = grid_.place(second_axis, line.second);
  for (cell[line.axis] = 0; cell[line.axis] < grid_.cells(line.axis); ++cell[line.axis]) {
    for (const std::uint32_t triangle : grid_.boxes(cell)) {
      add_passage(line, triangle, cell[line.axis]);
    }
  }
  std::sort(line.passages.begin(), line.passages.end(),
            [](const Passage& a, const Passage& b) { return a.place < b.place; });
  return line.meets_edge;
}

bool TriangleMesh::is_balanced(const std::vector<Passage>& passages) const {
  int turns = 0;
  for (const Passage& passage : passages) turns += passage.turn;
  return !is_inside(turns);
}

template <class Visit>
bool TriangleMesh::for_lines(std::size_t axis, double across_first, double across_second,
                             const Visit& visit) const {
  Line line;
  line.axis = axis;
  line.first = across_first;
  line.second = across_second;
  const bool meets_edge = find_passages(line);
  bool balanced = is_balanced(line.passages);
  visit(line.passages);
  if (!meets_edge) return balanced;
  for (const auto& [first_moved, second_moved] :
       {std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
    line.first_moved = first_moved;
    line.second_moved = second_moved;
    find_passages(line);
    balanced = balanced && is_balanced(line.passages);
    visit(line.passages);
  }
  return balanced;
}

double TriangleMesh::side(const Point3D& point) const {
  if (!grid_.covers(point)) return 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    // Inside (-1) or outside (1) to all sides of the point; else the point is on the surface.
    bool somewhere_inside = false;
    bool everywhere_inside = true;
    const bool balanced =
        for_lines(axis, point[(axis + 1) % 3], point[(axis + 2) % 3],
                  [&](const std::vector<Passage>& passages) {
                    int before = 0;
                    int behind = 0;
                    for (const Passage& passage : passages) {
                      if (passage.place < point[axis]) before += passage.turn;
                      if (passage.place <= point[axis]) behind += passage.turn;
                    }
                    somewhere_inside = somewhere_inside || is_inside(before) || is_inside(behind);
                    everywhere_inside = everywhere_inside && is_inside(before) && is_inside(behind);
                  });
    if (balanced) return everywhere_inside ? -1 : (somewhere_inside ? 0 : 1);
  }
  return 1;
}

void TriangleMesh::sides_of_row(double y, double z, std::vector<signed char>& sides) const {
  std::fill(sides.begin(), sides.end(), static_cast<signed char>(1));
  if (!grid_.covers(1, y) || !grid_.covers(2, z)) return;
  const auto [first, end] = row_range(limits().lower[0], limits().upper[0], sides.size());
  bool is_first_line = true;
  const bool balanced = for_lines(0, y, z, [&](const std::vector<Passage>& passages) {
    auto next = passages.begin();
    int turns = 0;
    for (std::size_t x = first; x < end; ++x) {
      const double place = static_cast<double>(x) + 0.5;
      for (; next != passages.end() && next->place < place; ++next) turns += next->turn;
      const bool inside_before = is_inside(turns);
      for (; next != passages.end() && next->place <= place; ++next) turns += next->turn;
      const bool inside_behind = is_inside(turns);
      const auto side = static_cast<signed char>(
          inside_before && inside_behind ? -1 : (inside_before || inside_behind ? 0 : 1));
      if (is_first_line) {
        sides[x] = side;
      } else if (sides[x] != side) {
        sides[x] = 0;
      }
    }
    is_first_line = false;
  });
  if (balanced) return;
  for (std::size_t x = first; x < end; ++x) {
    sides[x] = sign(side({static_cast<double>(x) + 0.5, y, z}));
  }
}

double TriangleMesh::crossing(const Point3D& outside, const Point3D& inside) const {
  const Point3D way = inside - outside;
  double first = 2;
  grid_.for_cells(limits_of(outside, inside), [&](std::size_t i, std::size_t j, std::size_t k) {
    for (const std::uint32_t triangle : grid_.boxes(i, j, k)) {
      first = std::min(first, passage(outside, way, corner(triangle, 0), corner(triangle, 1),
                                      corner(triangle, 2)));
    }
  });
  // None where rounding hides it, in line with a triangle or at the end of the way.
  return first <= 1 ? first : Shape3D::crossing(outside, inside);
}

}  // namespace knudsen
