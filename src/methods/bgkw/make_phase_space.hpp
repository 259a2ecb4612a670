#pragma once

#include <array>
#include <vector>

#include "kinetic/velocity_grid.hpp"
#include "methods/bgkw/step.hpp"

namespace knudsen::bgkw {

/// Cells without gas: from `begin` up to but not including `end`.
struct SolidBlock {
  std::array<int, 3> begin{0, 0, 0};
  std::array<int, 3> end{1, 1, 1};
  SideCondition wall{SideKind::wall, 1, {}};
};

/// A box of cells with its discrete velocities; host values.
struct PhaseGrid {
  int dimensions = 1;
  std::array<int, 3> cells{1, 1, 1};
  std::array<double, 3> spacing{1, 1, 1};
  VelocityGrid velocities;
  double time_step = 0;
  std::array<SideCondition, 6> sides;
  std::vector<SolidBlock> blocks;
  bool split = false;  ///< a step streams along one axis after the other
  int order = 1;       ///< of streaming along one axis; above 1 in one dimension or split
  Limiter limiter = Limiter::van_leer;
  bool single_pass = false;  ///< steps of plain bgk by SinglePass where that can

  int cell_count() const { return cells[0] * cells[1] * cells[2]; }
  std::size_t cell_index(int x, int y, int z) const {
    const auto row = std::int64_t{cells[1]} * z + y;
    return static_cast<std::size_t>(row * cells[0] + x);
  }
  int direction_count() const { return 2 * dimensions; }
};

/// What is next to every cell.
struct Neighbours {
  /// By cell and direction, see PhaseSpace::neighbour.
  std::vector<std::array<int, 6>> of_cell;
  std::vector<Face> faces;  ///< in the order of their surfaces
  /// First face of each surface (the six sides, then the blocks), and their number at the end.
  std::vector<int> first_face;
};

/// Where blocks overlap the last one counts.
Neighbours find_neighbours(const PhaseGrid& grid);

/// Takes memory for the distribution, zeroed, and sets all else.
template <class ExecutionSpace, class Real>
PhaseSpace<ExecutionSpace, Real> make_phase_space(const PhaseGrid& grid);

}  // namespace knudsen::bgkw
