#include "device/device_memory.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#ifdef __linux__
#include <sys/mman.h>
#endif

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

/// Asks for pages of 2 MiB for a large array on the host, before its first touch. With pages of 4
/// KiB each population or plane of velocities that a loop goes along needs an entry of its own in
/// the processor's table of addresses: on a virtual machine (AMD EPYC) lattices are then 5 to 20 %
/// slower.
void ask_for_huge_pages([[maybe_unused]] const void* data, [[maybe_unused]] std::uint64_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uint64_t page = 4096;
  constexpr std::uint64_t large = std::uint64_t{1} << 22;
  if (bytes < large) return;
  const std::uint64_t before = (page - reinterpret_cast<std::uintptr_t>(data) % page) % page;
  // A system without them says so, which changes nothing.
  madvise(static_cast<char*>(const_cast<void*>(data)) + before, (bytes - before) / page * page,
          MADV_HUGEPAGE);
#endif
}

void count(const Space space, const char* /*label*/, const void* data, const std::uint64_t bytes) {
  if (std::string(space.name) == Kokkos::HostSpace::name()) ask_for_huge_pages(data, bytes);
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

void watch_allocations() {
  if (Kokkos::Tools::profileLibraryLoaded()) return;
  Kokkos::Tools::Experimental::set_allocate_data_callback(count);
  Kokkos::Tools::Experimental::set_deallocate_data_callback(count_freed);
}

void DeviceMemory::begin() {
  watch_allocations();
  allocated_at_begin = allocated.load();
  largest = allocated.load();
}

std::int64_t DeviceMemory::peak() { return largest - allocated_at_begin; }

}  // namespace knudsen
