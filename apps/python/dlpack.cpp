#include "dlpack.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

namespace py = pybind11;

namespace knudsen::python {
namespace {

// The structures of the protocol, version 0.

enum DeviceType : std::int32_t { on_cpu = 1, on_cuda = 2 };

struct DLDevice {
  std::int32_t type;
  std::int32_t number;
};

struct DLDataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
constexpr std::uint8_t floating_point = 2;

struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t dimensions;
  DLDataType type;
  std::int64_t* shape;
  std::int64_t* strides;  ///< null: C order
  std::uint64_t offset;   ///< in bytes
};

struct DLManagedTensor {
  DLTensor tensor;
  void* owner;
  void (*deleter)(DLManagedTensor*);
};

/// A tensor with what it points to.
struct Exported {
  DLManagedTensor managed{};
  std::vector<std::int64_t> shape;
  std::shared_ptr<void> memory;
};

constexpr const char* fresh_name = "dltensor";

/// A consumer renames the capsule and calls the deleter of the tensor itself.
void delete_capsule(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, fresh_name) == 0) return;
  auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, fresh_name));
  managed->deleter(managed);
}

void refuse(const std::string& why) {
  PyErr_SetString(PyExc_BufferError, why.c_str());
  throw py::error_already_set();
}

}  // namespace

const char* FieldArray::type() const {
  return std::holds_alternative<std::shared_ptr<float>>(field_.values) ? "float32" : "float64";
}

std::string FieldArray::device() const {
  return gpu_ ? "cuda:" + std::to_string(*gpu_) : std::string("cpu");
}

std::pair<int, int> FieldArray::dlpack_device() const {
  return gpu_ ? std::pair<int, int>{on_cuda, *gpu_} : std::pair<int, int>{on_cpu, 0};
}

py::capsule FieldArray::dlpack(const py::object& stream, const py::object& device,
                               const py::object& copy) const {
  const std::pair<int, int> own = dlpack_device();
  // Any stream of the GPU may read, since the kernels that filled the memory have ended.
  if (!stream.is_none() && !gpu_) refuse("stream: must be None for an array on the host");
  if (!device.is_none() && device.cast<std::pair<int, int>>() != own) {
    refuse("dl_device: the array is on " + this->device() + "; it is not copied to another device");
  }
  if (!copy.is_none() && copy.cast<bool>()) {
    refuse("copy: the array is shared, not copied; copy what is made of it");
  }
  auto exported = std::make_unique<Exported>();
  exported->shape.assign(shape_.begin(), shape_.end());
  std::visit(
      [&](const auto& values) {
        exported->memory = values;
        exported->managed.tensor.data = values.get();
        exported->managed.tensor.type = {floating_point, 8 * sizeof(*values), 1};
      },
      field_.values);
  exported->managed.tensor.device = {own.first, own.second};
  exported->managed.tensor.dimensions = static_cast<std::int32_t>(exported->shape.size());
  exported->managed.tensor.shape = exported->shape.data();
  exported->managed.owner = exported.get();
  exported->managed.deleter = [](DLManagedTensor* managed) {
    const std::unique_ptr<Exported> last(static_cast<Exported*>(managed->owner));
  };
  const py::capsule capsule(&exported->managed, fresh_name, delete_capsule);
  static_cast<void>(exported.release());  // the capsule deletes it
  return capsule;
}

}  // namespace knudsen::python
