#include "methods/bgkw/tiles.hpp"

#include "methods/bgkw/diagnostics.hpp"
#include "step_cases.hpp"

namespace knudsen::bgkw {
namespace {

using namespace test;

template <class Real>
std::vector<double> steps_of_tiles(const StepContext<Space>& context, const PhaseGrid& grid,
                                   const std::vector<double>& start, int steps) {
  auto space = make_phase_space<Space, Real>(grid);
  upload(space, start);
  to_tiles(context, space);
  for (int step = 0; step < steps; ++step) {
    update_wall_density_of_tiles(context, space);
    stream_tiles(context, space);
    collide_tiles(context, space);
  }
  from_tiles(context, space);
  return download(space);
}

std::vector<double> plain_steps(const StepContext<Space>& context, const PhaseGrid& grid,
                                const std::vector<double>& start, int steps) {
  auto space = make_phase_space<Space, double>(grid);
  upload(space, start);
  for (int step = 0; step < steps; ++step) {
    update_wall_density(context, space);
    stream(context, space);
    collide(context, space);
  }
  return download(space);
}

TEST(Tiles, ThereAndBackChangesNothing) {
  PhaseGrid grid = box(2);
  grid.cells = {37, 3, 1};
  const auto context = make_context(CollisionModel::bgk, false, grid.time_step);
  ReferenceStep reference(grid, CollisionModel::bgk, context.collision);
  const auto start = rough_state(reference);
  EXPECT_EQ(steps_of_tiles<double>(context, grid, start, 0), start);
}

class TilesAgainstReference : public testing::TestWithParam<int> {};

TEST_P(TilesAgainstReference, Agree) {
  // In one dimension with Courant numbers up to 2.25.
  const PhaseGrid grid = box(GetParam());
  const auto context = make_context(CollisionModel::bgk, false, grid.time_step);
  ReferenceStep reference(grid, CollisionModel::bgk, context.collision);
  const auto start = rough_state(reference);
  for (int step = 0; step < 3; ++step) {
    reference.stream();
    reference.collide();
  }
  EXPECT_LT(largest_difference(steps_of_tiles<double>(context, grid, start, 3), reference.f),
            1e-13);
  EXPECT_LT(largest_difference(steps_of_tiles<float>(context, grid, start, 3), reference.f), 3e-6);
}

INSTANTIATE_TEST_SUITE_P(All, TilesAgainstReference, testing::Values(1, 2, 3));

TEST(Tiles, GoOverManyTilesWithTheSameResult) {
  for (const int dimensions : {1, 2, 3}) {
    PhaseGrid grid = box(dimensions);
    // More cells than fit in a tile, and no size is a multiple of another.
    const std::array<std::array<int, 3>, 3> cells{{{5003, 1, 1}, {83, 61, 1}, {19, 17, 15}}};
    grid.cells = cells[static_cast<std::size_t>(dimensions - 1)];
    auto context = make_context(CollisionModel::bgk, false, grid.time_step);
    context.collision.conservative = dimensions == 2;
    ReferenceStep reference(grid, CollisionModel::bgk, context.collision);
    const auto start = rough_state(reference);
    const auto tiles = steps_of_tiles<double>(context, grid, start, 2);
    EXPECT_LT(largest_difference(tiles, plain_steps(context, grid, start, 2)), 1e-13) << dimensions;
    EXPECT_EQ(tiles, steps_of_tiles<double>(context, grid, start, 2));
  }
}

TEST(Tiles, GoRoundSolids) {
  for (const int dimensions : {2, 3}) {
    PhaseGrid grid = box_with_blocks(dimensions);
    grid.solids.bodies[0].wall = wall(0.6, {0, 0, 0}, 1.3);
    const auto context = make_context(CollisionModel::bgk, false, grid.time_step);
    ReferenceStep reference(grid, CollisionModel::bgk, context.collision);
    const auto start = gas_only(grid, rough_state(reference));
    const auto tiles = steps_of_tiles<double>(context, grid, start, 5);
    EXPECT_LT(largest_difference(tiles, plain_steps(context, grid, start, 5)), 1e-13) << dimensions;
  }
}

TEST(Tiles, KeepTheMassBetweenWalls) {
  for (const int dimensions : {1, 2, 3}) {
    const PhaseGrid grid = closed_box(dimensions);
    auto context = make_context(CollisionModel::bgk, false, grid.time_step);
    context.collision.conservative = true;
    ReferenceStep reference(grid, CollisionModel::bgk, context.collision);
    const auto start = rough_state(reference);
    const auto end = steps_of_tiles<double>(context, grid, start, 10);
    EXPECT_NEAR(total_mass(grid, end) / total_mass(grid, start), 1, 1e-12) << dimensions;
  }
}

}  // namespace
}  // namespace knudsen::bgkw
