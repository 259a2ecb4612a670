#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "case/reader.hpp"

// Rules of the block "boundaries" that hold in all methods.

namespace knudsen {

/// Fails unless both sides of each axis are periodic or none of them. `sides` is twice the number
/// of axes.
void check_periodic_sides(const CaseNode& boundaries, std::size_t sides,
                          const std::function<bool(std::size_t)>& is_periodic);

/// What to say of a wall whose velocity has a component along its normal `axis`.
std::string wall_motion_rule(std::size_t axis);

}  // namespace knudsen
