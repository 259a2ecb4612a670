#include "case/reader.hpp"
#include "core/text.hpp"

namespace knudsen {

bool Range::contains(double value) const {
  const bool above = !minimum || (minimum_excluded ? value > *minimum : value >= *minimum);
  const bool below = !maximum || (maximum_excluded ? value < *maximum : value <= *maximum);
  return above && below;
}

std::string Range::text() const {
  if (minimum && maximum && !minimum_excluded && !maximum_excluded) {
    return "from " + number_text(*minimum) + " to " + number_text(*maximum);
  }
  std::vector<std::string> limits;
  if (minimum) {
    limits.push_back((minimum_excluded ? "greater than " : "at least ") + number_text(*minimum));
  }
  if (maximum) {
    limits.push_back((maximum_excluded ? "less than " : "at most ") + number_text(*maximum));
  }
  return join(limits, " and ");
}

}  // namespace knudsen
