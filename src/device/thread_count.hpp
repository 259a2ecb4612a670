#pragma once

#include <optional>
#include <string>
#include <vector>

namespace knudsen {

/// More threads than this a host backend cannot run: Kokkos has tables of this length.
inline constexpr int max_host_threads = 512;

/// What decides how many threads run on the host.
struct ThreadLimits {
  int cores = 1;                           ///< on which this process may run
  std::optional<double> quota;             ///< CPU time per wall time (see ControlGroupLimits)
  int thread_limit = max_host_threads;     ///< OMP_THREAD_LIMIT
  std::optional<std::string> kokkos = {};  ///< KOKKOS_NUM_THREADS, if set
  std::optional<std::string> openmp = {};  ///< OMP_NUM_THREADS, if set
};

/// The number of threads: `asked` if it is not 0, else KOKKOS_NUM_THREADS, else OMP_NUM_THREADS,
/// else one a core, but no more than the quota pays for. A given number may exceed the cores.
/// Throws InputError if it is no number, or exceeds OMP_THREAD_LIMIT or max_host_threads.
int choose_threads(int asked, const ThreadLimits& limits);

/// Starts so many threads beside the calling one, and ends them. Throws InputError if the system
/// refuses one of them: OpenMP would end the process in words of its own.
void require_threads(int threads);

/// A list of cores, ascending, as text: {0, 1, 2, 5} is "0-2,5".
std::string core_list(const std::vector<int>& cores);

/// The cores on which this process may run, ascending.
std::vector<int> usable_cores();

/// Where the threads of the host run: "2 cores (0-1), not bound".
std::string host_placement();

}  // namespace knudsen
