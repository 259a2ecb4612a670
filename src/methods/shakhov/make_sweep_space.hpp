#pragma once

#include <array>
#include <vector>

#include "methods/shakhov/flow_grid.hpp"
#include "methods/shakhov/sweep_space.hpp"

namespace knudsen::shakhov {

/// Number of velocity blocks of an octant along each axis.
std::array<int, 3> blocks_of(const VelocityGrid& velocities);

/// A face between a gas cell and a wall or side of the box.
struct Face {
  int wall = 0;     ///< 0 to 5: side of the box; 6 and above: body
  int surface = 0;  ///< see Surfaces
  int side = 0;     ///< side of the gas cell that the face is on; facet_side: within a cut cell
  std::size_t cell = 0;  ///< index of the gas cell
  double area = 0;       ///< of the open part; 0 for a solid cell at a side of the box
};

/// All boundary faces in the order of SweepSpace, those of the box first.
std::vector<Face> list_faces(const FlowGrid& grid);
/// Their number, without a list.
std::size_t face_count(const FlowGrid& grid);

/// SweepSpace::face_extrapolation of a face while its cell is of second order.
double face_extrapolation(const FlowGrid& grid, const Face& face);

/// Conditions of the walls of a SweepSpace.
std::vector<SideCondition> wall_conditions(const FlowGrid& grid);

/// Memory of a SweepSpace in bytes; `value_bytes` is the size of Real.
double space_bytes(const FlowGrid& grid, int order, double value_bytes);

/// Allocates a SweepSpace and sets everything except the state of the iteration.
template <class ExecutionSpace, class Real>
SweepSpace<ExecutionSpace, Real> make_sweep_space(const FlowGrid& grid, int order);

}  // namespace knudsen::shakhov
