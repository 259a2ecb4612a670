#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/problem.hpp"

namespace knudsen {

/// "node (3, 4)", "cell (3, 4, 5)"
std::string place_text(const std::array<std::int64_t, 3>& cell, const Problem& problem);

/// What is wrong with a field where it is not finite in some cell that is not solid.
std::optional<std::string> field_fault(const Field& field, const Method& method,
                                       const Problem& problem);

/// One sentence for each of Method::results that has a number which is not finite.
std::vector<std::string> result_faults(const std::map<std::string, std::string>& results);

}  // namespace knudsen
