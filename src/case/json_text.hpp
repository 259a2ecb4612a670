#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace knudsen {

/// 2^53: whole numbers up to here are exact in double precision, so in every JSON tool.
inline constexpr double largest_exact_integer = 9007199254740992.0;

/// Parses JSON without comments. Throws InputError "name:line:column: ..." saying what was found
/// and what was expected; a key given twice in one object and a number beyond the range of double
/// precision are errors too.
nlohmann::json parse_json(const std::string& text, const std::string& name);

/// The same value with equal numbers in equal form: 1 for 1.0, 0 for -0.0.
nlohmann::json canonical(const nlohmann::json& value);

/// "an object", "a list", "a string", "a number", "a boolean", "null".
std::string kind_of(const nlohmann::json& value);

/// A value as messages show it: scalars as they are, long strings cut short, else the kind.
std::string shown(const nlohmann::json& value);

}  // namespace knudsen
