#pragma once

#include <vector>

#include "kinetic/velocity_grid.hpp"

namespace knudsen::boltzmann {

/// The velocity grid with weights times Phi_0, whose sum is one up to the quadrature error.
VelocityGrid equilibrium_weighted(const VelocityGrid& grid);
/// Edges of the velocity cells of an axis in rising order, one more than cells.
std::vector<double> cell_edges(const VelocityAxis& axis);
/// Share of the molecules at equilibrium whose velocity component lies between two values.
double equilibrium_share(double low, double high);
/// Whether the quadrature is one of cells: each node is the centre of its cell, or it stands for
/// the share of the molecules at equilibrium that the cell holds.
bool has_cells(const VelocityAxis& axis);
/// Width of the cell of an axis above or around zero.
double central_width(const VelocityAxis& axis);

}  // namespace knudsen::boltzmann
