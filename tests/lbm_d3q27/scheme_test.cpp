// All streaming schemes, dense and sparse, against each other and against a plain reference, on a
// random flow among random solids.

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "device/streaming_store.hpp"
#include "lattice_runner.hpp"
#include "serial_reference.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

enum class Surroundings { periodic, walls, moving_walls };

struct Setting {
  Surroundings surroundings;
  WallTreatment treatment;
  bool moving_bodies;
};

constexpr std::array<int, 3> box{19, 7, 6};

Domain make_domain(const Setting& setting, const std::vector<std::int16_t>& body, int populations) {
  Domain domain;
  domain.nodes = box;
  domain.body = &body;
  domain.populations = populations;
  domain.body_velocities = {{0, 0, 0}, {0, 0, 0}};
  if (setting.moving_bodies) domain.body_velocities = {{0.02, -0.01, 0.03}, {0, 0, 0}};
  domain.treatment = setting.treatment;
  domain.wall_distance = [](int x, int y, int z, int q, int) {
    return 0.05 + ((x * 7 + y * 13 + z * 29 + q * 3) % 10) * 0.1;
  };
  if (setting.surroundings != Surroundings::periodic) {
    // Periodic along y, walls along x and z.
    domain.sides[west] = domain.sides[east] = domain.sides[bottom] = domain.sides[top] = wall();
  }
  if (setting.surroundings == Surroundings::moving_walls) {
    domain.sides[top] = wall(0.05, -0.02, 0);
    domain.sides[east] = wall(0, 0.03, 0.01);
  }
  return domain;
}

InitialFlow noise() {
  InitialFlow flow;
  flow.kind = InitialKind::noise;
  flow.velocity[0] = 0.02;
  flow.seed = 5;
  return flow;
}

CollisionParameters<double> rates() {
  CollisionParameters<double> parameters{1.7};
  parameters.antisymmetric_rate = 1.1;
  parameters.force[0] = 1e-4;
  parameters.force[1] = -2e-4;
  parameters.force[2] = 3e-4;
  return parameters;
}

const std::vector<Setting> settings{{Surroundings::periodic, WallTreatment::implicit, false},
                                    {Surroundings::walls, WallTreatment::implicit, false},
                                    {Surroundings::moving_walls, WallTreatment::implicit, true},
                                    {Surroundings::moving_walls, WallTreatment::half_way, true},
                                    {Surroundings::walls, WallTreatment::interpolated, true}};

struct Scheme {
  Propagation propagation;
  bool sparse;
  const char* name;
};
const std::vector<Scheme> schemes{{Propagation::two_array, false, "two-array"},
                                  {Propagation::aa_pattern, false, "aa-pattern"},
                                  {Propagation::esoteric_pull, false, "esoteric-pull"},
                                  {Propagation::esoteric_twist, false, "esoteric-twist"},
                                  {Propagation::esoteric_twist, true, "sparse esoteric-twist"}};

template <class Velocities, class Operator>
void expect_like_reference() {
  const auto body = random_solids(box, 0.2, 2, 3);
  for (const Setting& setting : settings) {
    const Domain domain = make_domain(setting, body, Velocities::populations);
    SerialReference<Velocities, Operator> reference(domain, rates(), noise());
    using Lattice = Lattice<TestSpace, DoublePrecision, Velocities>;
    std::vector<Runner<Lattice>> runners;
    for (const Scheme& scheme : schemes) {
      runners.emplace_back(domain, scheme.propagation, scheme.sparse, rates(), Operator::name,
                           noise());
    }
    for (int step = 0; step < 6; ++step) {
      std::vector<std::vector<double>> expected(4);
      for (int z = 0; z < box[2]; ++z) {
        for (int y = 0; y < box[1]; ++y) {
          for (int x = 0; x < box[0]; ++x) {
            const bool fluid = reference.is_fluid(x, y, z);
            const auto state = reference.state(x, y, z);
            expected[0].push_back(fluid ? state.density_deviation : NAN);
            for (std::size_t a = 0; a < 3; ++a) {
              expected[a + 1].push_back(fluid ? state.velocity[a] : NAN);
            }
          }
        }
      }
      for (std::size_t s = 0; s < schemes.size(); ++s) {
        const auto flow = runners[s].flow();
        for (std::size_t i = 0; i < 4; ++i) {
          EXPECT_LT(largest_difference(flow[i], expected[i]), 1e-14)
              << schemes[s].name << ", quantity " << i << ", step " << step << ", surroundings "
              << int(setting.surroundings) << ", walls " << int(setting.treatment);
        }
        runners[s].advance(1);
      }
      reference.step();
    }
  }
}

TEST(Schemes, agree_with_the_reference_on_D3Q27) {
  expect_like_reference<D3Q27, Trt>();
  expect_like_reference<D3Q27, Cumulant>();
}
TEST(Schemes, agree_with_the_reference_on_D3Q19) { expect_like_reference<D3Q19, Bgk>(); }

/// In single precision the schemes differ by rounding alone: a compiler may fuse the products and
/// sums of one kernel otherwise than those of another.
TEST(Schemes, agree_in_single_precision) {
  const auto body = random_solids(box, 0.2, 2, 3);
  for (const Setting& setting : settings) {
    const Domain domain = make_domain(setting, body, 27);
    using Lattice = Lattice<TestSpace, SinglePrecision, D3Q27>;
    std::vector<std::array<std::vector<double>, 4>> flows;
    for (const Scheme& scheme : schemes) {
      Runner<Lattice> runner(domain, scheme.propagation, scheme.sparse, rates(), Bgk::name,
                             noise());
      runner.advance(21);
      flows.push_back(runner.flow());
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_LT(largest_difference(flows.back()[i], flows.front()[i]), 2e-7)
            << scheme.name << ", quantity " << i;
      }
    }
  }
}

/// Two arrays that do not fit in the caches are written past them: rows that do not end where cache
/// lines do, rows that do, and rows of a single line, with solids among the nodes.
TEST(Schemes, agree_beyond_the_caches) {
  for (const std::array<int, 3>& large :
       {std::array{133, 37, 22}, std::array{136, 37, 22}, std::array{8, 100, 100}}) {
    SCOPED_TRACE("rows of " + std::to_string(large[0]));
    ASSERT_GT(sizeof(double) * 27 * static_cast<std::size_t>(large[0] * large[1] * large[2]),
              cached_bytes);
    const auto body = random_solids(large, 0.002, 2, 3);
    for (const Setting& setting : settings) {
      Domain domain = make_domain(setting, body, 27);
      domain.nodes = large;
      std::vector<std::array<std::vector<double>, 4>> flows;
      for (const Propagation propagation : {Propagation::esoteric_twist, Propagation::two_array}) {
        Runner<Lattice<TestSpace, DoublePrecision, D3Q27>> runner(domain, propagation, false,
                                                                  rates(), Bgk::name, noise());
        runner.advance(3);
        flows.push_back(runner.flow());
      }
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_LT(largest_difference(flows[0][i], flows[1][i]), 1e-14) << "quantity " << i;
      }
    }
  }
}

/// Sixteen-bit storage follows single precision to what its eleven digits allow.
TEST(Schemes, half_storage_follows_single) {
  const auto body = random_solids(box, 0.2, 2, 3);
  const Domain domain = make_domain(settings[1], body, 27);
  Runner<Lattice<TestSpace, SinglePrecision, D3Q27>> single(domain, Propagation::esoteric_twist,
                                                            false, rates(), Bgk::name, noise());
  single.advance(20);
  const auto expected = single.flow();
  for (const bool sparse : {false, true}) {
    Runner<Lattice<TestSpace, HalfStorage, D3Q27>> half(domain, Propagation::esoteric_twist, sparse,
                                                        rates(), Bgk::name, noise());
    half.advance(20);
    const auto flow = half.flow();
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_LT(largest_difference(flow[i], expected[i]), 2e-5) << "quantity " << i;
    }
  }
}

/// A flow turned onto another order of the axes is the turned flow.
TEST(Schemes, follow_a_turn_of_the_axes) {
  const auto body = random_solids(box, 0.2, 1, 8);
  constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  std::vector<double> reference[3];
  for (const auto& order : orders) {
    // Axis order[a] of the turned domain is axis a of the first one.
    Domain domain;
    std::array<int, 3> nodes{};
    for (std::size_t a = 0; a < 3; ++a) nodes[std::size_t(order[a])] = box[a];
    domain.nodes = nodes;
    domain.body_velocities = {{0, 0, 0}};
    domain.sides[std::size_t(2 * order[2])] = wall();
    domain.sides[std::size_t(2 * order[2] + 1)] = wall();
    std::vector<std::int16_t> turned(body.size());
    const auto turned_index = [&](int x, int y, int z) {
      int at[3];
      at[order[0]] = x;
      at[order[1]] = y;
      at[order[2]] = z;
      return (std::size_t(at[2]) * std::size_t(nodes[1]) + std::size_t(at[1])) *
                 std::size_t(nodes[0]) +
             std::size_t(at[0]);
    };
    std::size_t i = 0;
    std::vector<std::size_t> places;
    for (int z = 0; z < box[2]; ++z) {
      for (int y = 0; y < box[1]; ++y) {
        for (int x = 0; x < box[0]; ++x) {
          places.push_back(turned_index(x, y, z));
          turned[places.back()] = body[i++];
        }
      }
    }
    domain.body = &turned;
    CollisionParameters<double> parameters{1.5};
    const double force[3] = {2e-4, 1e-4, -1e-4};
    for (int a = 0; a < 3; ++a) parameters.force[order[a]] = force[a];
    for (const Scheme& scheme : schemes) {
      Runner<Lattice<TestSpace, DoublePrecision, D3Q27>> runner(
          domain, scheme.propagation, scheme.sparse, parameters, Cumulant::name, {});
      runner.advance(30);
      const auto flow = runner.flow();
      for (std::size_t a = 0; a < 3; ++a) {
        std::vector<double> back;
        for (const std::size_t place : places) {
          back.push_back(flow[1 + std::size_t(order[a])][place]);
        }
        if (reference[a].empty()) reference[a] = back;
        EXPECT_LT(largest_difference(back, reference[a]), 1e-14);
      }
    }
  }
}

}  // namespace
}  // namespace knudsen::lbm_d3q27
