#pragma once

#include <array>
#include <vector>

#include "methods/shakhov/flow_grid.hpp"
#include "methods/shakhov/sweep_space.hpp"

namespace knudsen::shakhov {

/// Blocks of an octant along the axes.
std::array<int, 3> blocks_of(const VelocityGrid& velocities);

/// A face between gas and a wall or side of the box; host values.
struct Face {
  int wall = 0;  ///< 0 to 5: the sides of the box, then the bodies
  int side = 0;  ///< of the cell of gas
  std::size_t cell = 0;
  double area = 0;
};

/// All faces in the order of SweepSpace, sides of the box first.
std::vector<Face> list_faces(const FlowGrid& grid);

/// Fluxes outwards (mass, momentum, energy, as SweepSpace::flux) of what a wall's Maxwellian of
/// density one, or of the given density for reservoirs, sends in through a side of a cell.
std::array<double, flux_count> emitted_flux(const FlowGrid& grid, int wall, int side);

/// Share of what comes in from a wall that is its Maxwellian.
double diffuse_share(const FlowGrid& grid, int wall);

/// Bytes of SweepSpace.
double space_bytes(const FlowGrid& grid, int order, double value_bytes);

/// Takes memory and sets all but the state of the iteration.
template <class ExecutionSpace, class Real>
SweepSpace<ExecutionSpace, Real> make_sweep_space(const FlowGrid& grid, int order);

}  // namespace knudsen::shakhov
