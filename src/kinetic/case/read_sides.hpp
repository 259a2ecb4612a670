#pragma once

#include <array>
#include <optional>
#include <string>

#include "case/reader.hpp"
#include "core/field.hpp"
#include "kinetic/case/gas_units.hpp"
#include "kinetic/side_condition.hpp"
#include "kinetic/velocity_grid.hpp"

// The block "boundaries" of the discrete-velocity methods. The functions throw InputError.

namespace knudsen {

/// Reads the block of a wall. The velocity of a wall normal to `axis` must be tangential.
void read_wall(CaseNode& node, SideCondition& condition, std::optional<std::size_t> axis,
               const GasUnits& units);
/// Reads "cercignani_lampis" of a wall.
void read_cercignani_lampis(CaseNode& node, SideCondition& condition);
/// Reads "heat_flux" of a wall, which excludes other keys that walls have.
void read_heat_flux(CaseNode& node, SideCondition& condition, const GasUnits& units);
/// Reads the velocity and temperature of a wall.
void read_wall_state(CaseNode& node, SideCondition& condition, const GasUnits& units);
/// Fails if the discrete velocities along `axis` cannot be reflected by a surface normal to it.
void check_reflection(CaseNode& node, const std::string& key, const SideCondition& condition,
                      const VelocityGrid& velocities, std::size_t axis);
/// Reads the six sides of a block "boundaries" of a box of cells. The default state of a reservoir
/// is the initial state next to it: `initial_east` for the east side, `initial_west` for all
/// others.
void read_sides(CaseNode& boundaries, std::array<SideCondition, 6>& sides,
                const CartesianGrid& grid, int dimensions, const GasState& initial_west,
                const GasState& initial_east, const GasUnits& units = {});
/// Fails if a side is given that the dimensions do not have, if only one of two opposite sides is
/// periodic, or if a side cannot reflect the discrete velocities.
void check_sides(CaseNode& boundaries, const std::array<SideCondition, 6>& sides, int dimensions,
                 const VelocityGrid& velocities);

}  // namespace knudsen
