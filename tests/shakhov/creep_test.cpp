#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "output/csv.hpp"
#include "paths.hpp"
#include "problem.hpp"

namespace knudsen::shakhov {
namespace {

constexpr double drive = 1e-4;
constexpr double growth = 1.2;  // of the cells from the walls, beside which a layer has to be seen

/// Endless channel between walls at x = 0 and 1, and what drives the gas along y. Half-range
/// velocities along y integrate the source exactly.
std::unique_ptr<Method> channel(double delta, const std::string& driven_by) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double",
    "velocity_grid": {"type": "half-range", "count": [48, 8, 8]},
    "propagation": {"order": 2, "acceleration": "synthetic"},
    "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}}})");
  json["domain"]["x"] = {{{"cells", 30}, {"length", 0.5}, {"ratio", growth}},
                         {{"cells", 30}, {"length", 0.5}, {"ratio", 1 / growth}}};
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
  const std::map<double, double> flow_rates{
      {0.01, 1.180}, {0.1, 0.7321}, {1.0, 0.3648}, {10.0, 0.0981}, {100.0, 0.01157}};
  for (const auto& [delta, flow_rate] : flow_rates) {
    const double mass_flow = mean(*channel(delta, "temperature_gradient"), "velocity", 1) / drive;
    const double heat_flow = mean(*channel(delta, "body_force"), "heat_flux", 1) / drive;
    EXPECT_NEAR(-heat_flow / 2 / mass_flow, 1, 2e-3) << delta;
    EXPECT_NEAR(2 * mass_flow / flow_rate, 1, 1e-3) << delta;
  }
}

TEST(ThermalCreep, IsTheCreepVelocityInADenseGas) {
  // 1.175 mu grad T / (rho T), Siewert and Sharipov 2002 for this model.
  for (const double delta : {300.0, 1000.0}) {
    const double creep = 2 * mean(*channel(delta, "temperature_gradient"), "velocity", 1) / drive;
    EXPECT_NEAR(creep * delta, 1.175, 0.01) << delta;
  }
}

}  // namespace
}  // namespace knudsen::shakhov
