#include "run/field_part.hpp"

#include <algorithm>

#include "output/component.hpp"

namespace knudsen {

std::vector<std::string> part_names(const std::vector<Quantity>& fields) {
  std::vector<std::string> names;
  for (const Quantity& field : fields) names.push_back(field.name);
  for (const Quantity& field : fields) {
    for (int component = 0; component < field.components && field.components > 1; ++component) {
      names.push_back(component_name(field, component));
    }
  }
  return names;
}

std::optional<FieldPart> find_part(const std::vector<Quantity>& fields, const std::string& name) {
  for (const Quantity& field : fields) {
    if (field.name == name) return FieldPart{name, name, field.components == 1 ? 0 : -1};
    if (const auto component = find_component(field, name)) {
      return FieldPart{name, field.name, *component};
    }
  }
  return {};
}

std::vector<FieldPart> components_of(const std::vector<Quantity>& fields, const FieldPart& part) {
  if (part.component >= 0) return {part};
  const Quantity& field = quantity_of(fields, part.field);
  std::vector<FieldPart> components;
  for (int c = 0; c < field.components; ++c) {
    components.push_back({component_name(field, c), field.name, c});
  }
  return components;
}

const Quantity& quantity_of(const std::vector<Quantity>& quantities, const std::string& name) {
  return *std::find_if(quantities.begin(), quantities.end(),
                       [&](const Quantity& each) { return each.name == name; });
}

}  // namespace knudsen
