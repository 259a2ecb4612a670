#pragma once

#include <vector>

#include "model/method_entry.hpp"

namespace knudsen {

/// All methods of this build, in the order in which `knudsen list` shows them.
const std::vector<MethodEntry>& method_registry();
/// Adds a method of another project. Throws std::logic_error if there is one with this name.
void add_method(MethodEntry entry);

}  // namespace knudsen
