#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "kinetic/side_condition.hpp"
#include "kinetic/surface.hpp"
#include "kinetic/velocity_grid.hpp"
#include "methods/gas/solids.hpp"

namespace knudsen::shakhov {

/// The discretised problem on the host: a box of cells, which need not be equally wide, with solid
/// bodies, and the velocity grid. Cell (x, y, z) has the index (z * ny + y) * nx + x.
struct FlowGrid {
  int dimensions = 3;
  std::array<int, 3> cells{1, 1, 1};  ///< cells along x, y, z; 1 beyond the dimensions
  /// Grid lines along x, y, z, cells + 1 each, in units of L.
  std::array<std::vector<double>, 3> edges{std::vector<double>{0, 1}, {0, 1}, {0, 1}};
  VelocityGrid velocities;             ///< quadrature of the velocity space
  std::array<SideCondition, 6> sides;  ///< boundary conditions, indexed by Side
  GasSolids solids;                    ///< with diffuse walls

  std::size_t cell_count() const {
    return static_cast<std::size_t>(cells[0]) * static_cast<std::size_t>(cells[1]) *
           static_cast<std::size_t>(cells[2]);
  }
  /// Extent of the box along an axis, in L.
  double length(std::size_t axis) const { return edges[axis].back() - edges[axis].front(); }
  /// Width of a cell along an axis.
  double width(std::size_t axis, int cell) const {
    const auto i = static_cast<std::size_t>(cell);
    return edges[axis][i + 1] - edges[axis][i];
  }
  /// Area of a cell's face normal to `axis` (a length in 2D, 1 in 1D).
  double face_area(std::size_t axis, const std::array<int, 3>& at) const {
    double area = 1;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
      if (d != axis) area *= width(d, at[d]);
    }
    return area;
  }
  /// Volume of a cell (an area in 2D, a length in 1D).
  double volume(const std::array<int, 3>& at) const { return face_area(3, at); }
  /// Volume of the gas in a cell.
  double gas_volume(std::size_t cell) const {
    if (solid(cell)) return 0;
    const CutCell* cut = solids.cut_cell(cell);
    return volume(at(cell)) * (cut == nullptr ? 1 : cut->volume);
  }
  /// Area vector of the surface in a cut cell, out of the gas.
  std::array<double, 3> facet_area(const CutCell& cut) const {
    std::array<double, 3> area = cut.area();
    for (std::size_t d = 0; d < 3; ++d) {
      area[d] *= d < static_cast<std::size_t>(dimensions) ? face_area(d, at(cut.cell)) : 0;
    }
    return area;
  }
  /// Length of the box along the shortest axis on which its sides are more than images of the gas,
  /// or, without such an axis, along the shortest one, in L.
  double shortest_way() const {
    const auto is_image = [&](std::size_t side) {
      const SurfaceLaw law = surface_law(sides[side]);
      return law.diffuse_share == 0 && !law.made_by_face();
    };
    double shortest = std::numeric_limits<double>::infinity();
    double between_images = shortest;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
      double& least = is_image(2 * d) && is_image(2 * d + 1) ? between_images : shortest;
      least = std::min(least, length(d));
    }
    return std::isfinite(shortest) ? shortest : between_images;
  }
  /// Whether surfaces of bodies cut cells.
  bool has_cut_cells() const { return !solids.cut_of.empty(); }
  /// Whether a side or a solid has a given heat flux.
  bool has_heated_walls() const {
    bool heated = false;
    for (const SideCondition& side : sides) heated |= side.heat_flux.has_value();
    for (const GasSolid& body : solids.bodies) heated |= body.wall.heat_flux.has_value();
    return heated;
  }
  /// Coordinates (x, y, z) of a cell.
  std::array<int, 3> at(std::size_t cell) const {
    const auto nx = static_cast<std::size_t>(cells[0]);
    const auto ny = static_cast<std::size_t>(cells[1]);
    return {static_cast<int>(cell % nx), static_cast<int>(cell / nx % ny),
            static_cast<int>(cell / nx / ny)};
  }
  /// Index of the cell at (x, y, z).
  std::size_t index(const std::array<int, 3>& at) const {
    return (static_cast<std::size_t>(at[2]) * static_cast<std::size_t>(cells[1]) +
            static_cast<std::size_t>(at[1])) *
               static_cast<std::size_t>(cells[0]) +
           static_cast<std::size_t>(at[0]);
  }
  bool solid(std::size_t cell) const { return body_of(cell) >= 0; }
  /// Index of the solid that covers a cell; -1 for gas.
  int body_of(std::size_t cell) const { return solids.body.empty() ? -1 : solids.body[cell]; }
};

}  // namespace knudsen::shakhov
