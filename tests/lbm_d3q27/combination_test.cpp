// All combinations of sides, opposite each other and beside each other, with and without solids at
// them: slots have one owner, all schemes give the same flow, and flows with an exact solution are
// found.

#include <gtest/gtest.h>

#include <map>

#include "core/error.hpp"
#include "lattice_runner.hpp"
#include "methods/lbm_d3q27/node_update.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

struct Scheme {
  Propagation propagation;
  bool sparse;
  const char* name;
};
constexpr Scheme schemes[]{{Propagation::two_array, false, "two-array"},
                           {Propagation::aa_pattern, false, "aa-pattern"},
                           {Propagation::esoteric_pull, false, "esoteric-pull"},
                           {Propagation::esoteric_twist, false, "esoteric-twist"},
                           {Propagation::esoteric_twist, true, "sparse esoteric-twist"}};

/// A condition of this kind with values that tell the sides apart. Sides across x and y differ in
/// whether they let sound out.
SideCondition condition(SideKind kind, int side) {
  SideCondition found{kind, {0, 0, 0}, false, 1, 0};
  const int axis = axis_of(side);
  const auto a = static_cast<std::size_t>(axis);
  if (kind == SideKind::wall) found.velocity[(a + 1) % 3] = 0.01 * side;
  if (kind == SideKind::velocity) {
    found.velocity = {0.01, -0.01, 0.02};
    found.velocity[a] = 0.03 - 0.01 * (side % 2);
    found.parabolic = side % 2 == 0;
  }
  if (kind == SideKind::pressure) found.density = 1 + 0.004 * (side - 2);
  if (kind != SideKind::wall && kind != SideKind::periodic && axis == 1) found.mean_rate = 0.01;
  return found;
}

/// The pairs of sides that an axis may have: both periodic, or any of three kinds at either end.
std::vector<std::array<SideKind, 2>> axis_pairs() {
  std::vector<std::array<SideKind, 2>> pairs{{SideKind::periodic, SideKind::periodic}};
  for (const SideKind low : {SideKind::wall, SideKind::velocity, SideKind::pressure}) {
    for (const SideKind high : {SideKind::wall, SideKind::velocity, SideKind::pressure}) {
      pairs.push_back({low, high});
    }
  }
  return pairs;
}

/// Calls body(domain, number) for all 1000 choices of sides. Wall treatment, solids and size change
/// from one to the next, with periods that have no common divisor with those of the sides.
template <class Body>
void for_domains(const Body& body) {
  const auto pairs = axis_pairs();
  int number = 0;
  for (const auto& x : pairs) {
    for (const auto& y : pairs) {
      for (const auto& z : pairs) {
        ++number;
        Domain domain;
        constexpr std::array<int, 3> sizes[]{{5, 4, 3}, {1, 3, 4}, {3, 2, 1}, {2, 1, 5},
                                             {7, 3, 2}, {3, 5, 1}, {2, 2, 2}};
        domain.nodes = sizes[number % 7];
        const auto body_of_nodes = number % 3 == 0
                                       ? std::vector<std::int16_t>()
                                       : random_solids(domain.nodes, 0.2, 2, unsigned(number));
        domain.body = &body_of_nodes;
        domain.body_velocities = {{0, 0, 0}, {0.01, -0.02, 0.01}};
        const std::array<SideKind, 6> kinds{x[0], x[1], y[0], y[1], z[0], z[1]};
        std::string names;
        for (int side = 0; side < 6; ++side) {
          domain.sides[std::size_t(side)] = condition(kinds[std::size_t(side)], side);
          names += std::to_string(static_cast<int>(kinds[std::size_t(side)]));
        }
        domain.treatment = static_cast<WallTreatment>(number % 11 % 3);
        domain.wall_distance = [](int i, int j, int k, int q, int) {
          return 0.05 + ((i * 7 + j * 13 + k * 29 + q * 3) % 10) * 0.1;
        };
        SCOPED_TRACE("sides " + names + ", walls " +
                     std::to_string(static_cast<int>(domain.treatment)) + ", number " +
                     std::to_string(number));
        try {
          make_node_map(domain, false, false, 1);
        } catch (const InputError&) {
          continue;  // no fluid node, or all of them isolated
        }
        body(domain, number);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

InitialFlow noise() {
  InitialFlow flow;
  flow.kind = InitialKind::noise;
  flow.velocity[0] = 0.02;
  flow.seed = 5;
  return flow;
}

CollisionParameters<double> rates() {
  CollisionParameters<double> parameters{1.6};
  parameters.antisymmetric_rate = 1.1;
  parameters.force[1] = -1e-4;
  return parameters;
}

/// No node loads or stores in a step what another one stores.
template <class LatticeType>
void expect_one_owner(const Domain& domain, const Scheme& scheme) {
  const NodeMap map =
      make_node_map(domain, scheme.sparse, scheme.propagation == Propagation::two_array,
                    row_multiple<typename LatticeType::Precision>);
  EXPECT_NO_THROW(require_slot_owners(map));
  if (scheme.propagation == Propagation::two_array) return;  // each node stores at its own place
  const auto lattice = make_lattice<LatticeType>(map, scheme.propagation,
                                                 default_tuning<LatticeType>(scheme.sparse));
  for (const int parity : {0, 1}) {
    std::map<std::size_t, std::uint64_t> stored;
    for (const bool loading : {false, true}) {
      for (std::uint64_t n = 0; n < map.count; ++n) {
        if (!map.is_fluid(n)) continue;
        const bool plain = LatticeType::bit(lattice.plain, NodeIndex(n));
        const std::uint32_t cut = plain ? 0 : lattice.special_node(NodeIndex(n)).cut;
        lattice.with_stencil(NodeIndex(n), [&](const auto& stencil) {
          for (int q = 0; q < 27; ++q) {
            const bool twin = loading && ((cut >> q) & 1) != 0;
            const std::size_t slot = incoming_slot(lattice, stencil, parity, q, twin);
            if (!loading) {
              EXPECT_TRUE(stored.emplace(slot, n).second) << scheme.name << ", node " << n;
            } else if (const auto owner = stored.find(slot); owner != stored.end()) {
              EXPECT_EQ(owner->second, n) << scheme.name << ", population " << q;
            }
          }
        });
      }
    }
  }
}

TEST(SideCombinations3D, EverySlotHasOneOwner) {
  using HostLattice = Lattice<HostExecutionSpace, DoublePrecision, D3Q27>;
  int domains = 0;
  for_domains([&](const Domain& domain, int) {
    ++domains;
    for (const Scheme& scheme : schemes) expect_one_owner<HostLattice>(domain, scheme);
  });
  EXPECT_GT(domains, 900);
}

TEST(SideCombinations3D, ACutLinkToAFluidNodeIsADefect) {
  Domain domain;
  domain.nodes = {4, 3, 3};
  for (const bool sparse : {false, true}) {
    NodeMap map = make_node_map(domain, sparse, false, 1);
    const std::uint64_t n = map.index(1, 1, 1);
    map.plain[n / 32] &= ~(std::uint32_t{1} << (n % 32));
    map.special.push_back({static_cast<NodeIndex>(n), 2, 0, BoundaryKind::walls});
    EXPECT_THROW(require_slot_owners(map), std::logic_error);
  }
}

template <class Precision, class Velocities, class Operator>
void expect_the_same_flow(double tolerance, int stride) {
  for_domains([&](const Domain& case_domain, int number) {
    if (number % stride != 0) return;
    Domain domain = case_domain;
    domain.populations = Velocities::populations;
    std::array<std::vector<double>, 4> expected;
    for (const Scheme& scheme : schemes) {
      Runner<Lattice<TestSpace, Precision, Velocities>> runner(
          domain, scheme.propagation, scheme.sparse, rates(), Operator::name, noise());
      runner.advance(5);
      const auto flow = runner.flow();
      if (expected[0].empty()) expected = flow;
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_LT(largest_difference(flow[i], expected[i]), tolerance)
            << scheme.name << ", quantity " << i;
      }
    }
  });
}

TEST(SideCombinations3D, AllSchemesGiveTheSameFlow) {
  expect_the_same_flow<DoublePrecision, D3Q27, Trt>(1e-14, 1);
}
TEST(SideCombinations3D, AllSchemesGiveTheSameFlowOnD3Q19) {
  expect_the_same_flow<DoublePrecision, D3Q19, Bgk>(1e-14, 3);
}
TEST(SideCombinations3D, AllSchemesGiveTheSameFlowInSinglePrecision) {
  expect_the_same_flow<SinglePrecision, D3Q27, Cumulant>(4e-6, 7);
}

/// Plane Couette flow between a wall at rest half a spacing outside and a velocity side, whose
/// velocity along itself holds at the outermost nodes.
TEST(SideCombinations3D, CouetteFlowBetweenAWallAndAVelocitySide) {
  constexpr int n = 6;
  constexpr double speed = 0.02;
  for (int side = 0; side < 6; ++side) {
    const auto axis = std::size_t(axis_of(side));
    const std::size_t along = (axis + 1) % 3;
    Domain domain;
    domain.nodes = {2, 2, 2};
    domain.nodes[axis] = n;
    domain.treatment = WallTreatment::half_way;
    domain.sides[std::size_t(side)] = condition(SideKind::velocity, side);
    domain.sides[std::size_t(side)].parabolic = false;
    domain.sides[std::size_t(side)].mean_rate = 0;
    domain.sides[std::size_t(side)].velocity = {0, 0, 0};
    domain.sides[std::size_t(side)].velocity[along] = speed;
    domain.sides[std::size_t(side ^ 1)] = wall();
    for (const Scheme& scheme : schemes) {
      CollisionParameters<double> parameters{1.0};
      parameters.antisymmetric_rate = 1.0;
      Runner<Lattice<TestSpace, DoublePrecision, D3Q27>> runner(
          domain, scheme.propagation, scheme.sparse, parameters, Trt::name, {});
      runner.advance(1500);
      const auto flow = runner.flow();
      std::size_t i = 0;
      for (int z = 0; z < domain.nodes[2]; ++z) {
        for (int y = 0; y < domain.nodes[1]; ++y) {
          for (int x = 0; x < domain.nodes[0]; ++x, ++i) {
            const int at[3]{x, y, z};
            const int from_wall = side % 2 == 1 ? at[axis] : n - 1 - at[axis];
            EXPECT_NEAR(flow[1 + along][i], speed * (from_wall + 0.5) / (n - 0.5), 1e-10)
                << scheme.name << ", side " << side;
            EXPECT_NEAR(flow[1 + axis][i], 0, 1e-10) << scheme.name << ", side " << side;
          }
        }
      }
    }
  }
}

/// Fluid at rest at the density of a pressure side stays at rest before a closed end.
TEST(SideCombinations3D, AClosedEndStaysAtRest) {
  for (int side = 0; side < 6; ++side) {
    Domain domain;
    domain.nodes = {4, 5, 3};
    for (SideCondition& other : domain.sides) other = wall();
    domain.sides[std::size_t(side)] = {SideKind::pressure, {0, 0, 0}, false, 1, 0};
    for (const Scheme& scheme : schemes) {
      Runner<Lattice<TestSpace, DoublePrecision, D3Q27>> runner(
          domain, scheme.propagation, scheme.sparse, CollisionParameters<double>{1.6},
          Cumulant::name, {});
      runner.advance(50);
      for (const auto& values : runner.flow()) {
        for (const double value : values) EXPECT_NEAR(value, 0, 1e-15) << scheme.name;
      }
    }
  }
}

}  // namespace
}  // namespace knudsen::lbm_d3q27
