#include "geometry/triangle_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "geometry/vector_3d.hpp"

namespace knudsen {

using namespace vector_3d;  // NOLINT(google-build-using-namespace)

/// A line along an axis, at the coordinates (first, second) of the next two axes in cyclic order. A
/// corner level with the line counts as above it; if the line is displaced along that axis, as
/// below it.
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

/// The point of the segment between two points at which a coordinate has the value `level`, which
/// must lie between theirs.
Point3D at_level(const Point3D& below, const Point3D& above, std::size_t axis, double level) {
  const double fraction = (level - below[axis]) / (above[axis] - below[axis]);
  Point3D point = below + (above - below) * fraction;
  for (std::size_t each = 0; each < 3; ++each) {
    const auto [least, most] = std::minmax(below[each], above[each]);
    point[each] = std::clamp(point[each], least, most);
  }
  return point;
}

/// Where the segment start + t * way crosses a triangle: t, or a number above 1 if it does not.
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
  // Sort the corners, so that equal ones are adjacent.
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
    boxes.push_back(enclosing(limits_between(corners_[kept[0]], corners_[kept[1]]),
                              limits_between(corners_[kept[1]], corners_[kept[2]])));
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
  // Cut the triangle with the plane at line.second, then the resulting segment with the line.
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
  // A triangle may be in several cells; count a passage only in the cell that holds it.
  const auto add = [&](const Point3D& point, int turn) {
    const double place = point[line.axis];
    if (grid_.place(line.axis, place) == cell) line.passages.push_back({place, turn});
  };
  const bool up_above = line.is_above(upwards[first_axis], line.first, line.first_moved);
  const bool down_above = line.is_above(downwards[first_axis], line.first, line.first_moved);
  if (up_above != down_above) {
    add(up_above ? at_level(downwards, upwards, first_axis, line.first)
                 : at_level(upwards, downwards, first_axis, line.first),
        up_above ? 1 : -1);
  } else if (upwards[first_axis] == line.first && downwards[first_axis] == line.first) {
    // The line runs along the surface without crossing it.
    add(upwards, 0);
    add(downwards, 0);
  }
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

/// Walks along the passages of a line in ascending order.
class TriangleMesh::Walk {
 public:
  Walk(const TriangleMesh& mesh, const std::vector<Passage>& passages)
      : mesh_(mesh), next_(passages.begin()), end_(passages.end()) {}

  /// -1 inside, 0 on the surface, 1 outside. `place` must not decrease from call to call.
  signed char side(double place) {
    for (; next_ != end_ && next_->place < place; ++next_) turns_ += next_->turn;
    const bool inside_before = mesh_.is_inside(turns_);
    const bool on_surface = next_ != end_ && next_->place == place;
    for (; next_ != end_ && next_->place == place; ++next_) turns_ += next_->turn;
    const bool inside_behind = mesh_.is_inside(turns_);
    if (inside_before && inside_behind) return -1;
    return on_surface ? 0 : 1;
  }

 private:
  const TriangleMesh& mesh_;
  std::vector<Passage>::const_iterator next_;
  std::vector<Passage>::const_iterator end_;
  int turns_ = 0;
};

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
    std::optional<double> side;
    const bool balanced = for_lines(axis, point[(axis + 1) % 3], point[(axis + 2) % 3],
                                    [&](const std::vector<Passage>& passages) {
                                      const double here = Walk(*this, passages).side(point[axis]);
                                      side = side.value_or(here) == here ? here : 0;
                                    });
    if (balanced) return *side;
  }
  return 1;
}

void TriangleMesh::sides_of_row(double x, double y, double z,
                                std::vector<signed char>& sides) const {
  std::fill(sides.begin(), sides.end(), static_cast<signed char>(1));
  if (!grid_.covers(1, y) || !grid_.covers(2, z)) return;
  const auto range = row_range(x, limits().lower[0], limits().upper[0], sides.size());
  bool is_first_line = true;
  const bool balanced = for_lines(0, y, z, [&](const std::vector<Passage>& passages) {
    Walk walk(*this, passages);
    for (std::size_t i = range[0]; i < range[1]; ++i) {
      const signed char here = walk.side(x + static_cast<double>(i));
      sides[i] = is_first_line || sides[i] == here ? here : static_cast<signed char>(0);
    }
    is_first_line = false;
  });
  if (balanced) return;
  for (std::size_t i = range[0]; i < range[1]; ++i) {
    sides[i] = sign(side({x + static_cast<double>(i), y, z}));
  }
}

double TriangleMesh::crossing(const Point3D& start, const Point3D& end) const {
  constexpr double rounding = 1e-9;
  const Point3D way = end - start;
  std::vector<double> hits;
  grid_.for_cells(limits_between(start, end), [&](std::size_t i, std::size_t j, std::size_t k) {
    for (const std::uint32_t triangle : grid_.boxes(i, j, k)) {
      const double fraction =
          passage(start, way, corner(triangle, 0), corner(triangle, 1), corner(triangle, 2));
      // A triangle may be in several cells, and the segment may cross an edge of two triangles.
      const auto is_known = [&](double hit) { return std::abs(hit - fraction) < rounding; };
      if (fraction <= 1 && std::none_of(hits.begin(), hits.end(), is_known)) {
        hits.push_back(fraction);
      }
    }
  });
  if (hits.size() == 1) return hits.front();
  // Of several hits some may be with parts of the surface inside the region.
  std::sort(hits.begin(), hits.end());
  const signed char side_of_start = hits.empty() ? static_cast<signed char>(0) : sign(side(start));
  for (std::size_t index = 0; index < hits.size(); ++index) {
    const bool is_last = index + 1 == hits.size();
    const double behind = is_last ? 1 : (hits[index] + hits[index + 1]) / 2;
    if (sign(side(start + way * behind)) != side_of_start) return hits[index];
  }
  // Rounding may hide a hit in the plane of a triangle or at the very end.
  return Shape3D::crossing(start, end);
}

}  // namespace knudsen
