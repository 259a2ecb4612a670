#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "device/backend.hpp"
#include "device/kokkos.hpp"

namespace knudsen {
namespace {

/// Sixteen bytes that a GPU thread moves by one instruction.
struct alignas(16) Wide {
  std::uint64_t low, high;
};

/// Copies `block` wide words a team: one word a thread on a GPU, by memcpy on the host, which goes
/// past the caches when the block is large.
template <class ExecutionSpace>
struct CopyKernel {
  View<const Wide*, ExecutionSpace> source;
  View<Wide*, ExecutionSpace> target;
  int block;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const std::size_t first =
        static_cast<std::size_t>(team.league_rank()) * static_cast<std::size_t>(block);
    const Wide* KOKKOS_RESTRICT from = source.data() + first;
    Wide* KOKKOS_RESTRICT to = target.data() + first;
    if constexpr (is_host_backend<ExecutionSpace>) {
      std::memcpy(to, from, static_cast<std::size_t>(block) * sizeof(Wide));
    } else {
      team_for(team, 0, block, [=](int i) { to[i] = from[i]; });
    }
  }
};

template <class ExecutionSpace>
double measure() {
  constexpr bool host = is_host_backend<ExecutionSpace>;
  // Far beyond the caches: 2 x 256 MiB on a host, 2 x 2 GiB on a GPU (less where it is full).
  std::size_t words = (host ? std::size_t{256} : std::size_t{2048}) * (1U << 20) / sizeof(Wide);
  const std::uint64_t room =
      backend_info(host ? Backend::host : Backend::device).memory_free / (4 * sizeof(Wide));
  while (words > room && words > 1024) words /= 2;
  // On an H200, 256 threads with one word each reach what the driver's own copy does, 4.26 TB/s;
  // several words a thread or larger teams cost up to 5 %.
  const int team_size = host ? 1 : 256;
  const int block = host ? static_cast<int>(words) / ExecutionSpace().concurrency() : team_size;
  const std::size_t blocks = words / static_cast<std::size_t>(block);

  View<Wide*, ExecutionSpace> source(
      Kokkos::view_alloc(std::string("copy source"), Kokkos::WithoutInitializing), words);
  View<Wide*, ExecutionSpace> target(
      Kokkos::view_alloc(std::string("copy target"), Kokkos::WithoutInitializing), words);
  const TeamPolicy<ExecutionSpace> policy(static_cast<int>(blocks), team_size, 1);
  const CopyKernel<ExecutionSpace> forth{source, target, block};
  const CopyKernel<ExecutionSpace> back{target, source, block};
  Kokkos::parallel_for("knudsen/core/first_touch", policy, back);
  Kokkos::parallel_for("knudsen/core/first_touch", policy, forth);
  ExecutionSpace().fence();

  // Several copies between two fences, as between the steps of a run.
  constexpr int batch = 4;
  std::vector<double> seconds;
  for (int repeat = 0; repeat < 11; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < batch; ++i) Kokkos::parallel_for("knudsen/core/copy", policy, forth);
    ExecutionSpace().fence();
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(seconds.begin(), seconds.begin() + 5, seconds.end());
  const double bytes = 2.0 * batch * static_cast<double>(blocks) * block * sizeof(Wide);
  return bytes / seconds[5] * 1e-9;
}

}  // namespace

double measure_copy_bandwidth(Backend backend) {
  if (backend == Backend::host) return measure<HostExecutionSpace>();
  return measure<DeviceExecutionSpace>();
}

}  // namespace knudsen
