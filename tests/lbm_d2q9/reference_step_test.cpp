#include <gtest/gtest.h>

#include <limits>

#include "lbm_d2q9/stepped_lattice.hpp"

// Every streaming scheme on every backend against the serial reference, from a random state.

namespace knudsen::lbm_d2q9 {
namespace {

template <class Configuration>
class ReferenceStep : public testing::Test {
 protected:
  using Real = typename Configuration::Real;
  static constexpr double tolerance = std::is_same_v<Real, float> ? 1e-6 : 2e-15;

  static void expect_same(SteppedLattice<Configuration>& stepped, const SerialReference& reference,
                          const Scenario& scenario) {
    stepped.copy_to_host();
    double largest = 0;
    std::string where;
    for (int y = 0; y < scenario.ny; ++y) {
      for (int x = 0; x < scenario.nx; ++x) {
        if (!reference.is_fluid(x, y)) continue;
        const Populations f = stepped.populations(x, y);
        for (std::size_t q = 0; q < 9; ++q) {
          const double difference = std::fabs(f[q] - reference.populations(x, y)[q]);
          if (!(difference <= largest)) {
            largest = difference;
            where =
                std::to_string(x) + ", " + std::to_string(y) + ", population " + std::to_string(q);
          }
        }
      }
    }
    EXPECT_LE(largest, tolerance) << "node " << where;
  }

  static void expect_same_diagnostics(const SteppedLattice<Configuration>& stepped,
                                      const SerialReference& reference, const Scenario& scenario) {
    const auto forces = body_forces(stepped.context, stepped.lattice, stepped.phase(),
                                    stepped.links, scenario.body_velocities.size());
    const auto expected = reference.body_forces();
    for (std::size_t b = 0; b < expected.size(); ++b) {
      for (std::size_t a = 0; a < 2; ++a) {
        EXPECT_NEAR(forces[b][a], expected[b][a], 50 * tolerance) << "force on body " << b;
      }
    }
    EXPECT_EQ(first_invalid_node(stepped.context, stepped.lattice, stepped.phase()).index, -1);
    const FlowSums sums = flow_sums(stepped.context, stepped.lattice, stepped.phase(), {});
    double mass = 0;
    for (int y = 0; y < scenario.ny; ++y) {
      for (int x = 0; x < scenario.nx; ++x) {
        if (reference.is_fluid(x, y)) mass += reference.density(x, y) - 1;
      }
    }
    EXPECT_NEAR(sums.density_deviation, mass,
                10 * tolerance * static_cast<double>(stepped.map().fluid_nodes));
  }

  static void run(const Scenario& scenario, Propagation propagation, int segment,
                  int nodes_per_thread) {
    const std::vector<Populations> state = random_state(scenario);
    SerialReference reference(scenario, state);
    SteppedLattice<Configuration> stepped(scenario, propagation, segment, nodes_per_thread);
    stepped.set(state);
    for (int step = 0; step < 6; ++step) {
      SCOPED_TRACE(std::to_string(step) + " steps");
      expect_same(stepped, reference, scenario);
      expect_same_diagnostics(stepped, reference, scenario);
      if (testing::Test::HasFailure()) return;
      stepped.step();
      reference.step();
    }
  }

  /// All schemes, with segments that divide the row and that do not, and all widths on a GPU.
  static void run_all(const Scenario& scenario) {
    for (const auto& [segment, width] : {std::pair{1, 1}, {4, 4}, {7, 2}, {1024, 4}}) {
      SCOPED_TRACE(std::to_string(segment) + " nodes a segment");
      {
        SCOPED_TRACE("in place");
        run(scenario, Propagation::in_place, segment, width);
      }
      {
        SCOPED_TRACE("two arrays");
        run(scenario, Propagation::two_array, segment, width);
      }
      {
        SCOPED_TRACE("shared memory");
        run(scenario, Propagation::shared_memory, segment, width);
      }
    }
  }
};

TYPED_TEST_SUITE(ReferenceStep, Configurations);

TYPED_TEST(ReferenceStep, Periodic) { this->run_all(empty_domain(13, 7)); }

TYPED_TEST(ReferenceStep, EveryCollisionAndForce) {
  for (const bool trt : {false, true}) {
    for (const Forcing forcing : {Forcing::none, Forcing::guo, Forcing::velocity_shift}) {
      Scenario scenario = empty_domain(13, 7);
      if (trt) use_trt(scenario);
      if (forcing != Forcing::none) push(scenario, forcing);
      this->run_all(scenario);
    }
  }
}

TYPED_TEST(ReferenceStep, SmallestPeriodicDomains) {
  for (const auto& [nx, ny] : {std::pair{1, 1}, {1, 5}, {5, 1}, {2, 2}, {3, 2}}) {
    SCOPED_TRACE(std::to_string(nx) + " x " + std::to_string(ny));
    this->run_all(empty_domain(nx, ny));
  }
}

TYPED_TEST(ReferenceStep, SolidsInAPeriodicDomain) {
  Scenario scenario = empty_domain(21, 11);
  scatter_solids(scenario);
  push(scenario, Forcing::guo);
  this->run_all(scenario);
}

TYPED_TEST(ReferenceStep, RowsLongerThanACacheLine) {
  Scenario scenario = empty_domain(97, 5);
  scatter_solids(scenario, 1);
  use_trt(scenario);
  this->run_all(scenario);
}

TYPED_TEST(ReferenceStep, MovingWallsAllAround) {
  Scenario scenario = empty_domain(9, 8);
  scenario.sides = {wall(0, 0.03), wall(0, -0.01), wall(-0.02), wall(0.1)};
  scatter_solids(scenario);
  this->run_all(scenario);
}

TYPED_TEST(ReferenceStep, WallsOnOneAxis) {
  Scenario scenario = empty_domain(9, 6);
  scenario.sides[south] = wall();
  scenario.sides[north] = wall(0.05);
  push(scenario, Forcing::velocity_shift);
  this->run_all(scenario);
  std::swap(scenario.sides[west], scenario.sides[south]);
  std::swap(scenario.sides[east], scenario.sides[north]);
  scenario.sides[east].velocity = {0, 0.05};
  this->run_all(scenario);
}

TYPED_TEST(ReferenceStep, OneNodeBetweenWalls) {
  Scenario scenario = empty_domain(5, 1);
  scenario.sides[south] = wall(0.01);
  scenario.sides[north] = wall(0.05);
  this->run_all(scenario);
}

TYPED_TEST(ReferenceStep, FullWayWalls) {
  Scenario scenario = empty_domain(9, 8);
  scenario.treatment = WallTreatment::full_way;
  scenario.sides = {wall(0, 0.03), wall(0, -0.01), wall(-0.02), wall(0.1)};
  scatter_solids(scenario);
  push(scenario, Forcing::guo);
  this->run_all(scenario);
}

TYPED_TEST(ReferenceStep, FullWayWallsOnOneAxis) {
  Scenario scenario = empty_domain(9, 8);
  scenario.treatment = WallTreatment::full_way;
  scenario.sides[south] = wall(-0.02);
  scenario.sides[north] = wall(0.1);
  this->run_all(scenario);
  std::swap(scenario.sides[west], scenario.sides[south]);
  std::swap(scenario.sides[east], scenario.sides[north]);
  scenario.sides[east].velocity = {0, 0.05};
  scenario.sides[west].velocity = {0, 0};
  this->run_all(scenario);
}

TYPED_TEST(ReferenceStep, InterpolatedWalls) {
  Scenario scenario = empty_domain(15, 12);
  scenario.treatment = WallTreatment::interpolated;
  scenario.sides[south] = wall();
  scenario.sides[north] = wall(0.1);
  scatter_solids(scenario);
  use_trt(scenario);
  // Any fraction of the link, some links without an exact surface.
  scenario.distance = [](int x, int y, int q, int body) {
    const int draw = (7 * x + 13 * y + 5 * q + body) % 11;
    return draw == 0 ? -1 : draw / 10.0;
  };
  this->run_all(scenario);
}

TYPED_TEST(ReferenceStep, ChannelWithInletAndPressure) {
  Scenario scenario = empty_domain(14, 9);
  scenario.sides = {inlet(0.06, 0.01, true), pressure(0.99), wall(), wall(0.02)};
  scatter_solids(scenario, 2);
  push(scenario, Forcing::guo);
  this->run_all(scenario);
  scenario.treatment = WallTreatment::full_way;
  this->run_all(scenario);
}

TYPED_TEST(ReferenceStep, ChannelWithOutflow) {
  Scenario scenario = empty_domain(14, 9);
  scenario.sides = {inlet(0.06, 0), outflow(), wall(), wall()};
  scatter_solids(scenario, 2);
  this->run_all(scenario);
  scenario.treatment = WallTreatment::full_way;
  this->run_all(scenario);
}

TYPED_TEST(ReferenceStep, ChannelAlongY) {
  Scenario scenario = empty_domain(8, 11);
  scenario.sides = {wall(0, 0.01), wall(), inlet(0.01, 0.05), pressure(1.01)};
  use_trt(scenario);
  push(scenario, Forcing::guo);
  this->run_all(scenario);
  scenario.sides = {wall(), wall(), outflow(), inlet(0, -0.05, true)};
  this->run_all(scenario);
}

TYPED_TEST(ReferenceStep, OpenOnOneAxisPeriodicOnTheOther) {
  Scenario scenario = empty_domain(11, 6);
  scenario.sides[west] = inlet(0.05, 0.02);
  scenario.sides[east] = outflow();
  this->run_all(scenario);
  std::swap(scenario.sides[west], scenario.sides[south]);
  std::swap(scenario.sides[east], scenario.sides[north]);
  this->run_all(scenario);
}

TYPED_TEST(ReferenceStep, SolidsAtOpenSides) {
  Scenario scenario = empty_domain(11, 8);
  scenario.sides = {inlet(0.05, 0), pressure(1), wall(), wall()};
  for (const int node : {0 * 11 + 0, 3 * 11 + 0, 4 * 11 + 0, 4 * 11 + 1, 3 * 11 + 10}) {
    scenario.body[static_cast<std::size_t>(node)] = 0;
  }
  this->run_all(scenario);
  scenario.treatment = WallTreatment::full_way;
  this->run_all(scenario);
}

TYPED_TEST(ReferenceStep, OpenAllAroundInEveryMixture) {
  for (const auto& sides : std::vector<std::array<SideCondition, 4>>{
           {inlet(0.05, 0.01), pressure(0.98), inlet(0.04, 0), outflow()},
           {outflow(), inlet(-0.05, 0.02), pressure(1.01), inlet(0, -0.03)},
           {pressure(1.02), pressure(1), pressure(0.99), pressure(1.01)},
           {inlet(0.05, 0.01, true), outflow(), outflow(), outflow()}}) {
    Scenario scenario = empty_domain(9, 7);
    scenario.sides = sides;
    push(scenario, Forcing::guo);
    this->run_all(scenario);
    Scenario smallest = empty_domain(3, 3);
    smallest.sides = sides;
    this->run_all(smallest);
  }
}

// Diagnostics.

TYPED_TEST(ReferenceStep, MacroscopicFieldsAreTheMoments) {
  using Real = typename TypeParam::Real;
  Scenario scenario = empty_domain(13, 9);
  scatter_solids(scenario);
  use_trt(scenario);
  push(scenario, Forcing::guo);
  const std::vector<Populations> state = random_state(scenario);
  const SerialReference reference(scenario, state);
  SteppedLattice<TypeParam> stepped(scenario, Propagation::two_array, 8);
  stepped.set(state);
  const auto values_of = [&](NodeQuantity quantity) {
    return Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(),
        node_values(stepped.context, stepped.lattice, stepped.phase(), quantity));
  };
  const auto density = values_of(NodeQuantity::density_deviation);
  const auto u = values_of(NodeQuantity::velocity_x);
  const auto v = values_of(NodeQuantity::velocity_y);
  const auto xx = values_of(NodeQuantity::stress_xx);
  const auto yy = values_of(NodeQuantity::stress_yy);
  const auto xy = values_of(NodeQuantity::stress_xy);
  const double tolerance = 10 * this->tolerance;
  const textbook::Fluid& fluid = scenario.fluid;
  FlowSums expected;
  for (int y = 0; y < scenario.ny; ++y) {
    for (int x = 0; x < scenario.nx; ++x) {
      const std::size_t i = stepped.map().extents.node(x, y);
      if (!reference.is_fluid(x, y)) {
        for (const Real value : {density(i), u(i), v(i), xx(i), yy(i), xy(i)}) {
          EXPECT_TRUE(std::isnan(value));
        }
        continue;
      }
      const auto velocity = reference.velocity(x, y);
      EXPECT_NEAR(density(i), reference.density(x, y) - 1, tolerance);
      EXPECT_NEAR(u(i), velocity[0], tolerance);
      EXPECT_NEAR(v(i), velocity[1], tolerance);
      const auto equilibrium = textbook::equilibrium(reference.density(x, y), velocity);
      double stress[2][2];
      for (std::size_t a = 0; a < 2; ++a) {
        for (std::size_t b = 0; b < 2; ++b) {
          stress[a][b] = -0.5 * (velocity[a] * fluid.force[b] + velocity[b] * fluid.force[a]);
          for (std::size_t q = 0; q < 9; ++q) {
            stress[a][b] -= textbook::lattice_velocity[q][a] * textbook::lattice_velocity[q][b] *
                            (reference.populations(x, y)[q] - equilibrium[q]);
          }
          stress[a][b] *= 1 - fluid.omega / 2;
        }
      }
      EXPECT_NEAR(xx(i), stress[0][0], tolerance);
      EXPECT_NEAR(yy(i), stress[1][1], tolerance);
      EXPECT_NEAR(xy(i), stress[0][1], tolerance);

      FlowSums own;
      const double square = velocity[0] * velocity[0] + velocity[1] * velocity[1];
      own.density_deviation = reference.density(x, y) - 1;
      own.momentum_x = reference.density(x, y) * velocity[0];
      own.momentum_y = reference.density(x, y) * velocity[1];
      own.velocity_x = velocity[0];
      own.velocity_y = velocity[1];
      own.speed = std::sqrt(square);
      own.kinetic_energy = 0.5 * reference.density(x, y) * square;
      own.highest_speed = own.speed;
      expected += own;
    }
  }
  const FlowSums sums = flow_sums(stepped.context, stepped.lattice, stepped.phase(), {});
  const double of_sums = tolerance * static_cast<double>(stepped.map().fluid_nodes);
  EXPECT_NEAR(sums.density_deviation, expected.density_deviation, of_sums);
  EXPECT_NEAR(sums.momentum_x, expected.momentum_x, of_sums);
  EXPECT_NEAR(sums.momentum_y, expected.momentum_y, of_sums);
  EXPECT_NEAR(sums.velocity_x, expected.velocity_x, of_sums);
  EXPECT_NEAR(sums.velocity_y, expected.velocity_y, of_sums);
  EXPECT_NEAR(sums.speed, expected.speed, of_sums);
  EXPECT_NEAR(sums.kinetic_energy, expected.kinetic_energy, of_sums);
  EXPECT_NEAR(sums.highest_speed, expected.highest_speed, tolerance);
  EXPECT_EQ(sums.change_squared, 0);
}

TYPED_TEST(ReferenceStep, ChangeIsAgainstTheRememberedVelocity) {
  using ExecutionSpace = typename TypeParam::ExecutionSpace;
  using Real = typename TypeParam::Real;
  Scenario scenario = empty_domain(13, 9);
  scatter_solids(scenario);
  const std::vector<Populations> state = random_state(scenario);
  SerialReference reference(scenario, state);
  SteppedLattice<TypeParam> stepped(scenario, Propagation::in_place, 8);
  stepped.set(state);
  const View<Real* [2], ExecutionSpace> remembered("remembered", stepped.map().extents.nodes());
  remember_velocity(stepped.context, stepped.lattice, stepped.phase(), remembered);
  EXPECT_EQ(flow_sums(stepped.context, stepped.lattice, stepped.phase(), remembered).change_squared,
            0);
  const SerialReference before = reference;
  stepped.step();
  reference.step();
  double expected = 0;
  for (int y = 0; y < scenario.ny; ++y) {
    for (int x = 0; x < scenario.nx; ++x) {
      if (!reference.is_fluid(x, y)) continue;
      for (std::size_t a = 0; a < 2; ++a) {
        const double change = reference.velocity(x, y)[a] - before.velocity(x, y)[a];
        expected += change * change;
      }
    }
  }
  const double found =
      flow_sums(stepped.context, stepped.lattice, stepped.phase(), remembered).change_squared;
  EXPECT_NEAR(found, expected, 100 * this->tolerance * expected);
}

TYPED_TEST(ReferenceStep, FirstNodeThatIsNotFiniteInStorageOrder) {
  for (const double wrong :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    Scenario scenario = empty_domain(13, 9);
    std::vector<Populations> state = random_state(scenario);
    state[flat_index(13, 2, 7)][3] = wrong;
    state[flat_index(13, 11, 4)][8] = wrong;
    for (const Propagation propagation :
         {Propagation::in_place, Propagation::two_array, Propagation::shared_memory}) {
      SteppedLattice<TypeParam> stepped(scenario, propagation, 8);
      stepped.set(state);
      const InvalidNode found =
          first_invalid_node(stepped.context, stepped.lattice, stepped.phase());
      EXPECT_EQ(found.index, 4 * 13 + 11);
      EXPECT_TRUE(std::isnan(found.density));
    }
  }
}

TYPED_TEST(ReferenceStep, FirstNodeWithAFlowThatIsNotValidInStorageOrder) {
  const Scenario scenario = empty_domain(13, 9);
  const auto found_with = [&](Propagation propagation, const Populations& early,
                              const Populations& late) {
    std::vector<Populations> state(13 * 9, textbook::weight);
    state[flat_index(13, 11, 4)] = early;
    state[flat_index(13, 2, 7)] = late;
    SteppedLattice<TypeParam> stepped(scenario, propagation, 8);
    stepped.set(state);
    return first_invalid_node(stepped.context, stepped.lattice, stepped.phase());
  };
  // All mass in the populations that move along x.
  const Populations rest{textbook::weight};
  const Populations below_limit{0, 0.95, 0, 0.05};
  const Populations too_fast{0, 1.25, 0, -0.25};
  const Populations negative{-0.5};
  for (const Propagation propagation :
       {Propagation::in_place, Propagation::two_array, Propagation::shared_memory}) {
    EXPECT_EQ(found_with(propagation, rest, below_limit).index, -1);
    const InvalidNode by_density = found_with(propagation, negative, too_fast);
    EXPECT_EQ(by_density.index, 4 * 13 + 11);
    EXPECT_NEAR(by_density.density, -0.5, 1e-6);
    const InvalidNode by_speed = found_with(propagation, below_limit, too_fast);
    EXPECT_EQ(by_speed.index, 7 * 13 + 2);
    EXPECT_NEAR(by_speed.density, 1, 1e-6);
    EXPECT_NEAR(by_speed.speed, 1.5, 1e-6);
  }
}

TYPED_TEST(ReferenceStep, SumsAreTheSameBitsEveryTime) {
  Scenario scenario = empty_domain(97, 31);
  SteppedLattice<TypeParam> stepped(scenario, Propagation::two_array, 16);
  stepped.set(random_state(scenario));
  const auto sums = [&] {
    return flow_sums(stepped.context, stepped.lattice, stepped.phase(), {});
  };
  const FlowSums first = sums();
  for (int i = 0; i < 5; ++i) {
    const FlowSums again = sums();
    EXPECT_EQ(again.density_deviation, first.density_deviation);
    EXPECT_EQ(again.kinetic_energy, first.kinetic_energy);
    EXPECT_EQ(again.highest_speed, first.highest_speed);
  }
}

/// In a periodic box the fluid's momentum changes by the body force less the forces on the bodies.
template <class Configuration>
void expect_momentum_balance(const Scenario& scenario, double tolerance) {
  SteppedLattice<Configuration> stepped(scenario, Propagation::in_place, 16);
  stepped.set(random_state(scenario));
  const auto nodes = static_cast<double>(stepped.map().fluid_nodes);
  for (int step = 0; step < 4; ++step) {
    const FlowSums before = flow_sums(stepped.context, stepped.lattice, stepped.phase(), {});
    const auto forces = body_forces(stepped.context, stepped.lattice, stepped.phase(),
                                    stepped.links, scenario.body_velocities.size());
    stepped.step();
    const FlowSums after = flow_sums(stepped.context, stepped.lattice, stepped.phase(), {});
    EXPECT_NEAR(after.momentum_x - before.momentum_x,
                nodes * scenario.fluid.force[0] - forces[0][0] - forces[1][0], tolerance);
    EXPECT_NEAR(after.momentum_y - before.momentum_y,
                nodes * scenario.fluid.force[1] - forces[0][1] - forces[1][1], tolerance);
  }
}

TYPED_TEST(ReferenceStep, ForcesOnBodiesBalanceTheMomentumOfTheFluid) {
  Scenario scenario = empty_domain(21, 17);
  scatter_solids(scenario);
  push(scenario, Forcing::guo);
  const double tolerance = 200 * this->tolerance;
  expect_momentum_balance<TypeParam>(scenario, tolerance);
  push(scenario, Forcing::velocity_shift);
  use_trt(scenario);
  expect_momentum_balance<TypeParam>(scenario, tolerance);
  scenario.treatment = WallTreatment::interpolated;
  scenario.distance = [](int x, int y, int q, int body) {
    return ((7 * x + 13 * y + 5 * q + body) % 10 + 1) / 10.0;
  };
  expect_momentum_balance<TypeParam>(scenario, tolerance);
}

TYPED_TEST(ReferenceStep, InitialStateHasTheGivenMomentsAndStress) {
  Scenario scenario = empty_domain(12, 10);
  scenario.sides[south] = wall();
  scenario.sides[north] = wall();
  push(scenario, Forcing::guo);
  for (const Propagation propagation :
       {Propagation::in_place, Propagation::two_array, Propagation::shared_memory}) {
    SteppedLattice<TypeParam> stepped(scenario, propagation, 8);
    const Extents& extents = stepped.map().extents;
    InitialFields fields;
    for (auto* values : {&fields.density_deviation, &fields.velocity_x, &fields.velocity_y}) {
      values->assign(extents.nodes(), 0.0);
    }
    // A shear flow: its stress is viscosity times slope, walls included.
    constexpr double slope = 2e-3;
    for (int y = 0; y < scenario.ny; ++y) {
      for (int x = 0; x < scenario.nx; ++x) {
        fields.density_deviation[extents.node(x, y)] = 1e-3 * x;
        fields.velocity_x[extents.node(x, y)] = slope * y;
      }
    }
    initialise(stepped.context, stepped.lattice, fields, stepped.phase().arrangement);
    const auto values_of = [&](NodeQuantity quantity) {
      return Kokkos::create_mirror_view_and_copy(
          Kokkos::HostSpace(),
          node_values(stepped.context, stepped.lattice, stepped.phase(), quantity));
    };
    const auto density = values_of(NodeQuantity::density_deviation);
    const auto u = values_of(NodeQuantity::velocity_x);
    const auto v = values_of(NodeQuantity::velocity_y);
    const auto xy = values_of(NodeQuantity::stress_xy);
    const double viscosity = (1 / scenario.fluid.omega - 0.5) / 3;
    for (int y = 0; y < scenario.ny; ++y) {
      for (int x = 0; x < scenario.nx; ++x) {
        const std::size_t i = extents.node(x, y);
        EXPECT_NEAR(density(i), 1e-3 * x, this->tolerance);
        EXPECT_NEAR(u(i), slope * y, this->tolerance);
        EXPECT_NEAR(v(i), 0, this->tolerance);
        const double force_part =
            -0.5 * (1 - scenario.fluid.omega / 2) * slope * y * scenario.fluid.force[1];
        EXPECT_NEAR(xy(i), (1 + 1e-3 * x) * viscosity * slope + force_part, this->tolerance);
      }
    }
  }
}

}  // namespace
}  // namespace knudsen::lbm_d2q9
