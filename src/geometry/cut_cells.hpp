#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/shape_3d.hpp"

namespace knudsen {

/// The lines of a grid of cells, in the unit of the shapes on it.
struct CutGrid {
  /// Coordinates of the lines along x, y and z, one more than there are cells; {0, 1} beyond the
  /// dimensions.
  std::array<std::vector<double>, 3> lines;
  /// Beyond them shapes are cut by the plane or line through 0, and continued at right angles.
  int dimensions = 3;
  std::array<bool, 3> periodic{false, false, false};
  bool unit_x = false;  ///< whether line i along x is at i, which allows faster answers

  std::size_t cells(std::size_t axis) const { return lines[axis].size() - 1; }
};

/// A cell that surfaces cut, or whose face is a surface. Shares and coordinates are relative to the
/// cell: it is the cube from 0 to 1.
struct CutCell {
  std::size_t cell = 0;                          ///< (z * ny + y) * nx + x
  double volume = 1;                             ///< open share of its volume
  std::array<double, 6> open{1, 1, 1, 1, 1, 1};  ///< open shares of its faces, numbered as Side
  int shape = 0;                                 ///< the shape whose surface is in the cell
  bool single = true;                            ///< whether the surface is that of one shape alone
  Point3D centre{0.5, 0.5, 0.5};                 ///< of the surface
  /// Corners of the surface, a polygon whose normal points into the shape. In the rare cell with
  /// several pieces of surface they are those of the largest.
  std::vector<Point3D> corners;

  /// Area vector of the surface, from the open part into the shape, over the area of the cell's
  /// face normal to each axis. With the open shares of the faces it closes the open part exactly.
  Point3D area() const { return {open[0] - open[1], open[2] - open[3], open[4] - open[5]}; }
};

struct CutCells {
  std::vector<std::int16_t> covered_by;  ///< shape that covers a cell; -1 for open and cut cells
  std::vector<CutCell> cells;            ///< ascending
  std::vector<bool> is_seen;             ///< whether a shape covers a corner of a cell
};

/// Cells with a smaller open share of their volume count as covered.
inline constexpr double least_open_volume = 1e-3;

/// Cuts the cells of a grid along the surface of the union of shapes. Where the surface crosses the
/// edges of the cells is found exactly; between these points faces are cut along straight lines and
/// cells along triangles. Volumes and areas of smooth bodies are therefore accurate to second order
/// in the width of the cells. Of what is smaller than a cell only the corners of the cells that it
/// covers are seen. The two cells of a face find the same open share, to the bit. Shapes must cover
/// the same points on both sides of a periodic axis. Needs Kokkos to be initialised.
CutCells cut_cells(const CutGrid& grid, const std::vector<Shape3DPointer>& shapes);

}  // namespace knudsen
