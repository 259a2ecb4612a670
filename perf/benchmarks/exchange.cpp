// Exchanges between ranks, as the methods make them: each rank sends a message to the one after it
// and one to the one before it. Prints microseconds an exchange and GB/s that a rank sends, for
// each way and size, and checks what arrives. These are the constants of the model in
// docs/parallel.md.
//
//   mpirun -n 2 benchmark_exchange [device|host]

#include "parallel/exchange.hpp"

#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

#include "core/error.hpp"
#include "core/stopwatch.hpp"
#include "device/backend.hpp"
#include "device/kokkos.hpp"
#include "parallel/communicator.hpp"
#include "parallel/node_share.hpp"
#include "parallel/transport.hpp"

namespace {

using namespace knudsen;

template <class ExecutionSpace>
using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// The value at a place of a message that a rank sends in an exchange.
KOKKOS_INLINE_FUNCTION std::uint32_t value_of(int rank, int side, int exchange,
                                              std::int64_t place) {
  return static_cast<std::uint32_t>(place * 2654435761U + static_cast<unsigned>(exchange) * 40503U +
                                    static_cast<unsigned>(rank) * 97U +
                                    static_cast<unsigned>(side));
}

template <class ExecutionSpace>
void measure(const std::string& way, Backend backend) {
  const Communicator& ranks = world();
  const std::string said = choose_transport(way, backend);
  if (!said.empty()) {
    if (ranks.is_first()) std::printf("%-6s %s\n", way.c_str(), said.c_str());
    return;
  }
  const int rank = ranks.rank();
  const int after = (rank + 1) % ranks.size();
  const int before = (rank + ranks.size() - 1) % ranks.size();
  for (std::int64_t count = 1024; count <= std::int64_t{1} << 24; count *= 8) {
    const ExecutionSpace execution;
    Exchange<ExecutionSpace> exchange;
    const auto numbers = static_cast<std::size_t>(count);
    const auto to_after = exchange.template add_send<std::uint32_t>(after, 0, numbers);
    const auto to_before = exchange.template add_send<std::uint32_t>(before, 1, numbers);
    const auto from_before = exchange.template add_receive<std::uint32_t>(before, 0, numbers);
    const auto from_after = exchange.template add_receive<std::uint32_t>(after, 1, numbers);
    const Kokkos::View<std::int64_t, ExecutionSpace> wrong("wrong values");
    const auto step = [&](int number) {
      std::uint32_t *const up = exchange.buffer(to_after), *const down = exchange.buffer(to_before);
      Kokkos::parallel_for(
          "fill", Range<ExecutionSpace>(execution, 0, count), KOKKOS_LAMBDA(std::int64_t i) {
            up[i] = value_of(rank, 0, number, i);
            down[i] = value_of(rank, 1, number, i);
          });
      exchange.begin(execution);
      exchange.end(execution);
      const std::uint32_t *const low = exchange.buffer(from_before), *const high = exchange.buffer(
                                                                         from_after);
      Kokkos::parallel_for(
          "check", Range<ExecutionSpace>(execution, 0, count), KOKKOS_LAMBDA(std::int64_t i) {
            if (low[i] != value_of(before, 0, number, i) ||
                high[i] != value_of(after, 1, number, i)) {
              Kokkos::atomic_add(wrong.data(), std::int64_t{1});
            }
          });
    };
    const auto finish = [&] {
      finish_exchanges();
      execution.fence();
      ranks.barrier();
    };
    for (int number = 0; number < 20; ++number) step(number);
    finish();
    const int steps = count > 1 << 20 ? 50 : 500;
    const Stopwatch watch;
    for (int number = 0; number < steps; ++number) step(20 + number);
    finish();
    const double seconds = watch.seconds() / steps;
    std::int64_t faults = 0;
    Kokkos::deep_copy(faults, wrong);
    if (!ranks.all(faults == 0)) throw RunError("wrong values arrive by " + way);
    if (ranks.is_first()) {
      std::printf("%-18s %10lld bytes each way %10.1f us %8.1f GB/s\n",
                  transport_text(backend).c_str(), static_cast<long long>(4 * count), 1e6 * seconds,
                  8e-9 * static_cast<double>(count) / seconds);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const ParallelSession session;
  const Communicator& ranks = world();
  try {
    const KokkosSession kokkos(0, share_of_node());
    const Backend backend = argc > 1 ? parse_backend(argv[1]) : default_backend();
    if (backend == Backend::host) {
      measure<HostExecutionSpace>("host", backend);
    } else {
      for (const char* way : {"peer", "mpi", "host"}) measure<DeviceExecutionSpace>(way, backend);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", ranks.name().c_str(), error.what());
    ranks.abort(1);
  }
  return 0;
}
