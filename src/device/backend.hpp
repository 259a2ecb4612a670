#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace knudsen {

/// Where a run's kernels execute. Both are in one binary when a GPU backend is enabled, so that one
/// build compares the two.
enum class Backend { host, device };

/// What `knudsen info` and the timing report say of a backend.
struct BackendInfo {
  std::string name;                ///< "openmp", "serial", "cuda", ...
  std::string device;              ///< processor or GPU model as the system names it
  int threads = 1;                 ///< host threads; 1 on a GPU
  int cores = 0;                   ///< of the host that the process may use
  bool bound = false;              ///< whether OpenMP binds the threads of the host to places
  std::string pci_bus;             ///< identifier of a GPU, "0000:3b:00.0"; empty on the host
  std::uint64_t memory_total = 0;  ///< bytes
  std::uint64_t memory_free = 0;   ///< bytes a run may still take
};

/// Backend named on the command line: "host", "device", or a backend's own name ("openmp",
/// "serial", "cuda"). Throws InputError that lists what this build has.
Backend parse_backend(const std::string& name);
/// The device where the build has one, else the host.
Backend default_backend();
/// Needs Kokkos to be initialised.
BackendInfo backend_info(Backend backend);
/// CUDA's number of the GPU of a backend; none for the host.
std::optional<int> gpu_number(Backend backend);
/// Names of the backends in this build, the default one first.
std::string available_backends();

/// A process among those of the same run on its node.
struct NodeShare {
  int rank = 0;  ///< its number among them
  int ranks = 1;
  /// Cores of the host for this process; one that several processes share counts in part. Not used
  /// with one process.
  double cores = 0;
};

/// Starts Kokkos with `threads` host threads (0: all cores this process may use) and ends it when
/// it goes out of scope. Also works where the environment has pinned or limited the threads. With
/// several processes on a node, each takes the GPU with its own number, modulo the number of GPUs,
/// and by default as many threads as its share of the cores. `gpu` is CUDA's number of another one.
/// Throws InputError if the machine does not have it. Meanwhile the calling thread and those of
/// Kokkos flush subnormal numbers to zero (device/subnormals.hpp).
class KokkosSession {
 public:
  explicit KokkosSession(int threads = 0, const NodeShare& share = {}, std::optional<int> gpu = {});
  ~KokkosSession();
  KokkosSession(const KokkosSession&) = delete;
  KokkosSession& operator=(const KokkosSession&) = delete;

 private:
  unsigned arithmetic_ = 0;  ///< of the calling thread before
};

/// Copy bandwidth in GB/s (1e9 bytes read plus written a second) of this backend's memory: the
/// median of several copies of an array far larger than the caches. On a GPU a thread copies 16
/// bytes. On the host each thread copies its part by streaming stores, or overwrites it in place
/// where that is faster, so that no kernel can move more. On the host, `processes` that measure at
/// the same time share the memory that the measurement takes.
double measure_copy_bandwidth(Backend backend, int processes = 1);

/// "3.4.1" or the like.
std::string kokkos_version();
std::string compiler_version();
/// Commit this binary was built from, "unknown" outside a git checkout; "-dirty" is appended when
/// the tree had changes.
std::string git_commit();

}  // namespace knudsen
