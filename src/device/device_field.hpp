#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <variant>

#include "core/field.hpp"
#include "device/backend.hpp"

namespace knudsen {

/// A field in the memory of a backend. The index of a value is that of Field. The memory belongs to
/// the field alone, and the last copy of `values` frees it.
struct DeviceField {
  Quantity quantity;
  std::variant<std::shared_ptr<float>, std::shared_ptr<double>> values;
  std::size_t size = 0;  ///< number of values
};

/// A field of the host in the memory of a backend. For the host it is the same memory, for a GPU a
/// copy. Throws std::exception if a GPU has too little memory.
DeviceField in_memory_of(Backend backend, Field field);

}  // namespace knudsen
