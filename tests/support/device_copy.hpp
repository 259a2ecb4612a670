#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "device/device_field.hpp"
#include "device/kokkos.hpp"

namespace knudsen::test {

/// The values of a field in the memory of the default backend, on the host.
inline Field on_host(const DeviceField& field) {
  Field copy{field.quantity, {}};
  std::visit(
      [&](const auto& values) {
        using Value = typename std::decay_t<decltype(values)>::element_type;
        std::vector<Value> host(field.size);
        Kokkos::deep_copy(HostView<Value*>(host.data(), host.size()),
                          View<const Value*, DeviceExecutionSpace>(values.get(), field.size));
        copy.values = std::move(host);
      },
      field.values);
  return copy;
}

/// Whether two fields have the same values bit by bit, but for those that are not a number.
inline bool same_values(const Field& one, const Field& other) {
  if (one.size() != other.size() || one.values.index() != other.values.index()) return false;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i] != other[i] && !(std::isnan(one[i]) && std::isnan(other[i]))) return false;
  }
  return true;
}

}  // namespace knudsen::test
