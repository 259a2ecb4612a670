#include <algorithm>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/stopwatch.hpp"
#include "device/backend.hpp"
#include "device/cache_size.hpp"
#include "device/kokkos.hpp"

namespace knudsen {
namespace {

/// Sixteen bytes that a GPU thread moves by one instruction.
struct alignas(16) Wide {
  std::uint64_t low, high;
};

/// Copies words past the caches: a plain store would first read the cache line that it overwrites,
/// which is traffic that is not counted.
KOKKOS_INLINE_FUNCTION void stream_copy(Wide* to, const Wide* from, std::size_t words) {
#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
  for (std::size_t i = 0; i < words; ++i) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm_load_si128(reinterpret_cast<const __m128i*>(from + i)));
  }
  _mm_sfence();
#else
  for (std::size_t i = 0; i < words; ++i) to[i] = from[i];
#endif
}

/// Copies `block` wide words a team: one word a thread on a GPU, by streaming stores on the host.
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
      stream_copy(to, from, static_cast<std::size_t>(block));
    } else {
      team_for(team, 0, block, [=](int i) { to[i] = from[i]; });
    }
  }
};

/// Reads and overwrites `block` wide words a team in place, in several streams as the populations
/// of in-place schemes are. On the host this may be faster than a copy.
template <class ExecutionSpace>
struct UpdateKernel {
  View<Wide*, ExecutionSpace> words;
  int block;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    constexpr int streams = 8;
    constexpr int run = 4;  // words of a stream at a time: a cache line
    Wide* const own = words.data() + static_cast<std::size_t>(team.league_rank()) *
                                         static_cast<std::size_t>(block);
    const int length = block / streams / run * run;
    for (int begin = 0; begin < length; begin += run) {
      for (int stream = 0; stream < streams; ++stream) {
        auto* const values =
            reinterpret_cast<std::uint64_t*>(own + std::ptrdiff_t{length} * stream + begin);
        team_for(team, 0, 2 * run, [=](int i) { values[i] = ~values[i]; });
      }
    }
  }
};

/// Bytes a second of two kernels that read and write `bytes` each: the median of five batches of
/// both, or of three where these take half a second, each between two fences as the steps of a run.
/// They use different memory, so that nothing that one has left in the caches serves it again.
template <class ExecutionSpace, class Kernel>
double rate_of(const TeamPolicy<ExecutionSpace>& policy, const Kernel& first, const Kernel& second,
               double bytes) {
  std::vector<double> seconds;
  const Stopwatch whole;
  while (seconds.size() < 3 || (seconds.size() < 5 && whole.seconds() < 0.5)) {
    const Stopwatch watch;
    Kokkos::parallel_for("knudsen/device/copy", policy, first);
    Kokkos::parallel_for("knudsen/device/copy", policy, second);
    ExecutionSpace().fence();
    seconds.push_back(watch.seconds());
  }
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return 2 * bytes / *middle;
}

template <class ExecutionSpace>
double measure(int processes) {
  constexpr bool host = is_host_backend<ExecutionSpace>;
  // Far beyond the caches: each of two arrays has 256 MiB on a host, or twice its caches if that
  // is more, and 2 GiB on a GPU. There are servers with 500 MiB of caches.
  std::uint64_t array_bytes = std::uint64_t{2048} << 20U;
  if (host) {
    array_bytes = std::max(std::uint64_t{256} << 20U, 2 * data_cache_bytes()) /
                  static_cast<std::uint64_t>(processes);
  }
  std::size_t words = array_bytes / sizeof(Wide);
  // Less where memory is short.
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
  Kokkos::parallel_for("knudsen/device/first_touch", policy, back);
  Kokkos::parallel_for("knudsen/device/first_touch", policy, forth);
  ExecutionSpace().fence();

  const double bytes = 2.0 * static_cast<double>(blocks) * block * sizeof(Wide);
  double rate = rate_of(policy, forth, back, bytes);
  if constexpr (host) {
    rate = std::max(rate, rate_of(policy, UpdateKernel<ExecutionSpace>{source, block},
                                  UpdateKernel<ExecutionSpace>{target, block}, bytes));
  }
  return rate * 1e-9;
}

}  // namespace

double measure_copy_bandwidth(Backend backend, int processes) {
  if (backend == Backend::host) return measure<HostExecutionSpace>(processes);
  return measure<DeviceExecutionSpace>(processes);
}

}  // namespace knudsen
