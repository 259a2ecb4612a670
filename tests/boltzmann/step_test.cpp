#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gas_box.hpp"
#include "methods/boltzmann/collision_rate.hpp"

namespace knudsen::boltzmann {
namespace {

using test::Space;
using Cells = std::vector<std::vector<double>>;

/// Boxes with cells of different widths, walls, and (two and three dimensions) a periodic axis.
PhaseGrid box(int dimensions) {
  PhaseGrid grid;
  grid.dimensions = dimensions;
  grid.velocities = {stretched_axis(-3, 3, 4, 1.5), stretched_axis(-2.8, 2.8, 6, 1.2),
                     uniform_axis(-3, 3, 5)};
  grid.widths = {std::vector<double>{0.3, 0.2, 0.25, 0.1, 0.4, 0.3}, {}, {}};
  if (dimensions > 1) grid.widths[1] = {0.2, 0.3, 0.15, 0.2, 0.3, 0.2, 0.25, 0.2, 0.3, 0.1, 0.2};
  if (dimensions > 2) grid.widths[2] = {0.3, 0.4, 0.2};
  grid.time_step = 0.01;
  const auto wall = [](std::array<double, 3> velocity, double temperature) {
    return SideCondition{SideKind::wall, 1, {1, velocity, temperature}};
  };
  if (dimensions == 1) {
    grid.sides[west] = wall({0, 0.2, 0.1}, 1.1);
    grid.sides[east] = wall({0, 0, 0}, 0.9);
  }
  if (dimensions > 1) {
    grid.sides[south] = wall({0.1, 0, 0}, 1);
    grid.sides[north] = wall({0.3, 0, -0.1}, 1.2);
  }
  if (dimensions > 2) {
    grid.sides[bottom] = wall({0.1, 0.1, 0}, 1);
    grid.sides[top] = wall({0, 0, 0}, 1);
  }
  return grid;
}

/// Eqs. (15) and (17) written down cell by cell.
Cells streamed(const PhaseGrid& grid, const Cells& h, double scale, bool linear) {
  const auto nodes = test::nodes(grid.velocities);
  const int n[3] = {grid.cells(0), grid.cells(1), grid.cells(2)};
  const auto index = [&](const int(&at)[3]) {
    return static_cast<std::size_t>((at[2] * n[1] + at[1]) * n[0] + at[0]);
  };
  const auto wall = [&](std::size_t side, std::size_t v) {
    const SideCondition& condition = grid.sides[side];
    const auto& node = nodes[v].v;
    return gas_deviation(condition.state, {node[0], node[1], node[2]}, scale, linear);
  };
  Cells result = h;
  for (int z = 0; z < n[2]; ++z) {
    for (int y = 0; y < n[1]; ++y) {
      for (int x = 0; x < n[0]; ++x) {
        const int at[3] = {x, y, z};
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.dimensions); ++axis) {
          const double ratio =
              grid.time_step / grid.widths[axis][static_cast<std::size_t>(at[axis])];
          for (std::size_t v = 0; v < nodes.size(); ++v) {
            const double speed = nodes[v].v[axis];
            int upwind[3] = {x, y, z};
            upwind[axis] += speed > 0 ? -1 : 1;
            double before = 0;
            const std::size_t side = 2 * axis + (upwind[axis] < 0 ? 0 : 1);
            const bool beyond = upwind[axis] < 0 || upwind[axis] >= n[axis];
            if (beyond && grid.sides[side].kind == SideKind::wall) {
              double leaving = 0;
              double gain = 0;
              for (std::size_t w = 0; w < nodes.size(); ++w) {
                const double out = nodes[w].v[axis] * (side % 2 == 0 ? -1 : 1);
                const double there = wall(side, w);
                if (out > 0) {
                  leaving += out * nodes[w].weight * h[index(at)][w];
                } else {
                  leaving += out * nodes[w].weight * there;
                  gain -= out * nodes[w].weight * (linear ? 1 : 1 + scale * there);
                }
              }
              const double here = wall(side, v);
              before = here + leaving / gain * (linear ? 1 : 1 + scale * here);
            } else {
              upwind[axis] = (upwind[axis] + n[axis]) % n[axis];
              before = h[index(upwind)][v];
            }
            result[index(at)][v] -= std::abs(speed) * ratio * (h[index(at)][v] - before);
          }
        }
      }
    }
  }
  return result;
}

template <class Real>
void check_streaming(int dimensions, bool linear, double tolerance) {
  const PhaseGrid grid = box(dimensions);
  const double scale = 0.3;
  auto state = make_state<Space, Real>(grid, scale, linear);
  const auto h = test::arbitrary(static_cast<std::size_t>(state.cell_count()),
                                 test::nodes(grid.velocities).size());
  test::upload(h, state);
  const auto context = test::context_for({});
  update_wall_density(context, state);
  stream(context, state);
  const auto found = test::download(state);
  const auto expected = streamed(grid, h, scale, linear);
  for (std::size_t cell = 0; cell < found.size(); ++cell) {
    for (std::size_t v = 0; v < found[cell].size(); ++v) {
      ASSERT_NEAR(found[cell][v], expected[cell][v], tolerance) << "cell " << cell << ", " << v;
    }
  }
}

TEST(Streaming, OneDimension) {
  check_streaming<double>(1, false, 1e-13);
  check_streaming<float>(1, true, 2e-6);
}

TEST(Streaming, TwoDimensions) {
  check_streaming<double>(2, false, 1e-13);
  check_streaming<double>(2, true, 1e-13);
  check_streaming<float>(2, false, 2e-6);
}

TEST(Streaming, ThreeDimensions) {
  check_streaming<double>(3, false, 1e-13);
  check_streaming<float>(3, true, 2e-6);
}

TEST(Streaming, KeepsTheMass) {
  const PhaseGrid grid = box(2);
  auto state = make_state<Space, double>(grid, 0.3, false);
  const auto nodes = test::nodes(grid.velocities);
  const auto mass = [&](const Cells& h) {
    double sum = 0;
    for (std::size_t cell = 0; cell < h.size(); ++cell) {
      const std::size_t nx = grid.widths[0].size();
      sum += grid.widths[0][cell % nx] * grid.widths[1][cell / nx] *
             test::invariants_of(nodes, h[cell])[0];
    }
    return sum;
  };
  const auto h = test::arbitrary(static_cast<std::size_t>(state.cell_count()), nodes.size());
  test::upload(h, state);
  const auto context = test::context_for({});
  for (int step = 0; step < 20; ++step) {
    update_wall_density(context, state);
    stream(context, state);
  }
  EXPECT_NEAR(mass(test::download(state)), mass(h), 1e-13);
}

struct SampledCollision {
  std::size_t at[4];
  double weight;
};

/// What a set holds.
std::vector<SampledCollision> contents(const CollisionSets<Space, double>& sets) {
  const auto positions = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sets.positions);
  const auto weights = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sets.weights);
  std::vector<SampledCollision> result(weights.extent(1));
  for (std::size_t m = 0; m < result.size(); ++m) {
    result[m].weight = weights(0, m);
    for (std::size_t q = 0; q < 4; ++q) {
      result[m].at[q] =
          static_cast<std::size_t>(scratch_position<Space, double>(positions(0, 4 * m + q)));
    }
  }
  return result;
}

/// Algorithm 3, or its explicit form, in one cell.
std::vector<double> collided(const std::vector<test::Node>& nodes,
                             const std::vector<SampledCollision>& samples, const Collision& c,
                             const std::vector<double>& h) {
  std::vector<double> next = h;
  const bool in_turn = c.update == Update::sequential;
  for (const SampledCollision& sample : samples) {
    const std::vector<double>& seen = in_turn ? next : h;
    const auto pair = [&](std::size_t a, std::size_t b) {
      return seen[a] + seen[b] + c.perturbation_parameter * seen[a] * seen[b];
    };
    double rate = pair(sample.at[0], sample.at[1]);
    if (c.estimator == Estimator::reversible) {
      rate = 0.5 * (rate - pair(sample.at[2], sample.at[3]));
    }
    rate *= sample.weight;
    if (c.limited) {
      // Those that lose keep half of what they hold.
      const double e = c.perturbation_parameter;
      for (std::size_t q = rate > 0 ? 0 : 2; q < (rate > 0 ? 2 : 4); ++q) {
        const double held =
            std::max(0.0, nodes[sample.at[q]].weight * (1 / e + seen[sample.at[q]]));
        rate = rate > 0 ? std::min(rate, held / 2) : std::max(rate, -held / 2);
      }
    }
    for (std::size_t q = 0; q < 4; ++q) {
      next[sample.at[q]] += (q < 2 ? -rate : rate) / nodes[sample.at[q]].weight;
    }
  }
  if (c.conservation == Conservation::none) return next;
  // Five invariants by Gaussian elimination with pivots.
  double m[5][6] = {};
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const double* v = nodes[n].v;
    const double psi[5] = {1, v[0], v[1], v[2], v[0] * v[0] + v[1] * v[1] + v[2] * v[2]};
    const double factor =
        nodes[n].weight *
        (c.conservation == Conservation::distribution ? 1 + c.perturbation_parameter * next[n] : 1);
    for (int a = 0; a < 5; ++a) {
      for (int b = 0; b < 5; ++b) m[a][b] += factor * psi[a] * psi[b];
      m[a][5] += nodes[n].weight * psi[a] * (h[n] - next[n]);
    }
  }
  for (int p = 0; p < 5; ++p) {
    int best = p;
    for (int r = p; r < 5; ++r) best = std::abs(m[r][p]) > std::abs(m[best][p]) ? r : best;
    std::swap(m[p], m[best]);
    for (int r = 0; r < 5; ++r) {
      if (r == p) continue;
      const double factor = m[r][p] / m[p][p];
      for (int q = p; q < 6; ++q) m[r][q] -= factor * m[p][q];
    }
  }
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const double* v = nodes[n].v;
    const double psi[5] = {1, v[0], v[1], v[2], v[0] * v[0] + v[1] * v[1] + v[2] * v[2]};
    double polynomial = 0;
    for (int a = 0; a < 5; ++a) polynomial += m[a][5] / m[a][a] * psi[a];
    next[n] +=
        polynomial *
        (c.conservation == Conservation::distribution ? 1 + c.perturbation_parameter * next[n] : 1);
  }
  return next;
}

/// Cells that do not fill the lanes of the last team.
constexpr int cells = 11;

template <class Real>
void check_collision(const Collision& collision, double tolerance,
                     const VelocityGrid& grid = test::velocities(7)) {
  const auto nodes = test::nodes(grid);
  const Sampling sampling{variable_hard_spheres(1, 0.5),
                          {5, false},
                          0.05,
                          collision.estimator == Estimator::reversible,
                          false,
                          collision.update == Update::sequential};
  const auto reference_sets = make_collision_sets<Space, double>(grid, 800, 1);
  draw_collisions(Space(), sampling, 3, reference_sets);
  const auto sets = make_collision_sets<Space, Real>(grid, 800, 2);
  draw_collisions(Space(), sampling, 2, sets);
  auto state = make_state<Space, Real>(test::still_grid(cells, grid), 1,
                                       collision.perturbation_parameter == 0);
  const auto h = test::arbitrary(cells, nodes.size());
  test::upload(h, state);
  collide(test::context_for(collision), state, sets, 1);
  const auto found = test::download(state);
  const auto samples = contents(reference_sets);
  for (std::size_t cell = 0; cell < found.size(); ++cell) {
    const auto expected = collided(nodes, samples, collision, h[cell]);
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      ASSERT_NEAR(found[cell][v], expected[v], tolerance) << "cell " << cell << ", " << v;
    }
  }
}

TEST(Collision, IsThatOfAPlainLoop) {
  for (const Update update : {Update::explicit_set, Update::sequential}) {
    for (const Estimator estimator : {Estimator::one_way, Estimator::reversible}) {
      for (const Conservation conservation :
           {Conservation::none, Conservation::equilibrium, Conservation::distribution}) {
        SCOPED_TRACE(testing::Message() << int(update) << int(estimator) << int(conservation));
        check_collision<double>({0.4, update, estimator, conservation, {}}, 1e-11);
        check_collision<float>({0.4, update, estimator, conservation, {}}, 3e-5);
      }
    }
  }
}

TEST(Collision, LimitedIsThatOfAPlainLoop) {
  for (const Update update : {Update::explicit_set, Update::sequential}) {
    for (const Estimator estimator : {Estimator::one_way, Estimator::reversible}) {
      SCOPED_TRACE(testing::Message() << int(update) << int(estimator));
      // Some cells hold less than nothing.
      const Collision collision{1.2, update, estimator, Conservation::equilibrium, {}, true};
      check_collision<double>(collision, 1e-11);
      check_collision<float>(collision, 2e-4);
    }
  }
}

TEST(Collision, InGaussCellsIsThatOfAPlainLoop) {
  check_collision<double>(
      {}, 1e-11, {graded_axis(3, 12, 0.2, 3, 1), half_range_axis(6, 1), uniform_axis(-3, 3, 6)});
}

TEST(Collision, LimitLeavesSmallDeviationsAlone) {
  std::vector<Cells> found;
  for (const bool limited : {false, true}) {
    test::Gas<double> gas(test::velocities(), 3, 4000,
                          {0.01,
                           Update::explicit_set,
                           Estimator::reversible,
                           Conservation::equilibrium,
                           {},
                           limited});
    found.push_back(gas.step(test::arbitrary(3, gas.nodes.size()), 1));
  }
  EXPECT_EQ(found[0], found[1]);
}

TEST(Collision, LimitedTakesNoMoreThanThereIs) {
  // One molecule in a hundred is where the collision is, a million times as many are its partners.
  const Collision collision{
      0.5, Update::explicit_set, Estimator::reversible, Conservation::none, {}, true};
  const double inverse[4] = {10, 20, 40, 50};
  const double held = 1 + 0.5 * -1.98;
  EXPECT_DOUBLE_EQ(limited_rate(collision, 1e6, -1.98, 1e6, 0.0, 0.0, inverse),
                   0.5 * held / 0.5 / 10);
  EXPECT_DOUBLE_EQ(limited_rate(collision, -1e6, 0.0, 0.0, 3.0, 1e9, inverse),
                   -0.5 * 2.5 / 0.5 / 40);
  EXPECT_EQ(limited_rate(collision, 1.0, -2.5, 1.0, 0.0, 0.0, inverse), 0);
  EXPECT_EQ(limited_rate(collision, 1e-3, 0.0, 0.0, 0.0, 0.0, inverse), 1e-3);
}

/// Cells at the sides and away from them, and a last team of a row that is not full.
template <class Real>
void check_stream_and_collide(const Collision& collision, double tolerance) {
  PhaseGrid grid = box(2);
  grid.widths[0] = {0.3, 0.2, 0.25, 0.1, 0.4, 0.3, 0.2, 0.3, 0.25, 0.2, 0.35, 0.3, 0.2, 0.3};
  const SideCondition mirror{SideKind::symmetry, 1, {}};
  grid.sides[west] = mirror;
  grid.sides[east] = grid.sides[north];
  const auto nodes = test::nodes(grid.velocities);
  const auto sets = make_collision_sets<Space, Real>(grid.velocities, 300, 1);
  draw_collisions(Space(), {variable_hard_spheres(1, 0.5), {5, false}, 0.02, true}, 0, sets);
  const auto context = test::context_for(collision);
  std::vector<Cells> found;
  for (const bool at_once : {false, true}) {
    auto state = make_state<Space, Real>(grid, 0.3, false);
    test::upload(test::arbitrary(static_cast<std::size_t>(state.cell_count()), nodes.size()),
                 state);
    EXPECT_EQ(streams_while_colliding(state), !is_host_backend<Space>);
    update_wall_density(context, state);
    if (at_once) {
      stream_and_collide(context, state, sets, 0);
    } else {
      stream(context, state);
      collide(context, state, sets, 0);
    }
    found.push_back(test::download(state));
  }
  for (std::size_t cell = 0; cell < found[0].size(); ++cell) {
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      ASSERT_NEAR(found[0][cell][v], found[1][cell][v], tolerance) << "cell " << cell << ", " << v;
    }
  }
}

TEST(Collision, AtOnceWithStreamingIsBothInTurn) {
  for (const Conservation conservation : {Conservation::equilibrium, Conservation::distribution}) {
    Collision collision;
    collision.perturbation_parameter = 0.3;
    collision.conservation = conservation;
    check_stream_and_collide<double>(collision, 1e-12);
    check_stream_and_collide<float>(collision, 1e-5);
    collision.update = Update::sequential;
    check_stream_and_collide<double>(collision, 1e-12);
  }
}

TEST(Collision, BodyForcePushesTheEquilibrium) {
  const VelocityGrid grid = test::velocities(6);
  auto state = make_state<Space, double>(test::still_grid(1, grid), 1, true);
  const auto sets = make_collision_sets<Space, double>(grid, 100, 1);
  draw_collisions(Space(), {variable_hard_spheres(1, 0.5), {5, false}, 0.01, true}, 0, sets);
  Collision collision;
  collision.body_force[0] = 0.3;
  collision.body_force[2] = -0.1;
  collide(test::context_for(collision), state, sets, 0);
  const auto nodes = test::nodes(grid);
  const auto found = test::download(state);
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    ASSERT_NEAR(found[0][v], 0.3 * nodes[v].v[0] - 0.1 * nodes[v].v[2], 1e-14);
  }
}

TEST(Collision, ScratchMemoryTooSmallForTheCaseIsNoObstacle) {
  // 32766 samples in double precision: more than any fast scratch memory holds.
  const VelocityGrid grid = test::velocities(4);
  auto state = make_state<Space, double>(test::still_grid(3, grid), 1, true);
  const auto sets = make_collision_sets<Space, double>(grid, max_samples, 1);
  const Sampling sampling{variable_hard_spheres(1, 0.5), {5, false}, 0.01, true};
  draw_collisions(Space(), sampling, 0, sets);
  const auto nodes = test::nodes(grid);
  const auto h = test::arbitrary(3, nodes.size());
  test::upload(h, state);
  const Collision collision;
  collide(test::context_for(collision), state, sets, 0);
  const auto expected = collided(nodes, contents(sets), collision, h[2]);
  const auto found = test::download(state);
  for (std::size_t v = 0; v < nodes.size(); ++v) ASSERT_NEAR(found[2][v], expected[v], 1e-11);
}

TEST(Collision, SameBitsWithAnyTeam) {
  const VelocityGrid grid = test::velocities(6);
  const auto nodes = test::nodes(grid);
  const auto sets = make_collision_sets<Space, float>(grid, 300, 1);
  draw_collisions(Space(), {variable_hard_spheres(1, 0.5), {5, false}, 0.02, true}, 0, sets);
  const auto h = test::arbitrary(cells, nodes.size());
  std::vector<Cells> found;
  for (int repeat = 0; repeat < 2; ++repeat) {
    auto state = make_state<Space, float>(test::still_grid(cells, grid), 1, false);
    test::upload(h, state);
    Collision collision;
    collision.perturbation_parameter = 0.2;
    collide(test::context_for(collision), state, sets, 0);
    found.push_back(test::download(state));
  }
  EXPECT_EQ(found[0], found[1]);
}

}  // namespace
}  // namespace knudsen::boltzmann
