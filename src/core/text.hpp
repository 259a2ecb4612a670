#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace knudsen {

/// The text in double quotes.
std::string quote(const std::string& text);
/// The parts joined by the separator.
std::string join(const std::vector<std::string>& parts, const std::string& separator);
/// "a", "b", "c": each part in double quotes.
std::string quote_list(const std::vector<std::string>& parts);
/// The shortest text that parses to the same number. Without exponent from 0.0001 to 1e16.
std::string number_text(double value);
/// The candidate that `name` most probably misspells; empty when none is close. Ignores case; two
/// swapped letters count as one mistake.
std::string nearest(const std::string& name, const std::vector<std::string>& candidates);

/// Offset of the first byte that is not part of a valid UTF-8 character; the size if all are.
std::size_t find_invalid_utf8(const std::string& text);
/// The text as one line of a message: control characters and bytes that are not UTF-8 escaped as in
/// C, and a text of more than 1900 bytes cut short.
std::string one_line(const std::string& text);

}  // namespace knudsen
