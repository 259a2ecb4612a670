#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "case/sample_reader.hpp"
#include "problem.hpp"

namespace knudsen::shakhov {
namespace {

using test::read;
using test::with;
using testing::HasSubstr;

std::string error(const std::string& patch) {
  return knudsen::test::input_error([&] { read(with(patch)); });
}

TEST(Reader, BaseCase) {
  const auto problem = read(with(R"({"domain": {"cells": [6, 6, 7]}})"));
  EXPECT_EQ(problem->variant, "pencils shakhov accelerated");
  EXPECT_EQ(problem->updates_per_step, 6 * 6 * 7 * 512);
  EXPECT_EQ(problem->warnings.size(), 0U);
}

TEST(Reader, SegmentsGrowByTheirRatio) {
  const auto problem = read(with(R"({"domain": {"cells": null, "origin": [-1, 0, 0],
    "x": [{"cells": 3, "length": 7, "ratio": 2}, {"cells": 2, "length": 2}],
    "y": [{"cells": 4, "length": 1}], "z": [{"cells": 4, "length": 1}]}})"));
  auto method = problem->create(default_backend());
  method->initialise();
  const Field position = method->field("position");
  const double expected[5] = {-0.5, 1, 4, 6.5, 7.5};
  for (std::size_t x = 0; x < 5; ++x) EXPECT_NEAR(position[3 * x], expected[x], 1e-14);
}

TEST(Reader, WarnsWhereMoleculesThatGrazeTheWallsAreNotResolved) {
  const auto warnings = [](const std::string& patch) {
    auto json = nlohmann::json::parse(R"({
      "domain": {"cells": [10]}, "gas": {"rarefaction": 0.1},
      "velocity_grid": {"type": "half-range", "count": [16, 8, 8]},
      "collision": {"body_force": [0, 1e-3, 0]},
      "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}}})");
    json.merge_patch(nlohmann::json::parse(patch));
    return read(json)->warnings;
  };
  const auto found = warnings("{}");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0], HasSubstr("velocity_grid: molecules that cross the gas along x slower than "
                                  "0.1 v_ref collide before"));
  EXPECT_THAT(found[0], HasSubstr("slowest is above 0.015, here 0.05298, put flows"));
  EXPECT_EQ(warnings(R"({"velocity_grid": {"count": [36, 8, 8]}})").size(), 1U);
  EXPECT_EQ(warnings(R"({"velocity_grid": {"count": [44, 8, 8]}})").size(), 0U);
  EXPECT_EQ(warnings(R"({"gas": {"rarefaction": 0.4}})").size(), 0U);
  EXPECT_EQ(warnings(R"({"gas": {"rarefaction": 0}})").size(), 0U);
  // Nothing drives the gas along the walls, or a wall does; a force across the walls drives
  // nothing.
  EXPECT_EQ(warnings(R"({"collision": null})").size(), 0U);
  EXPECT_EQ(warnings(R"({"collision": {"body_force": [1e-3, 0, 0]}})").size(), 0U);
  // A wall whose temperature changes along it, first values that are those of the others aside.
  const std::string channel =
      R"({"domain": {"cells": [10, 4]}, "collision": null, "boundaries": {"south": {"type":
         "periodic"}, "north": {"type": "periodic"}, "west": {"profile": )";
  const auto of_wall = [&](const std::string& profile) {
    return warnings(channel + "{" + profile + "}}}}").size();
  };
  EXPECT_EQ(of_wall(R"("temperature": "1 + 0*y")"), 0U);
  EXPECT_EQ(of_wall(R"("temperature": "1 + 0.1*y")"), 1U);
  EXPECT_EQ(of_wall(R"("velocity_y": "0.1*y*y")"), 1U);
  EXPECT_EQ(warnings(R"({"collision": {"body_force": null, "temperature_gradient": [0, 1e-3, 0]}})")
                .size(),
            1U);
  EXPECT_EQ(
      warnings(R"({"collision": null, "boundaries": {"east": {"velocity": [0, 0.1, 0]}}})").size(),
      1U);
  // A plane of symmetry doubles the way.
  EXPECT_EQ(warnings(R"({"gas": {"rarefaction": 0.3},
                         "boundaries": {"west": {"type": "symmetry"}}})")
                .size(),
            0U);
  EXPECT_EQ(warnings(R"({"gas": {"rarefaction": 0.15},
                         "boundaries": {"west": {"type": "symmetry"}}})")
                .size(),
            1U);
  EXPECT_EQ(warnings(R"({"boundaries": {"west": {"accommodation": 0}}})").size(), 0U);
  // Walls along the other axis, too, end the flights.
  const std::string box =
      R"({"domain": {"cells": [10, 10]}, "boundaries": {"south": {"type": "wall"},
                              "north": {"type": "wall"}}})";
  EXPECT_EQ(warnings(box).size(), 0U);
  EXPECT_EQ(warnings(R"({"domain": {"cells": [10, 10]}})").size(), 1U);
}

TEST(Reader, RefusesCellsWithoutWidth) {
  for (const char* ratio : {"2", "0.5"}) {
    EXPECT_THAT(error(std::string(R"({"domain": {"cells": null, "y": [{"cells": 4, "length": 1}],
                          "z": [{"cells": 4, "length": 1}],
                          "x": [{"cells": 2000, "length": 1, "ratio": )") +
                      ratio + "}]}}"),
                HasSubstr("domain.x: gives the smallest cell width along x over its extent"));
  }
  EXPECT_THAT(error(R"({"domain": {"cells": [4, 4, 4], "size": [1e-9, 1, 1],
                                   "origin": [1e9, 0, 0]}})"),
              HasSubstr("domain.cells: gives the smallest cell width along x"));
}

TEST(Reader, OneWarningForAllSpheres) {
  const auto problem = read(with(R"({"domain": {"cells": [12, 12, 12], "size": [1, 1, 1]},
      "geometry": {"solids": [{"shape": "sphere", "centre": [0.2, 0.5, 0.5], "radius": 0.15},
                              {"shape": "sphere", "centre": [0.8, 0.5, 0.5], "radius": 0.15}]}})"));
  ASSERT_EQ(problem->warnings.size(), 1U);
  EXPECT_THAT(problem->warnings[0],
              HasSubstr("geometry.solids[0] and 1 more: a shape is approximated"));
}

TEST(Reader, ReferenceStateInSiUnits) {
  const auto problem = read(with(R"({"gas": {"rarefaction": null, "si": {"pressure": 10,
    "temperature": 273, "length": 1e-3, "molecule_mass": 6.63e-26, "viscosity": 2.1e-5}}})"));
  // delta = p L / (mu sqrt(2 k T / m))
  const double speed = std::sqrt(2 * 1.380649e-23 * 273 / 6.63e-26);
  double delta = 0;
  std::string unit;
  for (const auto& value : problem->resolved) {
    if (value.name == "rarefaction parameter") delta = std::stod(value.value);
    if (value.name == "reference pressure") unit = value.unit;
  }
  EXPECT_NEAR(delta / (10 * 1e-3 / (2.1e-5 * speed)), 1, 1e-3);
  EXPECT_EQ(unit, "Pa");
  EXPECT_THAT(error(R"({"gas": {"si": {"pressure": 10, "temperature": 273, "length": 1e-3,
                        "molecule_mass": 6.63e-26, "viscosity": 2.1e-5}}})"),
              HasSubstr("give either \"rarefaction\" or \"knudsen\" or \"si\""));
}

TEST(Reader, RefusesSlicesOfSecondOrder) {
  EXPECT_THAT(error(R"({"propagation": {"scheme": "slices", "order": 2}})"),
              HasSubstr("propagation.order: found 2, scheme \"slices\" requires order 1"));
  EXPECT_THAT(error(R"({"propagation": {"scheme": "slice"}})"), HasSubstr("propagation.scheme"));
}

TEST(Reader, RefusesBadCoarseStarts) {
  EXPECT_THAT(error(R"({"propagation": {"coarse_start": {}}})"),
              HasSubstr("propagation.coarse_start.velocity_grid"));
  EXPECT_THAT(error(R"({"propagation": {"coarse_start": {
                        "velocity_grid": {"count": [5, 4, 4]}}}})"),
              HasSubstr("propagation.coarse_start.velocity_grid: a wall or symmetry plane requires "
                        "that no velocity along x is 0"));
  EXPECT_THAT(error(R"({"propagation": {"coarse_start": {"tolerance": 0,
                        "velocity_grid": {"count": [4, 4, 4]}}}})"),
              HasSubstr("must be greater than 0"));
}

TEST(Reader, StatesTheMemoryOfAllParts) {
  const auto memory = [](const std::string& patch) { return read(with(patch))->memory_bytes; };
  const auto pencils = memory("{}");
  const auto slices = memory(R"({"propagation": {"scheme": "slices"}})");
  // Two slices of an octant of 4^3 velocities, filled up to a block.
  EXPECT_GT(slices, 2 * 5 * 6 * 512 * 8U);
  EXPECT_NE(slices, pencils);
  EXPECT_GT(memory(R"({"propagation": {"coarse_start": {"velocity_grid": {"count": [4, 4, 4],
                       "minimum": [-3, -3, -3], "maximum": [3, 3, 3]}}}})"),
            pencils);
}

TEST(Reader, TakesNoMoreMemoryThanGiven) {
  const auto memory = [](const std::string& patch) {
    return static_cast<double>(read(with(patch))->memory_bytes);
  };
  const auto with_limit = [](double megabytes) {
    return R"({"velocity_grid": {"count": [32, 32, 32]}, "propagation": {"order": 2, "acceleration": "synthetic",
               "coarse_start": {"velocity_grid": {"count": [16, 16, 16],
                                "minimum": [-3, -3, -3], "maximum": [3, 3, 3]}}},
               "tuning": {"memory": )" +
           std::to_string(megabytes) + "}}";
  };
  const double most = memory(with_limit(1e6)) / 1e6;
  double last = 0;
  for (const double share : {0.3, 0.5, 0.8, 1.0}) {
    const double found = memory(with_limit(share * most)) / 1e6;
    EXPECT_LE(found, share * most);
    EXPECT_GT(found, last);
    last = found;
  }
  EXPECT_NEAR(last, most, 1e-6 * most);
  EXPECT_THAT(error(with_limit(0.1)), HasSubstr("tuning.memory: must be at least "));
  EXPECT_THAT(error(R"({"tuning": {"memory": 10, "batch": 2}})"),
              HasSubstr("tuning.memory: belongs to cases without `batch`"));
}

TEST(Reader, RefusesABodyOffTheGridLines) {
  EXPECT_EQ(error(R"({"domain": {"cells": [10, 10, 10]}, "geometry": {"solids": [
              {"shape": "box", "from": [0.25, 0.2, 0.2], "to": [0.5, 0.5, 0.5]}]}})"),
            "case.json: geometry.solids[0].from: a box must end on grid lines; x = 0.25 lies "
            "between those at 0.2 and 0.3");
}

TEST(Reader, RefusesVelocitiesThatCutTheFreeStream) {
  EXPECT_THAT(error(R"({"initial": {"type": "stream", "mach": 5},
              "boundaries": {"west": {"type": "reservoir"}}})"),
              HasSubstr("velocity_grid: leaves out"));
  EXPECT_THAT(error(R"({"initial": {"type": "stream", "mach": 5}})"), HasSubstr("\"initial\""));
}

TEST(Reader, RefusesASphereWithoutCells) {
  EXPECT_THAT(error(R"({"geometry": {"solids": [
              {"shape": "sphere", "centre": [0.6, 0.6, 0.6], "radius": 0.01}]}})"),
              HasSubstr("this solid contains no cell centre"));
}

TEST(Reader, WarnsOfSteps) {
  const auto problem = read(with(R"({"domain": {"cells": [6, 6, 7]}, "geometry": {"solids": [
              {"shape": "sphere", "centre": [0.5, 0.5, 0.6], "radius": 0.3}]}})"));
  ASSERT_EQ(problem->warnings.size(), 1U);
  EXPECT_THAT(problem->warnings[0], HasSubstr("approximated by whole cells"));
}

TEST(Reader, RefusesAVacuumWithoutGas) {
  EXPECT_EQ(
      error(R"({"boundaries": {"west": {"type": "vacuum"}}})"),
      "case.json: boundaries.west: in a steady flow no gas would be left; make another side a "
      "\"reservoir\" or an \"inlet\"");
  read(with(R"({"boundaries": {"west": {"type": "vacuum"}, "top": {"type": "reservoir"}}})"));
}

TEST(Reader, RefusesAnInletWithoutAnOutlet) {
  EXPECT_EQ(
      error(R"({"boundaries": {"west": {"type": "inlet", "mass_flux": 0.1}}})"),
      "case.json: boundaries.west: there is no steady flow, since no gas leaves; make another "
      "side a \"reservoir\", a \"vacuum\" or a \"pump\"");
  EXPECT_THAT(error(R"({"boundaries": {"west": {"type": "inlet", "mass_flux": 0.1},
                                       "east": {"type": "pump", "capture": 0}}})"),
              HasSubstr("no gas leaves"));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"type": "pump", "capture": 1.5}}})"),
              HasSubstr("boundaries.west.capture: found 1.5, must be from 0 to 1"));
  read(with(R"({"boundaries": {"west": {"type": "inlet", "mass_flux": 0.1},
                               "east": {"type": "pump", "capture": 0.1}}})"));
}

/// A plane of 5 x 3 cells that a plate divides, with gas on 2 x 3 cells on each side of it.
nlohmann::json divided(const std::string& patch) {
  return with(patch, with(R"({
    "domain": {"cells": [5, 3], "size": [5, 3]}, "gas": {"rarefaction": 0.15},
    "boundaries": {"south": {"type": "symmetry"}, "north": {"type": "symmetry", "velocity": null},
                   "bottom": null, "top": null},
    "geometry": {"solids": [{"name": "plate", "shape": "box", "from": [2, 0], "to": [3, 3]}]}})"));
}

TEST(Reader, RefusesPartsOfTheGasWithoutATemperature) {
  const std::string heated =
      R"([{"name": "plate", "shape": "box", "from": [2, 0], "to": [3, 3], "heat_flux": 0.1}])";
  const std::string plate = R"("geometry": {"solids": )" + heated + "}";
  const auto error = [](const std::string& patch) {
    return knudsen::test::input_error([&] { read(divided("{" + patch + "}")); });
  };
  const std::string insulated = R"("boundaries": {"east": {"heat_flux": 0}})";
  EXPECT_EQ(error(plate + ", " + insulated),
            "case.json: geometry.solids, plate: leaves the temperature of a steady flow open in a "
            "part of the gas (6 cells, the first at (3, 0)) beside which no surface has a "
            "temperature; give one of these surfaces a \"temperature\", or leave a way to the rest "
            "of the gas");
  read(divided("{" + plate + "}"));      // the eastern wall has a temperature
  read(divided("{" + insulated + "}"));  // the plate has one
  // Through a periodic side, or a gap, each side of the plate has that of the western wall.
  read(divided("{" + plate +
               R"(, "boundaries": {"west": {"type": "periodic"}, "east": {"type": "periodic"},
                                                 "north": {"type": "wall"}}})"));
  auto gap = divided("{" + plate + ", " + insulated + "}");
  gap["geometry"]["solids"][0]["to"] = {3, 2};
  read(gap);
  // A gap between corners of cut cells is none.
  gap["geometry"]["surface"] = "cut-cells";
  gap["geometry"]["solids"][0]["from"] = {1.9, 0.2};
  gap["geometry"]["solids"][0]["to"] = {3.1, 2.8};
  gap["domain"]["cells"] = {5, 2};
  gap["boundaries"]["south"] = gap["boundaries"]["north"] = {{"type", "periodic"}};
  read(gap);
  gap["geometry"]["solids"][0]["from"] = {1.9, 0};
  EXPECT_THAT(knudsen::test::input_error([&] { read(gap); }),
              HasSubstr("Gaps between corners of cells are not seen; finer cells see them"));
}

TEST(Reader, WarnsOfPartsOfTheGasWhoseMassNothingSets) {
  const auto warnings = [](const std::string& patch) { return read(divided(patch))->warnings; };
  ASSERT_EQ(warnings("{}").size(), 1U);
  EXPECT_EQ(warnings("{}")[0],
            "geometry.solids: 2 parts of the gas (12 cells, the first at (0, 0)) between which no "
            "gas passes; the iteration keeps the mass of all of them together, so that their "
            "densities may drift apart");
  const std::string open = R"({"boundaries": {"west": {"type": "reservoir"}}})";
  ASSERT_EQ(warnings(open).size(), 1U);
  EXPECT_EQ(warnings(open)[0],
            "geometry.solids: 1 part of the gas (6 cells, the first at (3, 0)) cut off by solids "
            "from the open sides; nothing sets the density there, which may drift during the "
            "iteration");
  EXPECT_TRUE(
      warnings(R"({"boundaries": {"west": {"type": "reservoir"}, "east": {"type": "reservoir"}}})")
          .empty());
  EXPECT_TRUE(
      warnings(R"({"boundaries": {"west": {"type": "periodic"}, "east": {"type": "periodic"},
                                          "north": {"type": "wall"}}})")
          .empty());
}

TEST(Reader, RefusesBadDomains) {
  EXPECT_THAT(error(R"({"domain": {"cells": [4, 4, 4, 4]}})"), HasSubstr("1, 2 or 3 integers"));
  EXPECT_THAT(error(R"({"domain": {"x": [{"cells": 3, "length": 1}]}})"),
              HasSubstr("give either \"cells\" or segments"));
  EXPECT_THAT(error(R"({"domain": {"cells": null, "y": [{"cells": 3, "length": 1}]}})"),
              HasSubstr("domain.y: the axes before this one must have segments"));
  EXPECT_THAT(error(R"({"domain": {"size": [1, 1]}})"),
              HasSubstr("domain.size: must have as many"));
  EXPECT_THAT(error(R"({"domain": {"cells": [1000, 1000, 1000]}})"),
              HasSubstr("at most 134217727 cells"));
}

TEST(Reader, RefusesBadNumbers) {
  EXPECT_THAT(error(R"({"gas": {"rarefaction": -1}})"), HasSubstr("must be at least 0"));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"temperature": 0}}})"),
              HasSubstr("must be from 1e-06 to 1000000"));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"accommodation": 1.5}}})"), HasSubstr("found 1.5"));
  EXPECT_THAT(error(R"({"propagation": {"order": 3}})"), HasSubstr("propagation.order"));
}

TEST(Reader, TakesConservativeTargetsWhereErrorsAddUp) {
  const auto conservative = [](const std::string& text) {
    return test::parameters_of(with(text)).conservative;
  };
  EXPECT_FALSE(conservative(R"({"gas": {"rarefaction": 0.99}})"));
  for (const char* model : {"bgk", "shakhov", "es-bgk"}) {
    const std::string collision = R"("collision": {"model": ")" + std::string(model) + R"("})";
    EXPECT_TRUE(conservative(R"({"gas": {"rarefaction": 1}, )" + collision + "}"));
    EXPECT_TRUE(conservative(R"({"gas": {"rarefaction": 0.1}, )" + collision +
                             R"(, "boundaries": {"west": {"type": "reservoir"}}})"));
  }
  EXPECT_FALSE(
      conservative(R"({"gas": {"rarefaction": 100}, "collision": {"conservative": false}})"));
  EXPECT_TRUE(
      conservative(R"({"gas": {"rarefaction": 0.1}, "collision": {"conservative": true}})"));
}

TEST(Reader, RefusesContradictions) {
  EXPECT_THAT(error(R"({"collision": {"model": "es-bgk", "body_force": [1, 0, 0]}})"),
              HasSubstr("collision.body_force: with model \"es-bgk\" must be at most "));
  EXPECT_THAT(error(R"({"collision": {"model": "es-bgk", "body_force": [1e-9, 0, 0]},
                        "gas": {"rarefaction": 0}})"),
              HasSubstr("collision.body_force: with model \"es-bgk\" requires collisions"));
  EXPECT_THAT(error(R"({"collision": {"model": "bgk", "temperature_gradient": [0, 0, 0.1]}})"),
              HasSubstr("requires model \"shakhov\""));
  EXPECT_THAT(error(R"({"collision": {"temperature_gradient": [0, 0, 0.1]}})"),
              HasSubstr("collision.temperature_gradient: along z the sides must be periodic"));
  EXPECT_THAT(error(R"({"collision": {"temperature_gradient": [0, 0, 0.1]},
                        "boundaries": {"bottom": {"type": "periodic"}, "top": {"type": "periodic"}},
                        "gas": {"rarefaction": 0}})"),
              HasSubstr("collision.temperature_gradient: requires a gas with collisions"));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"type": "periodic"}}})"),
              HasSubstr("must be periodic too"));
  EXPECT_THAT(error(R"({"gas": {"rarefaction": 0}, "velocity_grid": {"count": [9, 9, 9]}})"),
              HasSubstr("no velocity along x is 0"));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"type": "symmetry"}},
                        "velocity_grid": {"maximum": [5, 4, 4]}})"),
              HasSubstr("reflects specularly"));
  EXPECT_THAT(error(R"({"domain": {"cells": [4, 1, 4]}, "propagation": {"order": 2}})"),
              HasSubstr("at least 2 cells"));
  EXPECT_THAT(error(R"({"domain": {"cells": [5, 4, 4], "size": [5, 4, 4]},
                        "propagation": {"order": 2},
                        "geometry": {"solids": [{"shape": "box", "from": [2, 0, 1],
                                                 "to": [3, 2, 2]}]}})"),
              HasSubstr("along z the cell (2, 0, 0) has surfaces on both sides"));
  EXPECT_THAT(error(R"({"geometry": {"solids": [{"shape": "sphere", "name": "a b",
                        "centre": [0.5, 0.6, 0.7], "radius": 0.3}]}})"),
              HasSubstr("geometry.solids[0].name"));
}

}  // namespace
}  // namespace knudsen::shakhov
