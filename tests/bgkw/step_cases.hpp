#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "methods/bgkw/diagnostics.hpp"
#include "methods/bgkw/step.hpp"
#include "reference_step.hpp"

// Boxes and states for tests of single steps.

namespace knudsen::bgkw::test {

using Space = DeviceExecutionSpace;

inline VelocityGrid small_velocities() {
  return {uniform_axis(-3, 3, 6), uniform_axis(-3.2, 3.2, 5), uniform_axis(-2.9, 2.9, 7)};
}

inline SideCondition wall(double accommodation, std::array<double, 3> velocity,
                          double temperature) {
  return {SideKind::wall, accommodation, {1, velocity, temperature}};
}

/// A box for each number of dimensions; together they have every kind of side.
inline PhaseGrid box(int dimensions) {
  PhaseGrid grid;
  grid.dimensions = dimensions;
  grid.velocities = small_velocities();
  const SideCondition symmetry{SideKind::symmetry, 1, {}};
  const SideCondition reservoir{SideKind::reservoir, 1, {1.3, {0.2, 0, 0.1}, 1.2}};
  if (dimensions == 1) {
    grid.cells = {9, 1, 1};
    grid.spacing = {0.1, 1, 1};
    grid.time_step = 0.09;  // Courant numbers up to 2.25
    grid.sides = {wall(0.7, {0, 0.3, -0.1}, 1.1), reservoir, {}, {}, {}, {}};
  } else if (dimensions == 2) {
    grid.cells = {4, 5, 1};
    grid.spacing = {0.2, 0.3, 1};
    grid.time_step = 0.04;
    grid.sides = {symmetry, wall(1, {0, 0.2, 0}, 0.9), wall(0.4, {0.1, 0, 0}, 1), reservoir, {},
                  {}};
  } else {
    grid.cells = {3, 4, 2};
    grid.spacing = {0.2, 0.3, 0.25};
    grid.time_step = 0.025;
    grid.sides = {SideCondition{},
                  SideCondition{},
                  wall(1, {0.2, 0, 0.1}, 1),
                  symmetry,
                  wall(0.3, {0.2, 0.1, 0}, 1.1),
                  reservoir};
  }
  return grid;
}

/// A box whose cells grow along each axis, by less in the next one.
inline PhaseGrid growing_box(int dimensions) {
  PhaseGrid grid = box(dimensions);
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
    grid.edges[d] = {0};
    double width = grid.spacing[d];
    for (int i = 0; i < grid.cells[d]; ++i) {
      grid.edges[d].push_back(grid.edges[d].back() + width);
      width *= 1.4 - 0.1 * double(d);
    }
  }
  if (dimensions == 1) grid.time_step = 0.035;  // Courant numbers below 1
  return grid;
}

template <class Real>
std::vector<double> download(const PhaseSpace<Space, Real>& space) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.f);
  const auto& v = space.velocities;
  std::vector<double> values;
  for (std::size_t cell = 0; cell < host.extent(0); ++cell) {
    for (int row = 0; row < v.count[0] * v.count[1]; ++row) {
      for (int k = 0; k < v.row_length; ++k) {
        const auto place = static_cast<std::size_t>(row * v.row_length + k);
        if (k < v.entries) {
          values.push_back(double(host(cell, place)));
        } else {
          EXPECT_EQ(host(cell, place), Real(0)) << "padding";
        }
      }
    }
  }
  return values;
}

template <class Real>
void upload(PhaseSpace<Space, Real>& space, const std::vector<double>& values) {
  const auto host = Kokkos::create_mirror_view(space.f);
  const auto& v = space.velocities;
  std::size_t next = 0;
  for (std::size_t cell = 0; cell < host.extent(0); ++cell) {
    for (int row = 0; row < v.count[0] * v.count[1]; ++row) {
      for (int k = 0; k < v.row_length; ++k) {
        host(cell, static_cast<std::size_t>(row * v.row_length + k)) =
            k < v.entries ? static_cast<Real>(values[next++]) : Real(0);
      }
    }
  }
  Kokkos::deep_copy(space.f, host);
}

/// A positive state far from equilibrium, different in every cell.
inline std::vector<double> rough_state(ReferenceStep& reference) {
  for (int cell = 0; cell < reference.cells(); ++cell) {
    for (int q = 0; q < reference.velocities(); ++q) {
      const auto v = reference.velocity(q);
      const double x = v[0] - 0.3 * std::sin(cell);
      const double y = v[1] - 0.2 * std::cos(2 * cell);
      const double z = v[2] + 0.1;
      reference.at(cell, q) = 0.18 * (1 + 0.3 * std::cos(1.7 * cell)) *
                              std::exp(-x * x - 0.8 * y * y - 1.2 * z * z + 0.3 * x * y) *
                              (1 + 0.5 * std::sin(q + cell));
    }
  }
  return reference.f;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

inline StepContext<Space> make_context(CollisionModel model, bool forced, double time_step) {
  StepContext<Space> context;
  context.model = model;
  context.collision.gas = {2.0, 0.74, model == CollisionModel::bgk ? 1.0 : 2.0 / 3};
  context.collision.time_step = time_step;
  context.tuning = default_tuning<Space>();
  if (forced) {
    context.collision.velocity_gain[0] = 0.02;
    context.collision.velocity_gain[1] = -0.01;
    context.collision.velocity_gain[2] = 0.03;
  }
  return context;
}

/// A box whose gas does not move along the axes that it lacks, with velocities for exact sums.
inline PhaseGrid box_without_motion_across(int dimensions) {
  PhaseGrid grid = box(dimensions);
  for (std::size_t d = 0; d < 3; ++d) grid.velocities[d] = uniform_axis(-5.5, 5.5, 22);
  grid.time_step *= 0.5;
  for (SideCondition& side : grid.sides) {
    side.state.velocity[2] = 0;
    if (dimensions == 1) side.state.velocity[1] = 0;
  }
  return grid;
}

/// The same box with the velocity components across it integrated out.
inline PhaseGrid integrated_across(PhaseGrid grid) {
  const double rotation = grid.velocities[2].rotation;
  for (std::size_t d = static_cast<std::size_t>(grid.dimensions); d < 3; ++d) {
    grid.velocities[d] = integrated_axis(d == 2);
  }
  grid.velocities[2].rotation = rotation;
  return grid;
}

/// Fields after a few steps from a state that varies along x and y.
inline std::vector<Macroscopic> fields_after_steps(const StepContext<Space>& context,
                                                   const PhaseGrid& grid) {
  auto space = make_phase_space<Space, double>(grid);
  initialise(context, space, [](int x, int y, int) {
    return GasState{1 + 0.05 * x + 0.02 * y, {0.1 * x - 0.2, 0, 0}, 1 + 0.03 * x - 0.01 * y};
  });
  for (int step = 0; step < 6; ++step) {
    update_wall_density(context, space);
    stream_collide(context, space);
  }
  return macroscopic_fields(context, space);
}

inline void expect_same_fields(const std::vector<Macroscopic>& a,
                               const std::vector<Macroscopic>& b) {
  for (std::size_t cell = 0; cell < a.size(); ++cell) {
    EXPECT_NEAR(a[cell].density, b[cell].density, 1e-6);
    EXPECT_NEAR(a[cell].temperature, b[cell].temperature, 1e-6);
    EXPECT_NEAR(a[cell].rotational_temperature, b[cell].rotational_temperature, 1e-6);
    for (int d = 0; d < 3; ++d) {
      EXPECT_NEAR(a[cell].velocity[d], b[cell].velocity[d], 1e-6);
      EXPECT_NEAR(a[cell].stress[d], b[cell].stress[d], 2e-6);
      EXPECT_NEAR(a[cell].heat_flux[d], b[cell].heat_flux[d], 5e-6);
    }
    EXPECT_NEAR(a[cell].stress[3], b[cell].stress[3], 1e-6);
  }
}

/// A box with walls only: diffuse, specular and mixed.
inline PhaseGrid closed_box(int dimensions) {
  PhaseGrid grid = box(dimensions);
  for (SideCondition& side : grid.sides) {
    if (side.kind == SideKind::reservoir) side = wall(0.8, {0, 0, 0}, 1.2);
  }
  return grid;
}

inline double total_mass(const PhaseGrid& grid, const std::vector<double>& f) {
  ReferenceStep weights(grid, CollisionModel::bgk, {});
  double mass = 0;
  const auto n = static_cast<std::size_t>(weights.velocities());
  for (std::size_t i = 0; i < f.size(); ++i) mass += weights.weight(static_cast<int>(i % n)) * f[i];
  return mass;
}

/// A box of 6 cells along each axis with a block in it that touches no side, and one in a corner.
inline PhaseGrid box_with_blocks(int dimensions) {
  PhaseGrid grid;
  grid.dimensions = dimensions;
  grid.velocities = {uniform_axis(-3, 3, 6), uniform_axis(-3, 3, 6), uniform_axis(-3, 3, 6)};
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
    grid.cells[d] = 6;
    grid.spacing[d] = 1.0 / 6;
    grid.sides[2 * d] = grid.sides[2 * d + 1] = wall(1, {0, 0, 0}, 1);
  }
  grid.time_step = 0.9 / (15.0 * dimensions);
  grid.solids.bodies = {{"inner"}, {"corner"}};
  grid.solids.body.assign(static_cast<std::size_t>(grid.cell_count()), -1);
  grid.solids.body[0] = 1;
  const int end = dimensions > 2 ? 4 : 1;
  for (int z = dimensions > 2 ? 2 : 0; z < end; ++z) {
    for (const int y : {2, 3}) {
      for (const int x : {2, 3}) grid.solids.body[grid.cell_index(x, y, z)] = 0;
    }
  }
  return grid;
}

/// The state with zeros inside solids.
inline std::vector<double> gas_only(const PhaseGrid& grid, std::vector<double> state) {
  const Neighbours neighbours = find_neighbours(grid);
  const std::size_t n = state.size() / neighbours.of_cell.size();
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (neighbours.of_cell[i / n][0] == PhaseSpace<Space, double>::solid) state[i] = 0;
  }
  return state;
}

/// Three steps by fused and separate kernels, and in single precision, from the state of the
/// reference, give what the reference comes to. `stored(reference)` are its values as kernels store
/// them. Returns the state of the fused kernels.
template <class Stored>
PhaseSpace<Space, double> expect_steps_of(ReferenceStep& reference,
                                          const StepContext<Space>& context, const PhaseGrid& grid,
                                          const Stored& stored) {
  auto fused = make_phase_space<Space, double>(grid);
  auto separate = make_phase_space<Space, double>(grid);
  auto single = make_phase_space<Space, float>(grid);
  const std::vector<double> start = stored(reference);
  upload(fused, start);
  upload(separate, start);
  upload(single, start);
  for (int step = 0; step < 3; ++step) {
    reference.stream();
    reference.collide();
    update_wall_density(context, fused);
    stream_collide(context, fused);
    update_wall_density(context, single);
    stream_collide(context, single);
    update_wall_density(context, separate);
    stream(context, separate);
    collide(context, separate);
  }
  EXPECT_LT(largest_difference(download(fused), stored(reference)), 1e-13);
  EXPECT_LT(largest_difference(download(fused), download(separate)), 1e-15);
  EXPECT_LT(largest_difference(download(single), stored(reference)), 3e-6);
  return fused;
}

}  // namespace knudsen::bgkw::test
