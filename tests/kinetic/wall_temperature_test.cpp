#include "kinetic/wall_temperature.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace knudsen {
namespace {

TEST(HeatedEmission, FindsTheMaxwellianWithTheEnergyThatArrivesAndIsAdded) {
  const VelocityGrid full{uniform_axis(-6, 6, 24), half_range_axis(16, 1),
                          gauss_hermite_axis(16, 0, 1)};
  const VelocityGrid plane{uniform_axis(-6, 6, 24), integrated_axis(false), integrated_axis(true)};
  for (const VelocityGrid& grid : {full, plane}) {
    const auto velocities = make_velocity_space<HostExecutionSpace, double>(grid);
    for (const int side : {0, 1, 2, 3}) {
      if (grid[1].integrated && side > 1) continue;
      GasState state{1.4, {0, 0, 0}, 0.8};
      const auto along = static_cast<std::size_t>(side < 2 ? 1 : 0);
      if (!grid[along].integrated) state.velocity[along] = 0.3;
      // What a Maxwellian emits and what adds the heat to it.
      const SurfaceFlux emitted = half_range_flux(grid, state, side);
      constexpr double heat = 0.07;
      const double energy = emitted[4] - heat;
      const double leaving[flux_count] = {emitted[0], emitted[1], emitted[2], emitted[3], energy};
      const double velocity[3] = {state.velocity[0], state.velocity[1], state.velocity[2]};
      const HeatedEmission found = heated_emission(velocities, side, velocity, heat, leaving);
      EXPECT_NEAR(found.temperature, state.temperature, 1e-12) << side;
      EXPECT_NEAR(found.density, state.density, 1e-12) << side;
      const double cold[flux_count] = {1, 0, 0, 0, 0.5};
      EXPECT_TRUE(std::isnan(heated_emission(velocities, 0, {0, 0, 0}, -0.6, cold).temperature));
    }
  }
}

TEST(WallTemperature, IsNotANumberWhereNoneHasTheEnergy) {
  // As on discrete velocities, the mean energy has a least and a largest value, here 1 and 2.
  const auto mean = [](double temperature, double& slope) {
    slope = 1 / ((1 + temperature) * (1 + temperature));
    return 1 + temperature / (1 + temperature);
  };
  EXPECT_NEAR(temperature_to_emit(1.5, 3, 1e-14, mean), 1, 1e-12);
  for (const double energy : {0.5, 0.9, 2.1, 7.0}) {
    EXPECT_TRUE(std::isnan(temperature_to_emit(energy, energy, 1e-14, mean))) << energy;
  }
}

}  // namespace
}  // namespace knudsen
