#include "device/kernel_timers.hpp"

#include <utility>

namespace knudsen {

void HostClock::begin(std::size_t kernel) {
  if (wait_) wait_();
  kernel_ = kernel;
  watch_ = Stopwatch();
}

void HostClock::end() {
  if (wait_) wait_();
  launches_.emplace_back(kernel_, watch_.seconds());
}

void HostClock::collect(const std::function<void(std::size_t, double)>& take) {
  for (const auto& [kernel, seconds] : launches_) take(kernel, seconds);
  launches_.clear();
}

std::size_t KernelTimers::declare(std::string name, double bytes, double flops) {
  records_.push_back({std::move(name), bytes, flops, 0, {}});
  return records_.size() - 1;
}

void KernelTimers::collect() {
  clock_->collect(
      [this](std::size_t kernel, double seconds) { records_[kernel].samples.push_back(seconds); });
}

}  // namespace knudsen
