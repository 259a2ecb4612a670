#include "kinetic/pressure_side.hpp"

#include <gtest/gtest.h>

#include "core/sides.hpp"

namespace knudsen {
namespace {

/// Sums of a Maxwellian over all velocities.
struct Sums {
  double of[5];
};
Sums sums_of(double density, double along_x, double along_y, double temperature) {
  const double square = along_x * along_x + along_y * along_y;
  return {
      {density, density * along_x, density * along_y, 0, density * (square + 1.5 * temperature)}};
}

PressureSide side_of(double pressure, bool sets_temperature, double temperature) {
  SideCondition condition;
  condition.kind = SideKind::pressure;
  condition.sets_temperature = sets_temperature;
  condition.state = {pressure / temperature, {0, 0, 0}, temperature};
  const VelocityAxis axis = gauss_hermite_axis(8, 0, temperature);
  return pressure_side(condition, {axis, axis, axis}, 0);
}

TEST(PressureSide, InletHasItsStateAndTheVelocityOfTheWave) {
  const Sums gas = sums_of(0.9, 0.2, 0.1, 1.1);
  const PressureSide side = side_of(1.2, true, 1.5);
  const double sound = std::sqrt(5.0 / 6 * 1.1);
  const double wave = (1.2 - 0.9 * 1.1) / (2 * 0.9 * sound);
  for (const int direction : {int(west), int(east)}) {
    const PressureEmission found = pressure_emission(side, direction, gas.of);
    EXPECT_NEAR(found.density, 0.8, 1e-14);
    EXPECT_EQ(found.temperature, 1.5);
    EXPECT_NEAR(found.velocity[0], 0.2 + (direction == west ? wave : -wave), 1e-12);
    EXPECT_EQ(found.velocity[1], 0);
    EXPECT_LT(found.mach, 1);
  }
}

TEST(PressureSide, OutletTakesTheRestFromTheGas) {
  const Sums gas = sums_of(0.9, 0.2, 0.1, 1.1);
  const PressureEmission found = pressure_emission(side_of(0.8, false, 1), east, gas.of);
  const double square = 5.0 / 6 * 1.1;
  EXPECT_NEAR(found.density, 0.9 + (0.8 - 0.99) / (2 * square), 1e-12);
  EXPECT_NEAR(found.density * found.temperature, 0.8, 1e-12);
  EXPECT_NEAR(found.velocity[0], 0.2 + (0.99 - 0.8) / (1.8 * std::sqrt(square)), 1e-12);
  EXPECT_NEAR(found.velocity[1], 0.1, 1e-14);
}

TEST(PressureSide, VelocityIsAtMostThatOfSound) {
  const Sums gas = sums_of(1, 0, 0, 1);
  const PressureEmission found = pressure_emission(side_of(20, true, 1), west, gas.of);
  EXPECT_GT(found.mach, 1);
  EXPECT_NEAR(found.velocity[0], std::sqrt(5.0 / 6), 1e-12);
}

}  // namespace
}  // namespace knudsen
