#include <algorithm>

#include "methods/lbm_d3q27/surroundings.hpp"

namespace knudsen::lbm_d3q27 {

std::vector<BodyLinks> body_links(const Domain& domain, const NodeMap& map) {
  const Surroundings around{domain};
  std::vector<BodyLinks> all;
  if (!around.has_bodies()) return all;
  const auto [begin, end] = map.own_box();
  for (int z = begin[2]; z < end[2]; ++z) {
    for (int y = begin[1]; y < end[1]; ++y) {
      for (int x = begin[0]; x < end[0]; ++x) {
        const Coordinates at{x, y, z};
        if (around.body_at(at) >= 0) continue;
        const std::size_t first = all.size();
        for (int q = 1; q < domain.populations; ++q) {
          const Upstream from = around.upstream(at, q);
          if (from.kind != Upstream::Kind::body) continue;
          const auto same = [&](const BodyLinks& entry) { return entry.body == from.index; };
          auto entry =
              std::find_if(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(), same);
          if (entry == all.end()) {
            entry = all.insert(
                entry, {map.index(x, y, z), static_cast<std::int16_t>(from.index), 0, {x, y, z}});
          }
          entry->links |= std::uint32_t{1} << q;
        }
      }
    }
  }
  return all;
}

}  // namespace knudsen::lbm_d3q27
