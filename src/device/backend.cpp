#include "device/backend.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "device/control_groups.hpp"
#include "device/device_memory.hpp"
#include "device/kokkos.hpp"
#include "device/subnormals.hpp"
#include "device/thread_count.hpp"
#include "git_commit.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

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

/// The cores in the affinity mask of the main thread, ascending.
std::vector<int> affinity_mask() {
  for (int most = CPU_SETSIZE; most <= 1 << 20; most *= 2) {
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(
        CPU_ALLOC(static_cast<std::size_t>(most)), [](cpu_set_t* each) { CPU_FREE(each); });
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(most));
    if (sched_getaffinity(0, bytes, set.get()) != 0) continue;  // the machine may have more cores
    std::vector<int> cores;
    for (int core = 0; core < most; ++core) {
      if (CPU_ISSET_S(static_cast<std::size_t>(core), bytes, set.get())) cores.push_back(core);
    }
    return cores;
  }
  std::vector<int> cores(std::max(1U, std::thread::hardware_concurrency()));
  std::iota(cores.begin(), cores.end(), 0);
  return cores;
}

/// Where threads of the host may run.
struct HostCores {
  std::vector<int> cores;  ///< ascending
  int places = 0;          ///< to which OpenMP binds threads; 0 if it does not
};

/// With OMP_PROC_BIND or OMP_PLACES, OpenMP binds the main thread to its place when the library is
/// loaded. The affinity mask is then that place, so OpenMP is asked for all places.
HostCores host_cores() {
  HostCores found;
#ifdef _OPENMP
  if (omp_get_proc_bind() != omp_proc_bind_false) found.places = omp_get_num_places();
  std::set<int> cores;
  for (int place = 0; place < found.places; ++place) {
    std::vector<int> ids(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, ids.data());
    cores.insert(ids.begin(), ids.end());
  }
  found.cores.assign(cores.begin(), cores.end());
#endif
  if (found.cores.empty()) found = {affinity_mask(), 0};
  return found;
}

std::optional<std::string> environment(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr || *value == '\0') return {};
  return value;
}

/// The number of threads, which OpenMP then gives to every parallel region.
int prepare_threads(int asked, const NodeShare& share) {
  ThreadLimits limits;
  limits.cores = static_cast<int>(host_cores().cores.size());
  limits.quota = control_group_limits().cores;
  if (share.ranks > 1) {
    constexpr double rounding = 1e-6;  // of a sum of parts of cores
    limits.cores = std::max(1, static_cast<int>(share.cores + rounding));
    if (limits.quota) *limits.quota /= share.ranks;
  }
  limits.kokkos = environment("KOKKOS_NUM_THREADS");
#ifdef _OPENMP
  limits.openmp = environment("OMP_NUM_THREADS");
  limits.thread_limit = omp_get_thread_limit();
#endif
  const int threads = choose_threads(asked, limits);
  require_threads(threads);
#ifdef _OPENMP
  // OMP_DYNAMIC and OMP_MAX_ACTIVE_LEVELS=0 would give regions fewer threads than Kokkos expects.
  omp_set_dynamic(0);
  if (omp_get_max_active_levels() < 1) omp_set_max_active_levels(1);
  // Kokkos starts as many threads as OpenMP would, before it limits them.
  omp_set_num_threads(threads);
#endif
  return threads;
}

/// The GPU that a process takes: the one that it is told, or one by its rank. None if Kokkos is to
/// choose, as it does for one process or by its own variables.
std::optional<int> choose_gpu(const NodeShare& share, std::optional<int> told) {
  int gpus = 0;
#ifdef KOKKOS_ENABLE_CUDA
  if (cudaGetDeviceCount(&gpus) != cudaSuccess) gpus = 0;
#endif
  if (told && (*told < 0 || *told >= gpus)) {
    throw InputError("gpu: found " + std::to_string(*told) + ", must be " +
                     (gpus > 0             ? "from 0 to " + std::to_string(gpus - 1)
                      : has_device_backend ? "left out where there is no GPU"
                                           : "left out: this build is for the host alone"));
  }
  if (told) return told;
  if (share.ranks > 1 && gpus > 0 && !environment("KOKKOS_DEVICE_ID") &&
      !environment("KOKKOS_MAP_DEVICE_ID_BY") && !environment("KOKKOS_VISIBLE_DEVICES")) {
    return share.rank % gpus;
  }
  return {};
}

/// Each thread has a mode of its own, and its part of a loop must not depend on which one it is.
void flush_subnormals_of_all_threads() {
#ifdef _OPENMP
#pragma omp parallel
  flush_subnormals();
#endif
}

}  // namespace

std::vector<int> usable_cores() { return host_cores().cores; }

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
      char bus[32] = "";
      if (cudaDeviceGetPCIBusId(bus, sizeof(bus), device) == cudaSuccess) info.pci_bus = bus;
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
  const HostCores host = host_cores();
  info.cores = static_cast<int>(host.cores.size());
  info.bound = host.places > 0;
  // Containers and batch systems kill a process that takes more than its control group may.
  const ControlGroupLimits limits = control_group_limits();
  const auto lowered = [](std::uint64_t bytes, std::optional<std::uint64_t> limit) {
    return std::min(bytes, limit.value_or(bytes));
  };
  info.memory_total = lowered(meminfo("MemTotal"), limits.memory_total);
  info.memory_free = lowered(meminfo("MemAvailable"), limits.memory_free);
  return info;
}

std::optional<int> gpu_number(Backend backend) {
#ifdef KOKKOS_ENABLE_CUDA
  int device = 0;
  if (backend == Backend::device && cudaGetDevice(&device) == cudaSuccess) return device;
#endif
  static_cast<void>(backend);
  return {};
}

KokkosSession::KokkosSession(int threads, const NodeShare& share, std::optional<int> gpu) {
  const std::optional<int> device = choose_gpu(share, gpu);
  const int wanted = prepare_threads(threads, share);
  // Kokkos warns on standard error about unbound OpenMP threads; binding is the user's choice.
  setenv("OMP_PROC_BIND", "false", 0);
  // Kokkos refuses variables that say otherwise than the settings below.
  unsetenv("KOKKOS_NUM_THREADS");
  unsetenv("KOKKOS_DISABLE_WARNINGS");
  if (gpu) {
    for (const char* name :
         {"KOKKOS_DEVICE_ID", "KOKKOS_MAP_DEVICE_ID_BY", "KOKKOS_VISIBLE_DEVICES"}) {
      unsetenv(name);
    }
  }
#if KOKKOS_VERSION >= 30700
  Kokkos::InitializationSettings settings;
  settings.set_num_threads(wanted);
  settings.set_disable_warnings(true);
  if (device) settings.set_device_id(*device);
#else
  Kokkos::InitArguments settings;
  settings.num_threads = wanted;
  settings.disable_warnings = true;
  if (device) settings.device_id = *device;
#endif
  try {
    Kokkos::initialize(settings);
  } catch (const std::exception& error) {
    const std::string text = error.what();
    throw InputError("Kokkos cannot start; check the environment variables KOKKOS_*: " +
                     text.substr(0, text.find('\n')));
  }
  watch_allocations();
  arithmetic_ = flush_subnormals();
  flush_subnormals_of_all_threads();
}

KokkosSession::~KokkosSession() {
  Kokkos::finalize();
  restore_arithmetic(arithmetic_);
}

std::string kokkos_version() {
  return std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) +
         "." + std::to_string(KOKKOS_VERSION % 100);
}

std::string host_placement() {
  const HostCores host = host_cores();
  const std::size_t count = host.cores.size();
  std::string text =
      std::to_string(count) + (count == 1 ? " core (" : " cores (") + core_list(host.cores) + ")";
  if (const auto quota = control_group_limits().cores;
      quota && *quota < static_cast<double>(count)) {
    text += " with a CPU quota of " + number_text(*quota);
  }
  if (host.places == 0) return text + ", not bound";
  return text + ", bound to " + std::to_string(host.places) +
         (host.places == 1 ? " place" : " places");
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
