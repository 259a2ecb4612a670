#pragma once

#include <vector>

#include "kinetic/velocity_grid.hpp"

namespace knudsen::boltzmann {

/// The velocity grid with weights times Phi_0, whose sum is one up to the quadrature error.
VelocityGrid equilibrium_weighted(const VelocityGrid& grid);
/// Edges of the velocity cells of an axis in rising order, one more than cells.
std::vector<double> cell_edges(const VelocityAxis& axis);

}  // namespace knudsen::boltzmann
