#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace knudsen {

/// 2^53, up to which double precision, and thus every JSON tool, holds integers exactly.
inline constexpr double largest_exact_integer = 9007199254740992.0;

/// Objects and lists that may be nested in each other. Values are handled by recursion.
inline constexpr std::size_t max_json_depth = 100;

/// Parses JSON; comments are not allowed. Throws InputError "name:line:column: ..." with what was
/// found and what was expected. A duplicate key, a number too large for double precision, text that
/// is not UTF-8, and nesting beyond `max_json_depth` are errors too.
nlohmann::json parse_json(const std::string& text, const std::string& name);

/// The same value with equal numbers written alike: 1.0 becomes 1, -0.0 becomes 0.
nlohmann::json canonical(const nlohmann::json& value);

/// "an object", "a list", "a string", "a number", "a boolean", "null".
std::string kind_of(const nlohmann::json& value);

/// A value as messages show it: a scalar as in JSON, long strings cut; of others only the kind.
std::string shown(const nlohmann::json& value);

}  // namespace knudsen
