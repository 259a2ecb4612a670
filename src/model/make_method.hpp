#pragma once

#include <memory>
#include <type_traits>

#include "device/backend.hpp"
#include "device/kokkos.hpp"
#include "model/method.hpp"

namespace knudsen {

/// Creates MethodType<ExecutionSpace, Real>(parameters) for a backend. Real is float if
/// `parameters.single_precision` holds, else double.
template <template <class, class> class MethodType, class Parameters>
std::unique_ptr<Method> make_method_for(const Parameters& parameters, Backend backend) {
  const auto on = [&](auto space) -> std::unique_ptr<Method> {
    using ExecutionSpace = typename decltype(space)::type;
    if (parameters.single_precision) {
      return std::make_unique<MethodType<ExecutionSpace, float>>(parameters);
    }
    return std::make_unique<MethodType<ExecutionSpace, double>>(parameters);
  };
  if (backend == Backend::host) return on(std::type_identity<HostExecutionSpace>{});
  return on(std::type_identity<DeviceExecutionSpace>{});
}

}  // namespace knudsen
