#pragma once

// Fields made of the values of nodes, in the precision of these values.

#include <cmath>
#include <type_traits>
#include <utility>
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

/// Density from rho - 1, and pressure, which is a third of it.
inline FieldValues density_of(FieldValues deviation) {
  return transformed(std::move(deviation), [](auto value) { return 1 + value; });
}
inline FieldValues pressure_of(FieldValues deviation) {
  return transformed(std::move(deviation),
                     [](auto value) { return (1 + value) / decltype(value)(3); });
}

/// The components of each node side by side. All components have the same precision.
inline FieldValues interleaved(const std::vector<FieldValues>& components) {
  return std::visit(
      [&](const auto& first) -> FieldValues {
        using Values = std::decay_t<decltype(first)>;
        Values all(first.size() * components.size());
        for (std::size_t a = 0; a < components.size(); ++a) {
          const Values& values = std::get<Values>(components[a]);
          for (std::size_t i = 0; i < values.size(); ++i)
            all[i * components.size() + a] = values[i];
        }
        return all;
      },
      components.front());
}

/// Magnitude of a vector with two or three components.
inline FieldValues magnitude_of(const std::vector<FieldValues>& components) {
  return std::visit(
      [&](const auto& x) -> FieldValues {
        using Values = std::decay_t<decltype(x)>;
        const auto& y = std::get<Values>(components[1]);
        Values result(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
          result[i] = components.size() == 2
                          ? std::hypot(x[i], y[i])
                          : std::hypot(x[i], y[i], std::get<Values>(components[2])[i]);
        }
        return result;
      },
      components.front());
}

}  // namespace knudsen::lbm
