#pragma once

#include <cuda_runtime.h>

#include <string>

#include "core/error.hpp"
#include "device/kokkos.hpp"

namespace knudsen::cuda {

/// A stream of high priority, see knudsen::SideQueue.
class SideQueue {
 public:
  explicit SideQueue(const Kokkos::Cuda& main) : main_(main.cuda_stream()) {
    int lowest = 0;
    int highest = 0;
    check(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, highest));
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
    execution_ = Kokkos::Cuda(stream_);
  }
  ~SideQueue() {
    execution_.fence();
    execution_ = Kokkos::Cuda();
    cudaEventDestroy(event_);
    cudaStreamDestroy(stream_);
  }
  SideQueue(const SideQueue&) = delete;
  SideQueue& operator=(const SideQueue&) = delete;

  const Kokkos::Cuda& execution() const { return execution_; }
  void begin_after_main() { wait(stream_, main_); }
  void let_main_wait() { wait(main_, stream_); }

 private:
  static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    throw RunError(std::string("a second queue of a GPU: ") + cudaGetErrorString(error));
  }
  /// An event can be recorded again as soon as the wait for it has been launched.
  void wait(cudaStream_t waiting, cudaStream_t other) {
    check(cudaEventRecord(event_, other));
    check(cudaStreamWaitEvent(waiting, event_, 0));
  }

  cudaStream_t main_;
  cudaStream_t stream_{};
  cudaEvent_t event_{};
  Kokkos::Cuda execution_;
};

inline bool is_busy(const Kokkos::Cuda& execution) {
  if (cudaStreamQuery(execution.cuda_stream()) != cudaErrorNotReady) return false;
  cudaGetLastError();  // so that Kokkos does not find it
  return true;
}

}  // namespace knudsen::cuda
