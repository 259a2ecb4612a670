#pragma once

#include <vector>

#include "methods/shakhov/flow_grid.hpp"

namespace knudsen::shakhov {

/// Cells of gas between which molecules can pass, and no others.
struct GasPart {
  std::size_t first = 0;         ///< index of its first cell
  std::size_t cells = 0;         ///< their number
  bool is_open = false;          ///< whether gas enters or leaves through a side of the box
  bool has_temperature = false;  ///< whether a surface beside it has a given temperature
  int heated = -1;               ///< a surface of given heat flux beside it (Surfaces); -1 for none
};

/// The parts that solids divide the gas into, in the order of their first cells.
std::vector<GasPart> find_gas_parts(const FlowGrid& grid);

}  // namespace knudsen::shakhov
