#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "core/error.hpp"
#include "device/kernel_timers.hpp"

namespace knudsen::cuda {

/// Measures launches by events on their stream, which the GPU stamps when it comes to them. Nothing
/// waits, so the stream does not run dry between launches.
class EventClock final : public LaunchClock {
 public:
  explicit EventClock(cudaStream_t stream) : stream_(stream) {}
  ~EventClock() override {
    for (const Launch& launch : launches_) {
      cudaEventDestroy(launch.begin);
      cudaEventDestroy(launch.end);
    }
  }
  EventClock(const EventClock&) = delete;
  EventClock& operator=(const EventClock&) = delete;

  std::string name() const override { return "device events"; }
  void begin(std::size_t kernel) override {
    if (used_ == launches_.size()) {
      Launch launch;
      check(cudaEventCreate(&launch.begin));
      check(cudaEventCreate(&launch.end));
      launches_.push_back(launch);
    }
    launches_[used_].kernel = kernel;
    check(cudaEventRecord(launches_[used_].begin, stream_));
  }
  void end() override { check(cudaEventRecord(launches_[used_++].end, stream_)); }
  void collect(const std::function<void(std::size_t, double)>& take) override {
    for (std::size_t i = 0; i < used_; ++i) {
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, launches_[i].begin, launches_[i].end));
      take(launches_[i].kernel, 1e-3 * static_cast<double>(milliseconds));
    }
    used_ = 0;
  }

 private:
  struct Launch {
    std::size_t kernel = 0;
    cudaEvent_t begin{};
    cudaEvent_t end{};
  };

  static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    throw RunError(std::string("timing of kernels: ") + cudaGetErrorString(error));
  }

  cudaStream_t stream_;
  std::vector<Launch> launches_;  ///< those made so far; the first `used_` wait to be collected
  std::size_t used_ = 0;
};

}  // namespace knudsen::cuda
