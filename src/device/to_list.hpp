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

}  // namespace knudsen
