#pragma once

#include <memory>

#include "device/kokkos.hpp"

namespace knudsen {

/// Shared ownership of the memory of a view, for those who do not know Kokkos. After Kokkos has
/// ended the memory is left to the system.
template <class ViewType>
std::shared_ptr<typename ViewType::value_type> owner_of(const ViewType& view) {
  return {view.data(), [held = new ViewType(view)](typename ViewType::value_type*) {
            if (Kokkos::is_initialized()) delete held;
          }};
}

}  // namespace knudsen
