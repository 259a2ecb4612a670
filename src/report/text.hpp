#pragma once

#include <string>
#include <vector>

namespace knudsen {

/// Text made safe between tags and inside quoted attributes of HTML and XML; characters that XML
/// does not allow become U+FFFD.
std::string escape_markup(const std::string& text);

/// A positive number with three to four significant digits and no exponent where it is between
/// 1e-3 and 1e6: "4270", "52.34", "0.0123".
std::string short_number(double value);

/// The same with an SI prefix: "52.34 G", "12.30 µ", "104.0 " + unit.
std::string with_prefix(double value, const std::string& unit);

/// A fraction as "88.2 %".
std::string percent(double share);

/// Columns of a table of text, the first `left_columns` aligned left and the others right, two
/// blanks between. Rows may be shorter than the widest; a row of one cell is a heading that may run
/// over the columns. Lines end without blanks.
std::string align_columns(const std::vector<std::vector<std::string>>& rows,
                          std::size_t left_columns);

}  // namespace knudsen
