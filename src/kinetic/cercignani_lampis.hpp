#pragma once

#include <array>
#include <vector>

#include "kinetic/side_condition.hpp"
#include "kinetic/velocity_grid.hpp"

// The scattering kernel of Cercignani and Lampis (1971) on the nodes of a velocity grid.
//
// The kernel is a product of one factor for each velocity component. With the speeds u', u before
// and after the wall in units of sqrt(2 R T) of the wall, relative to it, r = 1 - tangential
// coefficient and a = normal coefficient, the factors are symmetric but for the Maxwellian that
// they leave as it is:
//
//   tangential   exp(-u^2) / sqrt(pi)   g(u) g(u') exp(b u u'),   b = 2 r / (1 - r^2)
//   normal       2 u exp(-u^2)          g(u) g(u') I0(b u u'),    b = 2 sqrt(1 - a) / a.
//
// On the nodes of a grid the function g is replaced by numbers, one a node, for which each incoming
// molecule is returned and the Maxwellian stays as it is (Sinkhorn's scaling, here of a symmetric
// matrix). Both hold to rounding then, and so does detailed balance. The number b is chosen so that
// tangential momentum and normal energy accommodate exactly as the coefficients say, whatever the
// grid. On grids that resolve the kernel b is that above.

namespace knudsen {

/// A square matrix by rows, (to, from): share of the molecules at the node `from` that leave the
/// wall at the node `to`. The columns add up to one.
using ScatteringMatrix = std::vector<double>;

/// The factor of a velocity component along the wall, which moves with `wall_velocity`.
ScatteringMatrix tangential_scattering(const VelocityAxis& axis, double wall_velocity,
                                       double wall_temperature, double accommodation);

/// The factor of the component normal to the wall, for the positive nodes of an axis that is
/// symmetric about zero.
ScatteringMatrix normal_scattering(const VelocityAxis& axis, double wall_temperature,
                                   double accommodation);

/// The same three factors for values of the distribution in place of numbers of molecules, for a
/// wall normal to `normal`. By axis: f(to) = sum of matrix(to, from) f(from); along the normal the
/// rows and columns are the distances of the nodes from zero. With `weighted` the values have the
/// quadrature weights as a factor. Of components integrated out (VelocitySpace) the matrix acts on
/// their one or two entries.
std::array<ScatteringMatrix, 3> value_scattering(const VelocityGrid& grid,
                                                 const SideCondition& wall, int normal,
                                                 bool weighted);

}  // namespace knudsen
