#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

#include "core/error.hpp"
#include "flows.hpp"
#include "methods/bgkw/diagnostics.hpp"
#include "methods/bgkw/imex.hpp"
#include "step_cases.hpp"

// Gases whose molecules rotate: the kernels against the reference, and flows against exact results.

namespace knudsen::bgkw {
namespace {

using namespace test;
using testing::HasSubstr;

constexpr double freedom = 2;
constexpr double collision_number = 5;

StepContext<Space> rotating_context(bool forced, double time_step) {
  auto context = make_context(CollisionModel::es_bgk, forced, time_step);
  Gas& gas = context.collision.gas;
  gas.rotation = freedom;
  gas.rotation_rate = rotation_rate(freedom, collision_number);
  gas.prandtl = eucken_prandtl(freedom);
  return context;
}

PhaseGrid rotating(PhaseGrid grid) {
  grid.velocities[2].rotation = freedom;
  return grid;
}

/// The rows of f, each followed by the same row of the rotational energy, as the kernels store
/// them.
std::vector<double> stored(const ReferenceStep& reference, const PhaseGrid& grid) {
  const auto row = static_cast<std::ptrdiff_t>(grid.velocities[2].count());
  std::vector<double> values;
  for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(reference.f.size()); i += row) {
    for (const auto* from : {&reference.f, &reference.rotation}) {
      values.insert(values.end(), from->begin() + i, from->begin() + i + row);
    }
  }
  return values;
}

/// A state whose molecules have different rotational energies at each velocity.
void set_rough_state(ReferenceStep& reference) {
  rough_state(reference);
  for (std::size_t i = 0; i < reference.f.size(); ++i) {
    reference.rotation[i] = reference.f[i] * (0.9 + 0.4 * std::sin(double(i)));
  }
}

using Case = std::tuple<int, bool>;
class RotationAgainstReference : public testing::TestWithParam<Case> {};

TEST_P(RotationAgainstReference, FusedAndSeparateAgree) {
  const auto [dimensions, forced] = GetParam();
  const PhaseGrid grid = rotating(box(dimensions));
  const auto context = rotating_context(forced, grid.time_step);
  ReferenceStep reference(grid, CollisionModel::es_bgk, context.collision);
  set_rough_state(reference);
  const auto fused = expect_steps_of(reference, context, grid,
                                     [&](const ReferenceStep& of) { return stored(of, grid); });
  const auto fields = macroscopic_fields(context, fused);
  for (int cell = 0; cell < reference.cells(); ++cell) {
    const Macroscopic& found = fields[static_cast<std::size_t>(cell)];
    const Macroscopic expected = reference.state(cell);
    EXPECT_NEAR(found.temperature, expected.temperature, 1e-12);
    EXPECT_NEAR(found.rotational_temperature, expected.rotational_temperature, 1e-12);
    EXPECT_NEAR(found.translational_excess, expected.translational_excess, 1e-12);
    for (int d = 0; d < 3; ++d) {
      EXPECT_NEAR(found.stress[d], expected.stress[d], 1e-12);
      EXPECT_NEAR(found.heat_flux[d], expected.heat_flux[d], 1e-12);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RotationAgainstReference,
                         testing::Combine(testing::Values(1, 2, 3), testing::Bool()));

TEST(Rotation, OrderTwoAndStagesAreThoseOfTheReference) {
  for (const int dimensions : {1, 2, 3}) {
    PhaseGrid grid = rotating(box(dimensions));
    grid.order = 2;
    grid.split = dimensions > 1;
    if (dimensions == 1) grid.time_step = 0.03;
    const auto context = rotating_context(false, grid.time_step);
    ReferenceStep reference(grid, CollisionModel::es_bgk, context.collision);
    set_rough_state(reference);
    auto space = make_phase_space<Space, double>(grid);
    upload(space, stored(reference, grid));
    for (int axis = 0; axis < dimensions; ++axis) {
      reference.stream_axis(axis);
      update_wall_density(context, space, axis);
      stream(context, space, axis);
    }
    EXPECT_LT(largest_difference(download(space), stored(reference, grid)), 1e-13) << dimensions;

    grid.order = 1;
    grid.split = false;
    grid.integration = TimeIntegration::imex_1;
    if (dimensions == 1) grid.time_step = 0.02;
    ReferenceStep staged(grid, CollisionModel::es_bgk, context.collision);
    set_rough_state(staged);
    auto stages = make_phase_space<Space, double>(grid);
    upload(stages, stored(staged, grid));
    staged.stream_in_stages();
    staged.relax_implicitly(1);
    update_wall_density(context, stages);
    run_stage(context, stages, make_imex_stages(grid.integration, stages)[0]);
    EXPECT_LT(largest_difference(download(stages), stored(staged, grid)), 1e-13) << dimensions;
  }
}

/// A cell with all velocities, or with some of them integrated out.
PhaseGrid one_cell(int integrated) {
  PhaseGrid grid;
  for (std::size_t d = 0; d < 3; ++d) grid.velocities[d] = uniform_axis(-5.5, 5.5, 22);
  for (std::size_t d = 3 - static_cast<std::size_t>(integrated); d < 3; ++d) {
    grid.velocities[d] = integrated_axis(d == 2);
  }
  grid.time_step = 0.1;
  return rotating(grid);
}

/// Multiplies the rotational energy of all molecules.
template <class Real>
void heat_rotation(PhaseSpace<Space, Real>& space, double factor) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.f);
  const auto& v = space.velocities;
  for (std::size_t cell = 0; cell < host.extent(0); ++cell) {
    for (std::size_t i = 0; i < host.extent(1); ++i) {
      if (v.rotates(static_cast<int>(i) % v.row_length)) {
        host(cell, i) = static_cast<Real>(factor * host(cell, i));
      }
    }
  }
  Kokkos::deep_copy(space.f, host);
}

template <class Real>
void expect_relaxation(int integrated, bool conservative, double tolerance) {
  const PhaseGrid grid = one_cell(integrated);
  auto context = rotating_context(false, grid.time_step);
  context.collision.conservative = conservative;
  auto space = make_phase_space<Space, Real>(grid);
  initialise(context, space, [](int, int, int) { return GasState{1.2, {0.3, 0, 0}, 1.1}; });
  heat_rotation(space, 0.4);
  const Macroscopic before = macroscopic_fields(context, space)[0];
  EXPECT_NEAR(before.rotational_temperature, 0.44, tolerance);
  EXPECT_NEAR(before.temperature + before.translational_excess, 1.1, tolerance);
  EXPECT_NEAR(before.temperature, 1.1 * (3 + 2 * 0.4) / 5, tolerance);
  // By Jeans's law, at the collision rate 4 p / (pi mu) over the collision number.
  const double rate = (1 + freedom / 3) * 4 / (std::numbers::pi * collision_number) *
                      context.collision.gas.stress_relaxation_rate(1.2, before.temperature);
  for (int step = 1; step <= 20; ++step) {
    collide(context, space);
    const Macroscopic after = macroscopic_fields(context, space)[0];
    const double decay = std::exp(-rate * grid.time_step * step);
    EXPECT_NEAR(after.translational_excess / before.translational_excess / decay, 1,
                100 * tolerance);
    EXPECT_NEAR((after.temperature - after.rotational_temperature) /
                    (before.temperature - before.rotational_temperature) / decay,
                1, 100 * tolerance);
    EXPECT_NEAR(after.temperature / before.temperature, 1, 10 * tolerance);
  }
}

TEST(Rotation, TemperaturesApproachEachOtherExponentially) {
  for (const int integrated : {0, 1, 2}) {
    for (const bool conservative : {false, true}) {
      expect_relaxation<double>(integrated, conservative, 1e-7);
      expect_relaxation<float>(integrated, conservative, 1e-5);
    }
  }
}

TEST(Rotation, ConservativeCollisionsKeepTheEnergyOnACoarseGrid) {
  for (const int integrated : {0, 2}) {
    PhaseGrid grid = one_cell(integrated);
    for (std::size_t d = 0; d < 3 - static_cast<std::size_t>(integrated); ++d) {
      grid.velocities[d] = uniform_axis(-3, 3, 6);
    }
    grid = rotating(grid);
    auto context = rotating_context(false, grid.time_step);
    context.collision.conservative = true;
    auto space = make_phase_space<Space, double>(grid);
    initialise(context, space, [](int, int, int) { return GasState{1.2, {0.3, 0, 0}, 1.1}; });
    const Macroscopic start = macroscopic_fields(context, space)[0];
    EXPECT_NEAR(start.rotational_temperature, 1.1, 1e-9);
    heat_rotation(space, 0.4);
    const Macroscopic before = macroscopic_fields(context, space)[0];
    for (int step = 0; step < 400; ++step) collide(context, space);
    const Macroscopic after = macroscopic_fields(context, space)[0];
    EXPECT_NEAR(after.temperature / before.temperature, 1, 1e-13);
    EXPECT_NEAR(after.density / before.density, 1, 1e-13);
    EXPECT_NEAR(after.rotational_temperature / after.temperature, 1, 1e-12);
    EXPECT_NEAR(after.translational_excess, 0, 1e-12);
  }
}

TEST(Rotation, ReducedGivesTheSameFlow) {
  for (const int dimensions : {1, 2}) {
    const PhaseGrid full = rotating(box_without_motion_across(dimensions));
    for (const bool conservative : {false, true}) {
      auto context = rotating_context(false, full.time_step);
      context.collision.conservative = conservative;
      context.collision.velocity_gain[0] = 0.01;
      expect_same_fields(fields_after_steps(context, full),
                         fields_after_steps(context, integrated_across(full)));
    }
  }
}

const std::string rotation = R"("collision": {"model": "es-bgk", "conservative": true},
                                "gas": {"rotation": {}})";

/// Plates at T and T + 0.02, reduced.
nlohmann::json plates(double delta, int cells, const std::string& patch) {
  nlohmann::json json = with("{" + rotation + R"(, "reduced": true,
    "velocity_grid": {"type": "half-range", "count": [24], "minimum": null, "maximum": null},
    "propagation": {"order": 2},
    "boundaries": {"west": {"temperature": 1.01}, "east": {"temperature": 0.99}}})");
  json["domain"]["cells"] = {cells};
  json["gas"]["rarefaction"] = delta;
  json.merge_patch(nlohmann::json::parse(patch));
  return json;
}

/// Free molecules between diffuse plates carry rho v / (2 sqrt(pi)) (2 + rotation / 2) k T; the
/// density between them is that of both fluxes.
TEST(Rotation, FreeMoleculesCarryTheirRotationalEnergy) {
  for (const double of_rotation : {2.0, 3.0}) {
    auto json = plates(0, 8, R"({"propagation": {"order": 1, "courant": 4}})");
    json["gas"]["rotation"]["degrees_of_freedom"] = of_rotation;
    const auto method = run(json, 60);
    // Half of the gas comes from each plate: n_i sqrt(T_i) is the same, their sum is 1.
    const double hot = std::sqrt(1.01);
    const double cold = std::sqrt(0.99);
    const double flux = 1 / std::sqrt(std::numbers::pi) * hot * cold / (hot + cold);
    const double heat = flux * (2 + of_rotation / 2) * (1.01 - 0.99);
    EXPECT_NEAR(method->monitor("east.energy_flux") / heat, 1, 1e-3) << of_rotation;
    EXPECT_NEAR(method->monitor("west.energy_flux") / -heat, 1, 1e-3) << of_rotation;
  }
}

/// Fourier's law with the conductivity c_p mu / Pr, measured in the middle of the gas.
TEST(Rotation, HeatConductionHasThePrandtlNumber) {
  constexpr double delta = 30;
  constexpr std::size_t cells = 60;
  const auto problem = read(plates(delta, cells, R"({"propagation": {"time_integration": "imex-2",
                                                                     "courant": 0.95}})"));
  auto method = start(*problem);
  double before = 0;
  for (int n = 0; n < 100; ++n) {
    method->advance(static_cast<std::int64_t>(std::ceil(5 / problem->time_per_step)));
    const double now = method->monitor("east.energy_flux");
    if (std::abs(now / before - 1) < 1e-5) break;
    before = now;
  }
  const double heat = method->monitor("east.energy_flux");
  EXPECT_NEAR(method->monitor("west.energy_flux") / -heat, 1, 1e-3);
  const Field temperature = method->field("temperature");
  const double gradient =
      (temperature[cells / 4] - temperature[3 * cells / 4 - 1]) / (0.5 - 1.0 / cells);
  // In p_ref v_ref: c_p mu / Pr is (5 + rotation) / 4 / (Pr delta).
  const double conductivity = (5 + freedom) / (4 * eucken_prandtl(freedom) * delta);
  EXPECT_NEAR(heat / gradient / conductivity, 1, 0.01);
  const Field rotational = method->field("rotational_temperature");
  for (std::size_t i = 0; i < cells; ++i) EXPECT_NEAR(rotational[i], temperature[i], 1e-3);
}

TEST(Rotation, ShocksEndAsRankineAndHugoniotSay) {
  constexpr std::size_t cells = 160;
  constexpr double mach = 2;
  const auto [before, behind] = rankine_hugoniot(mach, freedom);
  EXPECT_NEAR(behind.density, 2.4 * 4 / (0.4 * 4 + 2), 1e-12);
  EXPECT_NEAR(behind.temperature, (2.8 * 4 - 0.4) * (0.4 * 4 + 2) / (2.4 * 2.4 * 4), 1e-12);
  EXPECT_NEAR(before.velocity[0], mach * std::sqrt(0.7), 1e-12);
  auto json = shock(mach, "es-bgk", 0.74, cells, 40);
  json["gas"]["rotation"] = nlohmann::json::object();
  const auto method = run(json, 200);
  const Field density = method->field("density");
  const Field temperature = method->field("temperature");
  const Field rotational = method->field("rotational_temperature");
  const Field translational = method->field("translational_temperature");
  for (const Field* each : {&temperature, &rotational, &translational}) {
    EXPECT_NEAR((*each)[0], 1, 1e-3);
    EXPECT_NEAR((*each)[cells - 1] / behind.temperature, 1, 1e-3);
  }
  EXPECT_NEAR(density[cells - 1] / behind.density, 1, 1e-3);
  for (const char* flux : {"mass_flux", "force_x", "energy_flux"}) {
    const std::string name = flux;
    EXPECT_NEAR(method->monitor("east." + name) / -method->monitor("west." + name), 1, 5e-5)
        << name;
  }
  EXPECT_NEAR(method->monitor("density_thickness"), 3.35, 0.03);
  // The rotation follows the translation.
  for (std::size_t i = 0; i < cells; ++i) EXPECT_LT(rotational[i], translational[i] + 1e-3);
  double largest = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    largest = std::max(largest, translational[i] - rotational[i]);
  }
  EXPECT_GT(largest, 0.1);
}

/// Taylor's thickness of a weak shock is proportional to 4/3 + bulk viscosity over viscosity +
/// (gamma - 1) / Pr.
TEST(Rotation, BulkViscosityThickensAWeakShock) {
  constexpr double mach = 1.2;
  const auto thickness = [&](double number) {
    auto json = shock(mach, "es-bgk", 0.74, 80, 80);
    json["gas"]["rotation"]["collision_number"] = number;
    return run(json, 900)->monitor("density_thickness");
  };
  const auto expected = [&](double number) {
    Gas gas;
    gas.rotation = freedom;
    gas.rotation_rate = rotation_rate(freedom, number);
    EXPECT_NEAR(gas.bulk_viscosity_ratio(), 0.04 * std::numbers::pi * number, 1e-12);
    return 4.0 / 3 + gas.bulk_viscosity_ratio() + 0.4 / eucken_prandtl(freedom);
  };
  const auto [before, behind] = rankine_hugoniot(mach, freedom);
  const double jump = before.velocity[0] - behind.velocity[0];
  const double at_five = thickness(5);
  EXPECT_NEAR(at_five / (8 * 0.5 * expected(5) / (2.4 * jump)), 1, 0.1);
  EXPECT_NEAR(thickness(10) / at_five / (expected(10) / expected(5)), 1, 0.03);
}

TEST(Rotation, ClosedBoxesKeepTheirEnergy) {
  const auto energy_drift = [](const std::string& patch) {
    auto json = with("{" + rotation + "}");
    json.merge_patch(nlohmann::json::parse(patch));
    const auto method = start(*read(json));
    const double before = method->monitor("energy");
    method->advance(100);
    return method->monitor("energy") / before - 1;
  };
  const std::string step =
      R"("initial": {"type": "step", "left": {"temperature": 1.3}, "right": {}})";
  for (const std::string side : {R"({"type": "symmetry"})", R"({"type": "wall", "heat_flux": 0})",
                                 R"({"type": "wall", "accommodation": 0})"}) {
    for (const std::string more :
         {"", R"(, "reduced": true)", R"(, "propagation": {"order": 2})",
          R"(, "propagation": {"order": 2, "time_integration": "imex-2"}, "reduced": true)"}) {
      EXPECT_NEAR(energy_drift("{" + step + more + R"(, "boundaries": {"west": )" + side +
                               R"(, "east": )" + side + "}}"),
                  0, 1e-12)
          << side << more;
    }
  }
}

const std::string model = R"("collision": {"model": "es-bgk"})";

std::string error(const std::string& patch) {
  try {
    read(with(patch));
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Rotation, BadCasesAreRefused) {
  EXPECT_THAT(error(R"({"gas": {"rotation": {}}})"),
              HasSubstr("gas.rotation: requires \"model\" \"es-bgk\" in \"collision\""));
  EXPECT_THAT(error("{" + model + R"(, "gas": {"rotation": {"collision_number": -1}}})"),
              HasSubstr("gas.rotation.collision_number: found -1, must be greater than 0"));
  EXPECT_THAT(error("{" + model + R"(, "gas": {"rotation": {"collision_number": 3}}})"),
              HasSubstr("gas.rotation.collision_number: 3 is too small, must be at least 4.032"));
  EXPECT_THAT(error("{" + model + R"(, "gas": {"rotation": {"degrees_of_freedom": 0}}})"),
              HasSubstr("gas.rotation.degrees_of_freedom: found 0, must be from 1 to 20"));
  EXPECT_THAT(error("{" + model + R"(, "gas": {"name": "argon", "rotation": {}}})"),
              HasSubstr("must not be given for argon, whose molecules are single atoms"));
  EXPECT_THAT(error("{" + model + R"(, "gas": {"name": "nitrogn", "rotation": {}}})"),
              HasSubstr("did you mean \"nitrogen\"?"));
  EXPECT_THAT(error("{" + model + R"(, "gas": {"prandtl": 0.6, "rotation": {}}})"),
              HasSubstr("gas.prandtl: found 0.6, must be greater than 0.6667"));
  EXPECT_THAT(error("{" + model + R"(, "gas": {"rotation": {}},
                    "boundaries": {"west": {"cercignani_lampis": {"tangential": 1, "normal": 1}}}})"),
              HasSubstr("gas.rotation: is not available with \"cercignani_lampis\", "
                        "which the side \"west\" has"));
}

TEST(Rotation, IsDescribed) {
  const auto nitrogen =
      read(with("{" + model + R"(, "gas": {"name": "nitrogen", "rotation": {}}})"));
  EXPECT_TRUE(nitrogen->warnings.empty());
  const auto value = [&](const std::string& name) {
    for (const ResolvedValue& each : nitrogen->resolved) {
      if (each.name == name) return each.value;
    }
    return std::string();
  };
  EXPECT_EQ(value("Prandtl number"), "0.7368");
  EXPECT_EQ(value("ratio of specific heats"), "1.4");
  EXPECT_EQ(value("rotational collision number"), "5");
  EXPECT_EQ(value("bulk viscosity over viscosity"), "0.6283");  // 0.16 x pi / 4 x 5
  EXPECT_EQ(nitrogen->variant, "fused es-bgk rotation");
  const auto dioxide =
      read(with("{" + model + R"(, "gas": {"name": "carbon-dioxide", "rotation": {}}})"));
  ASSERT_EQ(dioxide->warnings.size(), 1);
  EXPECT_THAT(dioxide->warnings[0], HasSubstr("without the vibration"));
}

}  // namespace
}  // namespace knudsen::bgkw
