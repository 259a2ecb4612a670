#pragma once

#include <string>
#include <vector>

#include "device/kokkos.hpp"

namespace knudsen::boltzmann {

/// A View with the values of a vector.
template <class ExecutionSpace, class Value>
View<Value*, ExecutionSpace> upload(const std::string& name, const std::vector<Value>& values) {
  View<Value*, ExecutionSpace> view(name, values.size());
  const auto mirror = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < values.size(); ++i) mirror(i) = values[i];
  Kokkos::deep_copy(view, mirror);
  return view;
}

}  // namespace knudsen::boltzmann
