#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "device/kokkos.hpp"
#include "methods/lbm_d3q27/node_map.hpp"

namespace knudsen::lbm_d3q27 {

void require_slot_owners(const NodeMap& map) {
  const auto upstream = [&](int at, int velocity, NodeIndex count) {
    const int n = static_cast<int>(count);
    return (at - velocity + n) % n;
  };
  const auto box = map.own_box();
  const std::array<int, 3> begin = box[0];
  const std::array<int, 3> end = box[1];
  int shared = 0;
  Kokkos::parallel_reduce(
      "knudsen/lbm_d3q27/require_slot_owners",
      Kokkos::RangePolicy<HostExecutionSpace>(begin[2], end[2]),
      [&](int z, int& found) {
        for (int y = begin[1]; y < end[1]; ++y) {
          for (int x = begin[0]; x < end[0]; ++x) {
            const std::uint64_t n = map.index(x, y, z);
            if (!map.is_fluid(n) || ((map.plain[n / 32] >> (n % 32)) & 1) != 0) continue;
            const auto node = std::lower_bound(
                map.special.begin(), map.special.end(), n,
                [](const auto& entry, std::uint64_t number) { return entry.node < number; });
            for (int q = 1; q < D3Q27::populations; ++q) {
              if (((node->cut >> q) & 1) == 0) continue;
              const std::array<int, 3> other{upstream(x, D3Q27::velocity(q, 0), map.whole.nx),
                                             upstream(y, D3Q27::velocity(q, 1), map.whole.ny),
                                             upstream(z, D3Q27::velocity(q, 2), map.whole.nz)};
              // Of nodes of other ranks it is not known here whether they are fluid.
              if (!map.owns(other)) continue;
              if (map.is_fluid(map.index(other[0], other[1], other[2]))) ++found;
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
