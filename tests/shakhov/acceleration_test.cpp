#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "methods/shakhov/macroscopic_solver.hpp"
#include "methods/shakhov/small_matrix.hpp"
#include "output/csv.hpp"
#include "paths.hpp"
#include "problem.hpp"

namespace knudsen::shakhov {
namespace {

using Conserved = std::array<double, conserved_count>;

/// Density, momentum and twice the energy.
Conserved conserved(const LocalGas& gas) {
  Conserved w{};
  const double n = double(gas.density);
  w[0] = n;
  w[4] = 1.5 * n * double(gas.temperature);
  for (std::size_t d = 0; d < 3; ++d) {
    const double u = double(gas.velocity[d]);
    w[1 + d] = n * u;
    w[4] += n * u * u;
  }
  return w;
}

/// Integral of v^power psi over the Maxwellian with these conserved quantities, where v is the
/// component along `axis`, from `lowest` to `highest`. By the midpoint rule along the axis; across
/// it the integrals of a Maxwellian are known.
Conserved moments(const Conserved& w, std::size_t axis, int power, double lowest, double highest) {
  const double n = w[0];
  std::array<double, 3> u{};
  double square = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    u[d] = w[1 + d] / n;
    square += u[d] * u[d];
  }
  const double t = (w[4] / n - square) / 1.5;
  const double across = square - u[axis] * u[axis] + t;
  constexpr int count = 20000;
  const double width = (highest - lowest) / count;
  Conserved sum{};
  for (int i = 0; i < count; ++i) {
    const double v = lowest + (i + 0.5) * width;
    const double c = v - u[axis];
    const double f =
        n * std::exp(-c * c / t) / std::sqrt(std::numbers::pi * t) * width * std::pow(v, power);
    sum[0] += f;
    for (std::size_t d = 0; d < 3; ++d) sum[1 + d] += f * (d == axis ? v : u[d]);
    sum[4] += f * (v * v + across);
  }
  return sum;
}

TEST(MaxwellianFluxes, AreTheDerivativesOfIntegrals) {
  constexpr double far = 14;
  const std::vector<LocalGas> states{{1, {0, 0, 0}, 1},
                                     {0.7F, {0.3F, -0.2F, 0.1F}, 1.4F},
                                     {1.3F, {2.1F, -1.5F, 0.8F}, 0.8F},
                                     {2, {-2.5F, 0.4F, 1.9F}, 0.6F}};
  for (const LocalGas& gas : states) {
    const Conserved w = conserved(gas);
    for (std::size_t j = 0; j < conserved_count; ++j) {
      float change[conserved_count] = {};
      change[j] = 1;
      const double step = 1e-4;
      Conserved more = w;
      Conserved less = w;
      more[j] += step;
      less[j] -= step;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        // With Prandtl number one there is no conduction beyond that of the moment.
        const FluxChange f = flux_change(gas, change, static_cast<int>(axis), 1);
        const auto expect = [&](const float* found, int power, double lowest, double highest) {
          const Conserved above = moments(more, axis, power, lowest, highest);
          const Conserved below = moments(less, axis, power, lowest, highest);
          for (std::size_t i = 0; i < conserved_count; ++i) {
            const double exact = (above[i] - below[i]) / (2 * step);
            EXPECT_NEAR(double(found[i]), exact, 2e-5 * (1 + std::abs(exact)))
                << "flux " << i << ", change " << j << ", axis " << axis;
          }
        };
        expect(f.forward, 1, 0, far);
        expect(f.backward, 1, -far, 0);
        expect(f.diffusive, 2, -far, far);
      }
    }
  }
}

TEST(MaxwellianFluxes, ConductAsFourierSays) {
  // Between places of equal pressure a change of temperature conducts heat alone: twice 5/8 n T for
  // twice the energy, over the Prandtl number.
  const LocalGas gas{1.2F, {0, 0, 0}, 0.9F};
  const float heated = 0.1F;
  const float density = -gas.density * heated / gas.temperature;
  // n T is constant, and with it the energy of gas at rest.
  const float change[conserved_count] = {density, 0, 0, 0, 0};
  for (const float prandtl : {1.0F, 2.0F / 3}) {
    const FluxChange f = flux_change(gas, change, 0, prandtl);
    EXPECT_NEAR(f.diffusive[4], 1.25F * gas.density * gas.temperature * heated / prandtl, 1e-6);
    EXPECT_NEAR(f.diffusive[0], 0, 1e-6);
  }
}

TEST(SmallMatrix, TimesItsInverseIsOne) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int n = 0; n < 100; ++n) {
    SmallMatrix matrix;
    for (auto& row : matrix.value) {
      for (double& value : row) value = uniform(random);
    }
    matrix.value[0][0] = 0;  // needs another pivot
    const SmallMatrix one = matrix * inverted(matrix);
    for (int i = 0; i < conserved_count; ++i) {
      for (int j = 0; j < conserved_count; ++j) EXPECT_NEAR(one.value[i][j], i == j ? 1 : 0, 1e-9);
    }
  }
}

/// A box of cells, their state, and the equations of MacroscopicLevel as a plain sum over faces.
struct Equations {
  using Level = MacroscopicLevel<HostExecutionSpace>;
  using Vectors = std::vector<std::array<double, conserved_count>>;

  explicit Equations(const FlowGrid& of, bool closed)
      : grid(of), solver(of, 1, Gas{1, 1, 2.0 / 3}, closed), level(solver.finest()) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (std::size_t cell = 0; cell < grid.cell_count(); ++cell) {
      level.gas(cell, 0) = 1 + 0.1F * uniform(random);
      for (std::size_t d = 0; d < 3; ++d) level.gas(cell, 1 + d) = 0.1F * uniform(random);
      level.gas(cell, 4) = 1 + 0.1F * uniform(random);
      level.rate(cell) = 5 + uniform(random);
      for (std::size_t i = 0; i < conserved_count; ++i) {
        level.right(cell, i) = grid.solid(cell) ? 0 : uniform(random);
        // What a wall keeps of momentum and energy; of the mass it keeps nothing.
        level.wall(cell, i * (conserved_count + 1)) = closed && i == 0 ? 0 : 0.05F;
      }
    }
  }

  FluxChange flux(std::size_t cell, std::size_t axis, const Vectors& x) const {
    float change[conserved_count];
    for (std::size_t i = 0; i < conserved_count; ++i) change[i] = static_cast<float>(x[cell][i]);
    return flux_change(level.gas_of(static_cast<std::int64_t>(cell)), change,
                       static_cast<int>(axis), 2.0F / 3);
  }

  Vectors left(const Vectors& x) const {
    Vectors sum(x.size());
    for (std::size_t cell = 0; cell < x.size(); ++cell) {
      if (grid.solid(cell)) continue;
      for (std::size_t i = 0; i < conserved_count; ++i) {
        sum[cell][i] += double(level.wall(cell, i * (conserved_count + 1))) * x[cell][i];
      }
      const auto at = grid.at(cell);
      for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.dimensions); ++axis) {
        auto next_at = at;
        if (++next_at[axis] == grid.cells[axis]) {
          if (grid.sides[2 * axis].kind != SideKind::periodic) continue;
          next_at[axis] = 0;
        }
        const std::size_t next = grid.index(next_at);
        if (grid.solid(next)) continue;
        const FluxChange here = flux(cell, axis, x);
        const FluxChange there = flux(next, axis, x);
        const double distance =
            0.5 * (grid.width(axis, at[axis]) + grid.width(axis, next_at[axis]));
        const double tau = 2 / double(level.rate(cell) + level.rate(next));
        for (std::size_t i = 0; i < conserved_count; ++i) {
          const double through = double(here.forward[i] + there.backward[i]) -
                                 tau / distance * double(there.diffusive[i] - here.diffusive[i]);
          sum[cell][i] += grid.face_area(axis, at) * through;
          sum[next][i] -= grid.face_area(axis, at) * through;
        }
      }
    }
    return sum;
  }

  /// Norm of the residual of the solution over that of the right side.
  double residual() const {
    Vectors x(grid.cell_count());
    for (std::size_t cell = 0; cell < x.size(); ++cell) {
      for (std::size_t i = 0; i < conserved_count; ++i) {
        x[cell][i] = double(level.solution(cell, i));
      }
    }
    const Vectors found = left(x);
    double rest = 0;
    double all = 0;
    for (std::size_t cell = 0; cell < x.size(); ++cell) {
      for (std::size_t i = 0; i < conserved_count; ++i) {
        rest += std::pow(wanted[cell][i] - found[cell][i], 2);
        all += std::pow(wanted[cell][i], 2);
      }
    }
    return std::sqrt(rest / all);
  }

  void solve(double tolerance, bool closed) {
    double mass = 0;
    double volume = 0;
    for (std::size_t cell = 0; cell < grid.cell_count(); ++cell) {
      std::array<double, conserved_count> each{};
      for (std::size_t i = 0; i < conserved_count; ++i) each[i] = double(level.right(cell, i));
      wanted.push_back(each);
      if (grid.solid(cell)) continue;
      mass += each[0];
      volume += grid.volume(grid.at(cell));
    }
    for (std::size_t cell = 0; closed && cell < wanted.size(); ++cell) {
      if (!grid.solid(cell)) wanted[cell][0] -= mass / volume * grid.volume(grid.at(cell));
    }
    const HostExecutionSpace execution;
    solver.prepare(execution);
    solver.solve(execution, tolerance);
  }

  FlowGrid grid;
  MacroscopicSolver<HostExecutionSpace> solver;
  Level& level;
  Vectors wanted;
};

/// A box of the given cells, each a little wider than the one before.
FlowGrid box(const std::array<int, 3>& cells, int dimensions) {
  FlowGrid grid;
  grid.dimensions = dimensions;
  grid.cells = cells;
  for (SideCondition& side : grid.sides) side.kind = SideKind::wall;
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
    grid.edges[d] = {0};
    for (int i = 0; i < cells[d]; ++i) {
      grid.edges[d].push_back(grid.edges[d].back() + 0.1 * (1 + 0.05 * i));
    }
  }
  return grid;
}

TEST(MacroscopicSolver, SolvesTheBalanceOfAllFaces) {
  std::vector<FlowGrid> grids{box({9, 1, 1}, 1), box({8, 5, 1}, 2), box({6, 5, 7}, 3)};
  FlowGrid periodic = box({6, 8, 1}, 2);
  periodic.sides[west].kind = periodic.sides[east].kind = SideKind::periodic;
  grids.push_back(periodic);
  FlowGrid with_solid = box({7, 6, 4}, 3);
  with_solid.solids.bodies.push_back({"body"});
  with_solid.solids.body.assign(with_solid.cell_count(), -1);
  for (const int x : {2, 3}) with_solid.solids.body[with_solid.index({x, 3, 1})] = 0;
  grids.push_back(with_solid);
  for (std::size_t n = 0; n < grids.size(); ++n) {
    for (const bool closed : {false, true}) {
      Equations equations(grids[n], closed);
      equations.solve(1e-2, closed);
      EXPECT_LT(equations.residual(), 1.2e-2) << "grid " << n << ", closed " << closed;
    }
  }
}

/// Iterations until the moments change by less than 1e-6.
int iterations(const nlohmann::json& json) { return test::converge(*test::start(json), 1e-6, 100); }

TEST(Acceleration, NeedsFewIterationsInACavityAtAnyRarefaction) {
  auto json = test::with(R"({"boundaries": {"bottom": null, "top": null}})");
  json["domain"]["cells"] = {16, 16};
  json["velocity_grid"]["count"] = {14, 14, 14};
  for (const int order : {1, 2}) {
    for (const double delta : {0.1, 1.0, 10.0, 100.0, 1000.0}) {
      json["gas"]["rarefaction"] = delta;
      json["propagation"] = {{"order", order}, {"acceleration", "synthetic"}};
      EXPECT_LE(iterations(json), 30) << "order " << order << ", delta " << delta;
    }
  }
  // The plain iteration is slow where the gas is dense.
  json["gas"]["rarefaction"] = 10;
  json["propagation"] = {{"order", 1}, {"acceleration", "none"}};
  EXPECT_GT(iterations(json), 90);
}

// Its target depends on the stress, which a correction has to change with the velocity.
TEST(Acceleration, NeedsFewIterationsWithEsBgk) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double", "domain": {"cells": [40]}, "collision": {"model": "es-bgk"},
    "velocity_grid": {"type": "half-range", "count": [16, 8, 8]},
    "propagation": {"order": 2, "acceleration": "synthetic"},
    "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}}})");
  const auto expect_few = [&](double delta, const std::string& what) {
    json["gas"]["rarefaction"] = delta;
    json["propagation"]["acceleration"] = "synthetic";
    const auto method = test::start(json);
    EXPECT_LE(test::converge(*method, 1e-9, 100), 30) << what << delta;
    if (delta > 10) return;
    json["propagation"]["acceleration"] = "none";
    const auto plain = test::start(json);
    EXPECT_LE(test::converge(*plain, 1e-10, 1000), 1000);
    EXPECT_NEAR(method->monitor("mean_velocity_y"), plain->monitor("mean_velocity_y"), 1e-9)
        << what;
    EXPECT_NEAR(method->monitor("west.force_y"), plain->monitor("west.force_y"), 1e-9) << what;
  };
  json["boundaries"]["west"]["velocity"] = {0, 0.01, 0};
  for (const double delta : {1.0, 10.0, 100.0, 1000.0}) expect_few(delta, "Couette flow at ");
  json["boundaries"]["west"].erase("velocity");
  json["collision"]["body_force"] = {0, 1e-3, 0};
  for (const double delta : {1.0, 10.0, 100.0}) expect_few(delta, "Poiseuille flow at ");
}

TEST(Acceleration, IsTheDefaultWhereItPays) {
  const auto accelerated = [](double rarefaction, double shortest, const char* patch = "{}") {
    auto json = test::with(patch);
    json["gas"]["rarefaction"] = rarefaction;
    json["domain"]["size"] = {2, shortest, 2};
    return test::read(json)->variant.find("accelerated") != std::string::npos;
  };
  EXPECT_TRUE(accelerated(1, 1));
  EXPECT_FALSE(accelerated(0.9, 1));
  EXPECT_TRUE(accelerated(0.6, 2));
  EXPECT_FALSE(accelerated(1.1, 0.8));
  // Images of the gas are no way's end.
  EXPECT_TRUE(
      accelerated(1, 0.5, R"({"boundaries": {"south": {"type": "periodic", "velocity": null},
                                                     "north": {"type": "periodic", "velocity": null}}})"));
  EXPECT_FALSE(accelerated(1, 1, R"({"propagation": {"scheme": "slices"}})"));
  EXPECT_FALSE(accelerated(1, 1, R"({"propagation": {"acceleration": "none"}})"));
}

// What leaves through such sides enters an iteration later, when a factor that kept the mass of
// each sweep disturbed the balance.
TEST(Acceleration, NeedsFewIterationsBetweenSidesThatAreImages) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double", "domain": {"cells": [20]}, "collision": {"model": "bgk"},
    "velocity_grid": {"type": "half-range", "count": [12, 12, 8]},
    "boundaries": {"west": {"type": "wall", "temperature": 1.05}, "east": {"type": "wall"}}})");
  for (const double delta : {30.0, 1000.0}) {
    json["gas"]["rarefaction"] = delta;
    json["domain"] = {{"cells", {20}}};
    json["boundaries"].erase("south");
    json["boundaries"].erase("north");
    const auto alone = test::start(json);
    EXPECT_LE(test::converge(*alone, 1e-10, 100), 40) << delta;
    json["domain"] = {{"cells", {20, 5}}, {"size", {1, 0.25}}};
    for (const char* type : {"periodic", "symmetry"}) {
      json["boundaries"]["south"] = json["boundaries"]["north"] = {{"type", type}};
      for (const bool conservative : {false, true}) {
        json["collision"]["conservative"] = conservative;
        const auto method = test::start(json);
        const bool late = type == std::string("symmetry") && delta < 100;
        EXPECT_LE(test::converge(*method, 1e-7, 100), late ? 60 : 20) << type << ", " << delta;
        EXPECT_NEAR(method->monitor("mass"), 0.25, 1e-14) << type << ", " << delta;
        if (!conservative) continue;
        EXPECT_NEAR(method->monitor("west.energy_flux") / alone->monitor("west.energy_flux"), 1,
                    1e-5)
            << type << ", " << delta;
      }
    }
  }
}

TEST(Acceleration, WorksWhereTheGasIsOneCellOfTheCoarsestGrid) {
  auto json = test::with(R"({"domain": {"size": [40]}, "gas": {"rarefaction": 0.5},
    "boundaries": {"south": null, "north": null, "bottom": null, "top": null,
                   "west": {"temperature": 1.1}},
    "geometry": {"solids": [{"shape": "box", "from": [29], "to": [40]}]},
    "propagation": {"acceleration": "synthetic"}})");
  json["domain"]["cells"] = {40};
  EXPECT_LE(iterations(json), 25);
}

TEST(Acceleration, NeedsFewIterationsForPoiseuilleFlow) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double",
    "domain": {"x": [{"cells": 40, "length": 0.5, "ratio": 1.06},
                     {"cells": 40, "length": 0.5, "ratio": 0.9434}]},
    "velocity_grid": {"type": "half-range", "count": [32, 8, 8]},
    "collision": {"body_force": [0, 1e-4, 0]},
    "propagation": {"order": 2, "acceleration": "synthetic"},
    "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}}})");
  const CsvTable table(std::string(KNUDSEN_TEST_DATA) +
                       "/poiseuille_plane_Smodel_sharipov1999.csv");
  for (const double delta : {0.5, 10.0, 40.0}) {
    json["gas"] = {{"rarefaction", delta}};
    const auto method = test::start(json);
    EXPECT_LE(test::converge(*method, 1e-6, 100), 12) << delta;
    const auto at = table.column("delta");
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (at[i] != delta) continue;
      EXPECT_NEAR(method->monitor("mean_velocity_y") / 1e-4 / table.column("G_P")[i], 1, 0.005)
          << delta;
    }
  }
}

}  // namespace
}  // namespace knudsen::shakhov
