#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kinetic/side_condition.hpp"
#include "model/method.hpp"

// Flow at the speed of sound or faster through sides of given pressure, which do not hold for it.

namespace knudsen {

/// Warns of pressures so different that the flow may reach the speed of sound at a side of given
/// pressure. Whether it does depends on the friction between the sides, which only a run finds.
void warn_of_choking(const std::array<SideCondition, 6>& sides, double rotation,
                     std::vector<std::string>& warnings);

/// What to say of a face of a pressure side, beside `cell`, with the Mach number `mach` of 1 or
/// more (PressureEmission).
Divergence sonic_side(const std::array<std::int64_t, 3>& cell, int side, double mach);

/// What to say at the end of a run of the largest Mach number that each side had in any step.
std::vector<std::string> warnings_of_limits(const std::array<double, 6>& mach);

}  // namespace knudsen
