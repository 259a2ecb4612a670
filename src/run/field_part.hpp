#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/field.hpp"

namespace knudsen {

/// A field, or one component of it named by its suffix ("velocity_x").
struct FieldPart {
  std::string name;    ///< as in the case; also used in file names
  std::string field;   ///< one of Problem::fields
  int component = -1;  ///< -1: the whole field, which has several components
};

/// The names of all fields and of their components.
std::vector<std::string> part_names(const std::vector<Quantity>& fields);

/// The part of this name, if there is one.
std::optional<FieldPart> find_part(const std::vector<Quantity>& fields, const std::string& name);

/// The part as single components, in order.
std::vector<FieldPart> components_of(const std::vector<Quantity>& fields, const FieldPart& part);

/// The field or monitor of this name, which must be in the list.
const Quantity& quantity_of(const std::vector<Quantity>& quantities, const std::string& name);

}  // namespace knudsen
