#pragma once

#include <array>
#include <vector>

#include "kinetic/velocity_grid.hpp"
#include "methods/bgkw/step.hpp"
#include "methods/gas/slab.hpp"
#include "methods/gas/solids.hpp"

namespace knudsen::bgkw {

/// Value of the key `propagation.time_integration`.
enum class TimeIntegration {
  splitting,  ///< streaming, then exact relaxation
  imex_1,     ///< implicit-explicit, of first order: one stage
  imex_2,     ///< of second order: two stages
};

/// A box of cells with its discrete velocities, on the host.
struct PhaseGrid {
  int dimensions = 1;
  std::array<int, 3> cells{1, 1, 1};
  std::array<double, 3> spacing{1, 1, 1};  ///< width of the cells, of the narrowest if unequal
  /// Grid lines along each axis if cells are not equal, else empty.
  std::array<std::vector<double>, 3> edges{};
  VelocityGrid velocities;
  double time_step = 0;
  std::array<SideCondition, 6> sides;  ///< in the order of Side
  GasSolids solids;
  TimeIntegration integration = TimeIntegration::splitting;
  bool split = false;  ///< a step streams along one axis after the other
  int order = 1;       ///< order of the streaming; 2 requires one dimension, `split` or stages
  Limiter limiter = Limiter::van_leer;
  bool single_pass = false;  ///< steps of plain bgk run as SinglePass where it applies

  int cell_count() const { return cells[0] * cells[1] * cells[2]; }
  std::size_t cell_index(int x, int y, int z) const {
    const auto row = std::int64_t{cells[1]} * z + y;
    return static_cast<std::size_t>(row * cells[0] + x);
  }
  std::array<int, 3> cell_at(int cell) const {
    return {cell % cells[0], cell / cells[0] % cells[1], cell / cells[0] / cells[1]};
  }
  bool has_equal_cells() const { return edges[0].empty(); }
  double edge(std::size_t axis, int line) const {
    return has_equal_cells() || static_cast<int>(axis) >= dimensions
               ? line * spacing[axis]
               : edges[axis][static_cast<std::size_t>(line)];
  }
  double width(std::size_t axis, int cell) const {
    return has_equal_cells() ? spacing[axis] : edge(axis, cell + 1) - edge(axis, cell);
  }
  double centre(std::size_t axis, int cell) const {
    return has_equal_cells() ? (cell + 0.5) * spacing[axis]
                             : 0.5 * (edge(axis, cell) + edge(axis, cell + 1));
  }
  /// Volume of a cell over that of one as wide as `spacing`; area of a face across `axis` likewise.
  double volume_ratio(int cell, int axis = -1) const {
    if (has_equal_cells()) return 1;
    const std::array<int, 3> at = cell_at(cell);
    double ratio = 1;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
      if (static_cast<int>(d) != axis) ratio *= width(d, at[d]) / spacing[d];
    }
    return ratio;
  }
  /// Open share of a cell of gas.
  double open_volume(int cell) const {
    const CutCell* cut = solids.cut_cell(static_cast<std::size_t>(cell));
    return cut == nullptr ? 1 : cut->volume;
  }
  /// Open share of a face of a cell of gas.
  double open_area(int cell, int direction) const {
    const CutCell* cut = solids.cut_cell(static_cast<std::size_t>(cell));
    return cut == nullptr ? 1 : cut->open[static_cast<std::size_t>(direction)];
  }
  /// Area vector of the surface in a cut cell, out of the gas.
  std::array<double, 3> facet_area(const CutCell& cut) const {
    std::array<double, 3> area = cut.area();
    const std::array<int, 3> at = cell_at(static_cast<int>(cut.cell));
    for (int axis = 0; axis < 3; ++axis) {
      for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
        if (static_cast<int>(d) != axis) area[static_cast<std::size_t>(axis)] *= width(d, at[d]);
      }
      if (axis >= dimensions) area[static_cast<std::size_t>(axis)] = 0;
    }
    return area;
  }
  int direction_count() const { return 2 * dimensions; }
  bool in_stages() const { return integration != TimeIntegration::splitting; }
};

/// Neighbours of all cells, and the faces between gas and surfaces.
struct Neighbours {
  std::vector<std::array<int, 6>> of_cell;  ///< by cell and direction, see PhaseSpace::neighbour
  std::vector<Face> faces;                  ///< those of a side or solid one after the other
  /// First face of each side, then of each solid; the last entry is the number of faces. Surfaces
  /// in cut cells are none of them.
  std::vector<int> first_face;
};

/// Finds the neighbours of all cells. Beyond a face that the surface in a cut cell closes, it is
/// the cell itself.
Neighbours find_neighbours(const PhaseGrid& grid);

/// Neighbours of the cells of a slab, own ones before ghosts, by the places at which its rank
/// stores cells and faces. Faces of own cells come first, in the order of all faces, then those of
/// ghosts that a streaming reaches. Of several ranks `first_face` is empty.
Neighbours neighbours_in_slab(const PhaseGrid& grid, const Neighbours& all, const CellSlab& slab);

/// The slabs of all ranks, with as many ghost layers as a streaming reads beyond a cell.
template <class Real>
std::vector<CellSlab> slabs_of(const PhaseGrid& grid, int ranks);

/// Allocates the distribution, set to zero, and sets all other members but `ghosts`.
template <class ExecutionSpace, class Real>
PhaseSpace<ExecutionSpace, Real> make_phase_space(const PhaseGrid& grid, const CellSlab& slab);
/// The same for one rank.
template <class ExecutionSpace, class Real>
PhaseSpace<ExecutionSpace, Real> make_phase_space(const PhaseGrid& grid) {
  return make_phase_space<ExecutionSpace, Real>(grid, slabs_of<Real>(grid, 1).front());
}

}  // namespace knudsen::bgkw
