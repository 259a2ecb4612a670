#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "core/error.hpp"
#include "lattice_parts.hpp"
#include "output/temporary_directory.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

bool bit(const std::vector<std::uint32_t>& bits, std::uint64_t n) {
  return ((bits[n / 32] >> (n % 32)) & 1) != 0;
}

auto values_of(const BoundaryLink<double>& link) {
  return std::tuple(link.correction, link.wall_distance);
}

/// Expects that the part has what the whole lattice has in the owned planes.
void expect_section(const NodeMap& whole, const NodeMap& part) {
  const LatticePart places(part);
  const auto numbers = [](const NodeCounts& all) {
    return std::tuple(all.numbers, all.fluid, all.special, all.links, all.slots, all.isolated,
                      all.faces, all.conducting, all.in_gaps, all.at_walls);
  };
  EXPECT_EQ(numbers(part.all), numbers(whole.all));
  EXPECT_EQ(part.first_axis, whole.first_axis);
  EXPECT_EQ(part.strip_rows, whole.strip_rows);
  // Ranks without walls of their own run the kernels of those that have some: others round
  // otherwise on a GPU.
  const auto has_walls = [](const NodeMap& map) {
    using LatticeType = Lattice<HostExecutionSpace, SinglePrecision, D3Q27>;
    return make_lattice<LatticeType>(map, Propagation::esoteric_twist, {4, 1, 0}, true).has_walls;
  };
  EXPECT_EQ(has_walls(part), has_walls(whole));
  const UpperNeighbours of_whole(whole);
  const UpperNeighbours of_part(part);
  const auto octant = [](const NodeMap& map, const UpperNeighbours& next, std::uint64_t n) {
    return SparseStencil(
        {next.first.values().data(), next.second.values().data(), next.third.values().data(),
         bit(next.in_row, n), static_cast<NodeIndex>(n)},
        map.first_axis);
  };
  int wrong = 0;
  std::uint64_t owned = 0;
  const auto [begin, end] = part.own_box();
  for (int z = begin[2]; z < end[2]; ++z) {
    for (int y = begin[1]; y < end[1]; ++y) {
      for (int x = begin[0]; x < end[0]; ++x) {
        const std::uint64_t n = part.index(x, y, z);
        const std::uint64_t expected = whole.index(x, y, z);
        if ((n == NodeMap::none) != (expected == NodeMap::none)) ++wrong;
        if (n == NodeMap::none) continue;
        ++owned;
        if (n >= part.owned || places.whole_number(n) != expected) ++wrong;
        if (part.is_fluid(n) != whole.is_fluid(expected)) ++wrong;
        if (bit(part.plain, n) != bit(whole.plain, expected)) ++wrong;
        if (part.end_planes > 0) {
          const int plane = std::array{x, y, z}[static_cast<std::size_t>(part.cut.axis())];
          const bool at_end = plane == part.cut.own_begin() || plane + 1 == part.cut.own_end();
          if (at_end != (n < part.end_planes)) ++wrong;
        }
        if (!part.sparse || !part.is_fluid(n)) continue;
        for (int corner = 0; corner < 8; ++corner) {
          const int dx = corner & 1;
          const int dy = corner >> 1 & 1;
          const int dz = corner >> 2;
          if (places.whole_number(octant(part, of_part, n).node(dx, dy, dz)) !=
              octant(whole, of_whole, expected).node(dx, dy, dz)) {
            ++wrong;
          }
        }
      }
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(owned, part.owned);
  for (std::uint64_t n = part.owned; n < part.count; ++n) EXPECT_FALSE(part.is_fluid(n));

  // Ranges of numbers have the order of the whole lattice, and cover all nodes.
  std::uint64_t covered = 0;
  for (const NodeRange& range : places.ranges_in_order()) {
    EXPECT_EQ(range.begin, covered);
    covered = range.end;
    for (std::uint64_t n = range.begin; n + 1 < range.end; ++n) {
      EXPECT_LT(places.whole_number(n), places.whole_number(n + 1));
    }
  }
  EXPECT_EQ(covered, part.owned);
  std::uint64_t before = 0;
  places.for_runs(part.cut.rank, 0, whole.count,
                  [&](std::uint64_t number, std::uint64_t count, std::uint64_t n) {
                    EXPECT_GE(number, before);
                    before = number + count;
                    for (std::uint64_t i = 0; i < count; ++i) {
                      EXPECT_EQ(places.whole_number(n + i), number + i);
                    }
                  });

  // The special nodes are those of the whole lattice that are owned, with the same links.
  for (std::size_t i = 0; i < part.special.size(); ++i) {
    const BoundaryNode& own = part.special[i];
    if (i > 0) {
      EXPECT_LT(part.special[i - 1].node, own.node);
    }
    const auto found = std::lower_bound(
        whole.special.begin(), whole.special.end(), places.whole_number(own.node),
        [](const BoundaryNode& entry, std::uint64_t number) { return entry.node < number; });
    ASSERT_NE(found, whole.special.end());
    const BoundaryNode& node = *found;
    EXPECT_EQ(places.whole_number(own.node), node.node);
    EXPECT_EQ(std::tuple(own.cut, own.kind, own.slip), std::tuple(node.cut, node.kind, node.slip));
    for (std::uint32_t link = 0; link < count_bits(node.cut); ++link) {
      const std::size_t here = own.first_link + link;
      const std::size_t there = node.first_link + link;
      EXPECT_EQ(values_of(part.links[here]), values_of(whole.links[there]));
      const std::int32_t face = part.link_faces[here];
      const std::size_t whole_face =
          face < 0 ? NodeMap::none : part.whole_faces[static_cast<std::size_t>(face)];
      EXPECT_EQ(static_cast<std::int32_t>(whole_face), whole.link_faces[there]);
      if (face < 0) continue;
      EXPECT_EQ(part.face_places[static_cast<std::size_t>(face)], whole.face_places[whole_face]);
      EXPECT_EQ(part.faces[static_cast<std::size_t>(face)].side, whole.faces[whole_face].side);
    }
  }
  for (const NodeIndex n : part.reversing) {
    EXPECT_TRUE(
        std::binary_search(whole.reversing.begin(), whole.reversing.end(), places.whole_number(n)));
  }
}

TEST(LatticeCut, PartsAreSectionsOfTheWholeLattice) {
  using enum SideKind;
  const Setting settings[] = {
      {{9, 8, 13}, 0.3, true, {periodic, periodic, periodic}},
      {{9, 8, 13}, 0.5, true, {wall, velocity, periodic}, WallTreatment::half_way},
      {{12, 7, 6}, 0.2, true, {periodic, wall, wall}, WallTreatment::interpolated},
      {{6, 12, 7}, 0.2, true, {pressure, periodic, wall}, WallTreatment::interpolated},
      {{7, 6, 12}, 0.7, true, {wall, periodic, pressure}},
      {{7, 6, 11}, 0.3, false, {periodic, wall, periodic}, WallTreatment::interpolated},
      {{7, 6, 11}, 0.3, false, {velocity, periodic, wall}, WallTreatment::implicit, true},
      {{5, 6, 12}, 0, false, {wall, wall, velocity}},
      // Walls that inner ranks have none of.
      {{5, 6, 12}, 0, false, {periodic, periodic, wall}, WallTreatment::half_way}};
  for (const Setting& setting : settings) {
    // Fewer solids in the first half, so that the cuts are uneven.
    std::vector<std::int16_t> body = random_solids(setting.nodes, setting.solid, 3, 5);
    for (std::size_t i = 0; i < body.size() / 2; ++i) {
      if (i % 3 != 0) body[i] = -1;
    }
    Domain domain = make_domain(setting);
    domain.body = &body;
    const NodeMap whole = make_node_map(domain, setting.sparse, setting.two_array, 8);
    expect_section(whole, whole);
    const std::vector<BodyLinks> links = body_links(domain, whole);
    for (const int ranks : {2, 3, 5}) {
      const std::vector<NodeMap> parts = for_ranks(
          ranks, [&](const Sharing& sharing) { return part_of(domain, setting, body, sharing); });
      std::size_t special = 0;
      std::size_t reversing = 0;
      std::uint64_t nodes = 0;
      std::size_t body_nodes = 0;
      for (const NodeMap& part : parts) {
        EXPECT_EQ(part.cut.begin, parts[0].cut.begin);
        expect_section(whole, part);
        special += part.special.size();
        reversing += part.reversing.size();
        nodes += part.owned;
        body_nodes += body_links(domain, part).size();
      }
      EXPECT_EQ(special, whole.special.size());
      EXPECT_EQ(reversing, whole.reversing.size());
      EXPECT_EQ(nodes, whole.count);
      EXPECT_EQ(body_nodes, links.size());
    }
  }
}

TEST(LatticeCut, MoreRanksThanPlanesAreRefused) {
  Domain domain;
  domain.nodes = {4, 4, 4};
  domain.sharing = {0, 5, [](std::vector<std::uint64_t>&) {}};
  expect_error<InputError>([&] { cut_lattice(domain, false); }, "4 planes", "launch fewer ranks");
}

}  // namespace
}  // namespace knudsen::lbm_d3q27
