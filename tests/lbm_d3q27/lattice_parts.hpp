#pragma once

#include <gtest/gtest.h>

#include "lattice_runner.hpp"

namespace knudsen::lbm_d3q27 {

/// Calls work(sharing) for each of some ranks, in turn in one process, and returns the results. As
/// often as a rank asks for a sum that is not known yet, all begin again.
template <class Work>
auto for_ranks(int ranks, const Work& work) {
  struct NotKnown {};
  std::vector<std::vector<std::uint64_t>> sums;
  for (;;) {
    std::vector<std::uint64_t> next;
    std::vector<decltype(work(Sharing{}))> results;
    for (int rank = 0; rank < ranks; ++rank) {
      std::size_t calls = 0;
      try {
        results.push_back(work({rank, ranks, [&](std::vector<std::uint64_t>& numbers) {
                                  if (calls < sums.size()) {
                                    numbers = sums[calls++];
                                    return;
                                  }
                                  next.resize(numbers.size());
                                  for (std::size_t i = 0; i < numbers.size(); ++i) {
                                    next[i] += numbers[i];
                                  }
                                  throw NotKnown{};
                                }}));
      } catch (const NotKnown&) {
      }
    }
    if (results.size() == static_cast<std::size_t>(ranks)) return results;
    sums.push_back(next);
  }
}

struct Setting {
  std::array<int, 3> nodes;
  double solid;
  bool sparse;
  std::array<SideKind, 3> sides;  ///< across each axis
  WallTreatment treatment = WallTreatment::implicit;
  bool two_array = false;
};

inline Domain make_domain(const Setting& setting) {
  Domain domain;
  domain.nodes = setting.nodes;
  domain.body_velocities = {{0, 0, 0}, {0.01, 0, 0.02}, {0, 0, 0}};
  for (std::size_t side = 0; side < 6; ++side) domain.sides[side].kind = setting.sides[side / 2];
  domain.treatment = setting.treatment;
  domain.wall_distance = [](int x, int y, int z, int q, int body) {
    return body == 2 ? -1.0 : 0.1 + 0.01 * ((x + 3 * y + 5 * z + 7 * q) % 80);
  };
  domain.strip_nodes = 40;
  return domain;
}

/// The map of a rank that knows the solids of no other planes than those that it needs.
inline NodeMap part_of(Domain domain, const Setting& setting,
                       const std::vector<std::int16_t>& whole, const Sharing& sharing) {
  domain.sharing = sharing;
  std::vector<std::int16_t> body;
  const auto know = [&](int axis, int begin, int end) {
    domain.body_planes = domain.with_neighbours(axis, begin, end);
    body.assign(domain.body_planes.size(), -1);
    domain.body_planes.for_boxes([&](const auto& first, const auto& last) {
      for (int z = first[2]; z < last[2]; ++z) {
        for (int y = first[1]; y < last[1]; ++y) {
          for (int x = first[0]; x < last[0]; ++x) {
            body[domain.body_planes({x, y, z})] = whole[NodePlanes(domain.nodes)({x, y, z})];
          }
        }
      }
    });
    domain.body = &body;
  };
  const auto [begin, end] = counted_planes(domain);
  know(2, begin, end);
  domain.cut = cut_lattice(domain, setting.sparse);
  know(domain.cut->axis(), domain.cut->own_begin(), domain.cut->own_end());
  NodeMap map = make_node_map(domain, setting.sparse, setting.two_array, 8);
  EXPECT_NO_THROW(require_slot_owners(map));
  return map;
}

}  // namespace knudsen::lbm_d3q27
