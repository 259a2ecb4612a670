#include "device/host_parallel.hpp"

#include "device/kokkos.hpp"

namespace knudsen {

void parallel_for_host(const char* label, std::int64_t count,
                       const std::function<void(std::int64_t)>& body) {
  using Policy = Kokkos::RangePolicy<HostExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>,
                                     Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(label, Policy(0, count), [&body](const std::int64_t i) { body(i); });
}

}  // namespace knudsen
