#pragma once

#include <string>
#include <vector>

#include "case/reader.hpp"
#include "kinetic/case/gas_units.hpp"
#include "methods/shakhov/flow_grid.hpp"

namespace knudsen::shakhov {

/// Reads the block "domain": cells, uniform or in segments of geometrically growing widths. Throws
/// InputError.
void read_domain(CaseNode& root, const GasUnits& units, FlowGrid& grid);

/// Reads the block "geometry": solids in the box, and sets what of the sides depends on them.
/// Cells, sides and velocities of `grid` must be set. Throws InputError; adds a warning of solids
/// that are approximated by whole cells.
void read_geometry(CaseNode& root, const GasUnits& units, FlowGrid& grid,
                   std::vector<std::string>& warnings);

}  // namespace knudsen::shakhov
