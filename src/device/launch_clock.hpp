#pragma once

// Clocks for launches: events on the stream of a GPU, the host's clock elsewhere.

#include <memory>

#include "device/kernel_timers.hpp"
#include "device/kokkos.hpp"
#if KNUDSEN_CUDA
#include "device/cuda/launch_clock.hpp"
#endif

namespace knudsen {

/// The clock for launches on an instance of an execution space. Launches on the host return when
/// they are done. Asynchronous launches without events are waited for, so that the times of short
/// ones include the latency of a launch.
template <class ExecutionSpace>
std::unique_ptr<LaunchClock> make_launch_clock(const ExecutionSpace& execution) {
  if constexpr (is_host_backend<ExecutionSpace>) {
    return std::make_unique<HostClock>("host clock");
  } else {
#if KNUDSEN_CUDA
    return std::make_unique<cuda::EventClock>(execution.cuda_stream());
#else
    return std::make_unique<HostClock>("fenced launches", [execution] { execution.fence(); });
#endif
  }
}

}  // namespace knudsen
