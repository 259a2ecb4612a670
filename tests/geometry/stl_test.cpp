#include "geometry/stl.hpp"

#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "read_solids_3d.hpp"

namespace knudsen::test {
namespace {

using Triangles = std::vector<Triangle>;

/// The two triangles of a square, anticlockwise.
void add_square(Triangles& triangles, const Point3D& a, const Point3D& b, const Point3D& c,
                const Point3D& d) {
  triangles.push_back({a, b, c});
  triangles.push_back({a, c, d});
}

/// A box with outward normals.
Triangles box_surface(const Point3D& l, const Point3D& u) {
  Triangles triangles;
  const auto corner = [&](int x, int y, int z) {
    return Point3D{x == 0 ? l[0] : u[0], y == 0 ? l[1] : u[1], z == 0 ? l[2] : u[2]};
  };
  add_square(triangles, corner(0, 0, 0), corner(0, 1, 0), corner(1, 1, 0), corner(1, 0, 0));
  add_square(triangles, corner(0, 0, 1), corner(1, 0, 1), corner(1, 1, 1), corner(0, 1, 1));
  add_square(triangles, corner(0, 0, 0), corner(1, 0, 0), corner(1, 0, 1), corner(0, 0, 1));
  add_square(triangles, corner(0, 1, 0), corner(0, 1, 1), corner(1, 1, 1), corner(1, 1, 0));
  add_square(triangles, corner(0, 0, 0), corner(0, 0, 1), corner(0, 1, 1), corner(0, 1, 0));
  add_square(triangles, corner(1, 0, 0), corner(1, 1, 0), corner(1, 1, 1), corner(1, 0, 1));
  return triangles;
}

/// A sphere: an octahedron whose triangles are repeatedly divided into four.
Triangles sphere_surface(const Point3D& centre, double radius, int cuts) {
  Triangles triangles;
  for (const double x : {-1, 1}) {
    for (const double y : {-1, 1}) {
      for (const double z : {-1, 1}) {
        const bool even = x * y * z > 0;
        triangles.push_back({Point3D{x, 0, 0}, even ? Point3D{0, y, 0} : Point3D{0, 0, z},
                             even ? Point3D{0, 0, z} : Point3D{0, y, 0}});
      }
    }
  }
  const auto middle = [](const Point3D& a, const Point3D& b) {
    const Point3D sum{a[0] + b[0], a[1] + b[1], a[2] + b[2]};
    const double length = std::hypot(sum[0], sum[1], sum[2]);
    return Point3D{sum[0] / length, sum[1] / length, sum[2] / length};
  };
  for (; cuts > 0; --cuts) {
    Triangles finer;
    for (const auto& [a, b, c] : triangles) {
      const Point3D ab = middle(a, b);
      const Point3D bc = middle(b, c);
      const Point3D ca = middle(c, a);
      for (const Triangle& part :
           {Triangle{a, ab, ca}, Triangle{ab, b, bc}, Triangle{ca, bc, c}, Triangle{ab, bc, ca}}) {
        finer.push_back(part);
      }
    }
    triangles = finer;
  }
  for (Triangle& triangle : triangles) {
    for (Point3D& corner : triangle) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        corner[axis] = centre[axis] + radius * corner[axis];
      }
    }
  }
  return triangles;
}

double volume(const Triangles& triangles) {
  double six_times = 0;
  for (const auto& [a, b, c] : triangles) {
    six_times += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                 a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return six_times / 6;
}

Triangles joined(Triangles all, const Triangles& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

Triangles reversed(Triangles triangles) {
  for (Triangle& triangle : triangles) std::swap(triangle[1], triangle[2]);
  return triangles;
}

std::string binary_stl(const Triangles& triangles, const std::string& start = "") {
  std::string bytes = start;
  bytes.resize(80, ' ');
  const auto add = [&](std::uint32_t value) {
    for (int byte = 0; byte < 4; ++byte) {
      bytes += static_cast<char>((value >> (8 * byte)) & 0xffU);
    }
  };
  add(static_cast<std::uint32_t>(triangles.size()));
  for (const Triangle& triangle : triangles) {
    bytes.append(12, '\0');
    for (const Point3D& corner : triangle) {
      for (const double coordinate : corner) {
        add(std::bit_cast<std::uint32_t>(static_cast<float>(coordinate)));
      }
    }
    bytes.append(2, '\0');
  }
  return bytes;
}

std::string text_stl(const Triangles& triangles) {
  std::ostringstream text;
  text.precision(17);
  text << "solid a facet of names\n";
  for (const Triangle& triangle : triangles) {
    text << "  facet normal 0 0 0\n    outer loop\n";
    for (const Point3D& corner : triangle) {
      text << "      vertex " << corner[0] << ' ' << corner[1] << ' ' << corner[2] << '\n';
    }
    text << "    endloop\n  endfacet\n";
  }
  text << "endsolid a facet of names\n";
  return text.str();
}

class StlTest : public testing::Test {
 protected:
  Solids3D read(const std::string& content, const std::string& more = "") {
    write_all(directory / "body.stl", content);
    domain.directory = directory.path();
    return read_solids(R"({"shape": "stl", "file": "body.stl")" + more + "}", domain);
  }
  template <class... Parts>
  void expect_file_refused(const std::string& content, const Parts&... parts) {
    expect_error<InputError>([&] { read(content); },
                             "flow.json: geometry.solids[0].file: found \"body.stl\", but ",
                             parts...);
  }

  TemporaryDirectory directory;
  Domain3D domain;
};

/// Expects that both have the same solid nodes.
void expect_same(const Solids3D& one, const Solids3D& other) {
  EXPECT_EQ(one.body, other.body);
  EXPECT_GT(solid_nodes(one), 0);
}

TEST_F(StlTest, BinaryBoxIsTheBox) {
  expect_same(read(binary_stl(box_surface({1.25, 2, 3.125}, {6.75, 4.375, 7}))),
              read_solids(R"({"shape": "box", "from": [1.25, 2, 3.125], "to": [6.75, 4.375, 7]})"));
}

TEST_F(StlTest, TextBoxIsTheBox) {
  expect_same(read(text_stl(box_surface({1.3, 2, 3.1}, {6.7, 4.4, 7}))),
              read_solids(R"({"shape": "box", "from": [1.3, 2, 3.1], "to": [6.7, 4.4, 7]})"));
}

TEST_F(StlTest, NodesOnTheSurfaceAreSolid) {
  const std::string box = R"({"shape": "box", "from": [1.5, 2.5, 3.5], "to": [5.5, 4.5, 6.5]})";
  const Triangles surface = box_surface({1.5, 2.5, 3.5}, {5.5, 4.5, 6.5});
  expect_same(read(binary_stl(surface)), read_solids(box));
  expect_same(read(binary_stl(reversed(surface))), read_solids(box));
}

TEST_F(StlTest, InvertedKeepsTheNodesOnTheSurface) {
  expect_same(
      read(binary_stl(box_surface({1.5, 2.5, 3.5}, {5.5, 4.5, 6.5})), R"(, "inverted": true)"),
      read_solids(
          R"({"shape": "box", "from": [1.5, 2.5, 3.5], "to": [5.5, 4.5, 6.5], "inverted": true})"));
}

TEST_F(StlTest, CornersOnNodes) {
  // An octahedron with corners and edges in line with nodes.
  const Solids3D solids = read(text_stl(sphere_surface({4.5, 4.5, 4.5}, 3, 0)));
  for_nodes(solids, [&](int x, int y, int z) {
    const int distance = std::abs(x - 4) + std::abs(y - 4) + std::abs(z - 4);
    EXPECT_EQ(body_at(solids, x, y, z), distance <= 3 ? 0 : -1) << x << ' ' << y << ' ' << z;
  });
}

TEST_F(StlTest, BinaryThatStartsWithSolid) {
  const Triangles box = box_surface({1, 2, 3}, {6, 4, 7});
  expect_same(read(binary_stl(box, "solid box facet")), read(binary_stl(box)));
  expect_same(read(binary_stl(box, "solid\nfac")), read(binary_stl(box)));
}

TEST_F(StlTest, TextInCapitalsWithCarriageReturns) {
  const Triangles box = box_surface({1, 2, 3}, {6, 4, 7});
  std::string text;
  for (const char character : text_stl(box)) {
    if (character == '\n') text += '\r';
    text += static_cast<char>(std::toupper(character));
  }
  expect_same(read(text), read(text_stl(box)));
}

TEST_F(StlTest, TextOfTwoSolidsWithExponentsAndSigns) {
  Triangles boxes = box_surface({1, 1, 1}, {3, 3, 3});
  const std::string first = text_stl(boxes);
  std::string second = text_stl(box_surface({4, 4, 4}, {7, 7, 7}));
  for (std::size_t place = 0; (place = second.find(" 7", place)) != std::string::npos;) {
    second.replace(place, 2, " +0.7e1");
  }
  expect_same(read(first + second),
              read(binary_stl(joined(boxes, box_surface({4, 4, 4}, {7, 7, 7})))));
}

TEST_F(StlTest, ScaledTurnedAndMoved) {
  domain.scale = 8;
  // 2 x 1 x 1 times 0.25; turned about z by 90 degrees: x from -0.25 to 0, y from 0 to 0.5.
  expect_same(
      read(binary_stl(box_surface({0, 0, 0}, {2, 1, 1})),
           R"(, "scale": 0.25, "angles_degrees": [0, 0, 90], "translate": [0.51, 0.3, 0.6])"),
      read_solids(R"({"shape": "box", "from": [0.26, 0.3, 0.6], "to": [0.51, 0.8, 0.85]})",
                  domain));
}

TEST_F(StlTest, RepeatedAlongPeriodicAxes) {
  domain.periodic = {true, false, true};
  expect_same(read(binary_stl(box_surface({-2, 1, 6}, {2, 4, 9}))),
              read_solids(R"({"shape": "box", "from": [-2, 1, 6], "to": [2, 4, 9]})", domain));
}

TEST_F(StlTest, OverlappingBodiesAndCavities) {
  domain = {20, 20, 20, 1, {}, {}};
  // Two boxes that overlap, and a box with a hole in it.
  Triangles surface = box_surface({1, 1, 1}, {8, 8, 8});
  surface = joined(surface, box_surface({4.2, 4.2, 4.2}, {10, 10, 10}));
  surface = joined(surface, box_surface({11, 11, 11}, {19, 19, 19}));
  surface = joined(surface, reversed(box_surface({13.2, 13.2, 13.2}, {16, 16, 16})));
  const Solids3D solids = read(binary_stl(surface));
  EXPECT_EQ(solid_nodes(solids), 7 * 7 * 7 + 6 * 6 * 6 - 4 * 4 * 4 + 8 * 8 * 8 - 3 * 3 * 3);
  EXPECT_TRUE(solids.warnings.empty());
}

TEST_F(StlTest, TrianglesOfEitherSense) {
  Triangles surface = sphere_surface({4, 4, 4}, 3.3, 2);
  const Solids3D expected = read(binary_stl(surface));
  for (std::size_t index = 0; index < surface.size(); index += 3) {
    std::swap(surface[index][0], surface[index][1]);
  }
  expect_same(read(binary_stl(surface)), expected);
}

TEST_F(StlTest, TrianglesWithoutAreaDoNotMatter) {
  Triangles surface = sphere_surface({4, 4, 4}, 3.3, 1);
  const Solids3D expected = read(binary_stl(surface));
  const Point3D corner = surface[5][1];
  surface.push_back({corner, corner, surface[7][0]});
  surface.push_back({corner, corner, corner});
  expect_same(read(binary_stl(surface)), expected);
}

TEST_F(StlTest, SphereHasItsVolume) {
  domain = {64, 64, 64, 1, {}, {}};
  const double radius = 27.3;
  const double exact = 4 * std::numbers::pi / 3 * radius * radius * radius;
  double error = exact;
  for (int cuts = 1; cuts <= 5; ++cuts) {
    const Triangles surface = sphere_surface({32.1, 31.7, 32.4}, radius, cuts);
    const Solids3D solids = read(binary_stl(surface));
    EXPECT_NEAR(solid_nodes(solids), volume(surface), 2e-3 * exact);
    const double last_error = error;
    error = std::abs(solid_nodes(solids) - exact);
    EXPECT_LT(error, std::max(0.4 * last_error, 2e-3 * exact)) << cuts;
  }
}

TEST_F(StlTest, NodesOfATurnedCubeByItsPlanes) {
  domain = {32, 32, 32, 1, {}, {}};
  const Solids3D solids =
      read(binary_stl(box_surface({-8, -6, -9}, {8, 6, 9})),
           R"(, "angles_degrees": [35, 15, -50], "translate": [16.1, 15.2, 16.3])");
  // The same box, turned by the shapes.
  expect_same(solids, read_solids(R"({"shape": "box", "from": [8.1, 9.2, 7.3],
                                      "to": [24.1, 21.2, 25.3], "angles_degrees": [35, 15, -50]})",
                                  domain));
}

TEST_F(StlTest, SidesOfPointsAgreeWithRows) {
  const TriangleMesh mesh(sphere_surface({10, 10, 10}, 8.7, 3));
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> anywhere(0, 20);
  std::vector<signed char> sides(20);
  for (int row = 0; row < 200; ++row) {
    const double y = row % 2 == 0 ? anywhere(engine) : std::floor(anywhere(engine));
    const double z = row % 3 == 0 ? anywhere(engine) : std::floor(anywhere(engine));
    mesh.sides_of_row(0.5, y, z, sides);
    for (std::size_t x = 0; x < sides.size(); ++x) {
      const Point3D point{static_cast<double>(x) + 0.5, y, z};
      ASSERT_EQ(sides[x], sign(mesh.side(point)));
      const double distance = std::hypot(point[0] - 10, y - 10, z - 10);
      if (distance < 8.5) {
        ASSERT_EQ(sides[x], -1);
      } else if (distance > 8.7) {
        ASSERT_EQ(sides[x], 1);
      }
    }
  }
}

// Distances to walls.

TEST_F(StlTest, DistancesToABoxOnAllLinks) {
  const Solids3D surface = read(binary_stl(box_surface({1.25, 2.375, 3.0625}, {6.75, 4.375, 7})));
  const Solids3D shape =
      read_solids(R"({"shape": "box", "from": [1.25, 2.375, 3.0625], "to": [6.75, 4.375, 7]})");
  int links = 0;
  for_wall_links(surface, 0, [&](int x, int y, int z, int dx, int dy, int dz) {
    ASSERT_NEAR(surface.wall_distance(x, y, z, dx, dy, dz, 0),
                shape.wall_distance(x, y, z, dx, dy, dz, 0), 1e-12);
    ++links;
  });
  EXPECT_GT(links, 500);
}

TEST_F(StlTest, DistancesToASphereConverge) {
  domain = {24, 24, 24, 1, {}, {}};
  const Point3D centre{12.1, 11.7, 12.4};
  double last_error = 1;
  for (const int cuts : {3, 4, 5}) {
    const Solids3D solids = read(binary_stl(sphere_surface(centre, 9.3, cuts)));
    double error = 0;
    for_wall_links(solids, 0, [&](int x, int y, int z, int dx, int dy, int dz) {
      const double distance = solids.wall_distance(x, y, z, dx, dy, dz, 0);
      ASSERT_GT(distance, 0);
      ASSERT_LE(distance, 1);
      // Distance of the crossing from the sphere.
      error = std::max(error, std::abs(std::hypot(x + 0.5 + distance * dx - centre[0],
                                                  y + 0.5 + distance * dy - centre[1],
                                                  z + 0.5 + distance * dz - centre[2]) -
                                       9.3));
    });
    EXPECT_LT(error, 0.3 * last_error);
    last_error = error;
  }
  EXPECT_LT(last_error, 0.01);
}

TEST_F(StlTest, DistanceThroughAPeriodicSide) {
  domain.periodic = {true, true, true};
  const Solids3D solids = read(binary_stl(box_surface({-1, -1, -1}, {2.25, 9, 9})));
  EXPECT_NEAR(solids.wall_distance(6, 3, 3, 1, 0, 0, 0), 0.5, 1e-12);
}

TEST_F(StlTest, DistanceFromInsideAPipe) {
  const Solids3D solids =
      read(binary_stl(box_surface({-1, 1.25, 1.25}, {9, 6.75, 6.75})), R"(, "inverted": true)");
  EXPECT_EQ(solid_nodes(solids), 8 * (64 - 36));
  EXPECT_NEAR(solids.wall_distance(4, 6, 4, 0, 1, 0, 0), 0.25, 1e-12);
}

// Open surfaces.

TEST_F(StlTest, OpenSurfaceIsRefused) {
  Triangles surface = box_surface({1, 2, 3}, {6, 4, 7});
  surface.pop_back();
  expect_file_refused(binary_stl(surface), "that surface is open: 3 edges");
}

TEST_F(StlTest, DoubledTriangleIsRefused) {
  Triangles surface = box_surface({1, 2, 3}, {6, 4, 7});
  surface.push_back(surface.front());
  expect_file_refused(binary_stl(surface), "that surface is open: 3 edges");
}

TEST_F(StlTest, HolesAreBridgedWithAWarning) {
  domain = {24, 24, 24, 1, {}, {}};
  Triangles surface = sphere_surface({12.1, 11.7, 12.4}, 9.3, 3);
  const Solids3D expected = read(binary_stl(surface));
  // Three holes, one for the lines along each axis.
  for (const std::size_t index : {450U, 158U, 94U}) {
    surface.erase(surface.begin() + static_cast<std::ptrdiff_t>(index));
  }
  const Solids3D solids = read(binary_stl(surface), R"(, "open_surface": "warn")");
  expect_same(solids, expected);
  ASSERT_EQ(solids.warnings.size(), 1U);
  EXPECT_NE(solids.warnings[0].find("that surface is open: 9 edges"), std::string::npos);
  EXPECT_NE(solids.warnings[0].find("geometry.solids[0].file"), std::string::npos);
}

// Bad input.

TEST_F(StlTest, FileMissing) {
  expect_error<InputError>([&] { read_solids(R"({"shape": "stl", "file": "lost.stl"})", domain); },
                           "geometry.solids[0].file: found \"lost.stl\", but there is no file");
}

TEST_F(StlTest, OutsideOfTheDomain) {
  expect_file_refused(binary_stl(box_surface({1, 20, 3}, {6, 24, 7})),
                      "that surface lies outside of the domain", "from [1, 20, 3] to [6, 24, 7]",
                      "the domain from [0, 0, 0] to [8, 8, 8]");
}

TEST_F(StlTest, BetweenNodes) {
  expect_error<InputError>(
      [&] {
        read(binary_stl(box_surface({1.6, 1, 1}, {2.4, 5, 5})));
      },
      "geometry.solids[0]: this solid covers none of the domain's 8 x 8 x 8");
}

TEST_F(StlTest, EmptyFile) { expect_file_refused("", "that file is empty"); }

TEST_F(StlTest, SomethingElse) {
  expect_file_refused("hello", "that file is not an STL file");
  expect_file_refused("v 0 0 0\n" + std::string(100, 'x'), "truncated or damaged");
}

TEST_F(StlTest, BinaryCutOff) {
  const std::string whole = binary_stl(box_surface({1, 2, 3}, {6, 4, 7}));
  expect_file_refused(whole.substr(0, whole.size() - 1),
                      "its header states 12 triangles, its size allows 11");
}

TEST_F(StlTest, NoTriangles) {
  expect_file_refused(binary_stl({}), "has no triangles");
  expect_file_refused("solid nothing\nendsolid nothing\n", "has no triangles");
}

TEST_F(StlTest, TrianglesWithoutArea) {
  expect_file_refused(binary_stl({{{{1, 1, 1}, {1, 1, 1}, {2, 2, 2}}}}), "are degenerate");
}

TEST_F(StlTest, BinaryNotFinite) {
  Triangles surface = box_surface({1, 2, 3}, {6, 4, 7});
  surface[3][1][2] = std::numeric_limits<double>::quiet_NaN();
  expect_file_refused(binary_stl(surface), "triangle 3 of that binary STL file");
}

TEST_F(StlTest, TextWithAWordForANumber) {
  std::string text = text_stl(box_surface({1, 2, 3}, {6, 4, 7}));
  text.replace(text.find("vertex 1"), 8, "vertex l");
  expect_file_refused(text, "line 4 of that STL file has \"l\", must be a finite number");
}

TEST_F(StlTest, TextWithTwoCorners) {
  std::string text = text_stl(box_surface({1, 2, 3}, {6, 4, 7}));
  const std::size_t start = text.find("      vertex");
  text.erase(start, text.find('\n', start) + 1 - start);
  expect_file_refused(text, "line 6 of that STL file has \"endloop\", must be \"vertex\"");
}

TEST_F(StlTest, TextCutOff) {
  const std::string text = text_stl(box_surface({1, 2, 3}, {6, 4, 7}));
  expect_file_refused(text.substr(0, text.rfind("endloop")), "ends where \"endloop\" must follow");
}

TEST_F(StlTest, InPlanesIsThatOfTheWholeDomain) {
  write_all(directory / "body.stl", binary_stl(sphere_surface({5, 6, 6.5}, 4.2, 2)));
  const Domain3D periodic{12, 11, 14, 1, {true, false, true}, directory.path()};
  expect_same_in_planes(
      R"({"shape": "stl", "file": "body.stl", "translate": [-3, 1, 6], "angles_degrees": [5, 0, 8]})",
      periodic);
}

TEST_F(StlTest, FarTooLarge) {
  const std::string box = binary_stl(box_surface({1, 2, 3}, {6, 4, 7}));
  const auto refused = [&](const std::string& more, const std::string& message) {
    expect_error<InputError>([&] { read(box, more); }, "geometry.solids[0]", message);
  };
  refused(R"(, "scale": 1e11)", "that surface is too large");
  refused(R"(, "translate": [1e9, 0, 0])", "that surface is too large");
  refused(R"(, "scale": 1e308)", "scale: found 1e+308");
  refused(R"(, "translate": [1e308, -1e308, 0])", "translate[0]: found 1e+308");
  refused(R"(, "angles_degrees": [1e308, 0, 0])", "angles_degrees[0]: found 1e+308");
}

TEST_F(StlTest, ScaleZero) {
  expect_error<InputError>(
      [&] {
        read(binary_stl(box_surface({1, 2, 3}, {6, 4, 7})), R"(, "scale": 0)");
      },
      "geometry.solids[0].scale: found 0, must be");
}

TEST_F(StlTest, UnknownTreatmentOfOpenSurfaces) {
  expect_error<InputError>(
      [&] {
        read(binary_stl(box_surface({1, 2, 3}, {6, 4, 7})), R"(, "open_surface": "close")");
      },
      "geometry.solids[0].open_surface: found \"close\"");
}

}  // namespace
}  // namespace knudsen::test
