#include <iostream>
#include <knudsen/detail/device/backend.hpp>
#include <knudsen/detail/device/kokkos.hpp>

int main() {
  const knudsen::KokkosSession session(2);
  int sum = 0;
  Kokkos::parallel_reduce(
      "consumer/sum", Kokkos::RangePolicy<knudsen::HostExecutionSpace>(0, 10),
      [](int i, int& partial) { partial += i; }, sum);
  std::cout << "Kokkos " << knudsen::kokkos_version() << " on " << knudsen::available_backends()
            << ", sum " << sum << "\n";
  return sum == 45 ? 0 : 1;
}
