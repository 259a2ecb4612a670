#pragma once

#include <string>
#include <vector>

namespace knudsen {

/// Escapes text for HTML and XML, between tags and in quoted attributes. Characters that XML does
/// not allow become U+FFFD.
std::string escape_markup(const std::string& text);

/// A positive number with three to four significant digits, without exponent from 1e-3 to 1e6:
/// "4270", "52.34", "0.0123".
std::string short_number(double value);

/// The same with an SI prefix and the unit: "52.34 GB", "12.30 µs", "104.0 s".
std::string with_prefix(double value, const std::string& unit);

/// A fraction as "88.2 %".
std::string percent(double share);

/// A table as text: the first `left_columns` aligned left, the others right, with two blanks
/// between. Rows may have fewer cells than others; a row of one cell is a heading that may span
/// columns. Lines have no trailing blanks.
std::string align_columns(const std::vector<std::vector<std::string>>& rows,
                          std::size_t left_columns);

}  // namespace knudsen
