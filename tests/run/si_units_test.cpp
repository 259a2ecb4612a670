#include "model/si_units.hpp"

#include <gtest/gtest.h>

namespace knudsen {
namespace {

SiUnits units(int dimensions) {
  return {dimensions,
          {{"rho_ref", {0.5, {1, -3, 0, 0}}},
           {"v_ref", {20, {0, 1, -1, 0}}},
           {"p_ref", {100, {1, -1, -2, 0}}},
           {"T_ref", {300, {0, 0, 0, 1}}},
           {"L", {0.1, {0, 1, 0, 0}}}}};
}

void expect_unit_of(const SiUnits& units, const std::string& unit, double factor,
                    const std::string& name) {
  const auto found = units.find(unit);
  ASSERT_TRUE(found) << unit;
  EXPECT_NEAR(found->factor / factor, 1, 1e-12) << unit;
  EXPECT_EQ(found->name(), name) << unit;
}

void expect_unit(const std::string& unit, double factor, const std::string& name,
                 int dimensions = 3) {
  expect_unit_of(units(dimensions), unit, factor, name);
}

TEST(SiUnits, OfProductsAndPowers) {
  expect_unit("1", 1, "1");
  expect_unit("L", 0.1, "m");
  expect_unit("T_ref", 300, "K");
  expect_unit("v_ref", 20, "m/s");
  expect_unit("rho_ref", 0.5, "kg/m^3");
  expect_unit("rho_ref v_ref", 10, "kg/(m^2 s)");
  expect_unit("p_ref v_ref", 2000, "W/m^2");
  expect_unit("rho_ref / v_ref^3", 0.5 / 8000, "kg s^3/m^6");
}

TEST(SiUnits, DependOnTheDimensions) {
  expect_unit("p_ref L^(d-1)", 1, "N");
  expect_unit("p_ref L^(d-1)", 10, "N/m", 2);
  expect_unit("p_ref L^(d-1)", 100, "Pa", 1);
  expect_unit("p_ref v_ref L^(d-1)", 20, "W");
  expect_unit("rho_ref L^d", 5e-4, "kg");
  expect_unit("rho_ref L^d", 5e-3, "kg/m", 2);
  expect_unit("p_ref L^d", 0.1, "J");
  expect_unit("rho_ref v_ref L^(d-1)", 0.1, "kg/s");
}

TEST(SiUnits, OfALattice) {
  SiUnits lattice;
  lattice.symbols = {
      {"rho_0", {1000, {1, -3, 0, 0}}}, {"dx", {0.1, {0, 1, 0, 0}}}, {"dt", {0.5, {0, 0, 1, 0}}}};
  const auto expect = [&](const std::string& unit, double factor, const std::string& name) {
    expect_unit_of(lattice, unit, factor, name);
  };
  expect("dx / dt", 0.2, "m/s");
  expect("1 / dt", 2, "1/s");
  expect("dx^2", 0.01, "m^2");
  expect("rho_0 dx^2 / dt^2", 40, "Pa");
  expect("rho_0 dx^3 / dt", 2, "kg/s");
  expect("rho_0 dx^4 / dt^2", 0.4, "N");
  EXPECT_NEAR(lattice.factor("dx / dt"), 0.2, 1e-15);
}

TEST(SiUnits, OtherWordsStayAsTheyAre) {
  for (const char* unit : {"of another kind", "spacings^2", "L^x", "rho_ref L^d, f in rho_ref"}) {
    EXPECT_FALSE(units(3).find(unit)) << unit;
  }
}

}  // namespace
}  // namespace knudsen
