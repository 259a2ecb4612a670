#pragma once

#include <climits>

#include "kinetic/limiter.hpp"
#include "kinetic/surface.hpp"
#include "kinetic/velocity_space.hpp"

namespace knudsen::bgkw {

/// A face between a gas cell and a surface: a side of the box or a solid.
struct Face {
  int cell;       ///< the gas cell
  int direction;  ///< from the cell to the surface, numbered as Side
  int surface;    ///< see Surfaces
};

/// Which sums over the distribution of the current state are valid.
enum class KnownSums : int {
  none,
  moments,  ///< moments of each cell
  flows,    ///< moments, and moments of the outflow of each cell in the next step
};

template <class ExecutionSpace, class Real>
struct GhostCells;
template <class ExecutionSpace, class Real>
struct WallScattering;
template <class ExecutionSpace, class Real>
struct CutSpace;

/// The distribution on a backend, indexed (cell, velocity), and the surfaces around the gas. Cells
/// are numbered (z * ny + y) * nx + x, the directions to a cell's neighbours as Side.
///
/// Where several ranks share the box, it is the slab of one of them, and the arrays go on over its
/// ghost cells, which are neighbours of its own cells and hold the values of other ranks. Kernels
/// process its own cells.
template <class ExecutionSpace, class Real>
struct PhaseSpace {                      // NOLINT: names in its implicit copy are the compiler's
  static constexpr int solid = INT_MIN;  ///< `neighbour` of cells inside a solid

  VelocitySpace<ExecutionSpace, Real> velocities;
  int dimensions = 1;
  int cells[3] = {1, 1, 1};  ///< without ghosts
  int strip = 1;             ///< cells along x that are processed before the next row of cells
  View<Real**, ExecutionSpace> f;     ///< the state between two steps
  View<Real**, ExecutionSpace> next;  ///< output of a step, same shape as `f`
  /// Courant number of unit velocity along each axis: time step over cell width.
  Real crossing[3] = {0, 0, 0};
  /// Unequal cells: the same for each place along x, then y and z, without ghosts; `crossing` is
  /// then that of the narrowest cells, to which sums over faces refer. With order 2 numbers for
  /// GrowingCell follow. Else empty.
  View<Real*, ExecutionSpace> crossings;
  bool has_equal_cells = true;
  double max_courant_sum = 0;  ///< sum over the axes of the largest Courant number
  bool split = false;          ///< a step streams along one axis after the other
  /// Streaming is a difference in space for the stages of an IMEX scheme: linear in the time step,
  /// along all axes at once, by less than a cell.
  bool in_stages = false;
  int order = 1;  ///< order of the streaming along one axis
  Limiter limiter = Limiter::van_leer;

  /// (cell, direction): index of the neighbouring cell, or -1 - index of the face; `solid` for
  /// cells inside a solid.
  View<int**, ExecutionSpace> neighbour;
  bool has_solids = false;
  View<Face*, ExecutionSpace> faces;
  View<Real*, ExecutionSpace> face_density;    ///< density of the Maxwellian that enters at a face
  View<int*, ExecutionSpace> needs_density;    ///< by surface: 1 where SurfaceLaw::needs_density()
  View<MassBalance*, ExecutionSpace> balance;  ///< by surface: SurfaceLaw::balance
  /// By surface: share of the inflow that is Maxwellian. The rest is the specularly reflected
  /// outflow.
  View<Real*, ExecutionSpace> diffuse;
  /// By direction: components of the velocity that a mirror there reverses (reversed_components).
  int reversed[6] = {1, 1, 2, 2, 4, 4};
  /// (surface, velocity): the Maxwellian of SurfaceLaw::emitted. From first_scattering on, surfaces
  /// are single faces with SurfaceLaw::made_by_face: what enters there.
  View<Real**, ExecutionSpace> surface_maxwellian;
  int first_scattering = 0;
  /// (surface, direction, moment): moments (1, v, v^2) of the inflow of this Maxwellian across one
  /// face in a step, in units of a cell's contents. Zero where there is no such face.
  View<double** [5], ExecutionSpace> surface_inflow;

  /// Steps of plain bgk run as SinglePass where it applies. All members below belong to it.
  bool single_pass = false;
  int parts = 1;   ///< parts of a plane, each processed by its own team
  int splits = 1;  ///< threads of a team that share the planes of one sign of the x component
  /// (cell, part, number): sums over velocities of (1, v, v^2) f, then for each direction the same
  /// sums of the outflow in the next step. Valid for `f` as far as `known` says. Code that changes
  /// f outside the steps sets `known` to none.
  View<double***, ExecutionSpace> sums;
  View<double***, ExecutionSpace> next_sums;           ///< the sums of `next`
  KnownSums known = KnownSums::none;                   ///< which of `sums` are valid
  View<unsigned long long*, ExecutionSpace> progress;  ///< counters of Pace
  /// (cell, entry): the target of the next collision as factors along z, along x (times amplitude
  /// and relaxed share) and along y, then the kept share exp(-rate dt) (CellTarget). Rows are
  /// padded to whole 16-byte accesses.
  View<Real**, ExecutionSpace> factors;

  /// Fills the ghost cells; null if there are none. Not for kernels.
  GhostCells<ExecutionSpace, Real>* ghosts = nullptr;
  /// The faces with SurfaceLaw::made_by_face; null if there are none. Not for kernels.
  const WallScattering<ExecutionSpace, Real>* scattering = nullptr;
  /// The cells that surfaces cut; null if there are none. Not for kernels.
  const CutSpace<ExecutionSpace, Real>* cut = nullptr;

  KOKKOS_INLINE_FUNCTION int cell_count() const { return cells[0] * cells[1] * cells[2]; }
  KOKKOS_INLINE_FUNCTION bool is_solid(int cell) const { return neighbour(cell, 0) == solid; }
  /// Whether the slopes of order 2 depend on the widths of the cells (GrowingCell).
  bool has_slopes_of_widths() const { return order == 2 && !has_equal_cells; }
  /// `crossing` of a cell.
  KOKKOS_INLINE_FUNCTION Real crossing_of(int axis, int cell) const {
    if (has_equal_cells) return crossing[axis];
    if (axis == 0) return crossings(cell % cells[0]);
    const int row = cell / cells[0];
    if (axis == 1) return crossings(cells[0] + row % cells[1]);
    return crossings(cells[0] + cells[1] + row / cells[1]);
  }
  KOKKOS_INLINE_FUNCTION Real* values(int cell) const { return place(f, cell); }
  KOKKOS_INLINE_FUNCTION Real* next_values(int cell) const { return place(next, cell); }
  /// Number of entries of `factors` of a cell, padding excluded.
  KOKKOS_INLINE_FUNCTION int factor_count() const {
    return velocities.row_length + velocities.count[0] + velocities.count[1] + 1;
  }
  KOKKOS_INLINE_FUNCTION Real* factors_of(int cell) const { return place(factors, cell); }

  /// The cell that the team of this rank processes. Teams go through the cells in strips along x,
  /// so that neighbours along y are still in the cache.
  KOKKOS_INLINE_FUNCTION int cell_of(int rank) const {
    const int lines = cells[1] * cells[2];
    const int a_strip = strip * lines;
    const int start = rank / a_strip * strip;
    const int in_strip = rank - start * lines;
    const int width = cells[0] - start < strip ? cells[0] - start : strip;
    const int line = in_strip / width;
    return line * cells[0] + start + in_strip - line * width;
  }

 private:
  KOKKOS_INLINE_FUNCTION static Real* place(const View<Real**, ExecutionSpace>& view, int cell) {
    return view.data() + static_cast<std::size_t>(cell) * view.extent(1);
  }
};

/// A cell of unequal width along an axis, for order 2. Behind the numbers of all places,
/// PhaseSpace::crossings has three for each axis of each cell, ghosts included: the Courant number
/// of unit velocity, and the width of the cell over the distance to the centre of its neighbour on
/// the low and on the high side. Beyond a surface counts a neighbour of the same width.
template <class Real>
struct GrowingCell {
  static constexpr int numbers = 3;
  Real crossing;
  Real over_low;
  Real over_high;

  template <class ExecutionSpace>
  KOKKOS_INLINE_FUNCTION GrowingCell(const PhaseSpace<ExecutionSpace, Real>& space, int cell,
                                     int axis) {
    const int places = space.cells[0] + space.cells[1] + space.cells[2];
    const Real* first =
        space.crossings.data() + places +
        numbers * (static_cast<std::size_t>(cell) * static_cast<std::size_t>(space.dimensions) +
                   static_cast<std::size_t>(axis));
    crossing = first[0];
    over_low = first[1];
    over_high = first[2];
  }

  /// The slope for gas that comes from a direction.
  KOKKOS_INLINE_FUNCTION UnequalSlope<Real> slope(int upstream) const {
    const bool high = upstream % 2 == 1;
    return {high ? over_high : over_low, high ? over_low : over_high};
  }
};

/// Indices of a cell along the axes.
struct Cell {
  int at[3];
};

template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION Cell make_cell(const PhaseSpace<ExecutionSpace, Real>& space, int index) {
  const int row = index / space.cells[0];
  const int z = row / space.cells[1];
  return {{index - row * space.cells[0], row - z * space.cells[1], z}};
}

}  // namespace knudsen::bgkw
