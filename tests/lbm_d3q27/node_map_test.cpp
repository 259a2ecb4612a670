#include "methods/lbm_d3q27/node_map.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "lattice_runner.hpp"
#include "output/temporary_directory.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

constexpr std::array<int, 3> box{6, 5, 4};

Domain make_domain(const std::vector<std::int16_t>& body) {
  Domain domain;
  domain.nodes = box;
  domain.body = &body;
  domain.body_velocities = {{0, 0, 0}};
  return domain;
}

std::uint64_t index_of(const NodeMap& map, int x, int y, int z) {
  const auto wrap = [](int i, NodeIndex count) { return (i + int(count)) % int(count); };
  return map.index(wrap(x, map.extents.nx), wrap(y, map.extents.ny), wrap(z, map.extents.nz));
}

/// Every fluid node finds its upper octant by chasing three indices, and is where it should be.
void expect_upper_octants(const NodeMap& map, const std::vector<std::int16_t>& body) {
  const UpperNeighbours next(map);
  std::int64_t fluid = 0;
  for (int z = 0; z < map.nodes[2]; ++z) {
    for (int y = 0; y < map.nodes[1]; ++y) {
      for (int x = 0; x < map.nodes[0]; ++x) {
        const bool is_fluid = body[std::size_t((z * map.nodes[1] + y) * map.nodes[0] + x)] < 0;
        const std::uint64_t n = map.index(x, y, z);
        EXPECT_EQ(map.is_fluid(n), is_fluid);
        if (!is_fluid) continue;
        ++fluid;
        const bool in_row = ((next.in_row[n / 32] >> (n % 32)) & 1) != 0;
        EXPECT_EQ(in_row, next.first[n] == n + 1);
        const SparseStencil stencil({next.first.values().data(), next.second.values().data(),
                                     next.third.values().data(), in_row, static_cast<NodeIndex>(n)},
                                    map.first_axis);
        for (int corner = 0; corner < 8; ++corner) {
          const int dx = corner & 1;
          const int dy = corner >> 1 & 1;
          const int dz = corner >> 2;
          EXPECT_EQ(stencil.node(dx, dy, dz), index_of(map, x + dx, y + dy, z + dz));
        }
      }
    }
  }
  EXPECT_EQ(map.all.fluid, fluid);
  EXPECT_EQ(map.count, std::uint64_t(map.all.fluid + map.all.slots));
}

/// Runs of nodes whose octants have consecutive numbers are as found node by node. The longest one.
NodeIndex expect_runs(const NodeMap& map) {
  using LatticeType = Lattice<HostExecutionSpace, SinglePrecision, D3Q27>;
  const auto lattice = make_lattice<LatticeType>(map, Propagation::esoteric_twist,
                                                 default_tuning<LatticeType>(true));
  NodeIndex longest = 0;
  for (NodeIndex n = 0; n < lattice.nodes; ++n) {
    if (!LatticeType::bit(lattice.plain, n)) continue;
    const UpperOctant first = lattice.upper_octant(n);
    const auto continues = [&](NodeIndex next) {
      const UpperOctant octant = lattice.upper_octant(next);
      for (int i = 1; i < 8; ++i) {
        if (octant.corner[i] != first.corner[i] + (next - n)) return false;
      }
      return true;
    };
    for (const NodeIndex most : {1U, 2U, 31U, 32U, 33U, 34U, 200U}) {
      NodeIndex end = n + 1;
      while (end < n + most && end < lattice.nodes && LatticeType::bit(lattice.plain, end)) ++end;
      EXPECT_EQ(LatticeType::run_end(lattice.plain, n,
                                     n + most < lattice.nodes ? n + most : lattice.nodes),
                end);
      NodeIndex length = 1;
      while (n + length < end && continues(n + length)) ++length;
      EXPECT_EQ(lattice.octant_run(n, end), length) << "from node " << n << ", at most " << most;
      longest = length > longest ? length : longest;
    }
  }
  return longest;
}

TEST(SparseNodes, FindRunsOfConsecutiveOctants) {
  const std::array<int, 3> nodes{131, 5, 4};
  for (const double share : {0.0, 0.002, 0.02, 0.4}) {
    const auto body = random_solids(nodes, share, 1, 4);
    Domain domain = make_domain(body);
    domain.nodes = nodes;
    domain.sides[bottom] = domain.sides[top] = wall();
    for (const int strip_nodes : {300, 100000}) {
      domain.strip_nodes = strip_nodes;
      const NodeIndex longest = expect_runs(make_node_map(domain, true, false, 8));
      if (share == 0) {
        EXPECT_EQ(longest, 130U);
      }
    }
  }
}

TEST(SparseNodes, FindTheirUpperOctant) {
  const auto body = random_solids(box, 0.4, 1, 4);
  Domain domain = make_domain(body);
  for (const bool walls : {false, true}) {
    if (walls) domain.sides[bottom] = domain.sides[top] = wall();
    // Strips of one row, of two or three, and whole planes.
    for (const int strip_nodes : {1, 12, 1000}) {
      domain.strip_nodes = strip_nodes;
      expect_upper_octants(make_node_map(domain, true, false, 8), body);
    }
  }
}

/// The table of numbers has words of 64 nodes; rows end within a word, with it, or begin another
/// one.
TEST(SparseNodes, RowsMayHaveManyWords) {
  for (const int length : {63, 64, 65, 130}) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::array<int, 3> nodes{5, 4, 3};
      nodes[axis] = length;
      const auto body = random_solids(nodes, 0.4, 1, 4);
      Domain domain = make_domain(body);
      domain.nodes = nodes;
      domain.sides[bottom] = domain.sides[top] = wall();
      expect_upper_octants(make_node_map(domain, true, false, 8), body);
    }
  }
}

/// Nodes are numbered along the axis of the longest rows, with the slot nodes in their places.
TEST(SparseNodes, AreNumberedAlongTheLongestRows) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Domain domain;
    domain.nodes = {7, 7, 7};
    domain.nodes[axis] = 9;
    domain.body_velocities = {{0, 0, 0}};
    // A pipe of 4 x 4 nodes, closed at its ends.
    std::vector<std::int16_t> body;
    for (int z = 0; z < domain.nodes[2]; ++z) {
      for (int y = 0; y < domain.nodes[1]; ++y) {
        for (int x = 0; x < domain.nodes[0]; ++x) {
          const int at[3] = {x, y, z};
          bool fluid = true;
          for (std::size_t a = 0; a < 3; ++a) {
            fluid = fluid && at[a] >= 1 && at[a] <= (a == axis ? 7 : 4);
          }
          body.push_back(fluid ? -1 : 0);
        }
      }
    }
    domain.body = &body;
    const NodeMap map = make_node_map(domain, true, false, 8);
    EXPECT_EQ(map.first_axis, int(axis));
    EXPECT_EQ(map.all.slots, 8 * 5 * 5 - 7 * 4 * 4);
    expect_upper_octants(map, body);
    for (std::uint64_t n = 0; n < 8; ++n) EXPECT_EQ(map.is_fluid(n), n != 7);
  }
}

TEST(SparseNodes, MoreThanCanBeNumberedAreRefused) {
  require_numbers(4294966272);
  expect_error<InputError>([] { require_numbers(4294966273); }, "geometry", "4294966273 nodes",
                           "at most 4294966272");
}

/// Slot nodes are there only above fluid: a single fluid node among solids has seven.
TEST(SparseNodes, OnlyTheUpperOctantHoldsSlots) {
  std::vector<std::int16_t> body(120, 0);
  body[std::size_t((2 * 5 + 2) * 6 + 2)] = -1;
  body[std::size_t((2 * 5 + 2) * 6 + 3)] = -1;
  const NodeMap map = make_node_map(make_domain(body), true, false, 8);
  EXPECT_EQ(map.all.fluid, 2);
  EXPECT_EQ(map.all.slots, 12 - 2);
}

TEST(DenseNodes, RestingImplicitWallsMakeNoNodeSpecial) {
  const auto body = random_solids(box, 0.3, 1, 2);
  Domain domain = make_domain(body);
  domain.sides[bottom] = domain.sides[top] = wall();
  const NodeMap map = make_node_map(domain, false, false, 8);
  EXPECT_TRUE(map.special.empty());
  EXPECT_EQ(map.plain, map.fluid);
  EXPECT_EQ(map.extents.nz, 5U);
  EXPECT_EQ(map.extents.pitch, 8U);
}

TEST(DenseNodes, LinksOfHalfWayWallsAreListedInOrder) {
  std::vector<std::int16_t> body(120, -1);
  body[std::size_t((2 * 5 + 2) * 6 + 2)] = 0;
  Domain domain = make_domain(body);
  domain.treatment = WallTreatment::half_way;
  const NodeMap map = make_node_map(domain, false, false, 8);
  EXPECT_EQ(map.special.size(), 26U);
  EXPECT_EQ(map.links.size(), 26U);
  for (std::size_t i = 0; i < map.special.size(); ++i) {
    EXPECT_EQ(map.special[i].first_link, i);
    if (i > 0) {
      EXPECT_GT(map.special[i].node, map.special[i - 1].node);
    }
  }
  const auto links = body_links(domain, map);
  EXPECT_EQ(links.size(), 26U);
}

/// Where sides meet, velocities win over walls and those over pressures.
TEST(DenseNodes, EdgesBetweenSides) {
  Domain domain;
  domain.nodes = box;
  domain.sides[west] = {SideKind::velocity, {0.01, 0, 0}, false, 1, 0};
  domain.sides[east] = {SideKind::pressure, {0, 0, 0}, false, 1, 0};
  domain.sides[south] = domain.sides[north] = wall();
  const NodeMap map = make_node_map(domain, false, false, 8);
  const auto cut_of = [&](int x, int y, int z) {
    for (const auto& node : map.special) {
      if (node.node == map.index(x, y, z)) return node.cut;
    }
    return 0U;
  };
  // West side, away from walls: all nine populations with a positive x component.
  EXPECT_EQ(__builtin_popcount(cut_of(0, 2, 2)), 9);
  // On the edge too, so that what comes in is what is prescribed.
  EXPECT_EQ(__builtin_popcount(cut_of(0, 0, 2)), 9);
  // East side: on the edge three of them come out of the resting wall, which needs no data.
  EXPECT_EQ(__builtin_popcount(cut_of(box[0] - 1, 0, 2)), 6);
  EXPECT_EQ(cut_of(2, 0, 2), 0U);
  EXPECT_EQ(map.faces.size(), std::size_t(2 * 5 * 4));
}

}  // namespace
}  // namespace knudsen::lbm_d3q27
