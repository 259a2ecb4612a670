#include <gtest/gtest.h>

#include <numbers>

#include "gas_box.hpp"

// Streaming of second order; reflecting sides and reservoirs with either order.

namespace knudsen::boltzmann {
namespace {

using test::Cells;
using test::Space;

SideCondition wall(double accommodation, std::array<double, 3> velocity, double temperature) {
  return {SideKind::wall, accommodation, {1, velocity, temperature}};
}

/// Boxes with cells of different widths and every kind of side.
PhaseGrid box(int dimensions, int order, Limiter limiter) {
  PhaseGrid grid;
  grid.dimensions = dimensions;
  grid.order = order;
  grid.limiter = limiter;
  grid.velocities = {stretched_axis(-3, 3, 4, 1.5), stretched_axis(-2.8, 2.8, 6, 1.2),
                     uniform_axis(-3, 3, 6)};
  grid.widths = {std::vector<double>{0.3, 0.2, 0.25, 0.1, 0.4, 0.3}, {}, {}};
  // Longer than the strips that a thread walks over.
  if (dimensions > 1) {
    grid.widths[1].resize(19, 0.2);
    for (std::size_t y = 0; y < 19; y += 2) grid.widths[1][y] = 0.25;
  }
  if (dimensions > 2) grid.widths[2] = {0.3, 0.4, 0.2};
  grid.time_step = 0.01;
  if (dimensions == 1) {
    grid.sides[west] = wall(0.6, {0, 0.2, 0.1}, 1.1);
    grid.sides[east] = {SideKind::reservoir, 1, {1.1, {0.1, 0, 0.2}, 0.9}};
  } else {
    grid.sides[south] = wall(0.7, {0.3, 0, -0.1}, 1.2);
    grid.sides[north] = {SideKind::symmetry, 1, {}};
  }
  if (dimensions > 2) {
    grid.sides[west] = wall(1, {0, 0.1, 0}, 1.1);
    grid.sides[east] = wall(0, {0, 0, 0}, 1);
    grid.sides[bottom] = wall(0.5, {0.1, 0.1, 0}, 1);
    grid.sides[top] = {SideKind::reservoir, 1, {0.9, {}, 1}};
  }
  return grid;
}

/// One step along one axis written down for one line of cells and one velocity at a time.
class Reference {
 public:
  Reference(const PhaseGrid& grid, double scale, bool linear)
      : grid_(grid), nodes_(test::nodes(grid.velocities)), scale_(scale), linear_(linear) {}

  /// Along all axes at once from the same values (first order), or along one.
  Cells streamed(const Cells& h, std::size_t first_axis, std::size_t last_axis) const {
    Cells result = h;
    for (std::size_t axis = first_axis; axis <= last_axis; ++axis) {
      const std::size_t n = grid_.widths[axis].size();
      const std::size_t stride = axis == 0   ? 1
                                 : axis == 1 ? grid_.widths[0].size()
                                             : grid_.widths[0].size() * grid_.widths[1].size();
      for (std::size_t start = 0; start < h.size(); ++start) {
        if (start / stride % n != 0) continue;
        std::vector<const std::vector<double>*> line;
        for (std::size_t i = 0; i < n; ++i) line.push_back(&h[start + i * stride]);
        const auto fluxes = face_values(line, axis);
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t v = 0; v < nodes_.size(); ++v) {
            result[start + i * stride][v] -= nodes_[v].v[axis] * grid_.time_step /
                                             grid_.widths[axis][i] *
                                             (fluxes[i + 1][v] - fluxes[i][v]);
          }
        }
      }
    }
    return result;
  }

 private:
  using Line = std::vector<const std::vector<double>*>;

  static double limited(Limiter limiter, double a, double b, double far_share) {
    if (limiter == Limiter::none) return far_share * a + (1 - far_share) * b;
    if (a * b <= 0) return 0;
    if (limiter == Limiter::van_leer) return 2 * a * b / (a + b);
    return std::abs(a) < std::abs(b) ? a : b;
  }

  /// Slope at cell i of the side towards i + step: per length.
  double slope(const Line& line, std::size_t axis, std::size_t v, int i, int step,
               const std::vector<double>* incoming, double* distance) const {
    const auto& w = grid_.widths[axis];
    const int n = static_cast<int>(w.size());
    const auto at = [&](int k) { return static_cast<std::size_t>((k + n) % n); };
    const double here = (*line[at(i)])[v];
    if (incoming != nullptr && (i + step < 0 || i + step >= n)) {
      *distance = 0.5 * w[at(i)];
      return ((*incoming)[v] - here) / *distance;
    }
    *distance = 0.5 * (w[at(i)] + w[at(i + step)]);
    return ((*line[at(i + step)])[v] - here) / *distance;
  }

  /// What leaves cell i downstream.
  double leaving(const Line& line, std::size_t axis, std::size_t v, int i,
                 const std::vector<double>* incoming) const {
    const auto& w = grid_.widths[axis];
    const int n = static_cast<int>(w.size());
    const double velocity = nodes_[v].v[axis];
    const int down = velocity < 0 ? -1 : 1;
    const double here = (*line[static_cast<std::size_t>(i)])[v];
    if (grid_.order == 1) return here;
    const bool periodic = grid_.sides[2 * axis].kind == SideKind::periodic;
    double behind = 0;
    double ahead = 0;
    const double a = -slope(line, axis, v, i, -down, incoming, &behind);
    double change = a;
    if (periodic || (i + down >= 0 && i + down < n)) {
      const double b = slope(line, axis, v, i, down, nullptr, &ahead);
      change = limited(grid_.limiter, a, b, ahead / (ahead + behind));
    }
    const double width = w[static_cast<std::size_t>(i)];
    return here + 0.5 * (width - std::abs(velocity) * grid_.time_step) * change;
  }

  /// At the n + 1 faces of a line.
  Cells face_values(const Line& line, std::size_t axis) const {
    const int n = static_cast<int>(line.size());
    const auto count = nodes_.size();
    const bool periodic = grid_.sides[2 * axis].kind == SideKind::periodic;
    Cells incoming(2, std::vector<double>(count));
    for (std::size_t end = 0; end < 2 && !periodic; ++end) {
      const SideCondition& side = grid_.sides[2 * axis + end];
      const double outwards = end == 0 ? -1 : 1;
      std::vector<double> out(count, 0);
      for (std::size_t v = 0; v < count; ++v) {
        // Cells here are at least two: what comes in at the other end does not matter.
        if (outwards * nodes_[v].v[axis] > 0) {
          out[v] = leaving(line, axis, v, end == 0 ? 0 : n - 1, nullptr);
        }
      }
      double mass = 0;
      double gain = 0;
      const auto emitted = [&](std::size_t v) {
        const auto& node = nodes_[v].v;
        return gas_deviation(side.state, {node[0], node[1], node[2]}, scale_, linear_);
      };
      for (std::size_t v = 0; v < count; ++v) {
        const double speed = outwards * nodes_[v].v[axis];
        const double weight = nodes_[v].weight;
        mass += weight * speed * (speed > 0 ? out[v] : emitted(v));
        if (speed < 0) gain -= weight * speed * (linear_ ? 1 : 1 + scale_ * emitted(v));
      }
      const double share = side.kind == SideKind::symmetry ? 0 : side.accommodation;
      for (std::size_t v = 0; v < count; ++v) {
        if (outwards * nodes_[v].v[axis] > 0) continue;
        double value = emitted(v);
        if (side.kind != SideKind::reservoir) {
          value += mass / gain * (linear_ ? 1 : 1 + scale_ * value);
          value = share * value + (1 - share) * out[mirror(v, axis)];
        }
        incoming[end][v] = value;
      }
    }
    Cells faces(static_cast<std::size_t>(n) + 1, std::vector<double>(count));
    for (int face = 0; face <= n; ++face) {
      for (std::size_t v = 0; v < count; ++v) {
        const bool right = nodes_[v].v[axis] > 0;
        int cell = right ? face - 1 : face;
        const auto* from = periodic ? nullptr : &incoming[right ? 0 : 1];
        const bool beyond = cell < 0 || cell >= n;
        cell = (cell + n) % n;
        faces[static_cast<std::size_t>(face)][v] =
            beyond && !periodic ? (*from)[v] : leaving(line, axis, v, cell, from);
      }
    }
    return faces;
  }

  std::size_t mirror(std::size_t v, std::size_t axis) const {
    for (std::size_t w = 0; w < nodes_.size(); ++w) {
      bool same = true;
      for (std::size_t d = 0; d < 3; ++d) {
        const double wanted = d == axis ? -nodes_[v].v[d] : nodes_[v].v[d];
        same = same && std::abs(nodes_[w].v[d] - wanted) < 1e-12;
      }
      if (same) return w;
    }
    throw std::logic_error("no mirror image");
  }

  const PhaseGrid& grid_;
  std::vector<test::Node> nodes_;
  double scale_;
  bool linear_;
};

template <class Real>
void check(const PhaseGrid& grid, bool linear, double tolerance) {
  const double scale = 0.3;
  auto state = make_state<Space, Real>(grid, scale, linear);
  const auto h = test::arbitrary(static_cast<std::size_t>(state.cell_count()),
                                 test::nodes(grid.velocities).size());
  const Reference reference(grid, scale, linear);
  const auto context = test::context_for({});
  const auto dimensions = static_cast<std::size_t>(grid.dimensions);
  for (std::size_t axis = 0; axis < (grid.order == 1 ? 1 : dimensions); ++axis) {
    test::upload(h, state);
    update_wall_density(context, state);
    if (grid.order == 1) {
      stream(context, state);
    } else {
      stream_along(context, state, static_cast<int>(axis));
    }
    const auto found = test::download(state);
    const auto expected = reference.streamed(h, axis, grid.order == 1 ? dimensions - 1 : axis);
    for (std::size_t cell = 0; cell < found.size(); ++cell) {
      for (std::size_t v = 0; v < found[cell].size(); ++v) {
        ASSERT_NEAR(found[cell][v], expected[cell][v], tolerance)
            << "axis " << axis << ", cell " << cell << ", velocity " << v;
      }
    }
  }
}

TEST(Sides, OfEveryKindWithFirstOrder) {
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    check<double>(box(dimensions, 1, Limiter::none), dimensions == 2, 1e-13);
    check<float>(box(dimensions, 1, Limiter::none), dimensions == 1, 3e-6);
  }
}

TEST(SecondOrder, IsTheFormulaWithEveryLimiter) {
  for (const Limiter limiter : {Limiter::none, Limiter::van_leer, Limiter::minmod}) {
    for (int dimensions = 1; dimensions <= 3; ++dimensions) {
      check<double>(box(dimensions, 2, limiter), dimensions == 2, 1e-12);
      check<float>(box(dimensions, 2, limiter), dimensions == 1, 1e-5);
    }
  }
}

TEST(SecondOrder, KeepsTheMassBetweenWalls) {
  for (const Limiter limiter : {Limiter::none, Limiter::van_leer}) {
    PhaseGrid grid = box(3, 2, limiter);
    grid.sides[top] = wall(0.2, {0, 0, 0}, 1.1);
    auto state = make_state<Space, double>(grid, 0.3, false);
    const auto nodes = test::nodes(grid.velocities);
    const std::size_t nx = grid.widths[0].size();
    const std::size_t ny = grid.widths[1].size();
    const auto mass = [&](const Cells& h) {
      double sum = 0;
      for (std::size_t cell = 0; cell < h.size(); ++cell) {
        sum += grid.widths[0][cell % nx] * grid.widths[1][cell / nx % ny] *
               grid.widths[2][cell / nx / ny] * test::invariants_of(nodes, h[cell])[0];
      }
      return sum;
    };
    const auto h = test::arbitrary(static_cast<std::size_t>(state.cell_count()), nodes.size());
    test::upload(h, state);
    const auto context = test::context_for({});
    for (int step = 0; step < 12; ++step) {
      update_wall_density(context, state);
      stream_along(context, state, step % 3);
    }
    EXPECT_NEAR(mass(test::download(state)), mass(h), 1e-12);
  }
}

/// Error (root of the mean square) of a periodic wave that streams freely for a fixed time, in
/// cells whose widths change by a quarter.
double wave_error(int dimensions, int cells, int order, Limiter limiter) {
  PhaseGrid grid;
  grid.dimensions = dimensions;
  grid.order = order;
  grid.limiter = limiter;
  grid.velocities = {uniform_axis(-3, 3, 4), uniform_axis(-3, 3, 2), uniform_axis(-3, 3, 2)};
  const auto edge = [&](int i) {
    const double x = double(i) / cells;
    return x + std::sin(2 * std::numbers::pi * x) / (16 * std::numbers::pi);
  };
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
    for (int i = 0; i < cells; ++i) grid.widths[d].push_back(edge(i + 1) - edge(i));
  }
  const int steps = cells * (dimensions == 1 ? 2 : 4);
  const double time = 0.3;
  grid.time_step = time / steps;
  auto state = make_state<Space, double>(grid, 1, true);
  const auto nodes = test::nodes(grid.velocities);
  const auto exact = [&](double now) {
    Cells h(static_cast<std::size_t>(state.cell_count()), std::vector<double>(nodes.size()));
    for (int cell = 0; cell < state.cell_count(); ++cell) {
      const Cell at = make_cell(state, cell);
      for (std::size_t v = 0; v < nodes.size(); ++v) {
        double phase = 0;
        for (int d = 0; d < dimensions; ++d) {
          phase += 0.5 * (edge(at.at[d]) + edge(at.at[d] + 1)) - nodes[v].v[d] * now;
        }
        h[static_cast<std::size_t>(cell)][v] = std::sin(2 * std::numbers::pi * phase);
      }
    }
    return h;
  };
  test::upload(exact(0), state);
  const auto context = test::context_for({});
  for (int step = 0; step < steps; ++step) {
    if (order == 1) {
      stream(context, state);
      continue;
    }
    for (int pass = 0; pass < dimensions; ++pass) {
      stream_along(context, state, step % 2 == 0 ? pass : dimensions - 1 - pass);
    }
  }
  const Cells found = test::download(state);
  const Cells wanted = exact(time);
  double sum = 0;
  for (std::size_t cell = 0; cell < found.size(); ++cell) {
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      sum += std::pow(found[cell][v] - wanted[cell][v], 2);
    }
  }
  return std::sqrt(sum / double(found.size() * nodes.size()));
}

TEST(SecondOrder, ErrorsFallWithTheSquareOfTheWidth) {
  const auto order = [](int dimensions, int cells, int of, Limiter limiter) {
    return std::log2(wave_error(dimensions, cells, of, limiter) /
                     wave_error(dimensions, 2 * cells, of, limiter));
  };
  EXPECT_NEAR(order(1, 128, 1, Limiter::none), 1, 0.15);
  EXPECT_NEAR(order(1, 64, 2, Limiter::none), 2, 0.1);
  EXPECT_NEAR(order(2, 32, 2, Limiter::none), 2, 0.15);
  EXPECT_GT(order(3, 10, 2, Limiter::none), 1.8);
  // Limiters clip the extrema, which costs some of the order.
  EXPECT_GT(order(1, 128, 2, Limiter::van_leer), 1.6);
  EXPECT_GT(order(1, 128, 2, Limiter::minmod), 1.5);
}

/// Without collisions, which are symmetric in the mean only.
TEST(Sides, SymmetryIsTheOtherHalf) {
  for (const int order : {1, 2}) {
    // With order 2 slopes end at a side, so the two agree to that order.
    const double tolerance = order == 1 ? 1e-13 : 2e-2;
    PhaseGrid whole;
    whole.order = order;
    whole.velocities = {stretched_axis(-3, 3, 8, 1.5), uniform_axis(-3, 3, 4),
                        uniform_axis(-3, 3, 4)};
    whole.widths[0] = {0.1, 0.15, 0.25, 0.25, 0.15, 0.1};
    whole.time_step = 0.02;
    whole.sides[west] = whole.sides[east] = wall(0.8, {0, 0.2, 0}, 1.1);
    PhaseGrid half = whole;
    half.widths[0].resize(3);
    half.sides[east] = {SideKind::symmetry, 1, {}};
    Collision collision;
    const auto context = test::context_for(collision);
    const auto run = [&](const PhaseGrid& grid) {
      auto state = make_state<Space, double>(grid, 0.2, false);
      for (int step = 0; step < 30; ++step) {
        update_wall_density(context, state);
        if (order == 1) {
          stream(context, state);
        } else {
          stream_along(context, state, 0);
        }
      }
      return std::pair{deviations(context, state), wall_fluxes(context, state, west)};
    };
    const auto [all, force] = run(whole);
    const auto [some, half_force] = run(half);
    EXPECT_NE(some[2].velocity[1], 0);
    for (std::size_t cell = 0; cell < 3; ++cell) {
      EXPECT_NEAR(some[cell].velocity[1], all[cell].velocity[1], tolerance);
      EXPECT_NEAR(some[cell].temperature, all[cell].temperature, tolerance);
    }
    for (std::size_t n = 0; n < 5; ++n) EXPECT_NEAR(half_force[0][n], force[0][n], tolerance);
    EXPECT_NEAR(force[0][0], 0, 1e-14);
  }
}

TEST(Sides, ReservoirsHoldTheirGas) {
  for (const int order : {1, 2}) {
    PhaseGrid grid;
    grid.order = order;
    grid.velocities = test::velocities();
    grid.widths[0] = {0.1, 0.15, 0.25, 0.2};
    grid.time_step = 0.02;
    const GasState gas{1.2, {0.1, -0.2, 0}, 0.9};
    grid.sides[west] = grid.sides[east] = {SideKind::reservoir, 1, gas};
    auto state = make_state<Space, double>(grid, 0.2, false);
    const auto context = test::context_for({0.2, {}, {}, {}, {}});
    initialise(context, grid, 0.2, state, [&](const Cell&) { return gas; });
    const Cells before = test::download(state);
    update_wall_density(context, state);
    if (order == 1) {
      stream(context, state);
    } else {
      stream_along(context, state, 0);
    }
    const Cells after = test::download(state);
    for (std::size_t cell = 0; cell < before.size(); ++cell) {
      for (std::size_t v = 0; v < before[cell].size(); ++v) {
        ASSERT_NEAR(after[cell][v], before[cell][v], 1e-14);
      }
    }
    const auto inflow = wall_fluxes(context, state, west);
    const auto outflow = wall_fluxes(context, state, east);
    EXPECT_NEAR(inflow[0][0], -outflow[0][0], 1e-14);
    EXPECT_GT(outflow[0][0], 0);
  }
}

}  // namespace
}  // namespace knudsen::boltzmann
