#pragma once

#include <optional>
#include <string>

#include "core/field.hpp"

namespace knudsen {

/// Name of a component: "velocity_x" or "stress_xy"; for a scalar the quantity's name.
std::string component_name(const Quantity& quantity, int component);

/// The component of `quantity` with this component_name. Nothing if there is none, as for the name
/// of a vector without a suffix.
std::optional<int> find_component(const Quantity& quantity, const std::string& name);

}  // namespace knudsen
