#include "geometry/solids_2d.hpp"

#include <cmath>
#include <numbers>

#include "read_solids.hpp"

namespace knudsen::test {
namespace {

// Which nodes are solid.

TEST(Solids2D, NoSolids) {
  const Solids2D solids = read_solids("", 3, 2);
  EXPECT_TRUE(solids.bodies.empty());
  EXPECT_EQ(drawing(solids), "...\n...\n");
}

TEST(Solids2D, BoxFromNorthRowToSouth) {
  EXPECT_EQ(drawing(read_solids(R"({"shape": "box", "from": [1, 0], "to": [3, 1]})", 5, 3)),
            ".....\n"
            ".....\n"
            ".00..\n");
}

TEST(Solids2D, NodesOnTheBoundaryAreSolid) {
  EXPECT_EQ(drawing(read_solids(R"({"shape": "box", "from": [1.5, 0.5], "to": [3.5, 1.5]})", 5, 3)),
            ".....\n"
            ".000.\n"
            ".000.\n");
}

TEST(Solids2D, CircleOfOddDiameterAboutANode) {
  EXPECT_EQ(drawing(read_solids(R"({"shape": "circle", "centre": [2.5, 2.5], "radius": 2})", 5, 5)),
            "..0..\n"
            ".000.\n"
            "00000\n"
            ".000.\n"
            "..0..\n");
}

TEST(Solids2D, InvertedCircleIsAPipe) {
  EXPECT_EQ(drawing(read_solids(
                R"({"shape": "circle", "centre": [2, 2], "radius": 1, "inverted": true})", 4, 4)),
            "0000\n"
            "0..0\n"
            "0..0\n"
            "0000\n");
}

TEST(Solids2D, HalfPlaneCutsACorner) {
  EXPECT_EQ(
      drawing(read_solids(R"({"shape": "half-plane", "point": [2, 0], "normal": [1, 1]})", 4, 3)),
      "....\n"
      "0...\n"
      "00..\n");
}

TEST(Solids2D, PolygonIsATriangle) {
  EXPECT_EQ(drawing(read_solids(R"({"shape": "polygon", "points": [0, 0, 4, 0, 0, 4]})", 4, 4)),
            "0...\n"
            "00..\n"
            "000.\n"
            "0000\n");
}

TEST(Solids2D, ScaleTurnsLengthsIntoSpacings) {
  const Solids2D scaled = read_solids(
      R"({"shape": "box", "from": [0.1, 0], "to": [0.3, 0.1]},
         {"shape": "circle", "centre": [0.4, 0.2], "radius": 0.08},
         {"shape": "ellipse", "centre": [0.15, 0.2], "semi_axes": [0.09, 0.06]},
         {"shape": "half-plane", "point": [0, 0.55], "normal": [0, -1]},
         {"shape": "polygon", "points": [0, 0.4, 0.2, 0.4, 0.2, 0.5]})",
      5, 6, 10);
  EXPECT_EQ(drawing(scaled),
            "33333\n"
            ".4...\n"
            ".....\n"
            ".2.11\n"
            ".2.11\n"
            ".00..\n");
}

TEST(Solids2D, ShapesAreCutOffAtTheSides) {
  EXPECT_EQ(drawing(read_solids(R"({"shape": "box", "from": [-9, 1], "to": [1, 99]})", 3, 3)),
            "0..\n"
            "0..\n"
            "...\n");
}

TEST(Solids2D, LaterBodiesCoverEarlierOnes) {
  const Solids2D solids = read_solids(R"({"shape": "box", "from": [0, 0], "to": [3, 2]},
                                         {"shape": "box", "from": [2, 1], "to": [4, 3]})",
                                      4, 3);
  EXPECT_EQ(drawing(solids),
            "..11\n"
            "0011\n"
            "000.\n");
}

TEST(Solids2D, CircleHasItsAreaAndSymmetry) {
  const double radius = 100.3;
  const Solids2D solids =
      read_solids(R"({"shape": "circle", "centre": [128, 128], "radius": 100.3})", 256, 256);
  const double area = std::numbers::pi * radius * radius;
  EXPECT_NEAR(static_cast<double>(solid_nodes(solids)), area, 1e-3 * area);
  for (int y = 0; y < 256; ++y) {
    for (int x = 0; x < 256; ++x) {
      ASSERT_EQ(body_at(solids, x, y), body_at(solids, 255 - x, y));
      ASSERT_EQ(body_at(solids, x, y), body_at(solids, x, 255 - y));
      ASSERT_EQ(body_at(solids, x, y), body_at(solids, y, x));
    }
  }
}

TEST(Solids2D, TurnedEllipseHasItsAreaAndPointSymmetry) {
  const Solids2D solids = read_solids(
      R"({"shape": "ellipse", "centre": [100, 80], "semi_axes": [70, 30], "angle_degrees": 30})",
      200, 160);
  const double area = std::numbers::pi * 70 * 30;
  EXPECT_NEAR(static_cast<double>(solid_nodes(solids)), area, 3e-3 * area);
  auto turned = solids.body;
  std::reverse(turned.begin(), turned.end());
  EXPECT_EQ(turned, solids.body);
  // The long axis rises to the east: (100 + 60 cos 30, 80 + 60 sin 30) is inside, its mirror image
  // is not.
  EXPECT_EQ(solids.body[110 * 200 + 151], 0);
  EXPECT_EQ(solids.body[50 * 200 + 151], -1);
}

TEST(Solids2D, PolygonHasItsArea) {
  const Solids2D solids = read_solids(
      R"({"shape": "polygon", "points": [10.2, 12.1, 180.7, 40.3, 150.9, 170.2, 90.1, 60.4]})", 200,
      200);
  const double area =
      std::abs(signed_area({{10.2, 12.1}, {180.7, 40.3}, {150.9, 170.2}, {90.1, 60.4}}));
  EXPECT_NEAR(static_cast<double>(solid_nodes(solids)), area, 1e-2 * area);
}

// Names and velocities.

TEST(Solids2D, NamesAndVelocities) {
  const Solids2D solids = read_solids(
      R"({"shape": "box", "from": [0, 0], "to": [2, 2], "name": "Lid_1", "velocity": [0.1, -0.2]},
         {"shape": "box", "from": [2, 2], "to": [4, 3]})",
      8, 6);
  EXPECT_EQ(solids.bodies[0].name, "Lid_1");
  EXPECT_EQ(solids.bodies[1].name, "solid_1");
  EXPECT_EQ(solids.velocities(), (std::vector<std::array<double, 2>>{{0.1, -0.2}, {0, 0}}));
}

// Distances to walls.

TEST(Solids2D, DistanceToAPlaneWall) {
  const Solids2D solids =
      read_solids(R"({"shape": "half-plane", "point": [0, 1.3], "normal": [0, 1]})", 8, 6);
  EXPECT_NEAR(solids.wall_distance(3, 1, 0, -1, 0), 0.2, 1e-12);
  EXPECT_NEAR(solids.wall_distance(3, 1, 1, -1, 0), 0.2, 1e-12);
  // The plane continues beyond the side of the domain.
  EXPECT_NEAR(solids.wall_distance(7, 1, 1, -1, 0), 0.2, 1e-12);
}

TEST(Solids2D, DistanceToASlantedWall) {
  // The line x + 2 y = 4.1; node (2, 1) is at (2.5, 1.5).
  const Solids2D solids =
      read_solids(R"({"shape": "half-plane", "point": [4.1, 0], "normal": [2, 4]})", 8, 6);
  EXPECT_NEAR(solids.wall_distance(2, 1, 0, -1, 0), 0.7, 1e-12);
  EXPECT_NEAR(solids.wall_distance(2, 1, -1, -1, 0), 1.4 / 3, 1e-12);
}

TEST(Solids2D, FacingOfASlantedWallIsTheCosineOfItsNormal) {
  // As above, with the normal (1, 2) / sqrt(5).
  const Solids2D solids =
      read_solids(R"({"shape": "half-plane", "point": [4.1, 0], "normal": [2, 4]})", 8, 6);
  EXPECT_NEAR(solids.wall_facing(2, 1, 0, -1, 0), 2 / std::sqrt(5.0), 1e-10);
  EXPECT_NEAR(solids.wall_facing(3, 0, -1, 0, 0), 1 / std::sqrt(5.0), 1e-10);
  // No surface at the other end of the link.
  EXPECT_EQ(solids.wall_facing(6, 4, 0, 1, 0), 1);
}

TEST(Solids2D, SurfaceOfAWallHasItsNormalTowardsTheNode) {
  // As above.
  const Solids2D solids =
      read_solids(R"({"shape": "half-plane", "point": [4.1, 0], "normal": [-2, -4]})", 8, 6);
  const auto surface = solids.wall_surface(0, 1, 0, 1, 0);
  ASSERT_TRUE(surface);
  EXPECT_NEAR(surface->normal[0], -1 / std::sqrt(5.0), 1e-14);
  EXPECT_NEAR(surface->normal[1], -2 / std::sqrt(5.0), 1e-14);
  EXPECT_FALSE(solids.wall_surface(0, 1, 0, -1, 0));
  const WallFrame frame = solids.wall_frame(0, 1, 0, 1, 0);
  EXPECT_NEAR(frame.distance, 0.6 / std::sqrt(5.0), 1e-12);
  EXPECT_EQ(frame.surface.curvature, 0);
}

TEST(Solids2D, NearestSurfaceOfRoundSolids) {
  // Node (20, 31) is at (20.5, 31.5), 0.3 beyond the rod along y.
  const Solids2D rod =
      read_solids(R"({"shape": "circle", "centre": [20.2, 20.6], "radius": 10.6})", 40, 40);
  const Point2D way{20.5 - 20.2, 31.5 - 20.6};
  const double length = std::hypot(way[0], way[1]);
  for (const int dx : {-1, 0, 1}) {
    const WallFrame frame = rod.wall_frame(20, 31, dx, -1, 0);
    EXPECT_NEAR(frame.distance, length - 10.6, 1e-12);
    EXPECT_NEAR(frame.surface.normal[0], way[0] / length, 1e-12);
    EXPECT_NEAR(frame.surface.normal[1], way[1] / length, 1e-12);
    EXPECT_NEAR(frame.surface.curvature, 1 / 10.6, 1e-12);
  }
  // Inside a hull the surface is hollow.
  const Solids2D hull = read_solids(
      R"({"shape": "circle", "inverted": true, "centre": [20.2, 20.6], "radius": 11.2})", 40, 40);
  const WallFrame frame = hull.wall_frame(20, 31, 0, 1, 0);
  EXPECT_NEAR(frame.distance, 11.2 - length, 1e-12);
  EXPECT_NEAR(frame.surface.normal[1], -way[1] / length, 1e-12);
  EXPECT_NEAR(frame.surface.curvature, -1 / 11.2, 1e-12);
}

TEST(Solids2D, DistancesToACircleOnAllLinks) {
  const Point2D centre{20.3, 19.6};
  const double radius = 10.7;
  const Solids2D solids =
      read_solids(R"({"shape": "circle", "centre": [20.3, 19.6], "radius": 10.7})", 40, 40);
  int links = 0;
  double length_of_surface = 0;
  for (int y = 1; y < 39; ++y) {
    for (int x = 1; x < 39; ++x) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          if (body_at(solids, x, y) >= 0 || body_at(solids, x + dx, y + dy) < 0) continue;
          // |start + t d|^2 = r^2, the smaller root.
          const double along = (x + 0.5 - centre[0]) * dx + (y + 0.5 - centre[1]) * dy;
          const double length = dx * dx + dy * dy;
          const double gap =
              std::pow(x + 0.5 - centre[0], 2) + std::pow(y + 0.5 - centre[1], 2) - radius * radius;
          const double exact = gap / (-along + std::sqrt(along * along - length * gap));
          ASSERT_NEAR(solids.wall_distance(x, y, dx, dy, 0), exact, 1e-12) << x << ' ' << y;
          ++links;
          if (dx != 0 && dy != 0) continue;
          const double cosine = std::fabs(along + exact) / radius;
          const double facing = solids.wall_facing(x, y, dx, dy, 0);
          length_of_surface += facing;
          ASSERT_NEAR(facing, cosine, 1e-4) << x << ' ' << y;
        }
      }
    }
  }
  EXPECT_NEAR(length_of_surface / (2 * std::numbers::pi * radius), 1, 2e-3);
  EXPECT_GT(links, 200);
}

TEST(Solids2D, DistanceFromInsideAPipe) {
  const Solids2D solids = read_solids(
      R"({"shape": "circle", "centre": [4, 4], "radius": 3.2, "inverted": true})", 8, 8);
  EXPECT_NEAR(solids.wall_distance(6, 4, 1, 0, 0), std::sqrt(3.2 * 3.2 - 0.25) - 2.5, 1e-12);
}

TEST(Solids2D, DistanceToABox) {
  const Solids2D solids = read_solids(R"({"shape": "box", "from": [2.1, 1], "to": [5, 4]})", 8, 6);
  EXPECT_NEAR(solids.wall_distance(1, 2, 1, 0, 0), 0.6, 1e-12);
  EXPECT_NEAR(solids.wall_distance(5, 3, -1, 0, 0), 0.5, 1e-12);
}

TEST(Solids2D, DistanceToAPolygon) {
  // Node (3, 1) is at (3.5, 1.5), 1 from the edge x + y = 4 along either axis, 0.5 of a diagonal.
  const Solids2D solids =
      read_solids(R"({"shape": "polygon", "points": [0, 0, 4, 0, 0, 4]})", 8, 6);
  EXPECT_NEAR(solids.wall_distance(3, 1, -1, 0, 0), 1, 1e-12);
  EXPECT_NEAR(solids.wall_distance(3, 1, -1, -1, 0), 0.5, 1e-12);
}

TEST(Solids2D, DistanceIsTheLinkWhereTheNextNodeIsOnTheWall) {
  const Solids2D solids = read_solids(R"({"shape": "box", "from": [2.5, 0], "to": [4, 6]})", 8, 6);
  EXPECT_NEAR(solids.wall_distance(1, 2, 1, 0, 0), 1, 1e-12);
  EXPECT_LE(solids.wall_distance(1, 2, 1, 0, 0), 1);
}

TEST(Solids2D, DistanceIsAboveZeroWhereTheNodeTouchesTheWall) {
  const Solids2D solids = read_solids(
      R"({"shape": "half-plane", "point": [0, 1.4999999999999998], "normal": [0, 1]})", 8, 6);
  EXPECT_EQ(solids.body[8], -1);
  EXPECT_GT(solids.wall_distance(0, 1, 0, -1, 0), 0);
  EXPECT_LT(solids.wall_distance(0, 1, 0, -1, 0), 1e-12);
}

TEST(Solids2D, NoDistanceThroughAPeriodicSide) {
  const Solids2D solids = read_solids(R"({"shape": "box", "from": [0, 0], "to": [2, 6]})", 8, 6);
  EXPECT_LT(solids.wall_distance(7, 2, 1, 0, 0), 0);
}

// Errors.

TEST(SolidsErrors, ShapeMissing) { expect_refused(R"({"radius": 1})", "[0].shape: missing"); }

TEST(SolidsErrors, UnknownShape) {
  expect_refused(R"({"shape": "cirle"})", "[0].shape", "cirle", "circle");
}

TEST(SolidsErrors, KeyOfAnotherShape) {
  expect_refused(R"({"shape": "circle", "centre": [4, 3], "radius": 1, "semi_axes": [1, 2]})",
                 "\"semi_axes\" does not belong to shape \"circle\"");
}

TEST(SolidsErrors, CentreMissing) {
  expect_refused(R"({"shape": "circle", "radius": 1})", "[0].centre: missing, must be a list of 2");
}

TEST(SolidsErrors, CentreOfThreeNumbers) {
  expect_refused(R"({"shape": "circle", "centre": [1, 2, 3], "radius": 1})", "[0].centre");
}

TEST(SolidsErrors, RadiusZero) {
  expect_refused(R"({"shape": "circle", "centre": [4, 3], "radius": 0})",
                 "[0].radius: found 0, must be");
}

TEST(SolidsErrors, RadiusNegative) {
  expect_refused(R"({"shape": "circle", "centre": [4, 3], "radius": -2})",
                 "[0].radius: found -2, must be");
}

TEST(SolidsErrors, SemiAxisNegative) {
  expect_refused(R"({"shape": "ellipse", "centre": [4, 3], "semi_axes": [2, -1]})",
                 "[0].semi_axes[1]: found -1, must be");
}

TEST(SolidsErrors, BoxTurnedRound) {
  expect_refused(R"({"shape": "box", "from": [2, 2], "to": [4, 1]})",
                 "[0].to: must be greater than \"from\" in x and in y");
}

TEST(SolidsErrors, BoxWithoutWidth) {
  expect_refused(R"({"shape": "box", "from": [2, 2], "to": [2, 4]})", "[0].to: must be greater");
}

TEST(SolidsErrors, NormalZero) {
  expect_refused(R"({"shape": "half-plane", "point": [2, 2], "normal": [0, 0]})",
                 "[0].normal: must not be [0, 0]");
}

TEST(SolidsErrors, PolygonWithoutPoints) {
  expect_refused(R"({"shape": "polygon"})", "[0].points: missing, must be a list");
}

TEST(SolidsErrors, PolygonOfTwoCorners) {
  expect_refused(R"({"shape": "polygon", "points": [1, 1, 2, 2]})", "[0].points: found 4 numbers");
}

TEST(SolidsErrors, PolygonOfHalfACorner) {
  expect_refused(R"({"shape": "polygon", "points": [1, 1, 2, 2, 3, 1, 4]})",
                 "[0].points: found 7 numbers");
}

TEST(SolidsErrors, PolygonOnALine) {
  expect_refused(R"({"shape": "polygon", "points": [0.1, 0.1, 0.2, 0.2, 5.3, 5.3]})",
                 "[0].points: the polygon encloses no area");
}

TEST(SolidsErrors, PolygonOfOnePoint) {
  expect_refused(R"({"shape": "polygon", "points": [1, 2, 1, 2, 1, 2]})", "encloses no area");
}

TEST(SolidsErrors, NameTwice) {
  expect_refused(R"({"shape": "box", "from": [0, 0], "to": [1, 1], "name": "a"},
                    {"shape": "box", "from": [1, 1], "to": [2, 2], "name": "a"})",
                 "[1].name: found \"a\", is already the name of another solid");
}

TEST(SolidsErrors, NameOfAnothersPlace) {
  expect_refused(R"({"shape": "box", "from": [0, 0], "to": [1, 1], "name": "solid_1"},
                    {"shape": "box", "from": [1, 1], "to": [2, 2]})",
                 "[1].name: \"solid_1\" is already the name of another solid");
}

TEST(SolidsErrors, NameWithASpace) {
  expect_refused(R"({"shape": "box", "from": [0, 0], "to": [1, 1], "name": "a b"})",
                 "[0].name: found \"a b\", a name must consist of letters, digits");
}

TEST(SolidsErrors, NameEmpty) {
  expect_refused(R"({"shape": "box", "from": [0, 0], "to": [1, 1], "name": ""})",
                 "[0].name: found \"\", a name must consist of letters");
}

TEST(SolidsErrors, OutsideOfTheDomain) {
  expect_refused(R"({"shape": "box", "from": [0, 0], "to": [1, 1]},
                    {"shape": "circle", "centre": [20, 3], "radius": 5})",
                 "[1]: this solid covers none of the domain's 8 x 6 nodes");
}

TEST(SolidsErrors, FarOutsideOfTheDomain) {
  expect_refused(R"({"shape": "box", "from": [-1e12, 0], "to": [-1e11, 6]})",
                 "covers none of the domain's");
}

TEST(SolidsErrors, HalfPlaneOutsideOfTheDomain) {
  expect_refused(R"({"shape": "half-plane", "point": [0, -1], "normal": [0, 1]})",
                 "covers none of the domain's");
}

TEST(SolidsErrors, BetweenNodes) {
  expect_refused(R"({"shape": "circle", "centre": [4, 3], "radius": 0.5})",
                 "covers none of the domain's");
}

TEST(SolidsErrors, TooManyBodies) {
  std::string elements;
  for (std::size_t index = 0; index <= Solids2D::max_bodies; ++index) {
    elements += R"({"shape":"box","from":[0,0],"to":[1,1]},)";
  }
  elements.pop_back();
  expect_refused(elements, "geometry.solids: found more than 32000 solids");
}

// The description of the keys.

TEST(SolidsDescription, NeedsNoFilesAndKnowsAllKinds) {
  const std::string page = describe_markdown(
      [](CaseNode& root) {
        root.object("geometry", "Solids.",
                    [](CaseNode& geometry) { read_solids_2d(geometry, 0, 0); });
      },
      "Case");
  for (const char* word : {"circle", "ellipse", "box", "polygon", "half-plane", "image", "node-map",
                           "inverted", "threshold", "semi_axes", "velocity"}) {
    EXPECT_NE(page.find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace knudsen::test
