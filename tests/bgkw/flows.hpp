#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/problem.hpp"
#include "output/csv.hpp"
#include "paths.hpp"
#include "problem.hpp"

// Flows that are compared with published values, at any resolution.
namespace knudsen::bgkw::test {

inline std::unique_ptr<Method> start(const Problem& problem) {
  auto method = problem.create(default_backend());
  method->initialise();
  return method;
}

/// Runs for a time and returns the method.
inline std::unique_ptr<Method> run(const nlohmann::json& json, double time) {
  const auto problem = read(json);
  auto method = start(*problem);
  method->advance(static_cast<std::int64_t>(std::ceil(time / problem->time_per_step)));
  return method;
}

inline CsvTable reference_table(const std::string& file) {
  return CsvTable(std::string(KNUDSEN_TEST_DATA) + "/" + file);
}

inline double lookup(const std::string& file, const std::string& column, double delta) {
  const CsvTable table = reference_table(file);
  const auto deltas = table.column("delta");
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    if (deltas[i] == delta) return table.column(column)[i];
  }
  ADD_FAILURE() << "no delta " << delta << " in " << file;
  return 0;
}

/// Resolution of a slab between walls.
struct SlabGrid {
  int cells;
  int velocities;  ///< across the slab
  double ratio;    ///< width of the outermost velocity cells over that of the innermost
  double courant;
};

/// A slab between walls, second order. The velocity grid across it is refined near zero, where the
/// distribution is discontinuous.
inline nlohmann::json slab(double delta, const SlabGrid& grid, const std::string& patch) {
  nlohmann::json json = with(patch);
  json["domain"]["cells"] = {grid.cells};
  json["gas"] = {{"rarefaction", delta}};
  json["collision"]["conservative"] = true;
  json["propagation"] = {{"order", 2}, {"relaxation_fraction", 0.5}, {"courant", grid.courant}};
  json["tuning"]["team_size"] = 128;  // a larger team's sums may not fit in a GPU's scratch memory
  json["velocity_grid"] = {{"type", "stretched"},
                           {"ratio", {grid.ratio, 1, 1}},
                           {"count", {grid.velocities, 8, 6}},
                           {"minimum", {-4, -3.5, -3}},
                           {"maximum", {4, 3.5, 3}}};
  return json;
}

/// Shear stress of plane Couette flow over the walls' relative velocity.
inline double couette_shear(double delta, const SlabGrid& grid, double time) {
  const auto method = run(slab(delta, grid, R"({"boundaries": {"west": {"velocity": [0, -0.01, 0]},
                                                               "east": {"velocity": [0, 0.01, 0]}}})"),
                          time);
  EXPECT_NEAR(method->monitor("east.force_y") / method->monitor("west.force_y"), -1, 1e-5);
  return method->monitor("west.force_y") / 0.02;
}

/// Heat flux between plates over their difference in temperature.
inline double heat_flux(double delta, const SlabGrid& grid, double time) {
  auto json = slab(delta, grid, R"({"boundaries": {"west": {"temperature": 0.995},
                                                   "east": {"temperature": 1.005}}})");
  json["reduced"] = true;
  return run(json, time)->monitor("west.energy_flux") / 0.01;
}

/// Flow rate G_P of plane Poiseuille flow.
inline double poiseuille_flow_rate(double delta, const std::string& model, const SlabGrid& grid,
                                   double time) {
  auto json = slab(delta, grid, R"({"collision": {"body_force": [0, 0.002, 0]}})");
  json["collision"]["model"] = model;
  return run(json, time)->monitor("mean_velocity_y") / 0.002;
}

/// A normal shock wave, second order, with the transverse velocity components integrated out.
inline nlohmann::json shock(double mach, const std::string& model, double omega, int cells,
                            double size) {
  nlohmann::json json = with(R"({
    "reduced": true,
    "collision": {"conservative": true},
    "propagation": {"order": 2, "relaxation_fraction": 0.4},
    "boundaries": {"west": {"type": "reservoir"}, "east": {"type": "reservoir"}}})");
  const auto [before, behind] = rankine_hugoniot(mach);
  const double reach = 4.8 * std::sqrt(behind.temperature);
  const double low = behind.velocity[0] - reach;
  const double high = std::max(before.velocity[0] + 4.8, behind.velocity[0] + reach);
  json["domain"] = {{"cells", {cells}}, {"size", {size}}};
  json["gas"] = {{"rarefaction", 1}, {"omega", omega}};
  json["collision"]["model"] = model;
  json["tuning"]["team_size"] = 128;  // as in slab
  json["initial"] = {{"type", "shock"}, {"mach", mach}};
  json["velocity_grid"] = {{"count", {std::ceil((high - low) / 0.5), 1, 1}},
                           {"minimum", {low, -1, -1}},
                           {"maximum", {high, 1, 1}}};
  return json;
}

/// Largest relative deviations of the mass, momentum and energy fluxes from those of the first
/// cell.
inline std::array<double, 3> flux_deviations(Method& method) {
  const Field density = method.field("density");
  const Field velocity = method.field("velocity");
  const Field temperature = method.field("temperature");
  const Field pressure = method.field("pressure_tensor");
  const Field heat = method.field("heat_flux");
  const auto fluxes = [&](std::size_t i) {
    const double u = velocity[3 * i];
    const double mass = density[i] * u;
    return std::array<double, 3>{
        mass, pressure[6 * i] + 2 * mass * u,
        u * pressure[6 * i] + mass * (1.5 * temperature[i] + u * u) + heat[3 * i]};
  };
  const auto first = fluxes(0);
  std::array<double, 3> largest{0, 0, 0};
  for (std::size_t i = 0; i < density.size(); ++i) {
    const auto here = fluxes(i);
    for (std::size_t n = 0; n < 3; ++n) {
      largest[n] = std::max(largest[n], std::abs(here[n] / first[n] - 1));
    }
  }
  return largest;
}

/// The driven cavity, lid at 0.01.
inline nlohmann::json cavity(double delta, int cells, const std::string& scheme) {
  nlohmann::json json = with(R"({
    "precision": "single",
    "velocity_grid": {"count": [16, 16, 10], "minimum": [-4, -4, -3.5], "maximum": [4, 4, 3.5]},
    "boundaries": {"north": {"type": "wall", "velocity": [0.01, 0, 0]},
                   "south": {"type": "wall"}}})");
  json["domain"]["cells"] = {cells, cells};
  json["gas"]["rarefaction"] = delta;
  json["propagation"]["scheme"] = scheme;
  return json;
}

}  // namespace knudsen::bgkw::test
