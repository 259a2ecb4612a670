#include "device/device_monitor.hpp"

#include <dlfcn.h>

#include <chrono>

namespace knudsen {

/// The functions of NVML that are used. Its binary interface is stable.
struct DeviceMonitor::Library {
  using Handle = void*;
  void* file = nullptr;
  Handle device = nullptr;
  int (*shutdown)() = nullptr;
  int (*clock)(Handle, int, unsigned*) = nullptr;
  int (*power)(Handle, unsigned*) = nullptr;
  int (*temperature)(Handle, int, unsigned*) = nullptr;

  template <class Function>
  bool find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(dlsym(file, name));
    return function != nullptr;
  }

  bool open(const std::string& pci_bus) {
    file = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (file == nullptr) return false;
    int (*start)() = nullptr;
    int (*find_device)(const char*, Handle*) = nullptr;
    if (!find("nvmlInit_v2", start) || !find("nvmlDeviceGetHandleByPciBusId_v2", find_device) ||
        !find("nvmlShutdown", shutdown) || !find("nvmlDeviceGetClockInfo", clock) ||
        !find("nvmlDeviceGetPowerUsage", power) || !find("nvmlDeviceGetTemperature", temperature) ||
        start() != 0) {
      shutdown = nullptr;
      return false;
    }
    return find_device(pci_bus.c_str(), &device) == 0;
  }

  ~Library() {
    if (shutdown != nullptr) shutdown();
    if (file != nullptr) dlclose(file);
  }
};

DeviceMonitor::DeviceMonitor(const std::string& pci_bus) {
  if (pci_bus.empty()) return;
  library_ = std::make_unique<Library>();
  if (!library_->open(pci_bus)) library_.reset();
}

DeviceMonitor::~DeviceMonitor() = default;

void DeviceMonitor::sample() {
  if (!library_) return;
  const double now =
      std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  if (!samples_.empty() && now - latest_ < 1) return;
  latest_ = now;
  constexpr int sm_clock = 1;
  constexpr int gpu_sensor = 0;
  unsigned value = 0;
  if (library_->clock(library_->device, sm_clock, &value) == 0) {
    samples_["sm_clock_mhz"].push_back(value);
  }
  if (library_->power(library_->device, &value) == 0) {
    samples_["power_w"].push_back(1e-3 * value);  // told in milliwatts
  }
  if (library_->temperature(library_->device, gpu_sensor, &value) == 0) {
    samples_["temperature_c"].push_back(value);
  }
}

}  // namespace knudsen
