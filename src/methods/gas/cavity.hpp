#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "kinetic/side_condition.hpp"
#include "model/problem.hpp"

// The lid-driven cavity of Frezzotti, Ghiroldi and Gibelli (2009, 2010), the benchmark that all
// discrete-velocity methods share.

namespace knudsen {

/// Whether the sides are those of a lid-driven cavity: two or three dimensions, walls, of which
/// only the north one (the lid) moves, along x, at one speed. The third direction may be periodic.
bool is_cavity(const std::array<SideCondition, 6>& sides, int dimensions);

/// The monitor "drag_coefficient", D.
Quantity drag_coefficient_quantity();
/// The monitor "flow_rate", G.
Quantity flow_rate_quantity();

/// Adds the monitor "lid_stress": D from the stress in the cells next to the lid.
void add_lid_stress_monitor(std::vector<Quantity>& monitors);
/// Adds the monitor "vortex_flow_rate": G from the flow above the vortex centre.
void add_vortex_flow_rate_monitor(std::vector<Quantity>& monitors);

/// D of Frezzotti 2010, eq. (27): mean shear stress that resists the lid, in reference pressures,
/// over the lid's speed in sqrt(2 R T_ref). `force_x` is the force of the gas on a unit area of the
/// lid along x.
double cavity_drag(double force_x, const std::array<SideCondition, 6>& sides);

/// D as in Table 1 of both papers: from the stress in the cells next to the lid, hence first-order
/// accurate in their height. `widths` are the cell widths along x; `stress_xy(i)` is in reference
/// pressures.
double cavity_lid_stress(const std::array<SideCondition, 6>& sides,
                         const std::vector<double>& widths,
                         const std::function<double(int)>& stress_xy);

/// G of Frezzotti 2010, eq. (27): integral of |u_x| over the vertical centre line, divided by the
/// height of the cavity and the speed of the lid. If no net mass crosses the line, this is twice
/// the integral from the vortex centre up to the lid, the definition of Frezzotti 2009. `widths`
/// are the cell widths along each axis. `velocity_x(i, j, k)`, in sqrt(2 R T_ref), is interpolated
/// linearly along x and z and taken as the cell mean along y.
double cavity_flow_rate(const std::array<SideCondition, 6>& sides,
                        const std::array<std::vector<double>, 3>& widths,
                        const std::function<double(int, int, int)>& velocity_x);

/// G as defined by Frezzotti 2009: twice the integral of u_x on the vertical centre line from the
/// centre of the main vortex up to the lid, divided by the height and the speed of the lid. With
/// first-order upwind streaming this converges faster than the integral of |u_x|. `velocity_x` are
/// the values on the line in cells of equal height, from the bottom.
double cavity_vortex_flow_rate(const std::array<SideCondition, 6>& sides,
                               const std::vector<double>& velocity_x);

}  // namespace knudsen
