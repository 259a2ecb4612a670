#pragma once

// Arrays for other libraries of Python, by the protocol DLPack (https://dmlc.github.io/dlpack).

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/device_field.hpp"

namespace knudsen::python {

/// A field that other libraries can share without a copy, where it is: on the host or on a GPU.
class FieldArray {
 public:
  /// `gpu` is the number of the GPU that has the field; none for the host.
  FieldArray(DeviceField field, std::vector<pybind11::ssize_t> shape, std::optional<int> gpu)
      : field_(std::move(field)), shape_(std::move(shape)), gpu_(gpu) {}

  const std::vector<pybind11::ssize_t>& shape() const { return shape_; }
  /// "float32" or "float64".
  const char* type() const;
  /// "cpu", or "cuda:0" and so on.
  std::string device() const;
  /// What __dlpack_device__ returns: the type of device and its number.
  std::pair<int, int> dlpack_device() const;
  /// What __dlpack__ returns. The capsule and what is made of it own the memory as this object
  /// does. Raises BufferError for what the protocol allows to refuse.
  pybind11::capsule dlpack(const pybind11::object& stream, const pybind11::object& device,
                           const pybind11::object& copy) const;

 private:
  DeviceField field_;
  std::vector<pybind11::ssize_t> shape_;
  std::optional<int> gpu_;
};

}  // namespace knudsen::python
