#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "kinetic/side_condition.hpp"
#include "model/problem.hpp"

// The lid-driven cavity of Frezzotti, Ghiroldi and Gibelli 2009 and 2010, by which all
// discrete-velocity methods are compared.

namespace knudsen {

/// Two or three dimensions, walls of which only the north moves, in its plane and along x; the
/// third direction may be periodic.
bool is_cavity(const std::array<SideCondition, 6>& sides, int dimensions);

/// Adds the monitors "drag_coefficient" (D) and "flow_rate" (G).
void add_cavity_monitors(std::vector<Quantity>& monitors);

/// Adds the monitor "lid_stress", another D.
void add_lid_stress_monitor(std::vector<Quantity>& monitors);
/// Adds the monitor "vortex_flow_rate", another G.
void add_vortex_flow_rate_monitor(std::vector<Quantity>& monitors);

/// D of Frezzotti 2010, eq. (27): mean force along x on a unit of area of the lid, in the reference
/// pressure, that works against it, over its speed in sqrt(2 R T_ref).
double cavity_drag(double force_x, const std::array<SideCondition, 6>& sides);

/// D as in Table 1 of both papers: from the stress in the cells beside the lid, hence of first
/// order in their height. `widths` are those of the cells along x; `stress_xy(i)` is in the
/// reference pressure.
double cavity_lid_stress(const std::array<SideCondition, 6>& sides,
                         const std::vector<double>& widths,
                         const std::function<double(int)>& stress_xy);

/// G of Frezzotti 2010, eq. (27): integral of |u_x| over the vertical line through the middle, over
/// the cavity's height and the speed of the lid. Where no mass crosses the line this is twice the
/// integral from the centre of the vortex up to the lid, as Frezzotti 2009 says it. `widths` are
/// those of the cells along the axes; `velocity_x(i, j, k)`, in sqrt(2 R T_ref), is linear along x
/// and z between the centres of cells, and the mean over a cell along y.
double cavity_flow_rate(const std::array<SideCondition, 6>& sides,
                        const std::array<std::vector<double>, 3>& widths,
                        const std::function<double(int, int, int)>& velocity_x);

/// G as Frezzotti 2009 words it: twice the integral of u_x on the vertical line through the middle
/// from the centre of the main vortex up to the lid, over the height and the speed of the lid. With
/// upwind streaming cells' velocities are off to first order such that this is nearer to the limit
/// than the integral of |u_x|. `velocity_x` is that on the line, of equal cells from below.
double cavity_vortex_flow_rate(const std::array<SideCondition, 6>& sides,
                               const std::vector<double>& velocity_x);

}  // namespace knudsen
