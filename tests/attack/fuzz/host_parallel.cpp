// The fuzzers are built without Kokkos: loops over the host's threads are serial.
#include "device/host_parallel.hpp"

void knudsen::parallel_for_host(const char* /*label*/, std::int64_t count,
                                const std::function<void(std::int64_t)>& body) {
  for (std::int64_t i = 0; i < count; ++i) body(i);
}
