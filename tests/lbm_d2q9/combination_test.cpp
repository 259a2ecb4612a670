// All combinations of sides, opposite each other and beside each other, with and without solids at
// them: slots have one owner, every scheme follows the serial reference, and flows with an exact
// solution are found.

#include <gtest/gtest.h>

#include <map>

#include "core/error.hpp"
#include "device/streaming_store.hpp"
#include "lbm_d2q9/stepped_lattice.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

constexpr std::array<Propagation, 3> schemes{Propagation::in_place, Propagation::two_array,
                                             Propagation::shared_memory};
const char* name_of(Propagation propagation) {
  return propagation == Propagation::in_place    ? "in-place"
         : propagation == Propagation::two_array ? "two-array"
                                                 : "shared-memory";
}
const char* name_of(SideKind kind) {
  constexpr const char* names[]{"periodic", "wall", "velocity", "pressure", "outflow"};
  return names[static_cast<int>(kind)];
}
bool is_open(const SideCondition& side) {
  return side.kind != SideKind::periodic && side.kind != SideKind::wall;
}

/// A condition of this kind with values that tell the four sides apart.
SideCondition condition(SideKind kind, Side side) {
  const double number = static_cast<int>(side);
  const double along = 0.02 + 0.01 * number;
  const double inward = side == west || side == south ? 0.03 : -0.02;
  const bool across_x = side == west || side == east;
  switch (kind) {
    case SideKind::periodic:
      return {};
    case SideKind::wall:
      return across_x ? wall(0, along) : wall(along);
    case SideKind::velocity:
      return across_x ? inlet(inward, 0.01, side == west) : inlet(0.01, inward, side == north);
    case SideKind::pressure:
      return pressure(1 + 0.01 * (number - 1.5));
    case SideKind::outflow:
      return outflow();
  }
  return {};
}

enum class Solids { none, anywhere, away_from_sides };

/// Every allowed choice of the four sides: a periodic side only opposite a periodic one.
std::vector<std::array<SideKind, 4>> all_sides() {
  constexpr SideKind kinds[]{SideKind::periodic, SideKind::wall, SideKind::velocity,
                             SideKind::pressure, SideKind::outflow};
  std::vector<std::array<SideKind, 4>> all;
  const auto allowed = [](SideKind low, SideKind high) {
    return (low == SideKind::periodic) == (high == SideKind::periodic);
  };
  for (const SideKind w : kinds) {
    for (const SideKind s : kinds) {
      for (const SideKind e : kinds) {
        for (const SideKind n : kinds) {
          if (allowed(w, e) && allowed(s, n)) all.push_back({w, e, s, n});
        }
      }
    }
  }
  return all;
}

/// Calls body(scenario, number) for each combination of sides, wall treatment, solids and three
/// sizes that a case may have: tiny, odd, and wide enough for nodes far from all sides. Collision
/// operator and forcing change from one to the next.
template <class Body>
void for_scenarios(const Body& body) {
  int number = 0;
  for (const auto& kinds : all_sides()) {
    for (const WallTreatment treatment :
         {WallTreatment::half_way, WallTreatment::full_way, WallTreatment::interpolated}) {
      for (const Solids solids : {Solids::none, Solids::anywhere, Solids::away_from_sides}) {
        for (int size = 0; size < 3; ++size, ++number) {
          std::array<SideCondition, 4> sides;
          for (const Side side : {west, east, south, north}) {
            sides[side] = condition(kinds[side], side);
          }
          // An open side needs three nodes across.
          const bool open_x = is_open(sides[west]) || is_open(sides[east]);
          const bool open_y = is_open(sides[south]) || is_open(sides[north]);
          constexpr int tiny[]{1, 5, 8};
          constexpr int open[]{3, 5, 8};
          Scenario scenario =
              empty_domain((open_x ? open : tiny)[size], (open_y ? open : tiny)[2 - size]);
          scenario.sides = sides;
          scenario.treatment = treatment;
          if (treatment == WallTreatment::interpolated) {
            scenario.distance = [](int x, int y, int q, int) {
              return ((7 * x + 13 * y + 5 * q) % 11) / 10.0;
            };
          }
          if (solids != Solids::none) scatter_solids(scenario, solids == Solids::anywhere ? 0 : 2);
          if (number % 2 == 1) use_trt(scenario);
          if (number % 3 == 1) push(scenario, Forcing::guo);
          if (number % 3 == 2) push(scenario, Forcing::velocity_shift);
          SCOPED_TRACE(std::string(name_of(kinds[0])) + ", " + name_of(kinds[1]) + ", " +
                       name_of(kinds[2]) + ", " + name_of(kinds[3]) + "; walls " +
                       std::to_string(static_cast<int>(treatment)) + ", solids " +
                       std::to_string(static_cast<int>(solids)) + ", " +
                       std::to_string(scenario.nx) + " x " + std::to_string(scenario.ny));
          try {
            scenario.map();
          } catch (const InputError&) {
            continue;  // a solid where an open side takes its values from, or no fluid at all
          }
          body(scenario, number);
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST(SideCombinations, EverySlotHasOneOwner) {
  int scenarios = 0;
  for_scenarios([&](const Scenario& scenario, int) {
    ++scenarios;
    const NodeMap map = scenario.map();
    EXPECT_NO_THROW(require_slot_owners(map));
    for (const Arrangement arrangement : {Arrangement::gather, Arrangement::scatter,
                                          Arrangement::in_place_even, Arrangement::in_place_odd}) {
      std::map<std::size_t, int> owner;
      for (int y = 0; y < map.extents.ny; ++y) {
        for (int x = 0; x < map.extents.nx; ++x) {
          const NodeClass<double>& node = map.classes[map.node_class[map.extents.node(x, y)]];
          if (node.kind == NodeKind::solid) continue;
          for (int q = 0; q < 9; ++q) {
            const bool cut = ((node.cut >> q) & 1) != 0;
            const int here = y * map.extents.nx + x;
            const auto [entry, is_new] =
                owner.emplace(incoming_slot(arrangement, map.extents, q, x, y, cut), here);
            EXPECT_TRUE(is_new) << "nodes " << entry->second << " and " << here << ", population "
                                << q << ", arrangement " << static_cast<int>(arrangement);
          }
        }
      }
    }
  });
  EXPECT_GT(scenarios, 5000);
}

TEST(SideCombinations, ALinkCutAtOneEndIsADefect) {
  Scenario scenario = empty_domain(4, 4);
  scenario.sides[south] = wall();
  scenario.sides[north] = inlet(0.1, 0);
  NodeMap map = scenario.map();
  for (NodeClass<double>& node : map.classes) {
    if (node.open_side != 0) node.cut = 0;
  }
  EXPECT_THROW(require_slot_owners(map), std::logic_error);
}

template <class Configuration>
class SideCombinations : public testing::Test {
 protected:
  using Real = typename Configuration::Real;
  static constexpr bool single = std::is_same_v<Real, float>;

  /// Steps a lattice from rest until nothing moves any more, or at most `steps` times.
  static auto at_rest_and_stepped(const Scenario& scenario, Propagation propagation, int steps,
                                  double density = 1, std::array<double, 2> velocity = {0, 0}) {
    SteppedLattice<Configuration> stepped(scenario, propagation, 4);
    InitialFields fields;
    const std::size_t nodes = stepped.map().extents.nodes();
    fields.density_deviation.assign(nodes, density - 1);
    fields.velocity_x.assign(nodes, velocity[0]);
    fields.velocity_y.assign(nodes, velocity[1]);
    initialise(stepped.context, stepped.lattice, fields, stepped.phase().arrangement);
    for (int i = 0; i < steps; ++i) stepped.step();
    const auto values_of = [&](NodeQuantity quantity) {
      return Kokkos::create_mirror_view_and_copy(
          Kokkos::HostSpace(),
          node_values(stepped.context, stepped.lattice, stepped.phase(), quantity));
    };
    return std::tuple{stepped.map(), values_of(NodeQuantity::density_deviation),
                      values_of(NodeQuantity::velocity_x), values_of(NodeQuantity::velocity_y)};
  }

  /// Calls check(x, y, density, u, v) for the nodes of the domain after `steps` steps.
  template <class Check>
  static void expect_flow(const Scenario& scenario, int steps, const Check& check,
                          double density = 1, std::array<double, 2> velocity = {0, 0}) {
    for (const Propagation propagation : schemes) {
      SCOPED_TRACE(name_of(propagation));
      const auto [map, deviation, u, v] =
          at_rest_and_stepped(scenario, propagation, steps, density, velocity);
      for (int y = 0; y < scenario.ny; ++y) {
        for (int x = 0; x < scenario.nx; ++x) {
          const std::size_t i = map.extents.node(x + map.offset[0], y + map.offset[1]);
          check(x, y, 1 + static_cast<double>(deviation(i)), static_cast<double>(u(i)),
                static_cast<double>(v(i)));
        }
      }
    }
  }
};
TYPED_TEST_SUITE(SideCombinations, Configurations);

/// Rounding grows where two sides prescribe a velocity and the mass between them is free.
template <class Configuration>
void expect_like_reference(const Scenario& scenario, int segment, int nodes_per_thread) {
  const double tolerance = std::is_same_v<typename Configuration::Real, float> ? 4e-6 : 1e-14;
  const std::vector<Populations> state = random_state(scenario);
  SerialReference reference(scenario, state);
  for (int step = 0; step < 5; ++step) reference.step();
  for (const Propagation propagation : schemes) {
    SCOPED_TRACE(name_of(propagation));
    SteppedLattice<Configuration> stepped(scenario, propagation, segment, nodes_per_thread);
    stepped.set(state);
    for (int step = 0; step < 5; ++step) stepped.step();
    stepped.copy_to_host();
    double largest = 0;
    for (int y = 0; y < scenario.ny; ++y) {
      for (int x = 0; x < scenario.nx; ++x) {
        if (!reference.is_fluid(x, y)) continue;
        const Populations f = stepped.populations(x, y);
        for (std::size_t q = 0; q < 9; ++q) {
          const double difference = std::fabs(f[q] - reference.populations(x, y)[q]);
          if (!(difference <= largest)) largest = difference;
        }
      }
    }
    EXPECT_LE(largest, tolerance);
  }
}

TYPED_TEST(SideCombinations, AllSchemesFollowTheReference) {
  for_scenarios([&](const Scenario& scenario, int number) {
    expect_like_reference<TypeParam>(scenario, number % 2 == 0 ? 4 : 1024, number % 2 == 0 ? 2 : 4);
  });
}

/// Two arrays that do not fit in the caches are written past them.
TYPED_TEST(SideCombinations, AllSchemesFollowTheReferenceBeyondTheCaches) {
  constexpr int across = 709;
  static_assert(std::size_t{across} * across * 9 * sizeof(float) > cached_bytes);
  for (const bool closed : {false, true}) {
    Scenario scenario = empty_domain(across, across);
    if (closed) {
      scenario.sides = {wall(0, 0.01), wall(), wall(), wall(0.05)};
      for (int x = 100; x < 150; ++x) scenario.body[flat_index(across, x, 100)] = 0;
    }
    expect_like_reference<TypeParam>(scenario, 1024, 4);
  }
}

/// Plane Couette flow between a wall at rest, half a spacing outside, and a side with a prescribed
/// velocity along itself, at the outermost nodes: linear, so exact on any grid.
TYPED_TEST(SideCombinations, CouetteFlowBetweenAWallAndAVelocitySide) {
  constexpr int n = 8;
  constexpr double speed = 0.05;
  for (const Side side : {west, east, south, north}) {
    const bool across_x = side == west || side == east;
    const Side opposite = across_x ? (side == west ? east : west) : (side == south ? north : south);
    for (const WallTreatment treatment : {WallTreatment::half_way, WallTreatment::full_way}) {
      SCOPED_TRACE("velocity side " + std::to_string(side));
      Scenario scenario = across_x ? empty_domain(n, 5) : empty_domain(5, n);
      scenario.treatment = treatment;
      scenario.sides[opposite] = wall();
      scenario.sides[side] = across_x ? inlet(0, speed) : inlet(speed, 0);
      this->expect_flow(scenario, 2000, [&](int x, int y, double, double u, double v) {
        const int from_low = across_x ? x : y;
        const int i = side == east || side == north ? from_low : n - 1 - from_low;
        const double exact = speed * (i + 0.5) / (n - 0.5);
        const double tolerance = this->single ? 2e-6 : 1e-9;
        EXPECT_NEAR(across_x ? v : u, exact, tolerance) << x << ", " << y;
        EXPECT_NEAR(across_x ? u : v, 0, tolerance) << x << ", " << y;
      });
    }
  }
}

/// Between a wall and a pressure side, fluid at rest at the side's density stays at rest. (Starting
/// from another density would excite the lattice's staggered momentum, which nothing damps.)
TYPED_TEST(SideCombinations, AClosedEndStaysAtRestAtThePressureOfTheOtherSide) {
  for (const Side side : {west, east, south, north}) {
    const bool across_x = side == west || side == east;
    const Side opposite = across_x ? (side == west ? east : west) : (side == south ? north : south);
    SCOPED_TRACE("pressure side " + std::to_string(side));
    Scenario scenario = across_x ? empty_domain(7, 4) : empty_domain(4, 7);
    scenario.sides[opposite] = wall();
    scenario.sides[side] = pressure(1.01);
    this->expect_flow(
        scenario, 100,
        [&](int x, int y, double density, double u, double v) {
          const double tolerance = this->single ? 1e-6 : 1e-14;
          EXPECT_NEAR(density, 1.01, tolerance) << x << ", " << y;
          EXPECT_NEAR(u, 0, tolerance) << x << ", " << y;
          EXPECT_NEAR(v, 0, tolerance) << x << ", " << y;
        },
        1.01);
  }
}

/// A uniform flow along x passes through any pair of open sides, and slips along walls that move
/// with it.
TYPED_TEST(SideCombinations, AUniformFlowStaysUniform) {
  constexpr double speed = 0.05;
  for (const SideKind in : {SideKind::velocity, SideKind::outflow}) {
    for (const SideKind out : {SideKind::velocity, SideKind::outflow}) {
      for (const SideKind beside : {SideKind::periodic, SideKind::wall, SideKind::velocity}) {
        SCOPED_TRACE(std::string(name_of(in)) + " to " + name_of(out) + " beside " +
                     name_of(beside));
        Scenario scenario = empty_domain(7, 5);
        const auto make = [&](SideKind kind) -> SideCondition {
          return kind == SideKind::velocity  ? inlet(speed, 0)
                 : kind == SideKind::wall    ? wall(speed)
                 : kind == SideKind::outflow ? outflow()
                                             : SideCondition{};
        };
        scenario.sides = {make(in), make(out), make(beside), make(beside)};
        this->expect_flow(scenario, 50,
                          [&](int x, int y, double density, double u, double v) {
                            const double tolerance = this->single ? 1e-5 : 1e-12;
                            EXPECT_NEAR(density, 1, tolerance) << x << ", " << y;
                            EXPECT_NEAR(u, speed, tolerance) << x << ", " << y;
                            EXPECT_NEAR(v, 0, tolerance) << x << ", " << y;
                          },
                          1, {speed, 0});
      }
    }
  }
}

}  // namespace
}  // namespace knudsen::lbm_d2q9
