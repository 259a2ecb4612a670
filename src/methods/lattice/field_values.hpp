#pragma once

// Fields made of the values of nodes, in the precision of these values.

#include <cmath>
#include <type_traits>
#include <variant>
#include <vector>

#include "model/quantity_table.hpp"

namespace knudsen::lbm {

/// function(value) of every value.
template <class Function>
FieldValues transformed(FieldValues values, const Function& function) {
  std::visit(
      [&](auto& of_precision) {
        for (auto& value : of_precision) value = function(value);
      },
      values);
  return values;
}

/// The components of each node side by side. component(a) returns the values of component a; it is
/// called once for each component, in order, so that only one of them is in memory beside the
/// result. All components have the same precision.
template <class Component>
FieldValues interleaved(std::size_t count, const Component& component) {
  FieldValues all;
  for (std::size_t a = 0; a < count; ++a) {
    const FieldValues values = component(a);
    std::visit(
        [&](const auto& of_component) {
          using Values = std::decay_t<decltype(of_component)>;
          if (a == 0) all = Values(of_component.size() * count);
          Values& target = std::get<Values>(all);
          for (std::size_t i = 0; i < of_component.size(); ++i)
            target[i * count + a] = of_component[i];
        },
        values);
  }
  return all;
}

/// Magnitude of a vector with the components x and y, and z where it has one.
inline FieldValues magnitude_of(const FieldValues& x, const FieldValues& y,
                                const FieldValues* z = nullptr) {
  return std::visit(
      [&](const auto& x_values) -> FieldValues {
        using Values = std::decay_t<decltype(x_values)>;
        const Values& y_values = std::get<Values>(y);
        const Values* const z_values = z == nullptr ? nullptr : &std::get<Values>(*z);
        Values result(x_values.size());
        for (std::size_t i = 0; i < result.size(); ++i) {
          result[i] = z_values == nullptr ? std::hypot(x_values[i], y_values[i])
                                          : std::hypot(x_values[i], y_values[i], (*z_values)[i]);
        }
        return result;
      },
      x);
}

}  // namespace knudsen::lbm
