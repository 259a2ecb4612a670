#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "case/sample_reader.hpp"
#include "kinetic/case/read_sides.hpp"
#include "output/temporary_directory.hpp"

namespace knudsen {
namespace {

using test::input_error;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pointwise;

using Sides = std::array<SideCondition, 6>;

/// The sides of a box of 4 x 2 x 3 cells and the size 4 x 2 x 6.
Sides read(const std::string& sides, int dimensions = 3, const std::string& directory = ".") {
  Sides found;
  CartesianGrid grid{{4, 2, 3}, {0, 0, 0}, {1, 1, 2}};
  if (dimensions < 3) grid.cells[2] = 1;
  const auto document =
      CaseDocument::from_text("{\"boundaries\": " + sides + "}", "case.json", directory);
  read_case(document, [&](CaseNode& root) {
    root.object("boundaries", "",
                [&](CaseNode& node) { read_sides(node, found, grid, dimensions, {}, {}); });
  });
  return found;
}

std::string error(const std::string& side, const std::string& directory = ".") {
  return input_error([&] { read("{\"north\": " + side + "}", 3, directory); });
}

std::vector<double> temperatures(const SideCondition& side) {
  std::vector<double> found;
  for (const int part : side.part_of_face) {
    found.push_back(side.parts[static_cast<std::size_t>(part)].state.temperature);
  }
  return found;
}

TEST(Profile, GivesEachFaceItsCondition) {
  const Sides sides = read(R"_({
    "north": {"type": "wall", "velocity": [0.5, 0, 0], "accommodation": 0.5,
              "profile": {"temperature": "1 + x + 100*y + 10000*z"}},
    "south": {"type": "wall", "profile": {"velocity_x": "z", "velocity_y": 0}},
    "east": {"type": "reservoir", "profile": {"density": "1 + y", "velocity_x": "-0.1*y",
                                              "temperature": "1/(1 + y)"}}
  })_");
  EXPECT_THAT(temperatures(sides[north]),
              ElementsAre(10201.5, 10202.5, 10203.5, 10204.5, 30201.5, 30202.5, 30203.5, 30204.5,
                          50201.5, 50202.5, 50203.5, 50204.5));
  for (const SideCondition& part : sides[north].parts) {
    EXPECT_EQ(part.state.velocity[0], 0.5);
    EXPECT_EQ(part.accommodation, 0.5);
  }
  // Faces with the same condition share it.
  EXPECT_EQ(sides[south].parts.size(), 3U);
  EXPECT_THAT(sides[south].part_of_face, ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2));
  EXPECT_EQ(sides[south].parts[2].state.velocity[0], 5);
  ASSERT_EQ(sides[east].parts.size(), 2U);
  EXPECT_EQ(sides[east].parts[1].state.density, 2.5);
  EXPECT_DOUBLE_EQ(sides[east].parts[1].state.velocity[0], -0.15);
  EXPECT_EQ(sides[east].parts[1].state.temperature, 1 / 2.5);
  EXPECT_THAT(sides[east].part_of_face, ElementsAre(0, 1, 0, 1, 0, 1));
}

TEST(Profile, ThatIsConstantIsNone) {
  const Sides sides = read(R"_({"north": {"type": "wall", "profile": {"temperature": "1 + 2*0.25",
                                                                     "velocity_z": 0.25}}})_");
  EXPECT_THAT(sides[north].parts, IsEmpty());
  EXPECT_THAT(sides[north].part_of_face, IsEmpty());
  EXPECT_EQ(sides[north].state.temperature, 1.5);
  EXPECT_EQ(sides[north].state.velocity[2], 0.25);
}

TEST(Profile, OfPumpsAndInlets) {
  const Sides sides = read(R"_({
    "north": {"type": "pump", "capture": 0.5, "profile": {"temperature": "1 + x"}},
    "west": {"type": "inlet", "profile": {"mass_flux": "0.1*y*(2 - y) + z/100"}}
  })_");
  EXPECT_EQ(sides[north].parts.size(), 4U);
  EXPECT_EQ(sides[north].parts[3].capture, 0.5);
  EXPECT_EQ(sides[west].parts.size(), 3U);  // the profile is symmetric about the middle
  // The side as a whole has a flux.
  EXPECT_EQ(sides[west].mass_flux, sides[west].parts[2].mass_flux);
}

TEST(Profile, OfAPlaneDependsOnOneCoordinate) {
  const Sides sides =
      read(R"_({"north": {"type": "wall", "profile": {"temperature": "1 + x + z"}}})_", 2);
  EXPECT_THAT(temperatures(sides[north]), ElementsAre(1.5, 2.5, 3.5, 4.5));
}

TEST(Profile, ComesFromATable) {
  const TemporaryDirectory folder;
  std::ofstream(folder / "line.csv") << "# measured\nx,temperature\n0,1\n2,3\n4,2\n";
  const std::string directory = folder.path().string();
  EXPECT_THAT(temperatures(read(R"_({"north": {"type": "wall", "profile": {"file": "line.csv"}}})_",
                                3, directory)[north]),
              ElementsAre(1.5, 2.5, 2.75, 2.25, 1.5, 2.5, 2.75, 2.25, 1.5, 2.5, 2.75, 2.25));
  // Rows in any order; two coordinates.
  std::ofstream(folder / "plane.csv")
      << "z,x,temperature,velocity_x\n6,0,7,0\n0,4,5,1\n0,0,1,0\n6,4,11,1\n";
  const Sides sides =
      read(R"_({"north": {"type": "wall", "profile": {"file": "plane.csv"}}})_", 3, directory);
  EXPECT_THAT(
      temperatures(sides[north]),
      Pointwise(DoubleNear(1e-12), {2.5, 3.5, 4.5, 5.5, 4.5, 5.5, 6.5, 7.5, 6.5, 7.5, 8.5, 9.5}));
  EXPECT_EQ(sides[north].parts.back().state.velocity[0], 0.875);
}

TEST(Profile, RefusesBadTables) {
  const TemporaryDirectory folder;
  const auto error_of = [&](const std::string& table) {
    std::ofstream(folder / "wall.csv") << table;
    return error(R"_({"type": "wall", "profile": {"file": "wall.csv"}})_", folder.path().string());
  };
  EXPECT_THAT(error_of("x,temperature\n0,1\n3,1\n"),
              HasSubstr("case.json: boundaries.north.profile.file: found \"wall.csv\", temperature "
                        "is not known at (3.5, 2, 1), since the table covers x from 0 to 3"));
  EXPECT_THAT(error_of("x,y,temperature\n0,0,1\n4,0,1\n"),
              HasSubstr("the table covers x from 0 to 4 and y from 0 to 0"));
  EXPECT_THAT(error_of("x,density\n0,1\n4,1\n"),
              HasSubstr("found the column \"density\", must be one of \"x\", \"y\", \"z\", "
                        "\"velocity_x\""));
  EXPECT_THAT(error_of("temperature\n1\n"), HasSubstr("must have \"x\", \"y\" or \"z\""));
  EXPECT_THAT(error_of("x,y\n1,2\n"), HasSubstr("has no column of a quantity"));
  EXPECT_THAT(error_of("x,temperature\n"), HasSubstr("has no rows"));
  EXPECT_THAT(error_of("x,temperature,temperature\n0,1,1\n"), HasSubstr("several columns"));
  EXPECT_THAT(
      error_of("x,temperature\n0,1\n0,2\n"),
      HasSubstr("has 2 rows, must have one for each point of a grid of its coordinates, 1"));
  EXPECT_THAT(error_of("x,z,temperature\n0,0,1\n0,1,2\n0,1,2\n1,1,2\n"),
              HasSubstr("two rows have the same coordinates"));
  EXPECT_THAT(error_of("x,temperature\ninf,1\n"), HasSubstr("must be finite"));
  EXPECT_THAT(error_of("x,temperature\n0,hot\n4,1\n"), HasSubstr("line 2, column 'temperature'"));
  EXPECT_THAT(error_of("x,temperature\n0,1\n4,-1\n"),
              HasSubstr("temperature is -0.25 at (2.5, 2, 1), must be finite and from 1e-06"));
  EXPECT_THAT(error_of("x,velocity_y\n0,0\n4,1\n"),
              HasSubstr("north.profile.file: found \"wall.csv\", a wall moves along itself only"));
}

TEST(Profile, RefusesWhatIsNoCondition) {
  EXPECT_THAT(
      error(R"_({"type": "wall", "profile": {"temperature": "1 +"}})_"),
      HasSubstr("boundaries.north.profile.temperature: found \"1 +\", must be a formula; at "
                "character 4: found the end"));
  EXPECT_THAT(
      error(R"_({"type": "wall", "profile": {"temperature": "2 - x"}})_"),
      HasSubstr("north.profile.temperature: found \"2 - x\", is -0.5 at (2.5, 2, 1), must be "
                "finite and from 1e-06 to 1000000"));
  EXPECT_THAT(error(R"_({"type": "wall", "profile": {"temperature": "1/(x - 0.5)"}})_"),
              HasSubstr("is inf at (0.5, 2, 1)"));
  EXPECT_THAT(
      error(R"_({"type": "wall", "profile": {"velocity_y": "x"}})_"),
      HasSubstr("north.profile.velocity_y: found \"x\", a wall moves along itself only: the "
                "y component must be 0"));
  EXPECT_THAT(error(R"_({"type": "wall", "profile": {}})_"),
              HasSubstr("north.profile: must give one of \"velocity_x\", \"velocity_y\", "
                        "\"velocity_z\", \"temperature\""));
  EXPECT_THAT(error(R"_({"type": "wall", "temperature": 2, "profile": {"temperature": "x"}})_"),
              HasSubstr("north.temperature: found 2, \"profile\" sets it already"));
  EXPECT_THAT(error(R"_({"type": "wall", "profile": {"density": "x", "temperature": 1}})_"),
              HasSubstr("unknown key \"density\""));
  EXPECT_THAT(error(R"_({"type": "symmetry", "profile": {"temperature": "x"}})_"),
              HasSubstr("key \"profile\" does not belong to type \"symmetry\" but to \"wall\""));
  EXPECT_THAT(
      error(R"_({"type": "inlet"})_"),
      HasSubstr("boundaries.north: give \"mass_flux\", that of \"profile\", or \"mass_flow\""));
  EXPECT_THAT(error(R"_({"type": "inlet", "profile": {"mass_flux": "x - 1"}})_"),
              HasSubstr("is -0.5 at (0.5, 2, 1), must be finite and from 0"));
}

}  // namespace
}  // namespace knudsen
