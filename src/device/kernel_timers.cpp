#include "device/kernel_timers.hpp"

#include <utility>

namespace knudsen {

std::size_t KernelTimers::declare(std::string name, double bytes, double flops) {
  records_.push_back({std::move(name), bytes, flops, 0, {}});
  return records_.size() - 1;
}

void KernelTimers::reset() {
  for (Record& record : records_) {
    record.calls = 0;
    record.samples.clear();
  }
}

}  // namespace knudsen
