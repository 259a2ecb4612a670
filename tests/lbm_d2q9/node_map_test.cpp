#include "methods/lbm_d2q9/node_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

using testing::HasSubstr;

constexpr std::int16_t fluid = -1;

/// A domain to classify; periodic and empty until a test says otherwise.
struct Domain {
  int nx;
  int ny;
  std::vector<std::int16_t> body =
      std::vector<std::int16_t>(std::size_t(nx) * std::size_t(ny), fluid);
  std::vector<std::array<double, 2>> velocities{{0, 0}, {0, 0}};
  std::array<SideCondition, 4> sides{};
  WallTreatment treatment = WallTreatment::half_way;
  WallDistance distance = [](int, int, int, int) { return -1.0; };

  void set_solid(int x, int y, std::int16_t index = 0) {
    body[static_cast<std::size_t>(y) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(x)] =
        index;
  }
  NodeMap map() const {
    return make_node_map(nx, ny, body, velocities, sides, treatment, distance);
  }
};

const NodeClass<double>& class_at(const NodeMap& map, int x, int y) {
  return map.classes[map.node_class[map.extents.node(x + map.offset[0], y + map.offset[1])]];
}

/// What a side prescribes at a coordinate of the lattice along it.
const std::array<double, 3>& open_value(const NodeMap& map, Side side, int along) {
  return map.open_values[static_cast<std::size_t>(side) * static_cast<std::size_t>(map.longest) +
                         static_cast<std::size_t>(along)];
}

/// The set of populations as a bit mask.
std::uint16_t bits(std::initializer_list<int> populations) {
  std::uint16_t mask = 0;
  for (const int q : populations) mask |= static_cast<std::uint16_t>(1U << q);
  return mask;
}

SideCondition wall(double u = 0, double v = 0) { return {SideKind::wall, {u, v}, false, 1}; }
SideCondition open(SideKind kind) { return {kind, {0, 0}, false, 1}; }

TEST(NodeMap, PeriodicFluidIsOfOneClass) {
  const NodeMap map = Domain{7, 5}.map();
  EXPECT_EQ(map.classes.size(), 1U);
  EXPECT_EQ(map.fluid_nodes, 35);
  EXPECT_EQ(map.classes[0].kind, NodeKind::fluid);
  EXPECT_EQ(map.classes[0].cut, 0);
  EXPECT_EQ(map.extents.nx, 7);
  EXPECT_EQ(map.extents.ny, 5);
  EXPECT_EQ(map.offset, (std::array<int, 2>{0, 0}));
  EXPECT_TRUE(map.body_links.empty());
}

TEST(NodeMap, RowsStartOnCacheLines) {
  const NodeMap map = Domain{33, 2}.map();
  EXPECT_EQ(map.extents.pitch, 64);
  EXPECT_EQ(map.node_class.size(), 128U);
}

TEST(NodeMap, WallSidesCutTheLinksThatCrossThem) {
  Domain domain{6, 6};
  domain.sides = {wall(), wall(), wall(), wall()};
  const NodeMap map = domain.map();
  EXPECT_EQ(class_at(map, 2, 0).cut, bits({2, 5, 6}));
  EXPECT_EQ(class_at(map, 2, 5).cut, bits({4, 7, 8}));
  EXPECT_EQ(class_at(map, 0, 3).cut, bits({1, 5, 8}));
  EXPECT_EQ(class_at(map, 5, 3).cut, bits({3, 6, 7}));
  EXPECT_EQ(class_at(map, 0, 0).cut, bits({1, 2, 5, 6, 8}));
  EXPECT_EQ(class_at(map, 5, 5).cut, bits({3, 4, 6, 7, 8}));
  EXPECT_EQ(class_at(map, 1, 1).cut, 0);
  // Plain, four sides, four corners.
  EXPECT_EQ(map.classes.size(), 9U);
}

TEST(NodeMap, WallOnOneAxisLeavesTheOtherPeriodic) {
  Domain domain{4, 4};
  domain.sides[south] = wall();
  domain.sides[north] = wall();
  const NodeMap map = domain.map();
  EXPECT_EQ(class_at(map, 0, 0).cut, bits({2, 5, 6}));
  EXPECT_EQ(class_at(map, 3, 0).cut, bits({2, 5, 6}));
  EXPECT_EQ(map.classes.size(), 3U);
}

TEST(NodeMap, MovingWallAddsItsMomentum) {
  Domain domain{6, 6};
  domain.sides = {wall(), wall(), wall(), wall(0.12)};
  const NodeMap map = domain.map();
  const NodeClass<double>& lid = class_at(map, 3, 5);
  EXPECT_DOUBLE_EQ(lid.correction[4], 0);
  EXPECT_DOUBLE_EQ(lid.correction[7], -0.12 * 6 / 36);
  EXPECT_DOUBLE_EQ(lid.correction[8], 0.12 * 6 / 36);
  EXPECT_DOUBLE_EQ(class_at(map, 3, 0).correction[5], 0);
}

TEST(NodeMap, LinkThroughACornerOfTwoWallsMovesWithTheirMean) {
  Domain domain{6, 6};
  domain.sides = {wall(), wall(0, 0.06), wall(), wall(0.12)};
  const NodeMap map = domain.map();
  // North-west: half the lid's velocity. North-east: the mean of lid and east wall.
  EXPECT_DOUBLE_EQ(class_at(map, 0, 5).correction[8], 0.06 * 6 / 36);
  EXPECT_DOUBLE_EQ(class_at(map, 5, 5).correction[7], -(0.06 + 0.03) * 6 / 36);
}

TEST(NodeMap, WallsOfAClosedDomainAddNoMass) {
  for (const WallTreatment treatment : {WallTreatment::half_way, WallTreatment::full_way}) {
    Domain domain{7, 5};
    domain.treatment = treatment;
    domain.sides = {wall(0, -0.02), wall(0, 0.03), wall(0.05), wall(0.1)};
    const NodeMap map = domain.map();
    double mass = 0;
    for (int y = 0; y < map.extents.ny; ++y) {
      for (int x = 0; x < map.extents.nx; ++x) {
        const auto& node = map.classes[map.node_class[map.extents.node(x, y)]];
        for (int q = 0; q < 9; ++q) {
          const int up_x = x - D2Q9::cx(q);
          const int up_y = y - D2Q9::cy(q);
          const bool from_fluid =
              up_x > 0 && up_x + 1 < map.extents.nx && up_y > 0 && up_y + 1 < map.extents.ny;
          // Reversing nodes add on links to fluid nodes, fluid nodes on cut links.
          if (node.kind == NodeKind::fluid || from_fluid) mass += node.correction[q];
        }
      }
    }
    EXPECT_NEAR(mass, 0, 1e-16);
  }
}

TEST(NodeMap, SolidNodesCutLinksHalfWay) {
  Domain domain{7, 7};
  domain.set_solid(3, 3);
  domain.velocities[0] = {0.01, -0.02};
  const NodeMap map = domain.map();
  EXPECT_EQ(map.fluid_nodes, 48);
  EXPECT_EQ(class_at(map, 3, 3).kind, NodeKind::solid);
  for (int q = 1; q < 9; ++q) {
    const int x = 3 + D2Q9::cx(q);
    const int y = 3 + D2Q9::cy(q);
    EXPECT_EQ(class_at(map, x, y).cut, bits({q})) << q;
    EXPECT_DOUBLE_EQ(class_at(map, x, y).correction[q],
                     6 * D2Q9::weight<double>(q) * (0.01 * D2Q9::cx(q) - 0.02 * D2Q9::cy(q)));
    EXPECT_FALSE(class_at(map, x, y).interpolated);
  }
  EXPECT_EQ(class_at(map, 1, 3).cut, 0);
}

TEST(NodeMap, SolidNodesCutLinksAcrossPeriodicSides) {
  Domain domain{5, 5};
  domain.set_solid(0, 0);
  const NodeMap map = domain.map();
  EXPECT_EQ(class_at(map, 4, 4).cut, bits({7}));
  EXPECT_EQ(class_at(map, 4, 0).cut, bits({3}));
  EXPECT_EQ(class_at(map, 0, 4).cut, bits({4}));
}

TEST(NodeMap, BodyLinksNameEachLinkOfEachBodyOnce) {
  Domain domain{9, 7};
  domain.set_solid(3, 3, 0);
  domain.set_solid(5, 3, 1);
  const NodeMap map = domain.map();
  std::array<int, 2> links{0, 0};
  for (const BodyLinks& entry : map.body_links) {
    for (int q = 1; q < 9; ++q) {
      if (((entry.links >> q) & 1) == 0) continue;
      ++links[entry.body];
      const int at = (entry.y - D2Q9::cy(q)) * 9 + entry.x - D2Q9::cx(q);
      EXPECT_EQ(domain.body[static_cast<std::size_t>(at)], entry.body);
    }
  }
  EXPECT_EQ(links, (std::array<int, 2>{8, 8}));
  // (4, 2), (4, 3) and (4, 4) see both bodies: an entry for each.
  EXPECT_EQ(map.body_links.size(), 16U);
}

TEST(NodeMap, WallSidesAreNoBodies) {
  for (const WallTreatment treatment : {WallTreatment::half_way, WallTreatment::full_way}) {
    Domain domain{5, 5};
    domain.treatment = treatment;
    domain.sides = {wall(), wall(), wall(), wall(0.1)};
    EXPECT_TRUE(domain.map().body_links.empty());
  }
}

TEST(NodeMap, InterpolatedWallsKeepTheirDistance) {
  Domain domain{7, 7};
  domain.treatment = WallTreatment::interpolated;
  domain.set_solid(3, 3);
  domain.velocities[0] = {0.03, 0};
  int asked_x = -1;
  int asked_y = -1;
  domain.distance = [&](int x, int y, int q, int body) {
    EXPECT_EQ(body, 0);
    EXPECT_EQ(x + D2Q9::cx(q), 3);
    EXPECT_EQ(y + D2Q9::cy(q), 3);
    if (q == 3) {
      asked_x = x;
      asked_y = y;
      return 0.25;
    }
    return -1.0;  // no exact surface on the other links
  };
  const NodeMap map = domain.map();
  EXPECT_EQ(asked_x, 4);
  EXPECT_EQ(asked_y, 3);
  const NodeClass<double>& node = class_at(map, 4, 3);
  EXPECT_TRUE(node.interpolated);
  EXPECT_EQ(node.cut, bits({1}));
  EXPECT_DOUBLE_EQ(node.wall_distance[1], 0.25);
  EXPECT_DOUBLE_EQ(node.correction[1], 6.0 / 9 * 0.03 / 1.25);
  EXPECT_FALSE(class_at(map, 3, 4).interpolated);
  EXPECT_LT(class_at(map, 3, 4).wall_distance[2], 0);
}

TEST(NodeMap, InterpolatedSidesStayHalfWay) {
  Domain domain{5, 5};
  domain.treatment = WallTreatment::interpolated;
  domain.sides = {wall(), wall(), wall(), wall()};
  const NodeMap map = domain.map();
  EXPECT_FALSE(class_at(map, 2, 0).interpolated);
  EXPECT_EQ(class_at(map, 2, 0).cut, bits({2, 5, 6}));
}

TEST(NodeMap, FullWayWallsStandInGhostRows) {
  Domain domain{4, 3};
  domain.treatment = WallTreatment::full_way;
  domain.sides[south] = wall();
  domain.sides[north] = wall(0.06);
  const NodeMap map = domain.map();
  EXPECT_EQ(map.extents.nx, 4);
  EXPECT_EQ(map.extents.ny, 5);
  EXPECT_EQ(map.offset, (std::array<int, 2>{0, 1}));
  EXPECT_EQ(map.nodes, (std::array<int, 2>{4, 3}));
  EXPECT_EQ(map.fluid_nodes, 12);
  for (int x = 0; x < 4; ++x) {
    EXPECT_EQ(class_at(map, x, -1).kind, NodeKind::reversing);
    EXPECT_EQ(class_at(map, x, 3).kind, NodeKind::reversing);
    EXPECT_EQ(class_at(map, x, 0).kind, NodeKind::fluid);
    EXPECT_EQ(class_at(map, x, 0).cut, 0);
  }
  // What comes in along (1, 1) leaves along (-1, -1), less the wall's momentum.
  EXPECT_DOUBLE_EQ(class_at(map, 1, 3).correction[5], -0.06 * 6 / 36);
  EXPECT_DOUBLE_EQ(class_at(map, 1, 3).correction[6], 0.06 * 6 / 36);
}

TEST(NodeMap, FullWayGhostsOnAllSides) {
  Domain domain{3, 4};
  domain.treatment = WallTreatment::full_way;
  domain.sides = {wall(), wall(), wall(), wall()};
  const NodeMap map = domain.map();
  EXPECT_EQ(map.extents.nx, 5);
  EXPECT_EQ(map.extents.ny, 6);
  EXPECT_EQ(map.offset, (std::array<int, 2>{1, 1}));
  EXPECT_EQ(class_at(map, -1, -1).kind, NodeKind::reversing);
  EXPECT_EQ(class_at(map, 3, 4).kind, NodeKind::reversing);
}

TEST(NodeMap, FullWayBodiesReverseOnTheirSurfaceOnly) {
  Domain domain{9, 9};
  domain.treatment = WallTreatment::full_way;
  for (int y = 3; y < 6; ++y) {
    for (int x = 3; x < 6; ++x) domain.set_solid(x, y);
  }
  const NodeMap map = domain.map();
  EXPECT_EQ(class_at(map, 4, 4).kind, NodeKind::solid);
  EXPECT_EQ(class_at(map, 3, 4).kind, NodeKind::reversing);
  ASSERT_EQ(map.body_links.size(), 8U);
  for (const BodyLinks& entry : map.body_links) {
    if (entry.x == 3 && entry.y == 4) {
      EXPECT_EQ(entry.links, bits({1, 5, 8}));
    }
    if (entry.x == 3 && entry.y == 3) {
      EXPECT_EQ(entry.links, bits({1, 2, 5, 6, 8}));
    }
  }
}

TEST(NodeMap, FullWayBodyAtAnOpenSideHasNoLinksAcrossIt) {
  Domain domain{6, 6};
  domain.treatment = WallTreatment::full_way;
  domain.sides = {open(SideKind::velocity), open(SideKind::pressure), wall(), wall()};
  domain.set_solid(0, 2);
  const NodeMap map = domain.map();
  ASSERT_EQ(map.body_links.size(), 1U);
  EXPECT_EQ(map.body_links[0].links, bits({2, 3, 4, 6, 7}));
}

TEST(NodeMap, OpenSidesAndCorners) {
  Domain domain{6, 5};
  domain.sides = {open(SideKind::velocity), open(SideKind::outflow), open(SideKind::pressure),
                  open(SideKind::velocity)};
  const NodeMap map = domain.map();
  EXPECT_EQ(map.open_kind, (std::array<OpenKind, 4>{OpenKind::velocity, OpenKind::outflow,
                                                    OpenKind::pressure, OpenKind::velocity}));
  EXPECT_EQ(class_at(map, 0, 2).open_side, 1 + west);
  EXPECT_EQ(class_at(map, 3, 0).open_side, 1 + south);
  EXPECT_EQ(class_at(map, 5, 2).open_side, 1 + east);
  EXPECT_EQ(class_at(map, 3, 4).open_side, 1 + north);
  EXPECT_EQ(class_at(map, 0, 0).open_corner, 1 + south_west);
  EXPECT_EQ(class_at(map, 5, 0).open_corner, 1 + south_east);
  EXPECT_EQ(class_at(map, 0, 4).open_corner, 1 + north_west);
  EXPECT_EQ(class_at(map, 5, 4).open_corner, 1 + north_east);
  EXPECT_EQ(class_at(map, 0, 0).open_side, 0);
  // Only the outflow copies from its inner neighbours.
  EXPECT_EQ(class_at(map, 4, 2).publish_sides, 1U << east);
  EXPECT_EQ(class_at(map, 1, 2).publish_sides, 0U);
  // No population crosses an open side, so that none takes a slot of the side opposite.
  EXPECT_EQ(class_at(map, 0, 2).cut, bits({1, 5, 8}));
  EXPECT_EQ(class_at(map, 3, 0).cut, bits({2, 5, 6}));
  EXPECT_EQ(class_at(map, 5, 2).cut, bits({3, 6, 7}));
  EXPECT_EQ(class_at(map, 3, 4).cut, bits({4, 7, 8}));
  EXPECT_EQ(class_at(map, 0, 0).cut, bits({1, 2, 5, 6, 8}));
  EXPECT_EQ(class_at(map, 2, 2).cut, 0);
}

TEST(NodeMap, OneNodeServesAllCornersOfTheSmallestOpenDomain) {
  Domain domain{3, 3};
  domain.sides.fill(open(SideKind::velocity));
  const NodeMap map = domain.map();
  EXPECT_EQ(class_at(map, 1, 1).publish_corners, 0b1111);
}

TEST(NodeMap, OpenSideBetweenWallsHasNoOpenCorner) {
  Domain domain{5, 4};
  domain.sides = {open(SideKind::velocity), open(SideKind::pressure), wall(), wall()};
  const NodeMap map = domain.map();
  EXPECT_EQ(class_at(map, 0, 0).open_corner, 0);
  EXPECT_EQ(class_at(map, 0, 0).open_side, 1 + west);
  EXPECT_EQ(class_at(map, 0, 0).cut, bits({1, 2, 5, 6, 8}));
}

TEST(NodeMap, SolidAtAnOpenSideStaysSolid) {
  Domain domain{5, 5};
  domain.sides[west] = open(SideKind::velocity);
  domain.sides[east] = open(SideKind::pressure);
  domain.set_solid(0, 2);
  const NodeMap map = domain.map();
  EXPECT_EQ(class_at(map, 0, 2).kind, NodeKind::solid);
  EXPECT_EQ(class_at(map, 0, 2).open_side, 0);
}

TEST(NodeMap, PrescribedValuesAlongASide) {
  Domain domain{5, 4};
  domain.sides[west] = {SideKind::velocity, {0.08, 0.01}, true, 1};
  domain.sides[east] = {SideKind::pressure, {0, 0}, false, 1.02};
  const NodeMap map = domain.map();
  ASSERT_EQ(map.longest, 5);
  for (int y = 0; y < 4; ++y) {
    const double s = (y + 0.5) / 4;
    const auto& inlet = open_value(map, west, y);
    EXPECT_DOUBLE_EQ(inlet[0], 0.08 * 4 * s * (1 - s));
    EXPECT_DOUBLE_EQ(inlet[1], 0.01 * 4 * s * (1 - s));
    const auto& outlet = open_value(map, east, y);
    EXPECT_NEAR(outlet[2], 0.02, 1e-16);
  }
}

TEST(NodeMap, PrescribedValuesSkipGhostRows) {
  Domain domain{5, 4};
  domain.treatment = WallTreatment::full_way;
  domain.sides = {SideCondition{SideKind::velocity, {0.08, 0}, true, 1}, open(SideKind::pressure),
                  wall(), wall()};
  const NodeMap map = domain.map();
  const auto& first = open_value(map, west, 1);
  EXPECT_DOUBLE_EQ(first[0], 0.08 * 4 * 0.125 * 0.875);
  EXPECT_EQ(open_value(map, west, 0)[0], 0);
}

/// The message of the InputError that classifying the domain throws.
std::string error_of(const Domain& domain) {
  try {
    static_cast<void>(domain.map());
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(NodeMap, RefusesADomainWithoutFluid) {
  Domain domain{3, 2};
  std::fill(domain.body.begin(), domain.body.end(), std::int16_t{0});
  EXPECT_THAT(error_of(domain), HasSubstr("no fluid node"));
}

TEST(NodeMap, RefusesASolidBehindAnOutflow) {
  Domain domain{6, 5};
  domain.sides[west] = open(SideKind::velocity);
  domain.sides[east] = open(SideKind::outflow);
  domain.set_solid(4, 2);
  EXPECT_THAT(error_of(domain), HasSubstr("node (4, 2) is solid, but an outflow side"));
}

TEST(NodeMap, RefusesASolidBehindAnOpenCorner) {
  Domain domain{6, 5};
  domain.sides = {open(SideKind::velocity), open(SideKind::pressure), open(SideKind::pressure),
                  open(SideKind::velocity)};
  domain.set_solid(1, 1);
  EXPECT_THAT(error_of(domain), HasSubstr("node (1, 1) is solid, but an open corner"));
}

TEST(NodeMap, RefusesMoreClassesThanItCanNumber) {
  // Every surface node gets a distance of its own.
  Domain domain{1201, 121};
  domain.treatment = WallTreatment::interpolated;
  for (int y = 1; y < domain.ny; y += 2) {
    for (int x = 0; x < domain.nx; ++x) domain.set_solid(x, y);
  }
  int links = 0;
  domain.distance = [&](int, int, int, int) { return ++links * 1e-7; };
  EXPECT_THAT(error_of(domain), HasSubstr("more than 65535 kinds"));
}

}  // namespace
}  // namespace knudsen::lbm_d2q9
