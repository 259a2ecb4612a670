#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "kinetic/case/gas_units.hpp"

// Grid lines of boxes whose cells grow: segments along each axis.

namespace knudsen {

/// Most cells along an axis, whose grid lines are all kept on the host.
inline constexpr double max_cells_of_axis = 10000000;

/// Appends the edges of equal cells that fill `length`.
void add_uniform(std::vector<double>& edges, double length, std::int64_t cells);

/// Refuses cells without width, which rounding or a large ratio of widths leaves.
void check_widths(const CaseNode& domain, const std::string& key, std::size_t axis,
                  const std::vector<double>& edges);

/// Reads the segments "x", "y" and "z" of a block "domain": the grid lines along each axis, which
/// begin at `corner`; one line along an axis without segments.
std::array<std::vector<double>, 3> read_segments(CaseNode& domain, const GasUnits& units,
                                                 const std::array<double, 3>& corner);

/// The number of axes with segments, which must be the first ones.
std::size_t count_segmented(const CaseNode& domain,
                            const std::array<std::vector<double>, 3>& segments);

}  // namespace knudsen
