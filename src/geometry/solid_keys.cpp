#include "geometry/solid_keys.hpp"

#include "core/sides.hpp"
#include "core/text.hpp"

namespace knudsen {

SolidNames::SolidNames() {
  for (const std::string& side : side_names) names_.reserve(side, "a side of the domain");
}

std::string SolidNames::next(CaseNode& geometry, CaseNode& solid) {
  const std::string place = std::to_string(count_);
  if (count_ == max_count) {
    geometry.fail_hard("solids",
                       "found more than " + place + " solids; combine bodies in an image");
  }
  const std::string name =
      solid
          .text("name",
                "Name of the solid in monitors and results: " + std::string(PartNames::rule) +
                    ". Unique, not the name of a side. Default: \"solid_0\", "
                    "\"solid_1\" and so on in the order of the list.")
          .value_or("solid_" + place);
  names_.add(solid, "name", name, "another solid");
  ++count_;
  return name;
}

}  // namespace knudsen
