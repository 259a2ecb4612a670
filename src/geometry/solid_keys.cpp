#include "geometry/solid_keys.hpp"

#include "core/sides.hpp"
#include "core/text.hpp"

namespace knudsen {

std::string SolidNames::next(CaseNode& geometry, CaseNode& solid) {
  const std::string place = std::to_string(names_.size());
  if (names_.size() == max_count) {
    geometry.fail_hard("solids",
                       "found more than " + place + " solids; combine bodies in an image");
  }
  const std::string name = solid
                               .text("name",
                                     "Name of the solid in monitors and results: letters, digits "
                                     "and underscores, unique, not the name of a side. Default: "
                                     "\"solid_0\", \"solid_1\" and so on in the order of the list.")
                               .value_or("solid_" + place);
  const bool allowed = !name.empty() && std::all_of(name.begin(), name.end(), [](char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || character == '_';
  });
  if (!allowed) solid.fail("name", "must consist of letters, digits and underscores");
  if (std::find(side_names.begin(), side_names.end(), name) != side_names.end()) {
    solid.fail("name", "is the name of a side of the domain");
  }
  if (!names_.insert(name).second) {
    solid.fail("name", "another solid is already called " + quote(name));
  }
  return name;
}

}  // namespace knudsen
