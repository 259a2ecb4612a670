#include "device/device_memory.hpp"

#include <algorithm>
#include <atomic>
#include <string>

#include "device/kokkos.hpp"

namespace knudsen {
namespace {

std::atomic<std::int64_t> allocated{0};
std::atomic<std::int64_t> allocated_at_begin{0};
std::atomic<std::int64_t> largest{0};

using Space = Kokkos::Profiling::SpaceHandle;

bool on_device(const Space& space) {
  return std::string(space.name) == DeviceExecutionSpace::memory_space::name();
}

void count(const Space space, const char* /*label*/, const void* /*data*/,
           const std::uint64_t bytes) {
  if (!on_device(space)) return;
  const std::int64_t now = allocated += static_cast<std::int64_t>(bytes);
  std::int64_t before = largest;
  while (before < now && !largest.compare_exchange_weak(before, now)) {
  }
}

void count_freed(const Space space, const char* /*label*/, const void* /*data*/,
                 const std::uint64_t bytes) {
  if (on_device(space)) allocated -= static_cast<std::int64_t>(bytes);
}

}  // namespace

void DeviceMemory::begin() {
  if (!Kokkos::Tools::profileLibraryLoaded()) {
    Kokkos::Tools::Experimental::set_allocate_data_callback(count);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(count_freed);
  }
  allocated_at_begin = allocated.load();
  largest = allocated.load();
}

std::int64_t DeviceMemory::peak() { return largest - allocated_at_begin; }

}  // namespace knudsen
