#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace knudsen {

/// Clock rate, power and temperature of a GPU, as NVIDIA's management library (NVML) tells them.
/// The library is opened when it is there; without it, or for a device that it does not know, there
/// are no samples.
class DeviceMonitor {
 public:
  /// For the GPU with this PCI identifier; none for an empty one.
  explicit DeviceMonitor(const std::string& pci_bus);
  ~DeviceMonitor();

  /// Takes a sample of each quantity, at most one a second. Call it while kernels run.
  void sample();
  /// "sm_clock_mhz", "power_w", "temperature_c"; only those that the driver tells.
  const std::map<std::string, std::vector<double>>& samples() const { return samples_; }

 private:
  struct Library;
  std::unique_ptr<Library> library_;  ///< null if there is nothing to ask
  double latest_ = 0;                 ///< seconds of the steady clock
  std::map<std::string, std::vector<double>> samples_;
};

}  // namespace knudsen
