#pragma once

#include <string>
#include <vector>

#include "case/reader.hpp"
#include "methods/shakhov/flow_grid.hpp"

namespace knudsen::shakhov {

/// Reads the block "domain": cells, uniform or in segments that grow geometrically.
void read_domain(CaseNode& root, FlowGrid& grid);

/// Reads the block "geometry": solids in the box. The sides of `grid` are known.
void read_geometry(CaseNode& root, FlowGrid& grid, std::vector<std::string>& warnings);

}  // namespace knudsen::shakhov
