#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/cell_grid.hpp"
#include "geometry/shape_3d.hpp"

namespace knudsen {

using Triangle = std::array<Point3D, 3>;

/// The interior of a surface of triangles. A point is inside according to the crossings of the
/// surface with a line through the point. Triangles that share an edge give the same crossing to
/// the bit, so that no line slips between them. If the triangles are oriented consistently, the
/// winding number decides, and parts of the surface may overlap or lie within each other. Otherwise
/// the even-odd rule decides.
class TriangleMesh : public Shape3D {
 public:
  /// Merges corners with equal bits and drops triangles with two equal corners. At least one
  /// triangle must remain.
  explicit TriangleMesh(const std::vector<Triangle>& triangles);

  /// Number of edges that belong to an odd number of triangles: 0 if the surface is closed. A line
  /// that enters an open surface more often than it leaves it proves nothing; a line along another
  /// axis is used instead.
  std::size_t open_edges() const { return open_edges_; }
  /// The midpoint of one of the open edges, if there are any.
  const Point3D& place_of_open_edge() const { return place_of_open_edge_; }

  double side(const Point3D& point) const override;
  Limits3D limits() const override { return grid_.limits(); }
  /// Returns the crossing nearest the start.
  double crossing(const Point3D& start, const Point3D& end) const override;
  void sides_of_row(double x, double y, double z, std::vector<signed char>& sides) const override;

 private:
  /// A crossing of a line along an axis with the surface.
  struct Passage {
    double place;  ///< coordinate along the axis
    int turn;      ///< 1 into the surface, -1 out of it, 0 touching it
  };
  struct Line;
  class Walk;

  const Point3D& corner(std::size_t triangle, std::size_t index) const {
    return corners_[triangles_[triangle][index]];
  }
  void find_open_edges();
  /// Finds the passages of a line. Returns whether it meets a corner or an edge of the surface.
  bool find_passages(Line& line) const;
  /// Appends the passages through a triangle that lie in a cell of the row along the line.
  void add_passage(Line& line, std::size_t triangle, std::size_t cell) const;
  bool is_inside(int turns) const { return oriented_ ? turns != 0 : turns % 2 != 0; }
  /// Whether a line enters the surface as often as it leaves it.
  bool is_balanced(const std::vector<Passage>& passages) const;
  /// Calls visit with the passages, in ascending order, of the line along an axis through a point
  /// of the plane normal to it. If the line meets an edge, also for each of the three ways to
  /// displace it by an infinitesimal distance. Returns whether all of these were balanced.
  template <class Visit>
  bool for_lines(std::size_t axis, double across_first, double across_second,
                 const Visit& visit) const;

  std::vector<Point3D> corners_;                         ///< all different
  std::vector<std::array<std::uint32_t, 3>> triangles_;  ///< indices of their corners
  CellGrid grid_;                                        ///< of the triangles' limits
  bool oriented_ = true;  ///< whether neighbouring triangles agree on their sense of rotation
  std::size_t open_edges_ = 0;
  Point3D place_of_open_edge_{0, 0, 0};
};

}  // namespace knudsen
