#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

#include "device/streaming_store.hpp"
#include "methods/bgkw/diagnostics.hpp"
#include "methods/bgkw/imex.hpp"
#include "step_cases.hpp"

namespace knudsen::bgkw {
namespace {

using namespace test;

using Case = std::tuple<int, CollisionModel, bool>;
class StepAgainstReference : public testing::TestWithParam<Case> {};

TEST_P(StepAgainstReference, FusedAndSeparateAgree) {
  const auto [dimensions, model, forced] = GetParam();
  const PhaseGrid grid = box(dimensions);
  const auto context = make_context(model, forced, grid.time_step);
  ReferenceStep reference(grid, model, context.collision);
  rough_state(reference);
  expect_steps_of(reference, context, grid, [](const ReferenceStep& of) { return of.f; });
}

class GrowingCellsAgainstReference : public testing::TestWithParam<int> {};

TEST_P(GrowingCellsAgainstReference, FusedAndSeparateAgree) {
  const PhaseGrid grid = growing_box(GetParam());
  for (const CollisionModel model : {CollisionModel::bgk, CollisionModel::shakhov}) {
    const auto context = make_context(model, false, grid.time_step);
    ReferenceStep reference(grid, model, context.collision);
    rough_state(reference);
    expect_steps_of(reference, context, grid, [](const ReferenceStep& of) { return of.f; });
  }
}

TEST_P(GrowingCellsAgainstReference, AlongOneAxisAfterTheOther) {
  PhaseGrid grid = growing_box(GetParam());
  grid.split = grid.dimensions > 1;
  const auto context = make_context(CollisionModel::bgk, false, grid.time_step);
  ReferenceStep reference(grid, CollisionModel::bgk, context.collision);
  auto space = make_phase_space<Space, double>(grid);
  upload(space, rough_state(reference));
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    reference.stream_axis(axis);
    update_wall_density(context, space, axis);
    stream(context, space, axis);
  }
  EXPECT_LT(largest_difference(download(space), reference.f), 1e-13);
}

/// Sweeps along one axis after the other are those of the reference, with the relaxation in the
/// last one or after it.
void compare_sweeps(const PhaseGrid& grid) {
  const auto context = make_context(CollisionModel::bgk, false, grid.time_step);
  ReferenceStep reference(grid, CollisionModel::bgk, context.collision);
  auto fused = make_phase_space<Space, double>(grid);
  auto separate = make_phase_space<Space, double>(grid);
  const auto start = rough_state(reference);
  upload(fused, start);
  upload(separate, start);
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    reference.stream_axis(axis);
    update_wall_density(context, separate, axis);
    stream(context, separate, axis);
    update_wall_density(context, fused, axis);
    axis + 1 < grid.dimensions ? stream(context, fused, axis)
                               : stream_collide(context, fused, axis);
  }
  EXPECT_LT(largest_difference(download(separate), reference.f), 1e-13);
  collide(context, separate);
  EXPECT_LT(largest_difference(download(separate), download(fused)), 1e-14);
}

TEST_P(GrowingCellsAgainstReference, WithLimitedSlopes) {
  for (const Limiter limiter : {Limiter::van_leer, Limiter::minmod}) {
    PhaseGrid grid = growing_box(GetParam());
    grid.split = grid.dimensions > 1;
    grid.order = 2;
    grid.limiter = limiter;
    compare_sweeps(grid);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GrowingCellsAgainstReference, testing::Values(1, 2, 3));

/// The same cells with their grid lines given, so that kernels for different widths process them.
PhaseGrid with_lines(PhaseGrid grid) {
  for (std::size_t d = 0; d < static_cast<std::size_t>(grid.dimensions); ++d) {
    for (int i = 0; i <= grid.cells[d]; ++i) grid.edges[d].push_back(i * grid.spacing[d]);
  }
  return grid;
}

TEST(GrowingCells, OfOneWidthHaveTheSlopesOfEqualOnes) {
  for (const int dimensions : {1, 2, 3}) {
    for (const Limiter limiter : {Limiter::van_leer, Limiter::minmod}) {
      PhaseGrid equal = dimensions == 1 ? box(1) : box_with_blocks(dimensions);
      if (dimensions == 1) equal.time_step = 0.035;
      if (dimensions > 1) equal.solids.bodies[0].wall = wall(0.6, {0, 0, 0}, 1.3);
      equal.split = dimensions > 1;
      equal.order = 2;
      equal.limiter = limiter;
      const auto context = make_context(CollisionModel::bgk, false, equal.time_step);
      ReferenceStep reference(equal, CollisionModel::bgk, context.collision);
      const auto start = gas_only(equal, rough_state(reference));
      std::vector<std::vector<double>> ends;
      for (const PhaseGrid& grid : {equal, with_lines(equal)}) {
        auto space = make_phase_space<Space, double>(grid);
        upload(space, start);
        for (int sweep = 0; sweep < 2 * dimensions; ++sweep) {
          update_wall_density(context, space, sweep % dimensions);
          stream_collide(context, space, sweep % dimensions);
        }
        ends.push_back(download(space));
      }
      EXPECT_LT(largest_difference(ends[0], ends[1]), 1e-15) << dimensions;
    }
  }
}

/// Mean error of the density of a wave of free molecules in a periodic box, whose cells grow up to
/// the middle and shrink beyond it, at a time of 0.2.
double error_on_growing_cells(int cells, Limiter limiter, TimeIntegration integration) {
  constexpr double pi = std::numbers::pi;
  PhaseGrid grid;
  grid.cells = {cells, 1, 1};
  grid.velocities = {uniform_axis(-3, 3, 8), integrated_axis(false), integrated_axis(true)};
  grid.order = 2;
  grid.limiter = limiter;
  grid.integration = integration;
  // The widths grow by a factor of 4 altogether.
  const double ratio = std::pow(4.0, 2.0 / cells);
  std::vector<double> widths;
  for (int i = 0; i < cells; ++i) widths.push_back(std::pow(ratio, std::min(i, cells - 1 - i)));
  double length = 0;
  for (const double width : widths) length += width;
  grid.edges[0] = {0};
  for (const double width : widths) grid.edges[0].push_back(grid.edges[0].back() + width / length);
  grid.spacing[0] = 1 / length;
  const int steps = 2 * cells;
  grid.time_step = 0.2 / steps;
  auto context = make_context(CollisionModel::bgk, false, grid.time_step);
  context.collision.gas = {0, 1, 1};
  auto space = make_phase_space<Space, double>(grid);
  const auto stages = make_imex_stages(integration, space);
  const auto mean = [&](int x, double shift) {  // of 1 + 0.2 sin(2 pi (x - shift)) in a cell
    const auto at = static_cast<std::size_t>(x);
    const double low = 2 * pi * (grid.edges[0][at] - shift);
    const double high = 2 * pi * (grid.edges[0][at + 1] - shift);
    return 1 + 0.2 * (std::cos(low) - std::cos(high)) / (high - low);
  };
  initialise(context, space, [&](int x, int, int) { return GasState{mean(x, 0), {0.3, 0, 0}, 1}; });
  for (int step = 0; step < steps; ++step) {
    if (stages.empty()) stream_collide(context, space);
    for (const auto& stage : stages) run_stage(context, space, stage);
  }
  // The density of a Maxwellian at each velocity, from the discrete one.
  const VelocityAxis& axis = grid.velocities[0];
  double all = 0;
  const auto share = [&](std::size_t i) {
    const double c = axis.nodes[i] - 0.3;
    return axis.weights[i] * std::exp(-c * c) / std::sqrt(pi);
  };
  for (std::size_t i = 0; i < axis.nodes.size(); ++i) all += share(i);
  const auto fields = macroscopic_fields(context, space);
  double error = 0;
  for (int x = 0; x < cells; ++x) {
    double exact = 0;
    for (std::size_t i = 0; i < axis.nodes.size(); ++i) {
      exact += share(i) * mean(x, 0.2 * axis.nodes[i]);
    }
    error += grid.width(0, x) * std::abs(fields[static_cast<std::size_t>(x)].density - exact);
  }
  EXPECT_NEAR(all, 1, 0.01);
  return error;
}

TEST(GrowingCells, ErrorFallsWithTheSquareOfTheWidths) {
  for (const TimeIntegration integration : {TimeIntegration::splitting, TimeIntegration::imex_2}) {
    for (const Limiter limiter : {Limiter::van_leer, Limiter::minmod}) {
      // Minmod clips more of the extrema, which takes more cells to be a small part of the error.
      const int cells = limiter == Limiter::minmod ? 512 : 128;
      const double ratio = error_on_growing_cells(cells, limiter, integration) /
                           error_on_growing_cells(2 * cells, limiter, integration);
      EXPECT_GT(ratio, 3.4);
    }
  }
}

class SinglePassAgainstReference : public testing::TestWithParam<int> {};

TEST_P(SinglePassAgainstReference, FusedAndSeparateAgree) {
  const int dimensions = GetParam();
  PhaseGrid grid = box(dimensions);
  if (dimensions == 1) grid.time_step = 0.03;  // Courant numbers below 1
  auto context = make_context(CollisionModel::bgk, false, grid.time_step);
  grid.single_pass = true;
  ReferenceStep reference(grid, CollisionModel::bgk, context.collision);
  const auto start = rough_state(reference);
  auto fused = make_phase_space<Space, double>(grid);
  auto separate = make_phase_space<Space, double>(grid);
  auto single = make_phase_space<Space, float>(grid);
  upload(fused, start);
  upload(separate, start);
  upload(single, start);
  for (int step = 0; step < 3; ++step) {
    reference.stream();
    reference.collide();
    update_wall_density(context, fused);
    stream_collide(context, fused);
    EXPECT_EQ(fused.known, KnownSums::flows);
    update_wall_density(context, single);
    stream_collide(context, single);
    update_wall_density(context, separate);
    stream(context, separate);
    EXPECT_EQ(separate.known, KnownSums::moments);
    collide(context, separate);
  }
  EXPECT_LT(largest_difference(download(fused), reference.f), 1e-13);
  EXPECT_LT(largest_difference(download(fused), download(separate)), 1e-15);
  EXPECT_LT(largest_difference(download(single), reference.f), 3e-6);
}

INSTANTIATE_TEST_SUITE_P(All, SinglePassAgainstReference, testing::Values(1, 2, 3));

std::string case_name(const testing::TestParamInfo<Case>& info) {
  const std::array<std::string, 3> names{"Bgk", "Shakhov", "EsBgk"};
  return "Dimensions" + std::to_string(std::get<0>(info.param)) +
         names[static_cast<std::size_t>(std::get<1>(info.param))] +
         (std::get<2>(info.param) ? "Forced" : "");
}

INSTANTIATE_TEST_SUITE_P(All, StepAgainstReference,
                         testing::Combine(testing::Values(1, 2, 3),
                                          testing::Values(CollisionModel::bgk,
                                                          CollisionModel::shakhov,
                                                          CollisionModel::es_bgk),
                                          testing::Bool()),
                         case_name);

using Sweep = std::tuple<int, int, Limiter>;
class SweepAgainstReference : public testing::TestWithParam<Sweep> {};

TEST_P(SweepAgainstReference, AlongEveryAxis) {
  const auto [dimensions, order, limiter] = GetParam();
  PhaseGrid grid = box(dimensions);
  grid.split = dimensions > 1;
  grid.order = order;
  grid.limiter = limiter;
  if (dimensions == 2) grid.time_step = 0.13;  // Courant numbers up to 1.6 and 1.1
  compare_sweeps(grid);
}

INSTANTIATE_TEST_SUITE_P(All, SweepAgainstReference,
                         testing::Combine(testing::Values(1, 2, 3), testing::Values(1, 2),
                                          testing::Values(Limiter::van_leer, Limiter::minmod)));

TEST(Streaming, NoMassCrossesWalls) {
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    const PhaseGrid grid = closed_box(dimensions);
    const auto context = make_context(CollisionModel::bgk, false, grid.time_step);
    ReferenceStep reference(grid, CollisionModel::bgk, context.collision);
    auto space = make_phase_space<Space, double>(grid);
    upload(space, rough_state(reference));
    const double before = total_mass(grid, download(space));
    for (int step = 0; step < 10; ++step) {
      update_wall_density(context, space);
      stream(context, space);
    }
    EXPECT_NEAR(total_mass(grid, download(space)) / before, 1, 1e-13) << dimensions;
    for (const SurfaceFlux& flux : face_fluxes(context, space, {1, 1, 1})) {
      EXPECT_NEAR(flux[0], 0, 1e-14);
    }
  }
}

/// Mass in a box whose walls are all closed, before and after steps along every axis.
void expect_mass_kept(const PhaseGrid& grid) {
  const auto context = make_context(CollisionModel::bgk, false, grid.time_step);
  ReferenceStep reference(grid, CollisionModel::bgk, context.collision);
  auto space = make_phase_space<Space, double>(grid);
  const auto start = gas_only(grid, rough_state(reference));
  upload(space, start);
  const double before = total_mass(grid, start);
  for (int step = 0; step < 5; ++step) {
    if (grid.split) {
      for (int axis = 0; axis < grid.dimensions; ++axis) {
        update_wall_density(context, space, axis);
        stream(context, space, axis);
      }
    } else {
      update_wall_density(context, space);
      stream(context, space);
    }
    for (const SurfaceFlux& flux : face_fluxes(context, space, {1, 1, 1})) {
      EXPECT_NEAR(flux[0], 0, 1e-13);
    }
  }
  EXPECT_NEAR(total_mass(grid, download(space)) / before, 1, 1e-13);
}

TEST(Streaming, NoMassCrossesWallsInSweeps) {
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    for (const int order : {1, 2}) {
      PhaseGrid grid = closed_box(dimensions);
      grid.split = dimensions > 1;
      grid.order = order;
      expect_mass_kept(grid);
    }
  }
}

TEST(Solids, NoMassCrossesThem) {
  for (const int dimensions : {2, 3}) {
    for (const int order : {1, 2}) {
      PhaseGrid grid = box_with_blocks(dimensions);
      grid.solids.bodies[0].wall = wall(0.6, {0, 0, 0}, 1.3);
      grid.split = order == 2;
      grid.order = order;
      expect_mass_kept(grid);
    }
  }
}

TEST(Solids, GasAtRestStaysPutAndTheFlowIsSymmetric) {
  for (const int dimensions : {2, 3}) {
    for (const double temperature : {1.0, 1.4}) {
      PhaseGrid grid = box_with_blocks(dimensions);
      grid.solids.body[0] = -1;
      grid.solids.bodies[0].wall.state.temperature = temperature;
      const auto context = make_context(CollisionModel::bgk, false, grid.time_step);
      auto space = make_phase_space<Space, double>(grid);
      initialise(context, space, [](int, int, int) { return GasState{}; });
      for (int step = 0; step < 5; ++step) {
        update_wall_density(context, space);
        stream(context, space);
      }
      const auto fields = macroscopic_fields(context, space);
      const Neighbours neighbours = find_neighbours(grid);
      double fastest = 0;
      for (int cell = 0; cell < grid.cell_count(); ++cell) {
        const Cell here = make_cell(space, cell);
        Cell image = here;
        image.at[0] = 5 - here.at[0];
        const int other = (image.at[2] * grid.cells[1] + image.at[1]) * 6 + image.at[0];
        const Macroscopic& a = fields[static_cast<std::size_t>(cell)];
        const Macroscopic& b = fields[static_cast<std::size_t>(other)];
        if (neighbours.of_cell[static_cast<std::size_t>(cell)][0] ==
            PhaseSpace<Space, double>::solid) {
          EXPECT_EQ(a.density, 0);
          continue;
        }
        EXPECT_NEAR(a.density, b.density, 1e-13);
        EXPECT_NEAR(a.velocity[0], -b.velocity[0], 1e-13);
        EXPECT_NEAR(a.velocity[1], b.velocity[1], 1e-13);
        fastest = std::max(fastest, std::abs(a.velocity[0]));
      }
      if (temperature == 1) {
        EXPECT_LT(fastest, 1e-14);
      } else {
        EXPECT_GT(fastest, 1e-3);
      }
    }
  }
}

TEST(Streaming, WholeCourantNumbersAreExactShifts) {
  PhaseGrid grid;
  grid.dimensions = 2;
  grid.split = true;
  grid.cells = {5, 4, 1};
  grid.velocities = {uniform_axis(-4, 4, 4), uniform_axis(-2, 2, 2), uniform_axis(-2, 2, 2)};
  grid.time_step = 1;  // velocities -3, -1, 1, 3 and -1, 1: as many cells
  const auto context = make_context(CollisionModel::bgk, false, grid.time_step);
  ReferenceStep start(grid, CollisionModel::bgk, context.collision);
  auto space = make_phase_space<Space, double>(grid);
  upload(space, rough_state(start));
  stream(context, space, 0);
  stream(context, space, 1);
  const auto moved = download(space);
  for (int cell = 0; cell < start.cells(); ++cell) {
    for (int q = 0; q < start.velocities(); ++q) {
      const auto v = start.velocity(q);
      const int x = (cell % 5 - static_cast<int>(v[0]) + 15) % 5;
      const int y = (cell / 5 - static_cast<int>(v[1]) + 8) % 4;
      EXPECT_EQ(moved[static_cast<std::size_t>(cell * start.velocities() + q)],
                start.at(5 * y + x, q));
    }
  }
}

/// Density of a wave that flies freely or with collisions in a periodic box for a short time.
std::vector<double> wave(int dimensions, int cells, int order, double rarefaction) {
  PhaseGrid grid;
  grid.dimensions = dimensions;
  grid.velocities = {uniform_axis(-3, 3, 8), uniform_axis(-3, 3, dimensions == 2 ? 8 : 6),
                     uniform_axis(-3, 3, 6)};
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
    grid.cells[d] = cells;
    grid.spacing[d] = 1.0 / cells;
  }
  grid.split = dimensions == 2;
  grid.order = order;
  const int steps = dimensions == 2 ? cells / 2 : cells;
  grid.time_step = (dimensions == 2 ? 0.06 : 0.2) / steps;
  auto context = make_context(CollisionModel::bgk, false, grid.time_step);
  context.collision.gas = {rarefaction, 1, 1};
  auto space = make_phase_space<Space, double>(grid);
  const double h = 1.0 / cells;
  initialise(context, space, [&](int x, int y, int) {
    // Mean over the cell of 1 + 0.2 sin(2 pi (x + y)).
    const double centre = dimensions == 2 ? (x + y + 1) * h : (x + 0.5) * h;
    const double mean =
        std::pow(std::sin(std::numbers::pi * h) / (std::numbers::pi * h), dimensions);
    return GasState{1 + 0.2 * mean * std::sin(2 * std::numbers::pi * centre), {0.3, 0, 0}, 1};
  });
  for (int step = 0; step < steps; ++step) {
    if (dimensions == 2) {
      stream(context, space, step % 2);
      stream_collide(context, space, 1 - step % 2);
    } else {
      stream_collide(context, space);
    }
  }
  std::vector<double> density;
  for (const Macroscopic& s : macroscopic_fields(context, space)) density.push_back(s.density);
  return density;
}

/// Order of convergence from three grids, each twice as fine as the one before.
double order_of_convergence(int dimensions, int cells, int order, double rarefaction) {
  std::vector<std::vector<double>> densities;
  for (const int factor : {1, 2, 4}) {
    densities.push_back(wave(dimensions, cells * factor, order, rarefaction));
  }
  const auto coarsened = [&](const std::vector<double>& fine, int n) {
    const std::size_t width = static_cast<std::size_t>(n);
    const std::size_t rows = dimensions == 2 ? width : 1;
    std::vector<double> coarse(width * rows, 0);
    const std::size_t share = dimensions == 2 ? 4 : 2;
    for (std::size_t i = 0; i < fine.size(); ++i) {
      const std::size_t x = i % (2 * width) / 2;
      const std::size_t y = i / (2 * width) / (dimensions == 2 ? 2 : 1);
      coarse[y * width + x] += fine[i] / double(share);
    }
    return coarse;
  };
  const auto distance = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
    return sum / double(a.size());
  };
  const double first = distance(densities[0], coarsened(densities[1], cells));
  const double second = distance(densities[1], coarsened(densities[2], 2 * cells));
  return std::log2(first / second);
}

TEST(Order, FirstAndSecond) {
  for (const double rarefaction : {0.0, 4.0}) {
    // Limiters clip the extrema, which costs some of the order.
    EXPECT_GT(order_of_convergence(1, 64, 2, rarefaction), 1.7) << rarefaction;
    EXPECT_NEAR(order_of_convergence(1, 32, 1, rarefaction), 1, 0.25) << rarefaction;
  }
  EXPECT_GT(order_of_convergence(2, 16, 2, 4.0), 1.8);
}

TEST(SinglePass, GoesRoundSolidsAndConserves) {
  for (const int dimensions : {2, 3}) {
    PhaseGrid grid = box_with_blocks(dimensions);
    grid.solids.bodies[0].wall = wall(0.6, {0, 0, 0}, 1.3);
    auto context = make_context(CollisionModel::bgk, false, grid.time_step);
    context.collision.conservative = true;
    const auto run = [&](bool single_pass) {
      grid.single_pass = single_pass;
      auto space = make_phase_space<Space, double>(grid);
      initialise(context, space, [](int x, int y, int) {
        return GasState{1 + 0.1 * x - 0.05 * y, {0.1, 0.05 * y, -0.1}, 1};
      });
      for (int step = 0; step < 5; ++step) {
        update_wall_density(context, space);
        stream_collide(context, space);
      }
      return download(space);
    };
    EXPECT_LT(largest_difference(run(true), run(false)), 1e-13);
  }
}

TEST(SinglePass, SharesOutLargePlanesAndLongRows) {
  PhaseGrid grid = box(2);
  grid.cells[0] = 21;
  grid.velocities = {uniform_axis(-3, 3, 5), uniform_axis(-3, 3, 18), uniform_axis(-3, 3, 16)};
  const auto context = make_context(CollisionModel::bgk, false, grid.time_step);
  ReferenceStep reference(grid, CollisionModel::bgk, context.collision);
  const auto start = rough_state(reference);
  const auto run = [&](bool single_pass) {
    grid.single_pass = single_pass;
    auto space = make_phase_space<Space, double>(grid);
    if (single_pass && !is_host_backend<Space>) {
      EXPECT_GT(space.parts, 1);
    }
    upload(space, start);
    for (int step = 0; step < 3; ++step) {
      update_wall_density(context, space);
      stream_collide(context, space);
    }
    return download(space);
  };
  EXPECT_LT(largest_difference(run(true), run(false)), 1e-13);
  EXPECT_EQ(run(true), run(true));
}

TEST(SinglePass, SharesOutManyPlanes) {
  for (const int dimensions : {1, 2, 3}) {
    PhaseGrid grid = box(dimensions);
    grid.cells[0] = 37;
    grid.time_step = 0.02;
    grid.velocities = {uniform_axis(-3, 3, 35), uniform_axis(-3, 3, 6), uniform_axis(-3, 3, 7)};
    const auto context = make_context(CollisionModel::bgk, false, grid.time_step);
    ReferenceStep reference(grid, CollisionModel::bgk, context.collision);
    const auto start = rough_state(reference);
    const auto run = [&](auto number, bool single_pass) {
      grid.single_pass = single_pass;
      auto space = make_phase_space<Space, decltype(number)>(grid);
      upload(space, start);
      for (int step = 0; step < 3; ++step) {
        update_wall_density(context, space);
        stream_collide(context, space);
      }
      return download(space);
    };
    EXPECT_LT(largest_difference(run(1.0, true), run(1.0, false)), 1e-13) << dimensions;
    EXPECT_LT(largest_difference(run(1.0F, true), run(1.0, false)), 3e-6) << dimensions;
  }
}

/// On the host a distribution of more than `cached_bytes` is written past the caches.
TEST(SinglePass, WritesPastTheCaches) {
  PhaseGrid grid = box(2);
  grid.cells[0] = 24;
  grid.cells[1] = 9;
  grid.velocities = {uniform_axis(-3, 3, 31), uniform_axis(-3, 3, 30), uniform_axis(-3, 3, 27)};
  const auto context = make_context(CollisionModel::bgk, false, grid.time_step);
  const auto run = [&](bool single_pass) {
    grid.single_pass = single_pass;
    auto space = make_phase_space<Space, float>(grid);
    EXPECT_GT(space.f.size() * sizeof(float), cached_bytes);
    initialise(context, space, [](int x, int y, int) {
      return GasState{1 + 0.01 * x - 0.02 * y, {0.1, 0.01 * y, -0.1}, 1};
    });
    for (int step = 0; step < 2; ++step) {
      update_wall_density(context, space);
      stream_collide(context, space);
      stream(context, space);
      collide(context, space);
    }
    return download(space);
  };
  EXPECT_LT(largest_difference(run(true), run(false)), 1e-6);
}

/// The same flow with all velocity components and with those across the box integrated out.
TEST(Reduced, GivesTheSameFlow) {
  for (const int dimensions : {1, 2}) {
    for (const CollisionModel model :
         {CollisionModel::bgk, CollisionModel::shakhov, CollisionModel::es_bgk}) {
      const PhaseGrid full = box_without_motion_across(dimensions);
      for (const bool conservative : {false, true}) {
        auto context = make_context(model, false, full.time_step);
        context.collision.conservative = conservative;
        context.collision.velocity_gain[0] = 0.01;
        expect_same_fields(fields_after_steps(context, full),
                           fields_after_steps(context, integrated_across(full)));
      }
    }
  }
}

TEST(Entropy, GrowsInCollisionsAndStaysInEquilibrium) {
  const PhaseGrid grid = box(2);
  for (const CollisionModel model : {CollisionModel::bgk, CollisionModel::es_bgk}) {
    const auto context = make_context(model, false, grid.time_step);
    ReferenceStep reference(grid, model, context.collision);
    auto space = make_phase_space<Space, double>(grid);
    upload(space, rough_state(reference));
    double expected = 0;
    for (int cell = 0; cell < reference.cells(); ++cell) {
      for (int q = 0; q < reference.velocities(); ++q) {
        const double f = reference.at(cell, q);
        expected -= reference.weight(q) * f * std::log(f);
      }
    }
    const double before = entropy(context, space);
    EXPECT_NEAR(before / expected, 1, 1e-12);
    collide(context, space);
    EXPECT_GT(entropy(context, space), before + 1e-3);
  }
}

TEST(Streaming, WallFluxesAccountForMomentumAndEnergy) {
  const PhaseGrid grid = closed_box(2);
  const auto context = make_context(CollisionModel::bgk, false, grid.time_step);
  ReferenceStep reference(grid, CollisionModel::bgk, context.collision);
  auto space = make_phase_space<Space, double>(grid);
  upload(space, rough_state(reference));
  const auto totals = [&] {
    std::array<double, 4> sums{};
    for (const Macroscopic& s : macroscopic_fields(context, space)) {
      double square = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        sums[d] += s.density * s.velocity[d];
        square += s.velocity[d] * s.velocity[d];
      }
      sums[3] += s.density * (0.75 * s.temperature + 0.5 * square);
    }
    return sums;
  };
  const auto before = totals();
  std::array<double, 4> lost{};
  for (const SurfaceFlux& flux : face_fluxes(context, space, {1, 1, 1})) {
    for (std::size_t i = 0; i < 4; ++i) lost[i] += flux[1 + i];
  }
  update_wall_density(context, space);
  stream(context, space);
  const auto after = totals();
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(before[i] - after[i], lost[i], 1e-12) << i;
}

TEST(Streaming, StaysPositive) {
  PhaseGrid grid = box(2);
  grid.time_step = 0.999 / (2.5 / 0.2 + 2.56 / 0.3);  // Courant numbers add up to just below 1
  const auto context = make_context(CollisionModel::bgk, false, grid.time_step);
  ReferenceStep reference(grid, CollisionModel::bgk, context.collision);
  auto start = rough_state(reference);
  for (std::size_t i = 0; i < start.size(); i += 3) start[i] = 0;
  auto space = make_phase_space<Space, double>(grid);
  upload(space, start);
  for (int step = 0; step < 20; ++step) {
    update_wall_density(context, space);
    stream_collide(context, space);
  }
  for (const double value : download(space)) ASSERT_GE(value, 0);
}

PhaseGrid one_cell(int count) {
  PhaseGrid grid;
  grid.velocities = {uniform_axis(-5, 5, count), uniform_axis(-5, 5, count),
                     uniform_axis(-5, 5, count)};
  grid.time_step = 0.1;
  return grid;
}

TEST(Collision, UniformMaxwellianStaysPut) {
  for (const CollisionModel model :
       {CollisionModel::bgk, CollisionModel::shakhov, CollisionModel::es_bgk}) {
    PhaseGrid grid = one_cell(20);
    grid.dimensions = 2;
    grid.cells = {3, 3, 1};
    const auto context = make_context(model, false, 0.05);
    auto space = make_phase_space<Space, double>(grid);
    initialise(context, space, [](int, int, int) {
      return GasState{1.1, {0.1, -0.05, 0.02}, 0.9};
    });
    const auto before = download(space);
    for (int step = 0; step < 20; ++step) stream_collide(context, space);
    EXPECT_LT(largest_difference(download(space), before), 1e-11);
  }
}

using ConservativeCase = std::tuple<CollisionModel, bool>;
class Conservation : public testing::TestWithParam<ConservativeCase> {};

TEST_P(Conservation, OfTheInvariantsOnACoarseGrid) {
  const auto [model, conservative] = GetParam();
  {
    const PhaseGrid grid = one_cell(8);
    auto context = make_context(model, false, grid.time_step);
    context.collision.conservative = conservative;
    ReferenceStep reference(grid, model, context.collision);
    auto space = make_phase_space<Space, double>(grid);
    upload(space, rough_state(reference));
    const Macroscopic before = macroscopic_fields(context, space)[0];
    for (int step = 0; step < 100; ++step) collide(context, space);
    const Macroscopic after = macroscopic_fields(context, space)[0];
    double drift = std::max(std::abs(after.density - before.density),
                            std::abs(after.temperature - before.temperature));
    for (int d = 0; d < 3; ++d) {
      drift = std::max(drift, std::abs(after.velocity[d] - before.velocity[d]));
    }
    if (conservative) {
      EXPECT_LT(drift, 1e-11);
    } else {
      EXPECT_GT(drift, 1e-6);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Conservation,
                         testing::Combine(testing::Values(CollisionModel::bgk,
                                                          CollisionModel::shakhov,
                                                          CollisionModel::es_bgk),
                                          testing::Bool()));

/// Relaxation in one cell: stress decays by exp(-rate), heat flux by exp(-Pr rate) of its time.
TEST(Collision, HomogeneousRelaxationIsExact) {
  for (const CollisionModel model :
       {CollisionModel::bgk, CollisionModel::shakhov, CollisionModel::es_bgk}) {
    const PhaseGrid grid = one_cell(26);
    const auto context = make_context(model, false, 0.1);
    ReferenceStep reference(grid, model, context.collision);
    for (int q = 0; q < reference.velocities(); ++q) {
      const auto v = reference.velocity(q);
      const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
      reference.at(0, q) = 0.18 * std::exp(-square) *
                           (1 + 0.05 * v[0] * (square - 2.5) + 0.1 * v[0] * v[1] +
                            0.06 * (v[2] * v[2] - v[1] * v[1]));
    }
    auto space = make_phase_space<Space, double>(grid);
    upload(space, reference.f);
    const Macroscopic before = macroscopic_fields(context, space)[0];
    constexpr int steps = 7;
    for (int step = 0; step < steps; ++step) collide(context, space);
    const Macroscopic after = macroscopic_fields(context, space)[0];
    const double rate =
        context.collision.gas.stress_relaxation_rate(before.density, before.temperature) * 0.1;
    const double prandtl = context.collision.gas.prandtl;
    EXPECT_NEAR(after.stress[3] / before.stress[3], std::exp(-rate * steps), 1e-7);
    EXPECT_NEAR((after.stress[2] - after.stress[1]) / (before.stress[2] - before.stress[1]),
                std::exp(-rate * steps), 1e-7);
    EXPECT_NEAR(after.heat_flux[0] / before.heat_flux[0], std::exp(-prandtl * rate * steps), 1e-6);
  }
}

TEST(Collision, BodyForceAcceleratesTheGas) {
  const PhaseGrid grid = one_cell(24);
  const auto context = make_context(CollisionModel::bgk, true, 0.1);
  auto space = make_phase_space<Space, double>(grid);
  initialise(context, space, [](int, int, int) { return GasState{}; });
  for (int step = 0; step < 5; ++step) collide(context, space);
  const Macroscopic after = macroscopic_fields(context, space)[0];
  for (int d = 0; d < 3; ++d) {
    EXPECT_NEAR(after.velocity[d], 5 * context.collision.velocity_gain[d], 1e-9);
  }
  EXPECT_NEAR(after.temperature, 1, 1e-3);
}

}  // namespace
}  // namespace knudsen::bgkw
