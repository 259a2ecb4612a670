#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "device/backend.hpp"
#include "device/kokkos.hpp"

namespace knudsen {

/// The first line of a table: the machine and the build.
inline void print_origin() {
  const BackendInfo info = backend_info(default_backend());
  std::printf("# %s, %s, %d threads; %s, Kokkos %s, commit %s\n", info.device.c_str(),
              info.name.c_str(), info.threads, compiler_version().c_str(), kokkos_version().c_str(),
              git_commit().c_str());
}

/// Median seconds of a step: batches of steps, the first of which is not counted, for at least
/// `seconds` and seven batches. `step` must be followed by `fence` to be complete.
template <class Step, class Fence>
double median_step_seconds(const Step& step, const Fence& fence, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto time_of = [&](int steps) {
    const auto start = Clock::now();
    for (int i = 0; i < steps; ++i) step();
    fence();
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  time_of(2);
  const double first = time_of(4) / 4;
  const int batch = std::max(2, static_cast<int>(seconds / 7 / first));
  std::vector<double> times;
  double spent = 0;
  for (int i = 0; i < 8 || (spent < seconds && i < 100); ++i) {
    const double time = time_of(batch);
    if (i == 0) continue;
    spent += time;
    times.push_back(time / batch);
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  return times[times.size() / 2];
}

}  // namespace knudsen
