#include "methods/bgkw/imex.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "flows.hpp"
#include "methods/bgkw/diagnostics.hpp"
#include "riemann_problem.hpp"
#include "step_cases.hpp"

namespace knudsen::bgkw {
namespace {

using namespace test;

template <class Real>
void step_in_stages(const StepContext<Space>& context, PhaseSpace<Space, Real>& space,
                    const std::vector<StageWithMemory<Space, Real>>& stages) {
  for (const auto& stage : stages) {
    update_wall_density(context, space);
    run_stage(context, space, stage);
  }
}

/// A step of ARS(2,2,2) as Ascher, Ruuth and Spiteri write it, or of the scheme with one stage.
void reference_step(ReferenceStep& reference, TimeIntegration integration) {
  const auto start = reference.f;
  const auto combine = [&](auto value) {
    for (std::size_t i = 0; i < start.size(); ++i) reference.f[i] = value(i);
  };
  reference.stream_in_stages();
  if (integration == TimeIntegration::imex_1) return reference.relax_implicitly(1);
  const double gamma = 1 - std::sqrt(0.5);
  const double delta = 1 - 1 / (2 * gamma);
  // Changes by streaming and by collisions in a whole time step.
  std::vector<double> streamed(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) streamed[i] = reference.f[i] - start[i];
  combine([&](std::size_t i) { return start[i] + gamma * streamed[i]; });
  const auto explicit_part = reference.f;
  reference.relax_implicitly(gamma);
  const auto first = reference.f;
  std::vector<double> collided(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) {
    collided[i] = (first[i] - explicit_part[i]) / gamma;
  }
  reference.stream_in_stages();
  const auto second = reference.f;
  combine([&](std::size_t i) {
    return start[i] + delta * streamed[i] + (1 - delta) * (second[i] - first[i]) +
           (1 - gamma) * collided[i];
  });
  reference.relax_implicitly(gamma);
}

using Case = std::tuple<int, int, CollisionModel, bool>;
class StagesAgainstReference : public testing::TestWithParam<Case> {};

TEST_P(StagesAgainstReference, AllKindsOfSides) {
  const auto [dimensions, order, model, forced] = GetParam();
  for (const TimeIntegration integration : {TimeIntegration::imex_1, TimeIntegration::imex_2}) {
    PhaseGrid grid = box(dimensions);
    if (dimensions == 1) grid.time_step = 0.03;  // Courant numbers below 1
    grid.order = order;
    grid.limiter = forced ? Limiter::minmod : Limiter::van_leer;
    grid.integration = integration;
    const auto context = make_context(model, forced, grid.time_step);
    ReferenceStep reference(grid, model, context.collision);
    const auto start = rough_state(reference);
    auto space = make_phase_space<Space, double>(grid);
    auto single = make_phase_space<Space, float>(grid);
    upload(space, start);
    upload(single, start);
    const auto stages = make_imex_stages(integration, space);
    const auto single_stages = make_imex_stages(integration, single);
    for (int step = 0; step < 2; ++step) {
      reference_step(reference, integration);
      step_in_stages(context, space, stages);
      step_in_stages(context, single, single_stages);
    }
    EXPECT_LT(largest_difference(download(space), reference.f), 1e-13);
    EXPECT_LT(largest_difference(download(single), reference.f), 5e-6);
  }
}

TEST(Imex, SlopesOnGrowingCellsAgainstReference) {
  for (const int dimensions : {1, 2, 3}) {
    for (const Limiter limiter : {Limiter::van_leer, Limiter::minmod}) {
      PhaseGrid grid = growing_box(dimensions);
      grid.order = 2;
      grid.limiter = limiter;
      grid.integration = TimeIntegration::imex_2;
      const auto context = make_context(CollisionModel::es_bgk, true, grid.time_step);
      ReferenceStep reference(grid, CollisionModel::es_bgk, context.collision);
      auto space = make_phase_space<Space, double>(grid);
      upload(space, rough_state(reference));
      reference_step(reference, grid.integration);
      step_in_stages(context, space, make_imex_stages(grid.integration, space));
      EXPECT_LT(largest_difference(download(space), reference.f), 1e-13) << dimensions;
    }
  }
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  const std::array<std::string, 3> names{"Bgk", "Shakhov", "EsBgk"};
  return "Dimensions" + std::to_string(std::get<0>(info.param)) + "Order" +
         std::to_string(std::get<1>(info.param)) +
         names[static_cast<std::size_t>(std::get<2>(info.param))] +
         (std::get<3>(info.param) ? "Forced" : "");
}

INSTANTIATE_TEST_SUITE_P(All, StagesAgainstReference,
                         testing::Combine(testing::Values(1, 2, 3), testing::Values(1, 2),
                                          testing::Values(CollisionModel::bgk,
                                                          CollisionModel::shakhov,
                                                          CollisionModel::es_bgk),
                                          testing::Bool()),
                         case_name);

/// Mass, momentum and energy of all cells.
std::array<double, 5> totals(const StepContext<Space>& context,
                             const PhaseSpace<Space, double>& space) {
  std::array<double, 5> sums{};
  for (const Macroscopic& s : macroscopic_fields(context, space)) {
    if (!(s.density > 0)) continue;  // solid
    double square = 0;
    sums[0] += s.density;
    for (std::size_t d = 0; d < 3; ++d) {
      sums[1 + d] += s.density * s.velocity[d];
      square += s.velocity[d] * s.velocity[d];
    }
    sums[4] += s.density * (0.75 * s.temperature + 0.5 * square);
  }
  return sums;
}

TEST(Imex, SurfaceFluxesAccountForEverything) {
  for (const int dimensions : {1, 2, 3}) {
    for (const TimeIntegration integration : {TimeIntegration::imex_1, TimeIntegration::imex_2}) {
      for (const bool solids : {false, true}) {
        if (solids && dimensions == 1) continue;
        PhaseGrid grid = solids ? box_with_blocks(dimensions) : box(dimensions);
        if (dimensions == 1) grid.time_step = 0.03;
        if (solids) grid.solids.bodies[0].wall = wall(0.6, {0, 0, 0}, 1.3);
        grid.order = integration == TimeIntegration::imex_1 ? 1 : 2;
        grid.integration = integration;
        auto context = make_context(CollisionModel::bgk, false, grid.time_step);
        context.collision.conservative = true;
        context.collision.tolerance = 0;
        ReferenceStep reference(grid, CollisionModel::bgk, context.collision);
        auto space = make_phase_space<Space, double>(grid);
        upload(space, gas_only(grid, rough_state(reference)));
        const auto stages = make_imex_stages(integration, space);
        for (int step = 0; step < 3; ++step) {
          const auto before = totals(context, space);
          std::array<double, 5> lost{};
          for (const SurfaceFlux& flux : imex_fluxes(context, space, stages, {1, 1, 1})) {
            for (std::size_t i = 0; i < 5; ++i) lost[i] += flux[i];
          }
          step_in_stages(context, space, stages);
          const auto after = totals(context, space);
          for (std::size_t i = 0; i < 5; ++i) {
            EXPECT_NEAR(before[i] - after[i], lost[i], 3e-12 * before[4])
                << dimensions << " " << i << " " << solids;
          }
          if (solids) {
            EXPECT_NEAR(lost[0], 0, 1e-12 * before[0]);
          }
        }
      }
    }
  }
}

TEST(Imex, UniformMaxwellianStaysPut) {
  for (const CollisionModel model :
       {CollisionModel::bgk, CollisionModel::shakhov, CollisionModel::es_bgk}) {
    PhaseGrid grid;
    grid.dimensions = 2;
    grid.cells = {3, 3, 1};
    grid.velocities = {uniform_axis(-5, 5, 20), uniform_axis(-5, 5, 20), uniform_axis(-5, 5, 20)};
    grid.time_step = 0.05;
    grid.order = 2;
    grid.integration = TimeIntegration::imex_2;
    auto context = make_context(model, false, grid.time_step);
    context.collision.gas.rarefaction = 1e6;
    context.collision.conservative = true;
    context.collision.tolerance = 0;
    auto space = make_phase_space<Space, double>(grid);
    const auto stages = make_imex_stages(grid.integration, space);
    initialise(context, space, [](int, int, int) {
      return GasState{1.1, {0.1, -0.05, 0.02}, 0.9};
    });
    const auto before = download(space);
    for (int step = 0; step < 20; ++step) step_in_stages(context, space, stages);
    EXPECT_LT(largest_difference(download(space), before), 1e-11);
  }
}

/// Density, velocity and temperature of a wave in a periodic box after a time of 0.4, one after the
/// other, and the relative changes of mass, momentum and energy.
struct Wave {
  std::vector<double> values;
  std::array<double, 3> drift;
};
Wave wave(double knudsen, int order, int steps, const std::string& integration,
          const std::string& model = "bgk") {
  PhaseGrid grid;
  constexpr int cells = 32;
  constexpr double pi = std::numbers::pi;
  grid.cells = {cells, 1, 1};
  grid.spacing = {1.0 / cells, 1, 1};
  grid.velocities = {uniform_axis(-4.5, 4.5, 24), integrated_axis(false), integrated_axis(true)};
  grid.time_step = 0.4 / steps;
  grid.order = order;
  grid.integration = integration == "imex-2"   ? TimeIntegration::imex_2
                     : integration == "imex-1" ? TimeIntegration::imex_1
                                               : TimeIntegration::splitting;
  auto context = make_context(model == "bgk" ? CollisionModel::bgk : CollisionModel::shakhov, false,
                              grid.time_step);
  context.collision.gas.rarefaction = knudsen_from_rarefaction(knudsen);
  context.collision.conservative = true;
  context.collision.tolerance = 0;
  auto space = make_phase_space<Space, double>(grid);
  const auto stages = make_imex_stages(grid.integration, space);
  initialise(context, space, [&](int x, int, int) {
    const double phase = 2 * pi * (x + 0.5) / cells;
    return GasState{
        1 + 0.2 * std::sin(phase), {0.3 + 0.1 * std::sin(phase), 0, 0}, 1 - 0.1 * std::cos(phase)};
  });
  const auto before = totals(context, space);
  for (int step = 0; step < steps; ++step) {
    stages.empty() ? stream_collide(context, space) : step_in_stages(context, space, stages);
  }
  const auto after = totals(context, space);
  Wave found;
  found.drift = {after[0] / before[0] - 1, after[1] / before[1] - 1, after[4] / before[4] - 1};
  for (const Macroscopic& s : macroscopic_fields(context, space)) {
    found.values.insert(found.values.end(), {s.density, s.velocity[0], s.temperature});
  }
  return found;
}

double mean_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / double(a.size());
}

TEST(Imex, OrderInTimeAtEveryKnudsenNumber) {
  for (const std::string model : {"bgk", "shakhov"}) {
    for (const double knudsen : {1.0, 1e-2, 1e-4, 1e-5}) {
      for (const int order : {1, 2}) {
        const auto exact = wave(knudsen, order, 2048, "imex-2", model).values;
        const double coarse =
            mean_difference(wave(knudsen, order, 64, "imex-2", model).values, exact);
        const double fine =
            mean_difference(wave(knudsen, order, 128, "imex-2", model).values, exact);
        EXPECT_NEAR(std::log2(coarse / fine), 2, 0.08) << model << knudsen << " " << order;
      }
    }
  }
  for (const double knudsen : {1.0, 1e-5}) {
    const auto exact = wave(knudsen, 1, 2048, "imex-2").values;
    const double coarse = mean_difference(wave(knudsen, 1, 64, "imex-1").values, exact);
    const double fine = mean_difference(wave(knudsen, 1, 128, "imex-1").values, exact);
    EXPECT_NEAR(std::log2(coarse / fine), 1, 0.05) << knudsen;
  }
}

TEST(Imex, ConservesMassMomentumAndEnergy) {
  for (const double knudsen : {1.0, 1e-2, 1e-5, 1e-9}) {
    for (const double drift : wave(knudsen, 2, 256, "imex-2").drift) EXPECT_NEAR(drift, 0, 2e-13);
  }
}

TEST(Imex, ShortStepsAgreeWithSplitting) {
  // Both are then exact in time; the slopes of splitting are those in the middle of a step.
  for (const int order : {1, 2}) {
    const auto difference = [&](int steps) {
      return mean_difference(wave(0.1, order, steps, "imex-2").values,
                             wave(0.1, order, steps, "splitting").values);
    };
    const double coarse = difference(512);
    const double fine = difference(2048);
    EXPECT_LT(fine, 1e-4) << order;
    EXPECT_NEAR(coarse / fine, 4, 0.4) << order;  // splitting is of first order in time
  }
}

/// A shock tube in which a gas of density and temperature 1 meets one of 0.125 and 0.8.
nlohmann::json sod(double knudsen, int cells, const std::string& integration, int order) {
  auto json = with(R"({
    "reduced": true,
    "collision": {"conservative": true},
    "velocity_grid": {"count": [24, 1, 1], "minimum": [-4.5, -1, -1], "maximum": [4.5, 1, 1]},
    "initial": {"type": "step", "left": {}, "right": {"density": 0.125, "temperature": 0.8}},
    "boundaries": {"west": {"type": "reservoir"}, "east": {"type": "reservoir"}}})");
  json["domain"]["cells"] = {cells};
  json["gas"] = {{"knudsen", knudsen}};
  json["propagation"] = {{"order", order}, {"time_integration", integration}};
  if (integration == "splitting") json["propagation"]["relaxation_fraction"] = 1e9;
  return json;
}

/// Mean absolute difference between a density at a time and the Euler solution.
double euler_error(const Field& density, std::size_t stride, double time) {
  const RiemannProblem exact(1, 1, 0.125, 0.8);
  const std::size_t cells = density.size() / stride;
  double sum = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    const double x = (static_cast<double>(i) + 0.5) / static_cast<double>(cells) - 0.5;
    sum += std::abs(density[i * stride] - exact.density(x / time));
  }
  return sum / static_cast<double>(cells);
}

constexpr double sod_time = 0.25;

double sod_error(int cells, const std::string& integration, int order) {
  const auto problem = read(sod(1e-5, cells, integration, order));
  const auto method = start(*problem);
  const auto steps = static_cast<std::int64_t>(std::lround(sod_time / problem->time_per_step));
  method->advance(steps);
  return euler_error(method->field("density"), 1, double(steps) * problem->time_per_step);
}

/// The same shock tube by a scheme for Euler's equations of second order: van Leer slopes of
/// density, velocity and pressure, fluxes of Harten, Lax and van Leer, Heun's method in time.
double euler_scheme_error(int cells) {
  constexpr double gamma = 5.0 / 3;
  using State = std::array<double, 3>;  // density, momentum, energy
  const auto n = static_cast<std::size_t>(cells);
  const auto primitive = [&](const State& s) {
    const double u = s[1] / s[0];
    return State{s[0], u, (gamma - 1) * (s[2] - 0.5 * s[1] * u)};
  };
  std::vector<State> gas(n);
  for (std::size_t i = 0; i < n; ++i) {
    gas[i] = 2 * i < n ? State{1, 0, 0.75} : State{0.125, 0, 0.075};
  }
  const auto change = [&](const std::vector<State>& from) {
    const auto at = [&](std::ptrdiff_t i) {
      return primitive(from[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i, 0, cells - 1))]);
    };
    const auto edge = [&](std::ptrdiff_t i, double side) {
      const State below = at(i - 1);
      const State above = at(i + 1);
      State here = at(i);
      for (std::size_t m = 0; m < 3; ++m) {
        here[m] +=
            side * 0.5 * limited_slope(Limiter::van_leer, here[m] - below[m], above[m] - here[m]);
      }
      return here;
    };
    const auto flux_between = [&](const State& a, const State& b) {
      const auto conserved = [&](const State& w) {
        return State{w[0], w[0] * w[1], w[2] / (gamma - 1) + 0.5 * w[0] * w[1] * w[1]};
      };
      const auto flux = [&](const State& w) {
        const State u = conserved(w);
        return State{u[1], u[1] * w[1] + w[2], (u[2] + w[2]) * w[1]};
      };
      const double sound_a = std::sqrt(gamma * a[2] / a[0]);
      const double sound_b = std::sqrt(gamma * b[2] / b[0]);
      const double left = std::min({a[1] - sound_a, b[1] - sound_b, 0.0});
      const double right = std::max({a[1] + sound_a, b[1] + sound_b, 0.0});
      State sum;
      for (std::size_t m = 0; m < 3; ++m) {
        sum[m] = (right * flux(a)[m] - left * flux(b)[m] +
                  left * right * (conserved(b)[m] - conserved(a)[m])) /
                 (right - left);
      }
      return sum;
    };
    std::vector<State> result(n);
    for (std::ptrdiff_t i = 0; i < cells; ++i) {
      const State low = flux_between(edge(i - 1, 1), edge(i, -1));
      const State high = flux_between(edge(i, 1), edge(i + 1, -1));
      for (std::size_t m = 0; m < 3; ++m) {
        result[static_cast<std::size_t>(i)][m] = (low[m] - high[m]) * cells;
      }
    }
    return result;
  };
  const int steps = 8 * cells / 10;  // Courant number 0.5
  const double dt = sod_time / steps;
  for (int step = 0; step < steps; ++step) {
    const auto first = change(gas);
    auto half = gas;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t m = 0; m < 3; ++m) half[i][m] += dt * first[i][m];
    }
    const auto second = change(half);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t m = 0; m < 3; ++m) gas[i][m] += 0.5 * dt * (first[i][m] + second[i][m]);
    }
  }
  std::vector<double> density;
  for (const State& s : gas) density.push_back(s[0]);
  return euler_error(Field{{}, density}, 1, sod_time);
}

TEST(Imex, SodTubeIsTheEulerSolution) {
  const double coarse = sod_error(100, "imex-2", 2);
  const double fine = sod_error(200, "imex-2", 2);
  EXPECT_LT(fine, 0.0047);
  EXPECT_GT(coarse / fine, 1.65);  // first order at the contact and the shock
  EXPECT_LT(fine, 1.5 * euler_scheme_error(200));
  EXPECT_LT(fine, 0.9 * sod_error(200, "splitting", 2));
  const double first_order = sod_error(200, "imex-1", 1);
  EXPECT_LT(first_order, 0.015);
  EXPECT_LT(first_order, 0.75 * sod_error(100, "imex-1", 1));
}

TEST(Imex, TimeStepDoesNotDependOnTheKnudsenNumber) {
  const double step = read(sod(1, 200, "imex-2", 2))->time_per_step;
  for (const double knudsen : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
    const auto problem = read(sod(knudsen, 200, "imex-2", 2));
    EXPECT_EQ(problem->time_per_step, step);
    const auto method = start(*problem);
    method->advance(100);
    EXPECT_FALSE(method->find_divergence());
    EXPECT_LT(method->monitor("max_speed"), 1);
  }
}

TEST(Imex, HeatBetweenPlatesOnCellsOfManyFreePaths) {
  // Fourier's law with the temperature jump at both walls (Loyalka, see Slab.HeatBetweenPlates).
  for (const auto& [knudsen, cells] : {std::pair{1e-2, 10}, {1e-2, 20}, {1e-3, 4}}) {
    auto json = sod(knudsen, cells, "imex-2", 2);
    json["initial"] = {{"type", "rest"}};
    json["boundaries"] = {{"west", {{"type", "wall"}, {"temperature", 1.05}}},
                          {"east", {{"type", "wall"}, {"temperature", 0.95}}}};
    const double delta = knudsen_from_rarefaction(knudsen);
    const auto method = run(json, 0.8 * delta);  // four relaxation times of the temperature
    const double flux =
        0.5 * (method->monitor("east.energy_flux") - method->monitor("west.energy_flux"));
    EXPECT_NEAR(flux / 0.1 / (1.25 / (delta + 2 * 1.30272)), 1, cells < 10 ? 0.02 : 0.004)
        << knudsen << " " << cells;
  }
}

TEST(Imex, InletBringsItsMassInEveryStep) {
  for (const int order : {1, 2}) {
    auto json = with(R"({
      "domain": {"cells": [6, 5], "size": [1.2, 0.5]}, "precision": "double",
      "gas": {"rarefaction": 1e4},
      "collision": {"conservative": true},
      "propagation": {"time_integration": "imex-2", "time_step": 0.004},
      "boundaries": {"west": {"type": "inlet", "mass_flux": 0.3, "temperature": 1.1},
                     "east": {"type": "wall"}, "south": {"type": "symmetry"},
                     "north": {"type": "wall", "temperature": 0.9}}})");
    json["propagation"]["order"] = order;
    const auto method = run(json, 0.08);
    EXPECT_NEAR(method->monitor("mass"), 0.6 + 0.3 * 0.5 * 0.08, 1e-13) << order;
    EXPECT_NEAR(method->monitor("west.mass_flux"), -0.3, 1e-13) << order;
  }
}

}  // namespace
}  // namespace knudsen::bgkw
