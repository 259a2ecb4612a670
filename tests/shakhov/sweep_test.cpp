#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "methods/shakhov/block_shares.hpp"
#include "methods/shakhov/iteration.hpp"
#include "methods/shakhov/make_sweep_space.hpp"
#include "methods/shakhov/positive_cells.hpp"
#include "methods/shakhov/slices.hpp"
#include "reference_sweep.hpp"

namespace knudsen::shakhov {
namespace {

using test::ReferenceSweep;

std::vector<double> stretched(int cells, double ratio) {
  std::vector<double> edges{0};
  double width = 0.1;
  for (int i = 0; i < cells; ++i, width *= ratio) edges.push_back(edges.back() + width);
  return edges;
}

/// A box of unequal cells with one moving wall.
Parameters box(int dimensions) {
  Parameters p;
  FlowGrid& grid = p.grid;
  grid.dimensions = dimensions;
  const int cells[3] = {5, 7, 6};
  const double ratios[3] = {1.1, 0.9, 1.05};
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
    grid.cells[d] = cells[d];
    grid.edges[d] = stretched(cells[d], ratios[d]);
    for (const std::size_t side : {2 * d, 2 * d + 1}) grid.sides[side].kind = SideKind::wall;
  }
  for (auto& axis : grid.velocities) axis = uniform_axis(-3.5, 3.5, 6);
  grid.sides[east].state.temperature = 1.2;
  grid.sides[east].state.velocity = {0, 0.2, 0.1};
  p.gas = {1.3, 0.81, 2.0 / 3};
  p.initial = {1.1, {0, 0, 0}, 0.9};
  p.tuning = default_tuning(dimensions);
  return p;
}

/// The reference has the parameters `of_reference`.
template <class ExecutionSpace, class Real>
void expect_as_reference(const Parameters& p, const Parameters& of_reference, int iterations,
                         double tolerance, const std::vector<std::uint16_t>& first_order) {
  SweepContext<ExecutionSpace> context;
  context.model = p.model;
  context.gas = p.gas;
  for (std::size_t d = 0; d < 3; ++d) context.body_force[d] = p.body_force[d];
  auto space = make_sweep_space<ExecutionSpace, Real>(p.grid, p.order);
  const bool by_slices = p.scheme == Scheme::slices;
  const auto storage =
      make_storage<ExecutionSpace, Real>(p.grid, p.tuning, p.order, p.batch_blocks);
  const auto slices = make_slices<ExecutionSpace, Real>(p.grid, p.batch_blocks);
  const auto batches = make_batches(p.grid, space.octant_blocks(), p.batch_blocks, by_slices);
  SweepQueues<ExecutionSpace> queues(context.execution, part_count(space, storage));
  set_uniform(context, space, p.initial);
  set_positive_cells(p.grid, space, first_order);
  ReferenceSweep reference(of_reference);
  for (const std::uint16_t each : first_order) reference.first_order.push_back(each != 0);
  const double mass = p.has_open_side() ? 0 : total_mass(context, space);
  for (int n = 0; n < iterations; ++n) {
    begin_iteration(context, space);
    if (by_slices) {
      for (const Batch& batch : batches) sweep_slices(context, space, slices, batch);
    } else {
      sweep_batches(context, space, storage, batches, queues);
    }
    finish_iteration(context, space, mass);
    reference.iterate();
  }
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.moments);
  double worst = 0;
  for (std::size_t cell = 0; cell < reference.cells(); ++cell) {
    if (p.grid.solid(cell)) continue;
    RawMoments<moment_count> raw;
    for (std::size_t i = 0; i < moment_count; ++i) raw.value[i] = host(cell, i);
    const Macroscopic s = macroscopic(raw);
    const Macroscopic& r = reference.moments[cell];
    const auto compare = [&](double a, double b) {
      if (!(std::abs(a - b) <= worst)) worst = std::abs(a - b);
    };
    compare(s.density, r.density);
    compare(s.temperature, r.temperature);
    for (int d = 0; d < 3; ++d) {
      compare(s.velocity[d], r.velocity[d]);
      compare(s.heat_flux[d], r.heat_flux[d]);
    }
    for (int i = 0; i < 6; ++i) compare(s.stress[i], r.stress[i]);
  }
  EXPECT_LE(worst, tolerance);
}

/// Compares both precisions on every backend.
void expect_as_reference(const Parameters& p, const Parameters& of_reference, int iterations,
                         const std::vector<std::uint16_t>& first_order = {}) {
  const auto run = [&]<class ExecutionSpace>(ExecutionSpace) {
    expect_as_reference<ExecutionSpace, double>(p, of_reference, iterations, 1e-13, first_order);
    expect_as_reference<ExecutionSpace, float>(p, of_reference, iterations, 3e-6, first_order);
  };
  run(HostExecutionSpace());
  if (has_device_backend) run(DeviceExecutionSpace());
}

/// First order also with the kernels of the paper.
void expect_as_reference(Parameters p, int iterations = 3) {
  if (p.scheme == Scheme::pencils && p.order == 1) {
    p.scheme = Scheme::slices;
    expect_as_reference(p, iterations);
    p.scheme = Scheme::pencils;
  }
  expect_as_reference(p, p, iterations);
}

/// Two solids of different temperatures; `body_at` says which one covers a cell.
void add_solids(FlowGrid& grid, const std::function<int(const std::array<int, 3>&)>& body_at) {
  grid.solids.bodies = {{"one"}, {"two"}};
  grid.solids.bodies[0].wall.state.temperature = 1.1;
  grid.solids.bodies[1].wall.state.temperature = 0.9;
  for (std::size_t cell = 0; cell < grid.cell_count(); ++cell) {
    grid.solids.body.push_back(static_cast<std::int16_t>(body_at(grid.at(cell))));
  }
}

TEST(Sweep, FacesAreCountedAsTheyAreListed) {
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    FlowGrid grid = box(dimensions).grid;
    EXPECT_EQ(face_count(grid), list_faces(grid).size());
    grid.sides[west].kind = grid.sides[east].kind = SideKind::periodic;
    grid.solids.bodies.resize(2);
    grid.solids.body.assign(grid.cell_count(), -1);
    for (std::size_t cell = 0; cell < grid.cell_count(); ++cell) {
      if (cell % 3 == 1) grid.solids.body[cell] = static_cast<std::int16_t>(cell % 2);
    }
    EXPECT_EQ(face_count(grid), list_faces(grid).size()) << dimensions;
  }
}

TEST(Sweep, ModelsInThreeDimensions) {
  Parameters p = box(3);
  for (const CollisionModel model :
       {CollisionModel::bgk, CollisionModel::shakhov, CollisionModel::es_bgk}) {
    p.model = model;
    expect_as_reference(p);
  }
}

TEST(Sweep, OneAndTwoDimensions) {
  expect_as_reference(box(1), 5);
  expect_as_reference(box(2));
}

TEST(Sweep, SecondOrder) {
  for (const int dimensions : {1, 2, 3}) {
    Parameters p = box(dimensions);
    p.order = 2;
    expect_as_reference(p);
  }
}

/// Every third cell, but for what set_positive_cells takes.
std::vector<std::uint16_t> every_third(const FlowGrid& grid) {
  std::vector<std::uint16_t> numbers(grid.cell_count(), 0);
  for (std::size_t cell = 0; cell < numbers.size(); cell += 3) numbers[cell] = 0x8000;
  return numbers;
}

TEST(Sweep, SecondOrderWithCellsOfFirstOrder) {
  for (const int dimensions : {1, 2, 3}) {
    Parameters p = box(dimensions);
    p.order = 2;
    expect_as_reference(p, p, 3, every_third(p.grid));
    if (dimensions < 3) continue;
    p.grid.sides[west].accommodation = 0.6;
    p.grid.sides[south].kind = SideKind::symmetry;
    for (const Side side : {bottom, top}) p.grid.sides[side].kind = SideKind::periodic;
    add_solids(p.grid, [](const std::array<int, 3>& at) {
      return at[0] == 2 && at[1] >= 2 && at[1] < 4 ? 0 : -1;
    });
    expect_as_reference(p, p, 3, every_third(p.grid));
  }
}

TEST(Sweep, BodyForce) {
  Parameters p = box(2);
  p.body_force = {0.1, -0.05, 0.02};
  expect_as_reference(p);
}

TEST(Sweep, ReflectingWallsAndSymmetry) {
  Parameters p = box(3);
  p.grid.sides[west].accommodation = 0.6;
  p.grid.sides[south].kind = SideKind::symmetry;
  p.grid.sides[top].kind = SideKind::symmetry;
  expect_as_reference(p);
  p.order = 2;
  expect_as_reference(p);
}

TEST(Sweep, PeriodicSides) {
  Parameters p = box(3);
  for (const Side side : {bottom, top, west, east}) p.grid.sides[side].kind = SideKind::periodic;
  p.grid.sides[north].state.velocity = {0.3, 0, 0};
  expect_as_reference(p);
}

TEST(Sweep, FreeStreamPastABody) {
  for (const int order : {1, 2}) {
    Parameters p = box(3);
    p.order = order;
    for (auto& axis : p.grid.velocities) axis = uniform_axis(-4, 5, 7);
    p.initial = {1, {0.8, 0.1, 0}, 1};
    for (auto& side : p.grid.sides) side = {SideKind::reservoir, 1, p.initial};
    add_solids(p.grid, [](const std::array<int, 3>& at) {
      if (at[0] == 2 && at[1] >= 2 && at[1] < 4 && at[2] >= 2 && at[2] < 4) return 0;
      return at[1] == 6 && at[0] < 2 ? 1 : -1;
    });
    expect_as_reference(p);
  }
}

TEST(Sweep, SolidsAtPeriodicSides) {
  for (const int order : {1, 2}) {
    Parameters p = box(3);
    p.order = order;
    for (const Side side : {bottom, top, west, east}) p.grid.sides[side].kind = SideKind::periodic;
    p.grid.sides[north].state.velocity = {0.3, 0, 0};
    const auto last = p.grid.cells[0] - 1;
    add_solids(p.grid, [&](const std::array<int, 3>& at) {
      if (at[0] == 0 && at[1] < 3) return 0;
      return at[0] == last && at[1] > 3 && at[2] < 2 ? 1 : -1;
    });
    p.grid.solids.bodies[0].wall.state.velocity = {0, 0, 0.2};
    expect_as_reference(p);
  }
}

/// Compares with a reference that has all velocities along the components integrated out, on axes
/// whose sums over Maxwellians are exact to rounding.
void expect_as_all_velocities(Parameters p, const std::vector<CollisionModel>& models,
                              int iterations) {
  for (const CollisionModel model : models) {
    Parameters all = p;
    for (auto d = static_cast<std::size_t>(p.grid.dimensions); d < 3; ++d) {
      all.grid.velocities[d] = uniform_axis(-6.5, 6.5, 28);
      p.grid.velocities[d] = integrated_axis(d == 2);
    }
    p.model = all.model = model;
    if (model == CollisionModel::es_bgk) p.body_force = all.body_force = {0, 0, 0};
    for (const int order : {1, 2}) {
      p.order = all.order = order;
      expect_as_reference(p, all, iterations);
    }
  }
}

TEST(Reduced, OneAndTwoDimensions) {
  for (const int dimensions : {1, 2}) {
    Parameters p = box(dimensions);
    p.grid.sides[east].state.velocity = {0, dimensions == 2 ? 0.2 : 0.0, 0};
    p.grid.sides[west].accommodation = 0.6;
    p.body_force = {0.1, dimensions == 2 ? -0.05 : 0.0, 0};
    expect_as_all_velocities(p,
                             {CollisionModel::bgk, CollisionModel::shakhov, CollisionModel::es_bgk},
                             dimensions == 1 ? 4 : 3);
  }
}

TEST(Reduced, SeveralBlocksOpenAndPeriodicSidesAndSolids) {
  Parameters p = box(2);
  for (std::size_t d = 0; d < 2; ++d) p.grid.velocities[d] = uniform_axis(-4, 5, 11);
  p.initial = {1, {0.8, 0.1, 0}, 1};
  for (const Side side : {west, east}) p.grid.sides[side] = {SideKind::reservoir, 1, p.initial};
  for (const Side side : {south, north}) p.grid.sides[side].kind = SideKind::periodic;
  add_solids(p.grid, [](const std::array<int, 3>& at) {
    if (at[0] == 2 && at[1] >= 2 && at[1] < 4) return 0;
    return at[1] == 6 && at[0] < 2 ? 1 : -1;
  });
  p.batch_blocks = 3;
  expect_as_all_velocities(p, {CollisionModel::shakhov}, 2);
}

TEST(Reduced, MemoryIsStated) {
  Parameters p = box(2);
  p.grid.velocities[2] = integrated_axis(true);
  const auto storage = make_storage<HostExecutionSpace, double>(p.grid, p.tuning, 2, 3);
  EXPECT_GT(storage.slice[0].span(), 0U);
  EXPECT_EQ(storage_bytes(p.grid, p.tuning, 2, 3, 8),
            8.0 * static_cast<double>(storage.slice[0].span() + storage.slice[1].span() +
                                      storage.partial.span()));
  const double without = space_bytes(p.grid, 2, 8);
  p.grid.sides[west].accommodation = 0.5;
  const auto space = make_sweep_space<HostExecutionSpace, double>(p.grid, 2);
  EXPECT_EQ(space_bytes(p.grid, 2, 8) - without,
            8.0 * static_cast<double>(space.outgoing[west].span()));
}

TEST(Sweep, BatchesDoNotMatter) {
  Parameters p = box(3);
  for (auto& axis : p.grid.velocities) axis = uniform_axis(-3.5, 3.5, 18);
  p.grid.cells[0] = 3;
  p.grid.edges[0].resize(4);
  p.batch_blocks = 3;
  expect_as_reference(p, 1);
}

TEST(Sweep, RowsOfSeveralStages) {
  Parameters p = box(3);
  p.grid.cells = {131, 3, 2};
  p.grid.edges[0] = stretched(131, 1.01);
  p.grid.edges[1].resize(4);
  p.grid.edges[2].resize(3);
  p.grid.sides[east].accommodation = 0.7;
  expect_as_reference(p, 2);
}

TEST(Sweep, SameBitsAtEveryRun) {
  Parameters p = box(3);
  for (auto& axis : p.grid.velocities) axis = uniform_axis(-3.5, 3.5, 18);
  const auto density = [&](int blocks, Scheme scheme) {
    p.batch_blocks = blocks;
    p.scheme = scheme;
    auto method = make_method(p, default_backend());
    method->initialise();
    method->advance(2);
    return method->field("density");
  };
  for (const Scheme scheme : {Scheme::pencils, Scheme::slices}) {
    const Field once = density(4, scheme);
    const Field again = density(4, scheme);
    for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(once[i], again[i]);
  }
}

// The batch's last part may have no block.
TEST(Sweep, SameBitsInTwoParts) {
  Parameters p = box(3);
  for (auto& axis : p.grid.velocities) axis = uniform_axis(-3.5, 3.5, 18);
  p.grid.cells = {3, 7, 5};
  for (std::size_t d = 0; d < 3; ++d) p.grid.edges[d] = stretched(p.grid.cells[d], 1.1);
  for (const int order : {1, 2}) {
    const auto moments = [&](int blocks, int parts) {
      SweepContext<HostExecutionSpace> context;
      context.gas = p.gas;
      auto space = make_sweep_space<HostExecutionSpace, double>(p.grid, order);
      const auto storage =
          make_storage<HostExecutionSpace, double>(p.grid, p.tuning, order, blocks);
      const auto batches = make_batches(p.grid, space.octant_blocks(), blocks);
      SweepQueues<HostExecutionSpace> queues(context.execution, parts);
      set_uniform(context, space, p.initial);
      const double mass = total_mass(context, space);
      for (int n = 0; n < 3; ++n) {
        begin_iteration(context, space);
        sweep_batches(context, space, storage, batches, queues);
        finish_iteration(context, space, mass);
      }
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.moments);
      return std::vector<double>(host.data(), host.data() + host.span());
    };
    const std::vector<double> whole = moments(64, 1);
    for (const int blocks : {1, 3, 8, 11, 16}) {
      EXPECT_EQ(moments(blocks, 2), whole) << "order " << order << ", batches of " << blocks;
    }
  }
}

// A batch begins while the one before it ends, unless a side returns to it what that one brings.
TEST(Sweep, SameBitsWithBatchesOfAnySize) {
  const auto expect_same = [](Parameters p, const std::string& what) {
    for (auto& axis : p.grid.velocities) axis = uniform_axis(-3.5, 3.5, 18);
    p.grid.cells = {3, 7, 5};
    for (std::size_t d = 0; d < 3; ++d) p.grid.edges[d] = stretched(p.grid.cells[d], 1.1);
    const auto field = [&](int blocks) {
      p.batch_blocks = blocks;
      auto method = make_method(p, default_backend());
      method->initialise();
      method->advance(3);
      return method->field("heat_flux");
    };
    const Field whole = field(64);
    for (const int blocks : {1, 3, 8, 11, 16}) {
      const Field parts = field(blocks);
      int different = 0;
      for (std::size_t i = 0; i < whole.size(); ++i) different += parts[i] != whole[i] ? 1 : 0;
      EXPECT_EQ(different, 0) << what << ", batches of " << blocks;
    }
  };
  expect_same(box(3), "walls");
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const std::size_t end : {0, 1}) {
      Parameters p = box(3);
      p.grid.sides[2 * axis + end].kind = SideKind::symmetry;
      expect_same(p, side_names[2 * axis + end] + " symmetry");
      p.grid.sides[2 * axis + 1 - end].accommodation = 0.3;
      expect_same(p, side_names[2 * axis + end] + " symmetry, the other a mirror in part");
    }
    Parameters p = box(3);
    p.grid.sides[2 * axis].kind = p.grid.sides[2 * axis + 1].kind = SideKind::periodic;
    expect_same(p, "periodic sides");
  }
}

TEST(Batches, CoverAllBlocksOnceOfOneDirection) {
  Parameters p = box(3);
  for (const int most : {1, 3, 8, 16}) {
    std::vector<int> seen(8 * 8, 0);
    for (const Batch& batch : make_batches(p.grid, 8, most)) {
      EXPECT_LE(batch.blocks, most);
      for (int n = 0; n < batch.blocks; ++n) {
        ++seen[static_cast<std::size_t>(batch.first_block + n)];
        EXPECT_EQ((batch.first_block + n) / 16, batch.first_block / 16);
      }
    }
    EXPECT_EQ(seen, std::vector<int>(64, 1));
    for (const Batch& batch : make_batches(p.grid, 8, most, true)) {
      EXPECT_EQ((batch.first_block + batch.blocks - 1) / 8, batch.first_block / 8);
    }
  }
}

TEST(Batches, OfRanksCoverAllBlocksOnce) {
  Parameters p = box(3);
  // Mirrors along no axis, one, two and three.
  for (const int mirror : {-1, int{west}, int{south}, int{top}}) {
    if (mirror >= 0) p.grid.sides[static_cast<std::size_t>(mirror)].kind = SideKind::symmetry;
    for (const bool by_octant : {false, true}) {
      for (const int ranks : {1, 2, 3, 4, 6, 70}) {
        const BlockShares shares(p.grid, 8, by_octant, ranks);
        std::vector<int> seen(8 * 8, 0);
        for (int rank = 0; rank < ranks; ++rank) {
          for (const Batch& batch : make_batches(p.grid, 8, 3, by_octant, rank, ranks)) {
            for (int block = batch.first_block; block < batch.first_block + batch.blocks; ++block) {
              ++seen[static_cast<std::size_t>(block)];
              EXPECT_EQ(shares.owner(block / 8, block % 8), rank);
            }
          }
        }
        EXPECT_EQ(seen, std::vector<int>(64, 1));
        for (int block = 0; block < 8 && mirror >= 0; ++block) {
          const int image = 1 << mirror / 2;
          EXPECT_EQ(shares.owner(0, block), shares.owner(image, block));
        }
      }
    }
  }
}

TEST(SplitSum, DoesNotDependOnTheOrder) {
  std::mt19937 random;
  std::vector<double> terms;
  std::lognormal_distribution<double> size(0, 6);
  for (int n = 0; n < 500; ++n) terms.push_back((n % 3 == 0 ? -1 : 1) * size(random));
  double range = 0;
  long double exact = 0;
  for (const double term : terms) {
    range += std::abs(term);
    exact += term;
  }
  const SumRounding rounding(range, static_cast<double>(terms.size()));
  const auto sum = [&](std::size_t begin, std::size_t end) {
    SplitSum result;
    for (std::size_t n = begin; n < end; ++n) result.add(terms[n], rounding);
    return result;
  };
  const SplitSum all = sum(0, 500);
  EXPECT_NEAR(all.high + all.low, static_cast<double>(exact), 1e-15 * std::abs(all.high));
  for (std::size_t cut = 100; cut < 500; cut += 100) {
    std::shuffle(terms.begin(), terms.end(), random);
    const SplitSum first = sum(0, cut);
    const SplitSum second = sum(cut, 500);
    EXPECT_EQ(first.high + second.high, all.high);
    EXPECT_EQ(first.low + second.low, all.low);
  }
}

}  // namespace
}  // namespace knudsen::shakhov
