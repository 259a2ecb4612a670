#include "geometry/solids_3d.hpp"

#include <cmath>
#include <numbers>

#include "read_solids_3d.hpp"

namespace knudsen::test {
namespace {

/// Expects that exactly the nodes for whose positions is_solid is true are solid.
template <class IsSolid>
void expect_nodes(const Solids3D& solids, const IsSolid& is_solid) {
  int different = 0;
  for_nodes(solids, [&](int x, int y, int z) {
    const bool expected = is_solid(x + 0.5, y + 0.5, z + 0.5);
    if ((body_at(solids, x, y, z) >= 0) != expected) ++different;
  });
  EXPECT_EQ(different, 0);
  EXPECT_GT(solid_nodes(solids), 0);
  EXPECT_LT(solid_nodes(solids), static_cast<double>(solids.body.size()));
}

// Which nodes are solid.

TEST(Solids3D, NoSolids) {
  const Solids3D solids = read_solids("", {4, 3, 2});
  EXPECT_TRUE(solids.bodies.empty());
  EXPECT_EQ(solids.body, std::vector<std::int16_t>(24, -1));
}

TEST(Solids3D, BoxWithItsBoundary) {
  expect_nodes(
      read_solids(R"({"shape": "box", "from": [1.5, 2, 0], "to": [3.5, 5, 2]})", {9, 8, 7}),
      [](double x, double y, double z) {
        return x >= 1.5 && x <= 3.5 && y >= 2 && y <= 5 && z <= 2;
      });
}

TEST(Solids3D, SphereByBruteForce) {
  expect_nodes(
      read_solids(R"({"shape": "sphere", "centre": [10.5, 8, 9], "radius": 6})", {20, 16, 18}),
      [](double x, double y, double z) {
        return (x - 10.5) * (x - 10.5) + (y - 8) * (y - 8) + (z - 9) * (z - 9) <= 36;
      });
}

TEST(Solids3D, EllipsoidByBruteForce) {
  // Turned by 90 degrees about z: the first semi-axis lies along y.
  expect_nodes(
      read_solids(R"({"shape": "ellipsoid", "centre": [10, 8, 9], "semi_axes": [7.1, 4.2, 3],
                               "angles_degrees": [0, 0, 90]})",
                  {20, 16, 18}),
      [](double x, double y, double z) {
        return std::pow((x - 10) / 4.2, 2) + std::pow((y - 8) / 7.1, 2) +
                   std::pow((z - 9) / 3, 2) <=
               1;
      });
}

TEST(Solids3D, CylinderByBruteForce) {
  expect_nodes(
      read_solids(R"({"shape": "cylinder", "from": [9, 8, 2], "to": [9, 8, 12.2], "radius": 5.2})",
                  {20, 16, 18}),
      [](double x, double y, double z) {
        return std::hypot(x - 9, y - 8) <= 5.2 && z >= 2 && z <= 12.2;
      });
}

TEST(Solids3D, InvertedCylinderIsAPipe) {
  expect_nodes(read_solids(R"({"shape": "cylinder", "from": [0, 8, 9], "to": [1, 8, 9],
                               "radius": 7.2, "infinite": true, "inverted": true})",
                           {20, 16, 18}),
               [](double, double y, double z) { return std::hypot(y - 8, z - 9) >= 7.2; });
}

TEST(Solids3D, HalfSpace) {
  expect_nodes(
      read_solids(R"({"shape": "half-space", "point": [0, 0, 5], "normal": [1, 1, 2]})", {9, 8, 7}),
      [](double x, double y, double z) { return x + y + 2 * z <= 10; });
}

TEST(Solids3D, UnionIsOneBody) {
  const Solids3D solids = read_solids(
      R"({"shape": "union", "name": "dumbbell", "parts": [
           {"shape": "sphere", "centre": [6, 10, 10], "radius": 4},
           {"shape": "sphere", "centre": [18, 10, 10], "radius": 4},
           {"shape": "cylinder", "from": [6, 10, 10], "to": [18, 10, 10], "radius": 1.5}]})",
      {24, 20, 20});
  ASSERT_EQ(solids.bodies.size(), 1U);
  expect_nodes(solids, [](double x, double y, double z) {
    return std::hypot(x - 6, y - 10, z - 10) <= 4 || std::hypot(x - 18, y - 10, z - 10) <= 4 ||
           (x >= 6 && x <= 18 && std::hypot(y - 10, z - 10) <= 1.5);
  });
  EXPECT_NEAR(solids.wall_distance(12, 8, 9, 0, 1, 0, 0), 1.5 - std::sqrt(2.0), 0.1);
}

TEST(Solids3D, InvertedUnion) {
  const std::string parts = R"("parts": [{"shape": "sphere", "centre": [3, 3, 3], "radius": 2},
                                         {"shape": "box", "from": [3, 3, 3], "to": [6, 6, 6]}])";
  const Solids3D plain = read_solids(R"({"shape": "union", )" + parts + "}");
  const Solids3D turned_out = read_solids(R"({"shape": "union", "inverted": true, )" + parts + "}");
  EXPECT_EQ(solid_nodes(plain) + solid_nodes(turned_out), 512);
}

TEST(Solids3D, LaterBodiesCoverEarlierOnes) {
  const Solids3D solids = read_solids(R"({"shape": "box", "from": [0, 0, 0], "to": [4, 4, 4]},
                     {"shape": "box", "from": [2, 2, 2], "to": [6, 6, 6]})");
  EXPECT_EQ(solid_nodes(solids, 0), 64 - 8);
  EXPECT_EQ(solid_nodes(solids, 1), 64);
}

TEST(Solids3D, ScaleTurnsLengthsIntoSpacings) {
  Domain3D fine{20, 16, 18, 20};
  const Solids3D scaled =
      read_solids(R"({"shape": "sphere", "centre": [0.5, 0.4, 0.45], "radius": 0.31},
                     {"shape": "cylinder", "from": [0, 0, 0], "to": [0.2, 0.3, 0.4], "radius": 0.1},
                     {"shape": "ellipsoid", "centre": [0.8, 0.6, 0.2], "semi_axes": [0.2, 0.1, 0.1]},
                     {"shape": "box", "from": [0, 0.6, 0.6], "to": [0.3, 0.7, 0.8]},
                     {"shape": "half-space", "point": [0, 0, 0.05], "normal": [0, 0, 1]})",
                  fine);
  const Solids3D plain = read_solids(R"({"shape": "sphere", "centre": [10, 8, 9], "radius": 6.2},
                     {"shape": "cylinder", "from": [0, 0, 0], "to": [4, 6, 8], "radius": 2},
                     {"shape": "ellipsoid", "centre": [16, 12, 4], "semi_axes": [4, 2, 2]},
                     {"shape": "box", "from": [0, 12, 12], "to": [6, 14, 16]},
                     {"shape": "half-space", "point": [0, 0, 1], "normal": [0, 0, 1]})",
                                     {20, 16, 18});
  EXPECT_EQ(scaled.body, plain.body);
}

TEST(Solids3D, RepeatedAlongPeriodicAxesOnly) {
  const Domain3D domain{12, 12, 12, 1, {true, false, true}};
  expect_nodes(read_solids(R"({"shape": "sphere", "centre": [0, 1, 6], "radius": 3})", domain),
               [](double x, double y, double z) {
                 return std::hypot(std::min(x, 12 - x), y - 1, z - 6) <= 3;
               });
}

TEST(Solids3D, InPlanesAreThoseOfTheWholeDomain) {
  const std::string shapes =
      R"({"shape": "sphere", "centre": [0.4, 1.2, 13.7], "radius": 3.3},
         {"shape": "ellipsoid", "centre": [8, 7, 6], "semi_axes": [5, 2, 3], "angles_degrees": [20, 50, -30]},
         {"shape": "union", "parts": [
           {"shape": "box", "from": [12, 2, 3], "to": [15.5, 6, 8], "angles_degrees": [10, 0, 40]},
           {"shape": "cylinder", "from": [2, 10, 2], "to": [15, 11, 9], "radius": 1.4}]},
         {"shape": "sphere-array", "lattice": "body-centred", "volume_fraction": 0.3, "cells": [4, 3, 4]},
         {"shape": "half-space", "point": [0, 0, 1.5], "normal": [0.1, 0, 1]},
         {"shape": "sphere", "centre": [9, 6, 8], "radius": 9.5, "inverted": true})";
  for (const bool periodic : {false, true}) {
    expect_same_in_planes(shapes, {16, 12, 16, 1, {periodic, true, periodic}});
  }
  expect_same_in_planes(R"({"shape": "sphere-packing", "count": 30, "porosity": 0.5, "seed": 3})",
                        {17, 13, 15, 1, {true, true, false}});
}

TEST(Solids3D, NamesAndVelocities) {
  const Solids3D solids = read_solids(
      R"({"shape": "box", "from": [0, 0, 0], "to": [2, 2, 2], "name": "Lid", "velocity": [1, -2, 3]},
         {"shape": "box", "from": [2, 2, 2], "to": [4, 3, 3]})");
  EXPECT_EQ(solids.bodies[0].name, "Lid");
  EXPECT_EQ(solids.bodies[1].name, "solid_1");
  EXPECT_EQ(solids.velocities(), (std::vector<std::array<double, 3>>{{1, -2, 3}, {0, 0, 0}}));
}

// Distances to walls.

TEST(Solids3D, DistancesToASphereOnAllLinks) {
  const Solids3D solids = read_solids(
      R"({"shape": "sphere", "centre": [10.3, 9.6, 10.1], "radius": 6.7})", {20, 20, 20});
  int links = 0;
  double area = 0;
  for_wall_links(solids, 0, [&](int x, int y, int z, int dx, int dy, int dz) {
    ASSERT_NEAR(solids.wall_distance(x, y, z, dx, dy, dz, 0),
                entry_into_sphere({x + 0.5, y + 0.5, z + 0.5}, {double(dx), double(dy), double(dz)},
                                  {10.3, 9.6, 10.1}, 6.7),
                1e-12);
    ++links;
    if (std::abs(dx) + std::abs(dy) + std::abs(dz) == 1) {
      area += solids.wall_facing(x, y, z, dx, dy, dz, 0);
    }
  });
  EXPECT_GT(links, 5000);
  EXPECT_NEAR(area / (4 * std::numbers::pi * 6.7 * 6.7), 1, 0.01);
}

TEST(Solids3D, DistancesToACylinderOnAllLinks) {
  const Solids3D solids = read_solids(R"({"shape": "cylinder", "from": [0, 10.3, 9.6],
      "to": [3, 10.3, 9.6], "radius": 6.7, "infinite": true, "inverted": true})",
                                      {3, 20, 20});
  for_wall_links(solids, 0, [&](int x, int y, int z, int dx, int dy, int dz) {
    const double distance = solids.wall_distance(x, y, z, dx, dy, dz, 0);
    ASSERT_NEAR(std::hypot(y + 0.5 + distance * dy - 10.3, z + 0.5 + distance * dz - 9.6), 6.7,
                1e-12);
  });
}

/// Expects the normal of each link, and the nearest surface, of a body that is round about a point
/// or an axis: away(point) is the way from it to a point.
template <class Away>
void expect_round(const Solids3D& solids, double radius, double curved, double sign,
                  const Away& away) {
  using vector_3d::dot;
  using vector_3d::operator*;
  for_wall_links(solids, 0, [&](int x, int y, int z, int dx, int dy, int dz) {
    const double met = solids.wall_distance(x, y, z, dx, dy, dz, 0);
    const Point3D node{x + 0.5, y + 0.5, z + 0.5};
    const Point3D wall = away({node[0] + met * dx, node[1] + met * dy, node[2] + met * dz});
    const Point3D way = away(node);
    const double distance = std::sqrt(dot(way, way));
    const auto normal = solids.wall_normal(x, y, z, dx, dy, dz, 0);
    const WallFrame3D frame = solids.wall_frame(x, y, z, dx, dy, dz, 0);
    ASSERT_TRUE(normal);
    EXPECT_NEAR(frame.distance, std::fabs(distance - radius), 1e-8);
    double trace = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      ASSERT_NEAR((*normal)[a], sign * wall[a] / radius, 1e-5);
      ASSERT_NEAR(frame.normal[a], sign * way[a] / distance, 3e-5);
      trace += frame.curvature[a][a];
      // Curvatures are second differences; this part of them is up to 1.2e-5 for these bodies.
      ASSERT_NEAR(dot(frame.curvature[a], frame.normal), 0, 2e-5);
    }
    EXPECT_NEAR(trace * radius, sign * curved, 1e-4);
  });
}

TEST(Solids3D, SurfacesThatAreNearestToNodes) {
  const Point3D centre{10.3, 9.9, 10.1};
  const std::string sphere = R"({"shape": "sphere", "centre": [10.3, 9.9, 10.1], "radius": 6.7)";
  using vector_3d::operator-;
  const auto from_centre = [&](const Point3D& point) { return point - centre; };
  expect_round(read_solids(sphere + "}", {20, 20, 20}), 6.7, 2, 1, from_centre);
  expect_round(read_solids(sphere + R"(, "inverted": true})", {20, 20, 20}), 6.7, 2, -1,
               from_centre);
  expect_round(read_solids(R"({"shape": "cylinder", "from": [0, 9.9, 10.1], "to": [3, 9.9, 10.1],
      "radius": 6.7, "infinite": true})",
                           {3, 20, 20}),
               6.7, 1, 1, [&](const Point3D& point) {
                 return Point3D{0, point[1] - centre[1], point[2] - centre[2]};
               });
}

TEST(Solids3D, StraightSurfacesAreExactlyAligned) {
  const std::string plane = R"({"shape": "half-space", "point": [4.3, 4.1, 3.9], "normal": )";
  const double half = std::sqrt(0.5);
  for (const auto& [text, normal] : {std::pair{"[0, 0, 2]", Point3D{0, 0, 1}},
                                     {"[0, -1, 0]", {0, -1, 0}},
                                     {"[3, 3, 0]", {half, half, 0}},
                                     {"[0, 1, -1]", {0, half, -half}}}) {
    const Solids3D solids = read_solids(plane + text + "}");
    for_wall_links(solids, 0, [&](int x, int y, int z, int dx, int dy, int dz) {
      if (solids.wall_distance(x, y, z, dx, dy, dz, 0) < 0) return;  // through a side
      const WallFrame3D frame = solids.wall_frame(x, y, z, dx, dy, dz, 0);
      EXPECT_EQ(solids.wall_normal(x, y, z, dx, dy, dz, 0), normal) << text;
      EXPECT_EQ(frame.normal, normal) << text;
      EXPECT_EQ(frame.curvature, (std::array<Point3D, 3>{})) << text;
      using vector_3d::operator-;
      EXPECT_NEAR(
          frame.distance,
          vector_3d::dot(Point3D{x + 0.5, y + 0.5, z + 0.5} - Point3D{4.3, 4.1, 3.9}, normal),
          1e-12);
    });
  }
}

TEST(Solids3D, EdgesHaveNoNormal) {
  const Solids3D solids = read_solids(R"({"shape": "box", "from": [2, 2, -1], "to": [6, 6, 9]})");
  EXPECT_FALSE(solids.wall_normal(1, 1, 4, 1, 1, 0, 0));
  EXPECT_EQ(solids.wall_normal(1, 2, 4, 1, 1, 0, 0), (Point3D{-1, 0, 0}));
  EXPECT_EQ(solids.wall_normal(1, 2, 4, 1, 0, 0, 0), (Point3D{-1, 0, 0}));
}

TEST(Solids3D, DistanceIsTheLinkWhereTheNextNodeIsOnTheWall) {
  const Solids3D solids = read_solids(R"({"shape": "box", "from": [2.5, 0, 0], "to": [4, 8, 8]})");
  EXPECT_NEAR(solids.wall_distance(1, 2, 2, 1, 0, 0, 0), 1, 1e-12);
  EXPECT_LE(solids.wall_distance(1, 2, 2, 1, 0, 0, 0), 1);
}

TEST(Solids3D, DistanceThroughAPeriodicSide) {
  const std::string box = R"({"shape": "box", "from": [0.25, 0, 0], "to": [2, 8, 8]})";
  EXPECT_LT(read_solids(box).wall_distance(7, 2, 2, 1, 0, 0, 0), 0);
  const Solids3D periodic = read_solids(box, {8, 8, 8, 1, {true, true, true}});
  EXPECT_NEAR(periodic.wall_distance(7, 2, 2, 1, 0, 0, 0), 0.75, 1e-12);
  EXPECT_NEAR(periodic.wall_distance(7, 7, 7, 1, 1, 1, 0), 0.75, 1e-12);
}

// Sphere arrays.

/// Reads the elements only to estimate.
Solids3D estimated(const std::string& elements, int nodes) {
  auto document =
      CaseDocument::from_text(R"({"geometry": {"solids": [)" + elements + "]}}", "flow.json");
  document.set_estimating(true);
  Solids3D solids;
  read_case(document, [&](CaseNode& root) {
    root.object("geometry", "Solids.", [&](CaseNode& geometry) {
      solids = read_solids_3d(geometry, nodes, nodes, nodes);
    });
  });
  return solids;
}

TEST(Solids3D, LargeDomainsAreNotBuiltForAnEstimate) {
  const std::string ball = R"({"shape": "sphere", "centre": [8, 8, 8], "radius": 3})";
  EXPECT_TRUE(estimated(ball, 16).built);
  EXPECT_EQ(estimated(ball, 16).body, read_solids(ball, {16, 16, 16}).body);
  const Solids3D large = estimated(ball, 2000);
  EXPECT_FALSE(large.built);
  EXPECT_TRUE(large.body.empty());
  EXPECT_EQ(large.bodies.size(), 1U);
  EXPECT_FALSE(estimated(R"({"shape": "sphere-array", "lattice": "simple", "cells": [1000, 1000,
                             1000], "volume_fraction": 0.3})",
                         2000)
                   .built);
  EXPECT_FALSE(
      estimated(R"({"shape": "sphere-packing", "count": 4000, "porosity": 0.6})", 64).built);
  EXPECT_FALSE(estimated(R"({"shape": "union", "parts": [{"shape": "sphere-packing",
                             "count": 4000, "porosity": 0.6}]})",
                         64)
                   .built);
}

TEST(Solids3D, SpheresBetweenTheNodesAreRefused) {
  expect_refused(
      {}, R"({"shape": "sphere-packing", "count": 1000000, "porosity": 0.99})", "count",
      "must be at least 0.25, that is 0.25 node spacings; use fewer spheres or a finer grid");
}

TEST(Solids3D, LengthsThatOverflow) {
  expect_refused({}, R"({"shape": "sphere", "centre": [1e308, 0, 0], "radius": 1})", "centre[0]",
                 "found 1e+308, must be from -1000000000000 to 1000000000000");
  expect_refused({}, R"({"shape": "sphere", "centre": [0, 0, 0], "radius": 1e300})", "radius",
                 "found 1e+300");
}

TEST(SphereArray, CellsNarrowerThanTwoNodes) {
  expect_refused({}, R"({"shape": "sphere-array", "lattice": "simple", "cells": [8, 8, 8],
                         "volume_fraction": 0.3})",
                 "cells", "the cells are 1 node spacings wide, must be at least 2");
}

TEST(SpherePackingSolid, BoxesWithoutVolume) {
  const auto packing = [](const std::string& box) {
    return R"({"shape": "sphere-packing", "count": 3, "porosity": 0.7, "to": )" + box + "}";
  };
  expect_refused({}, packing("[2, 1e-300, 4]"), "to", "1e-300 node spacings wide along y");
  expect_refused({}, packing("[1e-200, 1e-200, 1e-200]"), "to", "wide along x");
  expect_refused({}, packing("[1e308, 1e308, 1e308]"), "to[0]", "found 1e+308");
  expect_refused({}, packing("[1e10, 2, 2]"), "count", "to fit into the container");
}

TEST(SphereArray, FillsItsVolumeFraction) {
  for (const char* lattice : {"simple", "body-centred", "face-centred"}) {
    const Solids3D solids = read_solids(std::string(R"({"shape": "sphere-array", "lattice": ")") +
                                            lattice + R"(", "volume_fraction": 0.45})",
                                        {64, 64, 64});
    EXPECT_NEAR(solid_nodes(solids) / (64 * 64 * 64), 0.45, 0.002) << lattice;
  }
}

TEST(SphereArray, CellsAreAlike) {
  const Solids3D one =
      read_solids(R"({"shape": "sphere-array", "lattice": "face-centred", "volume_fraction": 0.6})",
                  {16, 16, 16});
  const Solids3D many = read_solids(
      R"({"shape": "sphere-array", "lattice": "face-centred", "volume_fraction": 0.6,
          "cells": [2, 1, 3]})",
      {32, 16, 48});
  for_nodes(many, [&](int x, int y, int z) {
    ASSERT_EQ(body_at(many, x, y, z), body_at(one, x % 16, y, z % 16));
  });
}

TEST(SphereArray, DistancesThroughPeriodicSides) {
  const Solids3D solids =
      read_solids(R"({"shape": "sphere-array", "lattice": "body-centred", "volume_fraction": 0.5})",
                  {16, 16, 16, 1, {true, true, true}});
  int links = 0;
  for_wall_links(solids, 0, [&](int x, int y, int z, int dx, int dy, int dz) {
    const double distance = solids.wall_distance(x, y, z, dx, dy, dz, 0);
    ASSERT_GT(distance, 0);
    ASSERT_LE(distance, 1);
    ++links;
  });
  EXPECT_GT(links, 1000);
}

// Packings.

TEST(SpherePackingSolid, PeriodicBed) {
  const Domain3D domain{60, 40, 40, 1, {true, true, true}};
  const Solids3D solids =
      read_solids(R"({"shape": "sphere-packing", "count": 30, "porosity": 0.5})", domain);
  ASSERT_EQ(solids.bodies.size(), 1U);
  EXPECT_NEAR(solid_nodes(solids) / (60 * 40 * 40), 0.5, 0.005);
  for_wall_links(solids, 0, [&](int x, int y, int z, int dx, int dy, int dz) {
    const double distance = solids.wall_distance(x, y, z, dx, dy, dz, 0);
    ASSERT_GT(distance, 0);
    ASSERT_LE(distance, 1);
  });
}

TEST(SpherePackingSolid, BedInATubeWithFreeEnds) {
  const Domain3D domain{24, 24, 80, 1, {false, false, true}};
  const Solids3D solids = read_solids(
      R"({"shape": "sphere-packing", "radius": 3, "porosity": 0.55, "container": "tube-z",
          "from": [0, 0, 20], "to": [24, 24, 70]})",
      domain);
  double nodes = 0;
  for_nodes(solids, [&](int x, int y, int z) {
    if (body_at(solids, x, y, z) < 0) return;
    ++nodes;
    ASSERT_TRUE(z >= 20 && z < 70);
    ASSERT_LE(std::hypot(x + 0.5 - 12, y + 0.5 - 12), 12);
  });
  EXPECT_NEAR(nodes / (50 * std::numbers::pi * 144), 0.45, 0.01);
}

TEST(SpherePackingSolid, SeedsTellPackingsApart) {
  const Domain3D domain{32, 32, 32, 1, {true, true, true}};
  const auto bed = [&](const std::string& more) {
    return read_solids(R"({"shape": "sphere-packing", "count": 20, "porosity": 0.5)" + more + "}",
                       domain)
        .body;
  };
  EXPECT_EQ(bed(""), bed(R"(, "seed": 1)"));
  EXPECT_NE(bed(""), bed(R"(, "seed": 2)"));
}

// Errors.

const Domain3D cube;

TEST(Solids3DErrors, ShapeMissing) {
  expect_refused(cube, R"({"radius": 1})", "[0].shape: missing");
}

TEST(Solids3DErrors, UnknownShape) {
  expect_refused(cube, R"({"shape": "spher"})", "[0].shape", "spher", "sphere");
}

TEST(Solids3DErrors, CentreMissing) {
  expect_refused(cube, R"({"shape": "sphere", "radius": 1})",
                 "[0].centre: missing, must be a list of 3");
}

TEST(Solids3DErrors, CentreOfTwoNumbers) {
  expect_refused(cube, R"({"shape": "sphere", "centre": [1, 2], "radius": 1})", "[0].centre");
}

TEST(Solids3DErrors, RadiusNegative) {
  expect_refused(cube, R"({"shape": "sphere", "centre": [1, 2, 3], "radius": -1})",
                 "[0].radius: found -1, must be");
  expect_refused(cube, R"({"shape": "cylinder", "from": [1, 2, 3], "to": [1, 2, 4], "radius": 0})",
                 "[0].radius: found 0, must be");
}

TEST(Solids3DErrors, SemiAxisZero) {
  expect_refused(cube, R"({"shape": "ellipsoid", "centre": [1, 2, 3], "semi_axes": [1, 0, 1]})",
                 "[0].semi_axes[1]: found 0, must be");
}

TEST(Solids3DErrors, BoxTurnedRound) {
  expect_refused(cube, R"({"shape": "box", "from": [1, 2, 3], "to": [2, 3, 3]})",
                 "[0].to: must be greater than \"from\" along each axis");
}

TEST(Solids3DErrors, CylinderWithoutAxis) {
  expect_refused(cube, R"({"shape": "cylinder", "from": [1, 2, 3], "to": [1, 2, 3], "radius": 1})",
                 "[0].to: must differ from \"from\"");
}

TEST(Solids3DErrors, NormalZero) {
  expect_refused(cube, R"({"shape": "half-space", "point": [1, 2, 3], "normal": [0, 0, 0]})",
                 "[0].normal: must not be zero");
}

TEST(Solids3DErrors, UnionOfNothing) {
  expect_refused(cube, R"({"shape": "union", "parts": []})", "[0].parts: must be a list of one");
  expect_refused(cube, R"({"shape": "union"})", "[0].parts: must be a list of one");
}

TEST(Solids3DErrors, FaultyPartOfAUnion) {
  expect_refused(cube, R"({"shape": "union", "parts": [{"shape": "sphere", "radius": 1}]})",
                 "[0].parts[0].centre: missing");
}

TEST(Solids3DErrors, NameTwice) {
  expect_refused(cube,
                 R"({"shape": "box", "from": [0, 0, 0], "to": [1, 1, 1], "name": "a"},
                    {"shape": "box", "from": [1, 1, 1], "to": [2, 2, 2], "name": "a"})",
                 "[1].name: found \"a\", is already the name of another solid");
}

TEST(Solids3DErrors, OutsideOfTheDomain) {
  expect_refused(cube, R"({"shape": "sphere", "centre": [20, 3, 3], "radius": 5})",
                 "[0]: this solid covers none of the domain's 8 x 8 x 8 nodes");
  expect_refused({8, 8, 8, 1, {true, true, true}},
                 R"({"shape": "sphere", "centre": [1e12, 3, 3], "radius": 5})",
                 "covers none of the domain's");
}

TEST(SphereArrayErrors, CellsAreNotCubes) {
  expect_refused({16, 16, 8},
                 R"({"shape": "sphere-array", "lattice": "simple", "volume_fraction": 0.2})",
                 "[0].cells: the cells are not cubes", "16, 16 and 8 node spacings long");
}

TEST(SphereArrayErrors, SpheresOverlap) {
  expect_refused(cube, R"({"shape": "sphere-array", "lattice": "simple", "volume_fraction": 0.53})",
                 "[0].volume_fraction: found 0.53, must be above 0 and at most 0.523");
}

TEST(SpherePackingErrors, NeitherCountNorRadius) {
  expect_refused(cube, R"({"shape": "sphere-packing"})", "give either the number of spheres or");
  expect_refused(cube, R"({"shape": "sphere-packing", "count": 3, "radius": 1})",
                 "give either the number of spheres or");
}

TEST(SpherePackingErrors, TooDense) {
  expect_refused({8, 8, 8, 1, {true, true, true}},
                 R"({"shape": "sphere-packing", "count": 40, "porosity": 0.2})",
                 "[0].porosity: found 0.2, 40 spheres of", "use a greater porosity");
}

TEST(SpherePackingErrors, PorosityOfNothing) {
  expect_refused(cube, R"({"shape": "sphere-packing", "count": 4, "porosity": 1})",
                 "[0].porosity: found 1, must be");
}

TEST(SpherePackingErrors, RadiusTooLargeOrTooSmall) {
  expect_refused(cube, R"({"shape": "sphere-packing", "radius": 50})",
                 "[0].radius: found 50, this gives 0 spheres");
  expect_refused(cube, R"({"shape": "sphere-packing", "radius": 0.001})", "must be from 1 to");
}

TEST(SpherePackingErrors, BoxTurnedRound) {
  expect_refused(cube,
                 R"({"shape": "sphere-packing", "count": 4, "from": [3, 0, 0], "to": [2, 8, 8]})",
                 "[0].to: must be greater than \"from\"");
}

TEST(SpherePackingErrors, Tubes) {
  expect_refused(cube, R"({"shape": "sphere-packing", "count": 4, "tube_radius": 2})",
                 "[0].tube_radius: found 2, does not belong to the container \"box\"");
  expect_refused(
      cube, R"({"shape": "sphere-packing", "count": 4, "container": "tube-x", "tube_radius": 5})",
      "[0].tube_radius: found 5, the tube is wider than the box, whose half width is 4");
}

// The description of the keys.

TEST(Solids3DDescription, NeedsNoFilesAndKnowsAllKinds) {
  const std::string page = describe_markdown(
      [](CaseNode& root) {
        root.object("geometry", "Solids.",
                    [](CaseNode& geometry) { read_solids_3d(geometry, 0, 0, 0); });
      },
      "Case");
  for (const char* word : {"sphere", "ellipsoid", "box", "cylinder", "half-space", "sphere-array",
                           "sphere-packing", "stl", "union", "voxel-image", "inverted", "porosity",
                           "open_surface", "threshold", "tube_radius", "parts"}) {
    EXPECT_NE(page.find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace knudsen::test
