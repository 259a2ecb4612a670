#include "output/component.hpp"

#include <array>

#include "core/sides.hpp"

namespace knudsen {

std::string component_name(const Quantity& quantity, int component) {
  static const std::array<std::string, 6> tensor{"xx", "yy", "zz", "xy", "yz", "xz"};
  const auto index = static_cast<std::size_t>(component);
  if (quantity.components == 1) return quantity.name;
  return quantity.name + '_' + (quantity.components == 6 ? tensor.at(index) : axis_names.at(index));
}

std::optional<int> find_component(const Quantity& quantity, const std::string& name) {
  for (int component = 0; component < quantity.components; ++component) {
    if (component_name(quantity, component) == name) return component;
  }
  return {};
}

}  // namespace knudsen
