#pragma once

#include <cstddef>
#include <optional>

#include "case/reader.hpp"
#include "kinetic/case/gas_units.hpp"
#include "kinetic/velocity_grid.hpp"

namespace knudsen {

/// Reads "reduced": whether velocity components normal to a domain of this many dimensions are
/// integrated out. Throws InputError.
bool read_reduced(CaseNode& root, std::size_t dimensions);

/// Reads the block "velocity_grid" of a case. `axes`, of a method that can integrate velocity
/// components out: number of those that remain, for which the counts suffice. Throws InputError.
VelocityGrid read_velocity_grid(CaseNode& root, const GasUnits& units = {},
                                std::optional<std::size_t> axes = {});

/// Replaces the components beyond `dimensions` by those that are integrated out.
void integrate_out(VelocityGrid& grid, std::size_t dimensions);

}  // namespace knudsen
