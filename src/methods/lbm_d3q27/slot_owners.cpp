#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "device/kokkos.hpp"
#include "methods/lbm_d3q27/node_map.hpp"

namespace knudsen::lbm_d3q27 {

void require_slot_owners(const NodeMap& map) {
  if (map.is_part) return;  // that of the whole lattice has been checked
  const auto upstream = [&](int at, int velocity, NodeIndex count) {
    const int n = static_cast<int>(count);
    return (at - velocity + n) % n;
  };
  int shared = 0;
  Kokkos::parallel_reduce(
      "knudsen/lbm_d3q27/require_slot_owners",
      Kokkos::RangePolicy<HostExecutionSpace>(0, map.nodes[2]),
      [&](int z, int& found) {
        for (int y = 0; y < map.nodes[1]; ++y) {
          for (int x = 0; x < map.nodes[0]; ++x) {
            const int plane = std::array{x, y, z}[static_cast<std::size_t>(map.first_axis + 2) % 3];
            if (plane < map.listed[0] || plane >= map.listed[1]) continue;
            const std::uint64_t n = map.index(x, y, z);
            if (!map.is_fluid(n) || ((map.plain[n / 32] >> (n % 32)) & 1) != 0) continue;
            const auto node = std::lower_bound(
                map.special.begin(), map.special.end(), n,
                [](const auto& entry, std::uint64_t number) { return entry.node < number; });
            for (int q = 1; q < D3Q27::populations; ++q) {
              if (((node->cut >> q) & 1) == 0) continue;
              const std::uint64_t other =
                  map.index(upstream(x, D3Q27::velocity(q, 0), map.extents.nx),
                            upstream(y, D3Q27::velocity(q, 1), map.extents.ny),
                            upstream(z, D3Q27::velocity(q, 2), map.extents.nz));
              if (map.is_fluid(other)) ++found;
            }
          }
        }
      },
      shared);
  if (shared > 0) {
    throw std::logic_error("lbm_d3q27: " + std::to_string(shared) +
                           " cut links lead to fluid nodes, which own their slots");
  }
}

}  // namespace knudsen::lbm_d3q27
