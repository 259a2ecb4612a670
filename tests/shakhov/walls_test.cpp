#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "case/sample_reader.hpp"
#include "output/csv.hpp"
#include "paths.hpp"
#include "problem.hpp"

// Walls of Cercignani and Lampis and of given heat flux.
namespace knudsen::shakhov {
namespace {

using namespace test;

/// Molecules of the reference gas that hit a unit area.
const double effusion = 0.5 / std::sqrt(std::numbers::pi);

nlohmann::json scattering(double tangential, double normal) {
  return {{"type", "wall"},
          {"cercignani_lampis", {{"tangential", tangential}, {"normal", normal}}}};
}

/// Gas of the BGK model between two plates.
nlohmann::json plates(double delta, int cells = 20) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double", "collision": {"model": "bgk"}, "propagation": {"order": 2},
    "velocity_grid": {"type": "half-range", "count": [16, 16, 16]},
    "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}}})");
  json["domain"] = {{"cells", {cells}}};
  json["gas"] = {{"rarefaction", delta}};
  return json;
}

std::unique_ptr<Method> converged(const nlohmann::json& json, double tolerance = 1e-11,
                                  int most = 3000) {
  auto method = start(json);
  EXPECT_LE(converge(*method, tolerance, most), most) << json.dump();
  return method;
}

TEST(ScatteringWalls, FreeMoleculesShearAsTheirMomentumAccommodates) {
  auto json = plates(0);
  json["boundaries"]["west"] = scattering(0.5, 0.5);
  json["boundaries"]["east"] = scattering(0.8, 0.3);
  json["boundaries"]["east"]["velocity"] = {0, 0.1, 0};
  const auto method = converged(json);
  const double expected = 2 * effusion * 0.1 * 0.5 * 0.8 / (0.5 + 0.8 - 0.5 * 0.8);
  EXPECT_NEAR(method->monitor("west.force_y") / expected, 1, 1e-5);
  EXPECT_NEAR(method->monitor("east.force_y") / -expected, 1, 1e-5);
  EXPECT_NEAR(method->monitor("east.mass_flux"), 0, 1e-14);
}

TEST(ScatteringWalls, FreeMoleculesCarryHeatAsTheirEnergyAccommodates) {
  for (const auto& [tangential, normal] : {std::pair(0.5, 0.5), std::pair(0.8, 0.2)}) {
    auto json = plates(0);
    json["boundaries"]["west"] = scattering(tangential, normal);
    json["boundaries"]["east"] = scattering(tangential, normal);
    json["boundaries"]["west"]["temperature"] = 0.995;
    json["boundaries"]["east"]["temperature"] = 1.005;
    const auto method = converged(json);
    const double along = tangential * (2 - tangential);
    const double expected = effusion * 0.01 * (normal / (2 - normal) + along / (2 - along));
    EXPECT_NEAR(method->monitor("west.energy_flux") / expected, 1, 3e-4);
    EXPECT_NEAR(method->monitor("east.energy_flux") / -expected, 1, 3e-4);
  }
}

TEST(ScatteringWalls, AreDiffuseAtOneAndMirrorsAtZero) {
  for (const double coefficient : {0.0, 1.0}) {
    auto json = plates(1, 8);
    json["velocity_grid"]["count"] = {8, 8, 8};
    json["boundaries"]["east"] = {
        {"type", "wall"}, {"velocity", {0, 0.1, 0.05}}, {"temperature", 1.2}};
    json["boundaries"]["west"]["accommodation"] = coefficient;
    json["boundaries"]["west"]["velocity"] = {0, -0.1, 0};
    const auto expected = converged(json);
    json["boundaries"]["west"] = scattering(coefficient, coefficient);
    json["boundaries"]["west"]["velocity"] = {0, -0.1, 0};
    const auto found = converged(json);
    for (const char* name : {"density", "velocity", "temperature", "heat_flux"}) {
      const Field a = found->field(name);
      const Field b = expected->field(name);
      // The factor that keeps the mass, some 1e-6 from one, acts on mirrors of Maxwell elsewhere.
      const double tolerance = coefficient == 0 ? 3e-6 : 2e-9;
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << name;
    }
  }
}

TEST(ScatteringWalls, SlipIsThatOfTheIntegralEquation) {
  // In the middle the gas flows as in a continuum.
  constexpr double delta = 12;
  const CsvTable table(std::string(KNUDSEN_TEST_DATA) + "/cercignani_lampis_slip.csv");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    auto json = plates(delta, 60);
    json["velocity_grid"]["count"] = {24, 8, 8};
    for (const char* side : {"west", "east"}) {
      json["boundaries"][side] =
          scattering(table.column("tangential")[row], table.column("normal")[row]);
    }
    json["boundaries"]["west"]["velocity"] = {0, -0.005, 0};
    json["boundaries"]["east"]["velocity"] = {0, 0.005, 0};
    const auto method = converged(json, 1e-8, 2000);
    // Stress = gradient / delta in p_ref, and gradient x (1 + 2 slip / delta) = difference.
    const double gradient = delta * method->monitor("west.force_y");
    const double slip = (0.01 / gradient - 1) * delta / 2;
    EXPECT_NEAR(slip / table.column("slip")[row], 1, 0.01) << row;
  }
}

TEST(ScatteringWalls, BothKernelsAndAllBatchesAgree) {
  auto json = with(R"({"domain": {"cells": [4, 3, 3]}})");
  json["boundaries"]["west"] = scattering(0.6, 0.3);
  json["boundaries"]["top"] = scattering(0.2, 0.9);
  json["boundaries"]["top"]["velocity"] = {0.1, 0.05, 0};
  json["boundaries"]["south"]["temperature"] = 1.2;
  json["velocity_grid"]["count"] = {18, 10, 8};
  const auto expected = start(json);
  expected->advance(5);
  json["propagation"]["scheme"] = "slices";
  const auto slices = start(json);
  slices->advance(5);
  json["propagation"].erase("scheme");
  json["tuning"]["batch"] = 1;
  const auto single = start(json);
  single->advance(5);
  for (const char* name : {"density", "velocity", "temperature"}) {
    const Field a = expected->field(name);
    const Field b = slices->field(name);
    const Field c = single->field(name);
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_NEAR(a[i], b[i], 1e-12) << name;
      EXPECT_NEAR(a[i], c[i], 1e-12) << name;
    }
  }
  EXPECT_NEAR(expected->monitor("west.energy_flux"), slices->monitor("west.energy_flux"), 1e-12);
}

TEST(ScatteringWalls, ProfileOfLikeWallsIsThatOfOneWall) {
  auto json = plates(2, 6);
  json["domain"]["cells"] = {6, 5};
  json["velocity_grid"]["count"] = {8, 8, 8};
  json["boundaries"] = {{"west", {{"type", "wall"}}}, {"east", {{"type", "wall"}}}};
  json["boundaries"]["south"] = scattering(0.6, 0.3);
  json["boundaries"]["north"] = scattering(0.6, 0.3);
  json["boundaries"]["south"]["temperature"] = 1.1;
  const auto expected = start(json);
  json["boundaries"]["south"].erase("temperature");
  json["boundaries"]["south"]["profile"]["temperature"] = "1.1 + 1e-17*x";
  json["boundaries"]["north"]["profile"]["temperature"] = "1 + if(x > 0.5, 1e-15, 0)";
  const auto found = start(json);
  expected->advance(4);
  found->advance(4);
  const Field a = expected->field("temperature");
  const Field b = found->field("temperature");
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-13);
}

TEST(HeatedWalls, AdiabaticWallAndGasComeToTheTemperatureOfTheOtherWall) {
  for (const int order : {1, 2}) {
    auto json = plates(1, 6);
    json["propagation"]["order"] = order;
    json["boundaries"]["west"]["temperature"] = 1.3;
    json["boundaries"]["east"]["heat_flux"] = 0;
    const auto method = converged(json);
    EXPECT_NEAR(method->monitor("east.temperature"), 1.3, 2e-7);
    EXPECT_NEAR(method->monitor("west.temperature"), 1.3, 1e-15);
    EXPECT_NEAR(method->monitor("east.energy_flux"), 0, 1e-14);
    // Sums over the velocities do not quite conserve the energy.
    EXPECT_NEAR(method->monitor("west.energy_flux"), 0, 2e-7);
    EXPECT_NEAR(method->monitor("east.mass_flux"), 0, 1e-14);
    const Field temperature = method->field("temperature");
    for (std::size_t i = 0; i < temperature.size(); ++i) EXPECT_NEAR(temperature[i], 1.3, 1e-3);
  }
}

TEST(HeatedWalls, OfTheFluxBetweenTwoTemperaturesHaveThatTemperature) {
  for (const double delta : {0.1, 5.0}) {
    auto json = plates(delta, 16);
    json["boundaries"]["east"]["temperature"] = 1.1;
    json["boundaries"]["east"]["velocity"] = {0, 0.2, 0};
    const auto given = converged(json);
    // What a moving wall takes is heat and the work of the friction.
    const double heat = -given->monitor("east.energy_flux") + 0.2 * given->monitor("east.force_y");
    json["boundaries"]["east"].erase("temperature");
    json["boundaries"]["east"]["heat_flux"] = heat;
    const auto found = converged(json);
    EXPECT_NEAR(found->monitor("east.temperature"), 1.1, 1e-7);
    EXPECT_NEAR(found->monitor("west.energy_flux") / given->monitor("west.energy_flux"), 1, 1e-6);
  }
}

TEST(HeatedWalls, WriteTheirTemperatureOnEachFace) {
  auto json = plates(1, 5);
  json["domain"]["cells"] = {5, 4};
  json["velocity_grid"]["count"] = {8, 8, 8};
  json["boundaries"]["south"] = {{"type", "wall"}, {"heat_flux", 0.05}};
  json["boundaries"]["north"] = {{"type", "symmetry"}};
  const auto method = start(json);
  method->advance(40);
  const SurfaceFields surface = method->surface();
  const Field& number = surface.fields[0];
  const Field& temperature = surface.fields.back();
  ASSERT_EQ(temperature.quantity.name, "temperature");
  double sum = 0;
  int faces = 0;
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (int(number[i]) == north) {
      EXPECT_EQ(temperature[i], 0);
    }
    if (int(number[i]) == west) {
      EXPECT_EQ(temperature[i], 1);
    }
    if (int(number[i]) != south) continue;
    EXPECT_GT(temperature[i], 1.02);
    sum += temperature[i];
    ++faces;
  }
  EXPECT_EQ(faces, 5);
  EXPECT_NEAR(sum / faces, method->monitor("south.temperature"), 1e-14);
  EXPECT_NEAR(method->monitor("south.energy_flux"), -0.05, 1e-14);
}

/// Ten cells of gas, then one of a solid.
nlohmann::json with_end_of_solid(double heat_flux) {
  auto json = plates(2, 11);
  json["velocity_grid"]["count"] = {8, 8, 8};
  json["domain"]["size"] = {1.1};
  json["boundaries"]["west"]["velocity"] = {0, -0.1, 0};
  json["geometry"]["solids"] = nlohmann::json::array({{{"name", "end"},
                                                       {"shape", "box"},
                                                       {"from", {1}},
                                                       {"to", {1.1}},
                                                       {"heat_flux", heat_flux},
                                                       {"velocity", {0, 0.2, 0.1}}}});
  return json;
}

/// The solid "end" acts on ten cells of gas as the eastern side of another flow does.
void expect_like_side(Method& found, Method& expected, const std::string& patch) {
  for (const char* name : {".force_x", ".force_y", ".force_z", ".energy_flux"}) {
    EXPECT_NEAR(found.monitor(std::string("end") + name),
                expected.monitor(std::string("east") + name), 1e-6)
        << name << patch;
  }
  const Field a = found.field("temperature");
  const Field b = expected.field("temperature");
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(a[i], b[i], 1e-6) << patch;
}

TEST(HeatedSolids, AreAsHeatedSides) {
  for (const char* patch :
       {R"({"order": 1})", R"({"order": 2})", R"({"order": 1, "scheme": "slices"})",
        R"({"order": 1, "acceleration": "synthetic"})",
        R"({"order": 2, "acceleration": "synthetic"})"}) {
    auto json = with_end_of_solid(0.03);
    json["propagation"] = nlohmann::json::parse(patch);
    const auto found = start(json);
    json["domain"] = {{"cells", {10}}};
    json["boundaries"]["east"] = {
        {"type", "wall"}, {"heat_flux", 0.03}, {"velocity", {0, 0.2, 0.1}}};
    json.erase("geometry");
    const auto expected = start(json);
    found->advance(30);
    expected->advance(30);
    EXPECT_NEAR(found->monitor("end.temperature"), expected->monitor("east.temperature"), 1e-6)
        << patch;
    expect_like_side(*found, *expected, patch);
    EXPECT_TRUE(found->results().contains("end.temperature"));
  }
}

TEST(HeatedSolids, WithoutHeatComeToTheTemperatureOfTheWalls) {
  // The block goes on beyond the periodic sides.
  for (const int order : {1, 2}) {
    auto json = nlohmann::json::parse(R"({
      "precision": "double", "domain": {"cells": [6, 6]}, "gas": {"rarefaction": 2},
      "velocity_grid": {"type": "half-range", "count": [14, 14, 14]},
      "boundaries": {"west": {"type": "periodic"}, "east": {"type": "periodic"},
                     "south": {"type": "wall", "temperature": 1.3}, "north": {"type": "symmetry"}},
      "geometry": {"solids": [{"name": "block", "shape": "box", "from": [-0.16666666666666666, 0.3333333333333333],
                               "to": [0.16666666666666666, 0.6666666666666666], "heat_flux": 0}]}})");
    json["propagation"] = {{"order", order}, {"acceleration", "synthetic"}};
    const auto method = start(json);
    EXPECT_LE(converge(*method, 1e-10, 2000), 2000) << order;
    EXPECT_NEAR(method->monitor("block.temperature"), 1.3, 1e-4) << order;
    EXPECT_NEAR(method->monitor("block.energy_flux"), 0, 1e-13) << order;
    EXPECT_NEAR(method->monitor("south.energy_flux"), 0, 1e-4) << order;
  }
}

TEST(HeatedSolids, ContinueFromACheckpointWithTheSameBits) {
  for (const char* acceleration : {"none", "synthetic"}) {
    auto json = with_end_of_solid(0.03);
    json["propagation"]["acceleration"] = acceleration;
    const auto problem = read(json);
    const auto whole = problem->create(default_backend());
    const auto resumed = resumed_after_two(*problem, *whole);
    const Field a = whole->field("heat_flux");
    const Field b = resumed->field("heat_flux");
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(a[i], b[i]);
    EXPECT_EQ(whole->monitor("end.temperature"), resumed->monitor("end.temperature"));
  }
}

TEST(HeatedSolids, TheirMemoryIsStated) {
  auto json = with_end_of_solid(0.03);
  json["tuning"] = {{"batch", 1}};
  json["propagation"]["acceleration"] = "none";
  const auto heated = double(read(json)->memory_bytes);
  json["geometry"]["solids"][0].erase("heat_flux");
  const auto plain = double(read(json)->memory_bytes);
  // What enters through one face, its emission, and the numbers of three faces.
  EXPECT_NEAR(heated - plain, 4 * 512 * 8 + 6 * 8 + 4 + 3 * 4, 1);
}

TEST(HeatedSolids, RefuseWhatIsNotAvailable) {
  using testing::HasSubstr;
  const auto refusal = [](const std::string& patch) {
    auto json = with_end_of_solid(0.03);
    json.merge_patch(nlohmann::json::parse(patch));
    return knudsen::test::input_error([&] { read(json); });
  };
  EXPECT_THAT(refusal(R"({"boundaries": {"west": {"heat_flux": 0}, "east": {"heat_flux": 0}}})"),
              HasSubstr("leaves the temperature of a steady flow open"));
  const std::string solid =
      R"({"geometry": {"solids": [{"shape": "box", "from": [1], "to": [1.1], )";
  EXPECT_THAT(refusal(solid + R"("temperature": 1, "heat_flux": 0}]}})"),
              HasSubstr("temperature: found 1, must not be given together with \"heat_flux\""));
  EXPECT_THAT(refusal(solid + R"("accommodation": 0.5}]}})"),
              HasSubstr("accommodation: found 0.5, is not available for solids in this method"));
  const std::string kernel = R"("cercignani_lampis": {"tangential": 1, "normal": 1})";
  EXPECT_THAT(refusal(solid + kernel + R"(, "heat_flux": 0}]}})"),
              HasSubstr("must not be given together with \"heat_flux\""));
  EXPECT_THAT(refusal(R"({"geometry": {"surface": "cut-cells", "solids": [{"name": "end",
                          "shape": "box", "from": [1], "to": [1.1], )" +
                      kernel + "}]}}"),
              HasSubstr("geometry.surface: \"cercignani_lampis\", which the solid \"end\" has, "
                        "needs \"whole-cells\""));
  EXPECT_THAT(refusal(solid + kernel + R"(}]}, "velocity_grid": {"type": "uniform",
                      "minimum": [-4.5, -4, -4], "maximum": [4, 4, 4]}})"),
              HasSubstr("must be symmetric about 0"));
}

/// The same cells with an end that scatters, or with a side there.
nlohmann::json with_scattering_end(bool solid) {
  auto json = with_end_of_solid(0);
  auto& end = json["geometry"]["solids"][0];
  end.erase("heat_flux");
  end.merge_patch(scattering(0.7, 0.4));
  end.erase("type");
  end["temperature"] = 1.2;
  if (solid) return json;
  json["domain"] = {{"cells", {10}}};
  json["boundaries"]["east"] = scattering(0.7, 0.4);
  json["boundaries"]["east"].merge_patch({{"velocity", {0, 0.2, 0.1}}, {"temperature", 1.2}});
  json.erase("geometry");
  return json;
}

TEST(ScatteringSolids, AreAsScatteringSides) {
  for (const char* patch :
       {R"({"order": 1})", R"({"order": 2})", R"({"order": 1, "scheme": "slices"})",
        R"({"order": 1, "acceleration": "synthetic"})",
        R"({"order": 2, "acceleration": "synthetic"})",
        R"({"order": 2, "acceleration": "asymptotic-preserving"})"}) {
    auto of_solid = with_scattering_end(true);
    auto of_side = with_scattering_end(false);
    for (auto* json : {&of_solid, &of_side}) {
      (*json)["propagation"] = nlohmann::json::parse(patch);
    }
    const auto found = start(of_solid);
    const auto expected = start(of_side);
    found->advance(30);
    expected->advance(30);
    expect_like_side(*found, *expected, patch);
  }
}

TEST(ScatteringSolids, FreeMoleculesShearAndCarryHeatAsTheyAccommodate) {
  auto json = plates(0, 11);
  json["domain"]["size"] = {1.1};
  json["boundaries"]["west"] = scattering(0.5, 0.5);
  json["geometry"]["solids"] = nlohmann::json::array({{{"name", "end"},
                                                       {"shape", "box"},
                                                       {"from", {1}},
                                                       {"to", {1.1}},
                                                       {"velocity", {0, 0.1, 0}}}});
  auto& end = json["geometry"]["solids"][0];
  end["cercignani_lampis"] = {{"tangential", 0.8}, {"normal", 0.3}};
  const auto sheared = converged(json);
  const double stress = 2 * effusion * 0.1 * 0.5 * 0.8 / (0.5 + 0.8 - 0.5 * 0.8);
  EXPECT_NEAR(sheared->monitor("west.force_y") / stress, 1, 1e-5);
  EXPECT_NEAR(sheared->monitor("end.force_y") / -stress, 1, 1e-5);
  end.erase("velocity");
  end["cercignani_lampis"] = {{"tangential", 0.5}, {"normal", 0.5}};
  end["temperature"] = 1.005;
  json["boundaries"]["west"]["temperature"] = 0.995;
  const auto heated = converged(json);
  const double along = 0.5 * (2 - 0.5);
  const double heat = effusion * 0.01 * (0.5 / (2 - 0.5) + along / (2 - along));
  EXPECT_NEAR(heated->monitor("west.energy_flux") / heat, 1, 3e-4);
  EXPECT_NEAR(heated->monitor("end.energy_flux") / -heat, 1, 3e-4);
}

/// A block that scatters, across periodic sides, with faces of all directions.
nlohmann::json with_scattering_block(int dimensions) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double", "gas": {"rarefaction": 2}, "collision": {"model": "bgk"},
    "velocity_grid": {"type": "half-range", "count": [8, 10, 8]},
    "boundaries": {"west": {"type": "periodic"}, "east": {"type": "periodic"},
                   "south": {"type": "wall"}, "north": {"type": "wall"}},
    "geometry": {"solids": [{"name": "block", "shape": "box",
                             "cercignani_lampis": {"tangential": 0.6, "normal": 0.3}}]}})");
  json["domain"] = {{"cells", {5, 4}}, {"size", {5, 4}}};
  json["geometry"]["solids"][0]["from"] = {-1, 1};
  json["geometry"]["solids"][0]["to"] = {1, 2};
  if (dimensions == 2) return json;
  json["domain"] = {{"cells", {5, 4, 3}}, {"size", {5, 4, 3}}};
  json["boundaries"]["bottom"] = json["boundaries"]["top"] = {{"type", "wall"}};
  json["geometry"]["solids"][0]["from"].push_back(1);
  json["geometry"]["solids"][0]["to"].push_back(2);
  return json;
}

TEST(ScatteringSolids, LeaveAGasAtRestAsItIs) {
  // Detailed balance, at all faces of a block.
  for (const int dimensions : {2, 3}) {
    for (const int order : {1, 2}) {
      auto json = with_scattering_block(dimensions);
      if (order == 2) {
        json["domain"]["cells"][1] = 8;  // two cells to each wall
        if (dimensions == 3) json["domain"]["cells"][2] = 6;
      }
      json["collision"]["conservative"] = true;
      json["propagation"]["order"] = order;
      const auto method = start(json);
      method->advance(6);
      for (const char* name : {".force_x", ".force_y", ".force_z", ".energy_flux"}) {
        EXPECT_NEAR(method->monitor(std::string("block") + name), 0, 1e-7) << name;
      }
      EXPECT_LT(method->monitor("max_speed"), 1e-7);
      const Field density = method->field("density");
      for (std::size_t i = 0; i < density.size(); ++i) {
        if (!std::isnan(density[i])) {  // gas
          EXPECT_NEAR(density[i], 1, 1e-6);
        }
      }
    }
  }
}

TEST(ScatteringSolids, KeepMassAndPassOnMomentumAndEnergy) {
  auto json = with_scattering_block(2);
  json["collision"]["conservative"] = true;
  json["geometry"]["solids"][0]["temperature"] = 1.2;
  json["geometry"]["solids"][0]["velocity"] = {0, 0, 0.2};
  json["boundaries"]["north"]["velocity"] = {0.2, 0, 0};
  int iterations[2];
  for (const int accelerated : {0, 1}) {
    json["propagation"]["acceleration"] = accelerated == 1 ? "synthetic" : "none";
    const auto method = start(json);
    const double mass = method->monitor("mass");
    iterations[accelerated] = converge(*method, 1e-11, 2000);
    EXPECT_LE(iterations[accelerated], 2000);
    EXPECT_NEAR(method->monitor("mass") / mass, 1, 1e-13);
    for (const std::string quantity : {".force_x", ".force_y", ".force_z", ".energy_flux"}) {
      const double of_walls =
          5 * (method->monitor("south" + quantity) + method->monitor("north" + quantity));
      EXPECT_NEAR(method->monitor("block" + quantity) + of_walls, 0, 1e-9) << quantity;
    }
  }
  EXPECT_LT(iterations[1], iterations[0]);
}

TEST(ScatteringSolids, BothKernelsAndAllBatchesAgree) {
  auto json = with_scattering_block(3);
  json["geometry"]["solids"][0]["temperature"] = 1.2;
  json["boundaries"]["north"]["velocity"] = {0.1, 0, 0};
  json["propagation"]["acceleration"] = "none";
  const auto expected = start(json);
  json["propagation"]["scheme"] = "slices";
  const auto slices = start(json);
  json["propagation"].erase("scheme");
  json["tuning"]["batch"] = 1;
  const auto single = start(json);
  for (const auto* method : {&expected, &slices, &single}) (*method)->advance(5);
  for (const char* name : {"density", "velocity"}) {
    const Field a = expected->field(name);
    const Field b = slices->field(name);
    const Field c = single->field(name);
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (std::isnan(a[i])) continue;  // solid
      EXPECT_NEAR(a[i], b[i], 1e-12) << name;
      EXPECT_EQ(a[i], c[i]) << name;
    }
  }
  EXPECT_NEAR(expected->monitor("block.energy_flux"), slices->monitor("block.energy_flux"), 1e-12);
}

TEST(ScatteringSolids, ContinueFromACheckpointWithTheSameBits) {
  for (const char* acceleration : {"none", "synthetic"}) {
    auto json = with_scattering_block(2);
    json["geometry"]["solids"][0]["temperature"] = 1.2;
    json["propagation"]["acceleration"] = acceleration;
    const auto problem = read(json);
    const auto whole = problem->create(default_backend());
    const auto resumed = resumed_after_two(*problem, *whole);
    const Field a = whole->field("density");
    const Field b = resumed->field("density");
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!std::isnan(a[i])) {
        EXPECT_EQ(a[i], b[i]);
      }
    }
    EXPECT_EQ(whole->monitor("block.force_x"), resumed->monitor("block.force_x"));
  }
}

TEST(ScatteringSolids, TheirMemoryIsStated) {
  auto json = with_scattering_end(true);
  json["tuning"] = {{"batch", 1}};
  const auto scattering = double(read(json)->memory_bytes);
  json["geometry"]["solids"][0].erase("cercignani_lampis");
  const auto plain = double(read(json)->memory_bytes);
  // What leaves, enters and is in between at one face, matrices of 8 x 8, and numbers of faces.
  EXPECT_NEAR(scattering - plain, 3 * 4 * 512 * 8 + 3 * 64 * 8 + 6 * 8 + 4 + 3 * 4, 1);
}

TEST(WallsMadeByFace, AccelerationKeepsTheFlow) {
  for (const double delta : {0.1, 2.0, 20.0}) {
    for (const int order : {1, 2}) {
      for (const bool heated : {false, true}) {
        auto json = plates(delta, 20);
        json["velocity_grid"]["count"] = {12, 12, 12};
        json["propagation"]["order"] = order;
        json["boundaries"]["west"]["velocity"] = {0, -0.1, 0};
        json["boundaries"]["east"] = scattering(0.8, 0.6);
        if (heated) json["boundaries"]["east"] = {{"type", "wall"}, {"heat_flux", 0.02}};
        json["boundaries"]["east"]["velocity"] = {0, 0.1, 0.05};
        if (!heated) json["boundaries"]["east"]["temperature"] = 1.1;
        const auto plain = start(json);
        const int slow = converge(*plain, 1e-11, 5000);
        json["propagation"]["acceleration"] = "synthetic";
        const auto fast = start(json);
        const int steps = converge(*fast, 1e-11, 5000);
        const std::string what = json.dump();
        EXPECT_LE(slow, 5000) << what;
        EXPECT_LE(steps, delta > 10 ? 60 : 50) << what;
        for (const char* name : {"west.force_y", "east.force_x", "east.force_z", "west.energy_flux",
                                 "east.temperature"}) {
          EXPECT_NEAR(fast->monitor(name) / plain->monitor(name), 1, 2e-6) << name << what;
        }
      }
    }
  }
}

TEST(WallsMadeByFace, ContinueFromACheckpointWithTheSameBits) {
  for (const auto& [precision, acceleration] :
       {std::pair("single", "none"), std::pair("double", "none"),
        std::pair("double", "synthetic")}) {
    auto json = with(R"({"domain": {"cells": [4, 3]}})");
    json["precision"] = precision;
    json["propagation"]["acceleration"] = acceleration;
    json["boundaries"].erase("bottom");
    json["boundaries"].erase("top");
    json["boundaries"]["west"] = scattering(0.6, 0.3);
    json["boundaries"]["south"] = {{"type", "wall"}, {"heat_flux", 0.1}};
    const auto problem = read(json);
    const auto whole = problem->create(default_backend());
    const auto resumed = resumed_after_two(*problem, *whole);
    for (const char* name : {"density", "velocity", "heat_flux"}) {
      const Field a = whole->field(name);
      const Field b = resumed->field(name);
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]) << name;
    }
    for (const char* name : {"south.temperature", "west.force_y", "west.energy_flux"}) {
      EXPECT_EQ(whole->monitor(name), resumed->monitor(name)) << name;
    }
  }
}

std::string error(const std::string& patch) {
  return knudsen::test::input_error([&] { read(with(patch)); });
}

TEST(WallsMadeByFace, RefuseWhatDoesNotGoTogether) {
  using testing::HasSubstr;
  EXPECT_THAT(
      error(R"({"boundaries": {"west": {"cercignani_lampis": {"tangential": 1.2, "normal": 1}}}})"),
      HasSubstr("boundaries.west.cercignani_lampis.tangential: found 1.2, must be from 0 to 1"));
  EXPECT_THAT(error(R"({"boundaries": {"west": {"cercignani_lampis": {"tangential": 1}}}})"),
              HasSubstr("boundaries.west.cercignani_lampis.normal"));
  EXPECT_EQ(error(R"({"boundaries": {"west": {"accommodation": 0.5,
                      "cercignani_lampis": {"tangential": 1, "normal": 1}}}})"),
            "case.json: boundaries.west.accommodation: found 0.5, must not be given together with "
            "\"cercignani_lampis\"; leave one of them out");
  EXPECT_EQ(error(R"({"boundaries": {"west": {"temperature": 1.1, "heat_flux": 0}}})"),
            "case.json: boundaries.west.temperature: found 1.1, must not be given together with "
            "\"heat_flux\", from which it follows; leave one of them out");
  EXPECT_EQ(error(R"({"boundaries": {"west": {"accommodation": 0.5, "heat_flux": 0}}})"),
            "case.json: boundaries.west.accommodation: found 0.5, must not be given together with "
            "\"heat_flux\", whose walls re-emit diffusely; leave one of them out");
  EXPECT_EQ(error(R"({"boundaries": {"west": {"heat_flux": 0, "profile": {"temperature": "1"}}}})"),
            "case.json: boundaries.west.heat_flux: found 0, must not be given together with the "
            "temperature of \"profile\"; leave one of them out");
  EXPECT_THAT(error(R"({"velocity_grid": {"minimum": [-4.5, -4, -4]},
                        "boundaries": {"west": {"cercignani_lampis": {"tangential": 1, "normal": 1}}}})"),
              HasSubstr("must be symmetric about 0"));
  EXPECT_THAT(error(R"({"domain": {"cells": [3]}, "boundaries": {"south": null, "north": null,
                        "bottom": null, "top": null,
                        "west": {"heat_flux": 0}, "east": {"heat_flux": 0.1}}})"),
              HasSubstr("boundaries.east.heat_flux: leaves the temperature of a steady flow open"));
}

TEST(WallsMadeByFace, TheirMemoryIsStated) {
  const auto bytes = [](const nlohmann::json& json) { return double(read(json)->memory_bytes); };
  auto json = with(R"({"tuning": {"batch": 1}, "propagation": {"acceleration": "none"}})");
  const double plain = bytes(json);
  const double values = 6.0 * 7 * 4 * 512 * 8;  // what crosses the western faces
  json["boundaries"]["west"]["heat_flux"] = 0;
  EXPECT_NEAR(bytes(json) - plain, values, 1);
  json["boundaries"]["west"] = scattering(0.5, 0.5);
  EXPECT_NEAR(bytes(json) - plain, 3 * values + 3 * 64 * 8, 1);
}

}  // namespace
}  // namespace knudsen::shakhov
