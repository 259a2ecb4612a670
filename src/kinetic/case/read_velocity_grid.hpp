#pragma once

#include <cstddef>
#include <optional>

#include "case/reader.hpp"
#include "kinetic/case/gas_units.hpp"
#include "kinetic/velocity_grid.hpp"

namespace knudsen {

/// Reads the block "velocity_grid" of a case. `axes`, of a method that can integrate velocity
/// components out: number of those that remain, for which the counts suffice. Throws InputError.
VelocityGrid read_velocity_grid(CaseNode& root, const GasUnits& units = {},
                                std::optional<std::size_t> axes = {});

}  // namespace knudsen
