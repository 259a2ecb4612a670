#include "kinetic/gas_fields.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "kinetic/case/gas_case.hpp"
#include "kinetic/collision_target.hpp"

namespace knudsen {
namespace {

Macroscopic state() {
  Macroscopic s;
  s.density = 2;
  s.temperature = 1.5;
  for (int d = 0; d < 3; ++d) {
    s.velocity[d] = d + 1.0;
    s.heat_flux[d] = 0.1 * d;
  }
  for (int i = 0; i < 6; ++i) s.stress[i] = 0.5 + i;
  return s;
}

TEST(GasFields, AreInUnitsOfTheReferenceState) {
  const auto value = [s = state()](const std::string& name, std::size_t component) {
    for (const GasField& field : gas_fields()) {
      if (field.quantity.name == name) return field.value(s, component);
    }
    return std::nan("");
  };
  EXPECT_EQ(value("density", 0), 2);
  EXPECT_EQ(value("velocity", 2), 3);
  EXPECT_DOUBLE_EQ(value("speed", 0), std::sqrt(14.0));
  EXPECT_EQ(value("pressure", 0), 3);
  // In units of the reference pressure these are twice the moments, see gas.hpp.
  EXPECT_EQ(value("pressure_tensor", 5), 11);
  EXPECT_EQ(value("heat_flux", 2), 0.4);
}

TEST(GasFields, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const GasField& field : gas_fields()) names.insert(field.quantity.name);
  EXPECT_EQ(names.size(), gas_fields().size());
}

TEST(GasFields, FaultsOfAState) {
  EXPECT_EQ(fault_of(state()), "");
  Macroscopic s = state();
  s.temperature = -1;
  EXPECT_EQ(fault_of(s), "the temperature is not positive");
  s.density = 0;
  EXPECT_EQ(fault_of(s), "the density is not positive");
  s.velocity[1] = std::nan("");
  EXPECT_EQ(fault_of(s), "the distribution is not finite");
}

TEST(CollisionModels, HaveTheirNamesMomentsAndRates) {
  const Gas gas{3, 0.81, 2.0 / 3};
  const double rate = gas.stress_relaxation_rate(1.2, 0.9);
  const auto expect = [&](CollisionModel model, const std::string& name, int moments,
                          double expected_rate) {
    EXPECT_EQ(model_name(model), name);
    EXPECT_EQ(model_constant(model, [](auto m) { return int(m.moments); }), moments);
    dispatch_model(model, [&](auto m) {
      EXPECT_EQ(m.name, name);
      EXPECT_EQ(m.relaxation_rate(gas, 1.2, 0.9), expected_rate);
    });
  };
  expect(CollisionModel::bgk, "bgk", 5, rate);
  expect(CollisionModel::shakhov, "shakhov", 13, rate);
  expect(CollisionModel::es_bgk, "es-bgk", 13, rate * gas.prandtl);
}

TEST(CollisionModels, FollowTheirEnumerators) {
  EXPECT_TRUE((std::is_same_v<ModelOf<CollisionModel::bgk>, BgkModel>));
  EXPECT_TRUE((std::is_same_v<ModelOf<CollisionModel::shakhov>, ShakhovModel>));
  EXPECT_TRUE((std::is_same_v<ModelOf<CollisionModel::es_bgk>, EsBgkModel>));
}

TEST(CollisionModels, WeightsOfARelaxationSumToOne) {
  const VelocityAxis axis = uniform_axis(-4, 4, 8);
  const auto space = make_velocity_space<HostExecutionSpace, float>({axis, axis, axis});
  Collision collision;
  for (const double time_step : {0.0, 1e-6, 0.1, 1.0, 30.0}) {
    collision.time_step = time_step;
    const auto target = cell_target<ShakhovModel, false>(space, state(), collision);
    EXPECT_EQ(target.kept_share + target.relaxed_share, 1.0F) << time_step;
  }
}

}  // namespace
}  // namespace knudsen
