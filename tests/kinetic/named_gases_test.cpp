#include "kinetic/named_gases.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace knudsen {
namespace {

TEST(NamedGases, HaveTheDiametersThatBirdPrints) {
  // Table A2 (Bird 1994) of variable hard spheres at 273 K, in 1e-10 m: follows from the mass,
  // viscosity and exponent that Table A1 prints, so a slip in one of the three would show.
  const std::map<std::string, double> diameters{
      {"helium", 2.33},   {"neon", 2.77},  {"argon", 4.17},
      {"krypton", 4.76},  {"xenon", 5.74}, {"oxygen", 4.07},
      {"nitrogen", 4.17}, {"air", 4.19},   {"carbon-dioxide", 5.62}};
  EXPECT_EQ(named_gases.size(), diameters.size());
  for (const NamedGas& gas : named_gases) {
    EXPECT_NEAR(gas.diameter() * 1e10, diameters.at(gas.name), 0.0075) << gas.name;
  }
}

TEST(NamedGases, AreFoundByTheirNames) {
  ASSERT_NE(find_gas("argon"), nullptr);
  EXPECT_NEAR(find_gas("argon")->viscosity_at(273), 2.117e-5, 1e-12);
  EXPECT_NEAR(find_gas("argon")->viscosity_at(546) / 2.117e-5, 1.7532, 1e-4);  // 2^0.81
  EXPECT_EQ(find_gas("other"), nullptr);
}

}  // namespace
}  // namespace knudsen
