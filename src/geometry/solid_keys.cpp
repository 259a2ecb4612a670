#include "geometry/solid_keys.hpp"

#include "core/text.hpp"

namespace knudsen {

std::string SolidNames::next(CaseNode& geometry, CaseNode& solid) {
  const std::string place = std::to_string(names_.size());
  if (names_.size() == most) {
    geometry.fail_hard("solids",
                       "found more than " + place + " solids; many bodies can be one image");
  }
  const std::string name =
      solid
          .text("name",
                "Name in the output, of letters, digits and underscores, given to no other solid; "
                "where it is absent \"solid_0\" and so on by the place in the list.")
          .value_or("solid_" + place);
  const bool allowed = !name.empty() && std::all_of(name.begin(), name.end(), [](char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || character == '_';
  });
  if (!allowed) solid.fail("name", "must be of letters, digits and underscores");
  for (const char* side : {"west", "east", "south", "north", "bottom", "top"}) {
    if (name == side) solid.fail("name", "is that of a side of the domain");
  }
  if (!names_.insert(name).second) {
    solid.fail("name", "another solid is already called " + quote(name));
  }
  return name;
}

}  // namespace knudsen
