#pragma once

#include <optional>
#include <string>

#include "core/field.hpp"

namespace knudsen {

/// Name of one component of a field: "velocity_x", "stress_xy"; a scalar's own name.
std::string component_name(const Quantity& quantity, int component);

/// Which component of `quantity` the name means, as component_name spells it; nothing where it
/// means none (another quantity, or a vector without a suffix).
std::optional<int> find_component(const Quantity& quantity, const std::string& name);

}  // namespace knudsen
