#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "output/csv.hpp"
#include "paths.hpp"
#include "problem.hpp"

namespace knudsen::shakhov {
namespace {

constexpr double drive = 1e-4;
constexpr int half = 60;         // cells
constexpr double growth = 1.06;  // of the cells from the walls, beside which a layer has to be seen

/// Endless channel between walls at x = 0 and 1, and what drives the gas along y. Half-range
/// velocities along y integrate the source exactly. In a rarefied gas molecules that graze the
/// walls carry much of the flow: 48 half-range velocities along x would give a creep that is 5 %
/// too small at delta = 0.01 and 29 % at 0.001, reciprocal though it is.
std::unique_ptr<Method> channel(double delta, const std::string& driven_by) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double",
    "velocity_grid": {"count": [64, 16, 8],
                      "x": {"type": "graded", "innermost": 0.0003, "panel_nodes": 4, "maximum": 4},
                      "y": {"type": "half-range"}, "z": {"type": "half-range"}},
    "propagation": {"order": 2, "acceleration": "synthetic"},
    "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}}})");
  json["domain"]["x"] = {{{"cells", half}, {"length", 0.5}, {"ratio", growth}},
                         {{"cells", half}, {"length", 0.5}, {"ratio", 1 / growth}}};
  json["gas"] = {{"rarefaction", delta}};
  json["collision"] = {{driven_by, {0, drive, 0}}};
  auto method = test::start(json);
  EXPECT_LE(test::converge(*method, 1e-6, 40), 30) << driven_by << ", " << delta;
  EXPECT_LE(test::converge(*method, 1e-9, 40), 40) << driven_by << ", " << delta;
  return method;
}

/// Mean over the width of a component of a field.
double mean(Method& method, const std::string& name, int component) {
  const Field field = method.field(name);
  const auto& values = std::get<std::vector<double>>(field.values);
  const auto cells = values.size() / 3;
  double sum = 0;
  double widths = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    const double width = std::pow(growth, double(std::min(i, cells - 1 - i)));
    sum += width * values[3 * i + static_cast<std::size_t>(component)];
    widths += width;
  }
  return sum / widths;
}

TEST(ThermalCreep, IsReciprocalToTheHeatFlowOfPoiseuilleFlow) {
  // Onsager: the mass flow of a gradient of the temperature is the heat flow of a force. Heat
  // fluxes are in units of p_ref v_ref, half of rho_ref v_ref^3.
  // The flow rates are those that README.md states.
  const std::map<double, double> flow_rates{{0.001, 1.856},    {0.01, 1.247},   {0.1, 0.7326},
                                            {1.0, 0.3654},     {10.0, 0.09814}, {100.0, 0.01155},
                                            {1000.0, 0.001171}};
  for (const auto& [delta, flow_rate] : flow_rates) {
    const double mass_flow = mean(*channel(delta, "temperature_gradient"), "velocity", 1) / drive;
    const double heat_flow = mean(*channel(delta, "body_force"), "heat_flux", 1) / drive;
    // At 1000 the cells in the middle are 16 mean free paths wide.
    EXPECT_NEAR(-heat_flow / 2 / mass_flow, 1, delta < 1000 ? 3e-4 : 4e-3) << delta;
    EXPECT_NEAR(2 * mass_flow / flow_rate, 1, 1e-3) << delta;
  }
}

TEST(ThermalCreep, IsTheCreepVelocityInADenseGas) {
  // 1.175 mu grad T / (rho T), Siewert and Sharipov 2002 for this model.
  for (const double delta : {300.0, 1000.0}) {
    const double creep = 2 * mean(*channel(delta, "temperature_gradient"), "velocity", 1) / drive;
    EXPECT_NEAR(creep * delta, 1.175, 0.006) << delta << ", " << creep * delta;
  }
}

}  // namespace
}  // namespace knudsen::shakhov
