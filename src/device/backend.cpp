#include "device/backend.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

#include "core/error.hpp"
#include "device/kokkos.hpp"
#include "git_commit.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include <cuda_runtime_api.h>
#endif

namespace knudsen {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

template <class ExecutionSpace>
std::string backend_name() {
  return lower(ExecutionSpace::name());
}

std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) {
      const auto colon = line.find(':');
      return line.substr(line.find_first_not_of(' ', colon + 1));
    }
  }
  return "unknown processor";
}

/// A number of bytes that stands in /proc/meminfo in kB; 0 where there is no such line.
std::uint64_t meminfo(const std::string& key) {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key + ":", 0) == 0) {
      std::istringstream words(line.substr(key.size() + 1));
      std::uint64_t kilobytes = 0;
      words >> kilobytes;
      return kilobytes * 1024;
    }
  }
  return 0;
}

/// Cores this process may run on: the affinity mask, not what the machine has.
int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

std::string available_backends() {
  std::string names = backend_name<DeviceExecutionSpace>();
  if constexpr (has_device_backend) names += ", " + backend_name<HostExecutionSpace>();
  return names;
}

Backend default_backend() { return has_device_backend ? Backend::device : Backend::host; }

Backend parse_backend(const std::string& name) {
  if (name.empty() || name == "default") return default_backend();
  if (name == "host" || name == backend_name<HostExecutionSpace>()) return Backend::host;
  if (has_device_backend && (name == "device" || name == backend_name<DeviceExecutionSpace>())) {
    return Backend::device;
  }
  throw InputError("backend \"" + name +
                   "\" is not in this build; it has: " + available_backends());
}

BackendInfo backend_info(Backend backend) {
  BackendInfo info;
#ifdef KOKKOS_ENABLE_CUDA
  if (backend == Backend::device) {
    info.name = backend_name<DeviceExecutionSpace>();
    cudaDeviceProp properties{};
    int device = 0;
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    if (cudaGetDevice(&device) == cudaSuccess &&
        cudaGetDeviceProperties(&properties, device) == cudaSuccess &&
        cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess) {
      info.device = properties.name;
      info.memory_total = total_bytes;
      info.memory_free = free_bytes;
    }
    return info;
  }
#endif
  static_cast<void>(backend);
  info.name = backend_name<HostExecutionSpace>();
  info.device = processor_model();
  info.threads = HostExecutionSpace().concurrency();
  info.memory_total = meminfo("MemTotal");
  info.memory_free = meminfo("MemAvailable");
  return info;
}

KokkosSession::KokkosSession(int threads) {
  const int wanted = threads > 0 ? threads : usable_cores();
  // Kokkos warns on standard error about unbound OpenMP threads; binding is the user's choice.
  setenv("OMP_PROC_BIND", "false", 0);
#if KOKKOS_VERSION >= 30700
  Kokkos::InitializationSettings settings;
  settings.set_num_threads(wanted);
  settings.set_disable_warnings(true);
#else
  Kokkos::InitArguments settings;
  settings.num_threads = wanted;
  settings.disable_warnings = true;
#endif
  Kokkos::initialize(settings);
}

KokkosSession::~KokkosSession() { Kokkos::finalize(); }

std::string kokkos_version() {
  return std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) +
         "." + std::to_string(KOKKOS_VERSION % 100);
}

std::string compiler_version() {
#if defined(__clang__)
  std::string name = "clang " __clang_version__;
#else
  std::string name = "g++ " __VERSION__;
#endif
#ifdef __CUDACC_VER_MAJOR__
  name = "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." +
         std::to_string(__CUDACC_VER_MINOR__) + " with " + name;
#endif
  return name;
}

std::string git_commit() { return KNUDSEN_GIT_COMMIT; }

}  // namespace knudsen
