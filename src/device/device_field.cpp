#include "device/device_field.hpp"

#include <type_traits>
#include <vector>

#include "device/kokkos.hpp"
#include "device/view_owner.hpp"

namespace knudsen {

DeviceField in_memory_of(Backend backend, Field field) {
  DeviceField moved{field.quantity, {}, field.size()};
  std::visit(
      [&](auto& values) {
        using Values = std::decay_t<decltype(values)>;
        using Value = typename Values::value_type;
        if (backend == Backend::device) {
          const View<Value*, DeviceExecutionSpace> copy(
              Kokkos::view_alloc(field.quantity.name, Kokkos::WithoutInitializing), values.size());
          Kokkos::deep_copy(copy, HostView<const Value*>(values.data(), values.size()));
          moved.values = owner_of(copy);
          return;
        }
        const auto owner = std::make_shared<Values>(std::move(values));
        moved.values = std::shared_ptr<Value>(owner, owner->data());
      },
      field.values);
  return moved;
}

}  // namespace knudsen
