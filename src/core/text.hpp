#pragma once

#include <string>
#include <vector>

namespace knudsen {

/// The text in double quotes.
std::string quote(const std::string& text);
/// The parts in order with the separator between them.
std::string join(const std::vector<std::string>& parts, const std::string& separator);
/// "a", "b", "c": each part in double quotes.
std::string quote_list(const std::vector<std::string>& parts);
/// The shortest text that reads back as the same number; plain digits from 0.0001 up to 1e16.
std::string number_text(double value);
/// The candidate that `name` is probably a misspelling of (case is ignored, exchanged neighbouring
/// letters count as one mistake); empty when none is near.
std::string nearest(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace knudsen
