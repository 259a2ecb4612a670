#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/cell_grid.hpp"
#include "geometry/shape_3d.hpp"

namespace knudsen {

using Triangle = std::array<Point3D, 3>;

/// What a surface of triangles encloses. Whether a point is inside is told by how often a line
/// through it passes the surface. The line is cut with the edges of the triangles, and triangles
/// that share an edge cut it in the very same point, so that rounding lets no line slip through.
/// Where neighbouring triangles agree on the outside, the turns of the surface around the point are
/// counted, and parts of it may overlap or lie in one another; else passing it is going in or out.
class TriangleMesh : public Shape3D {
 public:
  /// Corners that are the same to the bit are one. Triangles with two equal corners are left out;
  /// at least one must be left.
  explicit TriangleMesh(const std::vector<Triangle>& triangles);

  /// Number of edges that belong to an odd number of triangles: 0 where the surface is closed. A
  /// line that passes an open surface into it more often than out of it tells nothing; one along
  /// another axis does then.
  std::size_t open_edges() const { return open_edges_; }
  /// The middle of one of the open edges, if any.
  const Point3D& place_of_open_edge() const { return place_of_open_edge_; }

  double side(const Point3D& point) const override;
  Limits3D limits() const override { return grid_.limits(); }
  /// The first one from the start.
  double crossing(const Point3D& start, const Point3D& end) const override;
  void sides_of_row(double y, double z, std::vector<signed char>& sides) const override;

 private:
  /// Where a line along an axis meets the surface, and whether it goes into (1) or out of it (-1)
  /// or touches it (0).
  struct Passage {
    double place;
    int turn;
  };
  struct Line;
  class Walk;

  const Point3D& corner(std::size_t triangle, std::size_t index) const {
    return corners_[triangles_[triangle][index]];
  }
  void find_open_edges();
  /// Sets the passages of a line; returns whether it meets a corner or an edge of the surface.
  bool find_passages(Line& line) const;
  void add_passage(Line& line, std::size_t triangle, std::size_t cell) const;
  bool is_inside(int turns) const { return oriented_ ? turns != 0 : turns % 2 != 0; }
  /// Whether a line's passages go into the surface as often as out of it.
  bool is_balanced(const std::vector<Passage>& passages) const;
  /// Calls visit with the passages, ascending, of a line along an axis through a point of the plane
  /// across it; once for each way to move the line a little aside where it meets an edge. Returns
  /// whether all were balanced.
  template <class Visit>
  bool for_lines(std::size_t axis, double across_first, double across_second,
                 const Visit& visit) const;

  std::vector<Point3D> corners_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;
  CellGrid grid_;
  bool oriented_ = true;
  std::size_t open_edges_ = 0;
  Point3D place_of_open_edge_{0, 0, 0};
};

}  // namespace knudsen
