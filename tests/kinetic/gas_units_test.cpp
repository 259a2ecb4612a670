#include "kinetic/case/gas_units.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "case/sample_reader.hpp"
#include "kinetic/case/gas_case.hpp"
#include "kinetic/case/read_sides.hpp"

namespace knudsen {
namespace {

using test::input_error;
using testing::HasSubstr;

const std::string argon =
    R"("gas": {"name": "argon", "si": {"pressure": 20, "temperature": 300, "length": 1e-3}})";

/// Reads a case whose block "gas" other functions read.
template <class Read>
void read(const std::string& json, const Read& read_rest) {
  read_case(CaseDocument::from_text("{" + json + "}", "case.json"), [&](CaseNode& root) {
    const GasUnits units = read_gas_units(root);
    root.object("gas", "", [&](CaseNode& gas) {
      const NamedGas* named = read_gas_name(gas);
      std::optional<SiReference> si;
      read_rarefaction(gas, &si, named);
    });
    read_rest(root, units);
  });
}

GasUnits units_of(const std::string& json) {
  GasUnits found;
  read(json, [&](CaseNode&, const GasUnits& units) { found = units; });
  return found;
}

/// The state of a reservoir in the block "west".
GasState state_of(const std::string& json) {
  GasState state;
  read(json, [&](CaseNode& root, const GasUnits& units) {
    root.object("west", "", [&](CaseNode& west) { state = read_gas_state(west, units, {}); });
  });
  return state;
}

TEST(GasUnits, AreThoseOfTheReferenceStateOrSi) {
  const GasUnits si = units_of(R"("units": "si", )" + argon);
  ASSERT_TRUE(si.si && si.reference);
  const SiReference& r = *si.reference;
  const double v = std::sqrt(2 * boltzmann_constant * 300 / 66.3e-27);
  EXPECT_DOUBLE_EQ(r.velocity(), v);
  EXPECT_DOUBLE_EQ(si.length().in_case(1), 1e-3);
  EXPECT_DOUBLE_EQ(si.time().in_case(1), 1e-3 / v);
  EXPECT_DOUBLE_EQ(si.velocity().in_case(1), v);
  EXPECT_DOUBLE_EQ(si.acceleration().in_case(1), v * v / 1e-3);
  EXPECT_DOUBLE_EQ(si.density().in_case(1), 40 / (v * v));
  EXPECT_DOUBLE_EQ(si.pressure().in_case(1), 20);
  EXPECT_DOUBLE_EQ(si.temperature().in_case(1), 300);
  EXPECT_DOUBLE_EQ(si.temperature_gradient().in_case(1), 1000);
  EXPECT_DOUBLE_EQ(si.heat_flux().in_case(1), 20 * v);
  EXPECT_DOUBLE_EQ(si.mass_flux().in_case(1), 40 / v);
  EXPECT_DOUBLE_EQ(si.mass_flow(1).in_case(1), 40 / v);
  EXPECT_DOUBLE_EQ(si.mass_flow(3).in_case(1), 40 / v * 1e-6);
  EXPECT_EQ(si.temperature().text(1.1), "330 K");

  const GasUnits reference = units_of(argon);
  EXPECT_TRUE(reference.reference && !reference.si);
  EXPECT_EQ(reference.pressure().in_case(1), 1);
  EXPECT_EQ(reference.temperature().text(1.1), "1.1");
  EXPECT_FALSE(units_of(R"("gas": {"rarefaction": 1})").reference);
}

TEST(GasUnits, StatesHaveADensityOrAPressure) {
  const GasState si =
      state_of(R"("units": "si", "west": {"pressure": 30, "temperature": 360}, )" + argon);
  EXPECT_DOUBLE_EQ(si.density, 1.25);
  EXPECT_DOUBLE_EQ(si.temperature, 1.2);
  const GasState reference = state_of(R"("west": {"pressure": 1.5, "temperature": 1.2}, )" + argon);
  EXPECT_EQ(reference.density, si.density);
  // Defaults are those of the reference state, to the bit.
  const GasState rest = state_of(R"("units": "si", "west": {}, )" + argon);
  EXPECT_EQ(rest.density, 1);
  EXPECT_EQ(rest.temperature, 1);
  EXPECT_THAT(input_error([] { state_of(R"("west": {"pressure": 1, "density": 1}, )" + argon); }),
              HasSubstr("west.pressure: found 1, \"density\" gives it already"));
}

TEST(GasUnits, RefuseACaseWithoutAReferenceState) {
  const auto error = [](const std::string& json) { return input_error([&] { units_of(json); }); };
  EXPECT_THAT(error(R"("units": "si", "gas": {"rarefaction": 1})"),
              HasSubstr("units: found \"si\", requires the reference state in SI units, "
                        "\"gas.si\": a pressure in Pa, a temperature in K and a length in m"));
  EXPECT_THAT(error(R"("units": "si")"), HasSubstr("units: found \"si\", requires the reference"));
  EXPECT_THAT(error(R"("units": "metric", )" + argon), HasSubstr("units: found \"metric\""));
  EXPECT_THAT(error(R"("units": "si", "gas": {"name": "argon", "si": {"presure": 20}})"),
              HasSubstr("gas.si: unknown key \"presure\", did you mean \"pressure\"?"));
  EXPECT_THAT(error(R"("units": "si", "gas": {"name": "argon", "si": {"pressure": -1}})"),
              HasSubstr("gas.si.pressure: found -1, must be greater than 0"));
}

TEST(GasUnits, MessagesAreInTheUnitsOfTheCase) {
  const auto error = [](const std::string& json) {
    return input_error([&] { state_of(R"("units": "si", )" + json + ", " + argon); });
  };
  EXPECT_THAT(error(R"("west": {"temperature": 0})"),
              HasSubstr("west.temperature: found 0, must be from 0.0003 to 300000000"));
  EXPECT_THAT(error(R"("west": {"pressure": -5})"),
              HasSubstr("west.pressure: found -5, must be from 2e-11 to 20000000000000"));
  EXPECT_THAT(error(R"("west": {"velocity": [1e9, 0, 0]})"),
              HasSubstr("west.velocity[0]: found 1000000000, must be from -3535000 to 3535000"));
}

/// The west side of a case in SI units, a box of 4 x 2 cells that is 4 mm long.
SideCondition side_of(const std::string& json) {
  std::array<SideCondition, 6> sides;
  const CartesianGrid grid{{4, 2, 1}, {0, 0, 0}, {1, 1, 1}};
  read(R"("units": "si", "boundaries": {"west": )" + json + "}, " + argon,
       [&](CaseNode& root, const GasUnits& units) {
         root.object("boundaries", "", [&](CaseNode& boundaries) {
           read_sides(boundaries, sides, grid, 2, {}, {}, units);
         });
       });
  return sides[west];
}

TEST(GasUnits, ProfilesAreFunctionsOfMetres) {
  const SideCondition wall =
      side_of(R"({"type": "wall", "profile": {"temperature": "300 + 1e5*y"}})");
  ASSERT_EQ(wall.parts.size(), 2);
  EXPECT_DOUBLE_EQ(wall.parts[0].state.temperature, 350.0 / 300);
  EXPECT_DOUBLE_EQ(wall.parts[1].state.temperature, 450.0 / 300);
  const SideCondition reservoir = side_of(R"({"type": "reservoir", "profile": {
      "pressure": "20 + 1e4*y", "temperature": "300 + 1e5*y", "velocity_x": "1e4*y"}})");
  ASSERT_EQ(reservoir.parts.size(), 2);
  EXPECT_DOUBLE_EQ(reservoir.parts[0].state.density, 25.0 / 20 / (350.0 / 300));
  EXPECT_DOUBLE_EQ(reservoir.parts[1].state.density, 35.0 / 20 / (450.0 / 300));
  EXPECT_NEAR(reservoir.parts[1].state.velocity[0], 15 / 353.48, 1e-6);
  const auto error = [](const std::string& json) { return input_error([&] { side_of(json); }); };
  EXPECT_THAT(
      error(R"({"type": "wall", "profile": {"temperature": "-1"}})"),
      HasSubstr(
          "boundaries.west.profile.temperature: found \"-1\", is -1 at (0, 0.0005, 0), must be "
          "finite and from 0.0003 to 300000000"));
  EXPECT_THAT(error(R"({"type": "reservoir", "profile": {"pressure": 20, "density": 1}})"),
              HasSubstr("boundaries.west.profile: \"pressure\" gives the density already"));
  EXPECT_THAT(error(R"({"type": "reservoir", "pressure": 20, "profile": {"pressure": 20}})"),
              HasSubstr("boundaries.west.pressure: found 20, \"profile\" sets it already"));
  EXPECT_THAT(
      error(R"({"type": "reservoir", "pressure": 20, "profile": {"temperature": 300}})"),
      HasSubstr("boundaries.west.pressure: found 20, the temperature of \"profile\" varies; "
                "give the density or the pressure there, too"));
}

TEST(GasUnits, ReadEachValueOfASide) {
  const SideCondition wall =
      side_of(R"({"type": "wall", "velocity": [0, 10, 0], "temperature": 330})");
  EXPECT_NEAR(wall.state.velocity[1], 10 / 353.48, 1e-6);
  EXPECT_DOUBLE_EQ(wall.state.temperature, 1.1);
  EXPECT_NEAR(side_of(R"({"type": "wall", "heat_flux": 500})").heat_flux.value(),
              500 / (20 * 353.48), 1e-6);
  const SideCondition pressure =
      side_of(R"({"type": "pressure", "pressure": 30, "temperature": 360})");
  EXPECT_DOUBLE_EQ(pressure.state.density, 1.25);
  EXPECT_DOUBLE_EQ(pressure.state.temperature, 1.2);
  EXPECT_DOUBLE_EQ(
      side_of(R"({"type": "pump", "capture": 0.5, "temperature": 330})").state.temperature, 1.1);
  EXPECT_NEAR(side_of(R"({"type": "inlet", "mass_flux": 0.01})").mass_flux, 0.01 * 353.48 / 40,
              1e-6);
  EXPECT_NEAR(side_of(R"({"type": "inlet", "mass_flow": 1e-5})").mass_flow.value(),
              0.01 * 353.48 / 40, 1e-6);
  EXPECT_THAT(
      input_error([] { side_of(R"({"type": "inlet", "mass_flow": 1, "mass_flux": 1})"); }),
      HasSubstr("boundaries.west.mass_flow: found 1, \"mass_flux\" gives the flow already"));
}

TEST(GasUnits, BlocksInSiUnitsAreForCasesInOthers) {
  const auto error = [](const std::string& side) { return input_error([&] { side_of(side); }); };
  EXPECT_THAT(error(R"({"type": "pressure", "si": {"pressure": 20}})"),
              HasSubstr("boundaries.west.si: the whole case is in SI units (\"units\"); give "
                        "\"pressure\" in Pa and \"temperature\" in K without this block"));
  EXPECT_THAT(error(R"({"type": "inlet", "si": {"mass_flow": 1e-9}})"),
              HasSubstr("boundaries.west.si: the whole case is in SI units (\"units\"); give "
                        "\"mass_flow\" in kg/s without this block"));
  EXPECT_THAT(error(R"({"type": "pressure"})"),
              HasSubstr("boundaries.west.pressure: is missing; give it in Pa"));
}

}  // namespace
}  // namespace knudsen
