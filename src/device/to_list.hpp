#pragma once

#include <vector>

#include "device/kokkos.hpp"

namespace knudsen {

/// The values of a view, on the host.
template <class Value, class... Properties>
std::vector<Value> to_list(const Kokkos::View<Value*, Properties...>& view) {
  std::vector<Value> list(view.extent(0));
  Kokkos::deep_copy(HostView<Value*>(list.data(), list.size()), view);
  return list;
}

/// Copies a list of the host to a view of as many values, whose type may be another one.
template <class ViewType, class Value>
void upload(const ViewType& view, const std::vector<Value>& values) {
  const auto mirror = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < values.size(); ++i) {
    mirror.data()[i] = static_cast<typename ViewType::non_const_value_type>(values[i]);
  }
  Kokkos::deep_copy(view, mirror);
}

}  // namespace knudsen
