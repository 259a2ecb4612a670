#include "lattice/row_collision.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/half_conversion.hpp"
#include "device/streaming_store.hpp"
#include "lattice/collision_operators.hpp"
#include "lattice/d2q9.hpp"
#include "lattice/d3q19.hpp"
#include "lattice/d3q27.hpp"
#include "lattice/half_scale.hpp"

namespace knudsen {
namespace {

template <class VelocitySet, class Number>
struct Lattice {
  using Velocities = VelocitySet;
  using Real = Number;
};

template <class LatticeType>
class RowCollisions : public testing::Test {};
using Lattices =
    testing::Types<Lattice<D2Q9, float>, Lattice<D2Q9, double>, Lattice<D3Q19, float>,
                   Lattice<D3Q19, double>, Lattice<D3Q27, float>, Lattice<D3Q27, double>>;
TYPED_TEST_SUITE(RowCollisions, Lattices);

CollisionParameters<double> all_options() {
  CollisionParameters<double> parameters{1.7};
  parameters.antisymmetric_rate = 1.2;
  parameters.magic = 0.1;
  parameters.smagorinsky_constant = 0.2;
  parameters.eddy_time = 0.03;
  parameters.bulk_rate = 1.1;
  for (int a = 0; a < 3; ++a) parameters.force[a] = 1e-3 * (a + 1);
  return parameters;
}

/// Rows of populations with values around them that nothing may change.
template <class Velocities, class Real>
struct Rows {
  static constexpr int longest = 64;
  std::vector<Real> values;

  Rows() : values(static_cast<std::size_t>(Velocities::populations) * longest) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<Real>(0.02 * std::sin(1.0 + 0.7 * static_cast<double>(i)));
    }
  }
  Real* row(int q, int begin) { return values.data() + q * longest + begin; }
};

/// Collides `nodes` nodes that begin at place `begin` of each row, in place, with the outgoing
/// populations in the rows of the opposite ones, and compares with the collision of each node
/// alone. `eddies`: each node has an eddy time of its own.
template <class Velocities, class Collision, class Real>
void check(const RowCollision<Real>& collision, CollisionParameters<Real> parameters, int begin,
           int nodes, bool eddies = false) {
  constexpr int populations = Velocities::populations;
  Rows<Velocities, Real> found;
  Rows<Velocities, Real> expected;
  Real* from[populations];
  Real* to[populations];
  for (int q = 0; q < populations; ++q) {
    from[q] = found.row(q, begin);
    to[Velocities::opposite(q)] = from[q];
  }
  std::vector<Real> eddy_times;
  for (int i = 0; i < nodes; ++i) eddy_times.push_back(static_cast<Real>(0.01 * i));
  collision.rows(from, to, nodes, parameters, eddies ? eddy_times.data() : nullptr);
  for (int i = 0; i < nodes; ++i) {
    if (eddies) parameters.eddy_time = eddy_times[static_cast<std::size_t>(i)];
    Real g[populations];
    for (int q = 0; q < populations; ++q) g[q] = *expected.row(q, begin + i);
    Collision::template collide<Velocities>(g, parameters);
    for (int q = 0; q < populations; ++q) {
      *expected.row(Velocities::opposite(q), begin + i) = g[q];
    }
  }
  const double rounding = sizeof(Real) == 4 ? 5e-8 : 1e-16;
  for (int q = 0; q < populations; ++q) {
    for (int i = 0; i < Rows<Velocities, Real>::longest; ++i) {
      const bool works = i >= begin && i < begin + nodes;
      ASSERT_NEAR(*found.row(q, i), *expected.row(q, i), works ? rounding : 0.0)
          << "population " << q << ", place " << i << ", nodes " << begin << " to "
          << begin + nodes;
    }
  }
}

TYPED_TEST(RowCollisions, AreThoseOfEachNodeAlone) {
  using Velocities = typename TypeParam::Velocities;
  using Real = typename TypeParam::Real;
  int collisions = 0;
  for (const OperatorTraits& traits : all_operator_traits()) {
    if (!traits.suits(Velocities::populations)) continue;
    for (const Forcing forcing : {Forcing::none, Forcing::guo, Forcing::velocity_shift}) {
      if (Velocities::populations != 9 && forcing == Forcing::velocity_shift) continue;
      for (const EddyViscosity eddy :
           {EddyViscosity::none, EddyViscosity::smagorinsky, EddyViscosity::given}) {
        if (eddy != EddyViscosity::none && Velocities::populations == 9) continue;
        if (eddy == EddyViscosity::smagorinsky && !traits.has_eddy_viscosity) continue;
        if (eddy == EddyViscosity::given && !traits.models_eddies) continue;
        SCOPED_TRACE(traits.name);
        CollisionParameters<double> options = all_options();
        if (forcing == Forcing::none) {
          for (double& component : options.force) component = 0;
        }
        traits.set_rates(options);
        const auto parameters = rounded<Real>(options);
        const auto rows = row_collision<Velocities, Real>(traits.name, forcing, eddy);
        dispatch_collision<Velocities>(traits.name, forcing, eddy, [&](auto collision) {
          for (int begin = 0; begin < 17; begin += 3) {
            for (const int nodes : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 40}) {
              check<Velocities, decltype(collision)>(rows, parameters, begin, nodes);
              check<Velocities, decltype(collision)>(rows, parameters, begin, nodes, true);
            }
          }
        });
        ++collisions;
      }
    }
  }
  EXPECT_EQ(collisions,
            Velocities::populations == 9 ? 9 : (Velocities::populations == 19 ? 14 : 22));
}

/// Collides a row of nodes, and each of them alone.
template <class Velocities, class Real, class Parameters>
void expect_same_at_all_places(const RowCollision<Real, Parameters>& collision,
                               const Parameters& parameters) {
  constexpr int nodes = 37;
  Rows<Velocities, Real> together;
  Rows<Velocities, Real> alone;
  Real* rows[Velocities::populations];
  for (int q = 0; q < Velocities::populations; ++q) rows[q] = together.row(q, 5);
  collision.rows(rows, rows, nodes, parameters);
  for (int i = 0; i < nodes; ++i) {
    Real g[Velocities::populations];
    for (int q = 0; q < Velocities::populations; ++q) g[q] = *alone.row(q, 5 + i);
    collision.template collide<Velocities>(g, parameters);
    for (int q = 0; q < Velocities::populations; ++q) *alone.row(q, 5 + i) = g[q];
  }
  EXPECT_EQ(together.values, alone.values);
}

TYPED_TEST(RowCollisions, OfANodeDoNotDependOnItsPlaceInTheRow) {
  using Velocities = typename TypeParam::Velocities;
  using Real = typename TypeParam::Real;
  expect_same_at_all_places<Velocities>(
      row_collision<Velocities, Real>(RecursiveRegularised::name, Forcing::guo,
                                      EddyViscosity::none),
      rounded<Real>(all_options()));
}

/// Whole cache lines and parts of lines, beside values that nothing may change.
TYPED_TEST(RowCollisions, PastTheCachesAreTheSame) {
  using Velocities = typename TypeParam::Velocities;
  using Real = typename TypeParam::Real;
  constexpr int populations = Velocities::populations;
  constexpr std::size_t line = cache_line_bytes / sizeof(Real);
  constexpr std::size_t lines = 5;  // of a population
  const auto collision =
      row_collision<Velocities, Real>(Bgk::name, Forcing::guo, EddyViscosity::none);
  const auto parameters = rounded<Real>(all_options());
  struct alignas(cache_line_bytes) Line {
    Real values[line];
  };
  for (const std::size_t begin : {line, line + 1, line + line / 2, 2 * line - 1}) {
    for (const std::size_t nodes :
         {std::size_t{3}, line, line + line / 2, 2 * line, 3 * line - 1}) {
      SCOPED_TRACE(std::to_string(nodes) + " nodes from " + std::to_string(begin));
      std::vector<Line> stored(2 * populations * lines);
      Rows<Velocities, Real> rows;
      for (std::size_t i = 0; i < stored.size() * line; ++i) stored[i / line].values[i % line] = 7;
      for (const bool past_caches : {false, true}) {
        const Real* from[populations];
        Real* to[populations];
        for (int q = 0; q < populations; ++q) {
          const auto row = static_cast<std::size_t>(q) + (past_caches ? populations : 0U);
          from[q] = rows.row(q, 3);
          to[q] = stored[row * lines].values + begin;
        }
        collision.rows(from, to, static_cast<int>(nodes), parameters, nullptr, past_caches);
      }
      finish_stores_past_caches();
      const std::size_t half = stored.size() / 2;
      for (std::size_t i = 0; i < half * line; ++i) {
        const Real plain = stored[i / line].values[i % line];
        const std::size_t place = i % (lines * line);
        ASSERT_EQ(stored[half + i / line].values[i % line], plain) << i;
        ASSERT_EQ(plain != Real(7), place >= begin && place < begin + nodes) << i;
      }
    }
  }
}

/// A row of halves by their bits, longer than any run that a test collides.
using HalfRow = std::array<std::uint16_t, 64>;

/// Collides rows of halves, those after the collision in the rows of the opposite populations.
template <class Velocities>
void collide_halves(const RowCollision<float>& collision, std::vector<HalfRow>& rows, int begin,
                    int nodes, const CollisionParameters<float>& parameters,
                    const float* eddy_times = nullptr) {
  std::uint16_t* from[Velocities::populations];
  std::uint16_t* to[Velocities::populations];
  for (int q = 0; q < Velocities::populations; ++q) {
    from[q] = rows[static_cast<std::size_t>(q)].data() + begin;
    to[Velocities::opposite(q)] = from[q];
  }
  collision.rows(from, to, nodes, parameters, eddy_times);
}

/// Nodes in halves have the bits of the same nodes in single precision, each of which is rounded.
template <class Velocities>
void check_halves(const RowCollision<float>& collision) {
  constexpr int populations = Velocities::populations;
  const auto parameters = rounded<float>(all_options());
  for (int begin = 0; begin < 20; begin += 3) {
    for (const int nodes : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 40}) {
      Rows<Velocities, float> numbers;
      std::vector<HalfRow> halves(populations);
      std::vector<float> eddy_times;
      for (int i = 0; i < nodes; ++i) eddy_times.push_back(0.01f * static_cast<float>(i));
      float* rows[populations];
      float* opposite[populations];
      for (int q = 0; q < populations; ++q) {
        rows[q] = numbers.row(q, begin);
        opposite[Velocities::opposite(q)] = rows[q];
        for (std::size_t i = 0; i < HalfRow{}.size(); ++i) {
          float& number = *numbers.row(q, static_cast<int>(i));
          std::uint16_t& half = halves[static_cast<std::size_t>(q)][i];
          half = half_detail::half_bits_by_integers(number * half_scale);
          number = half_detail::float_of_half_by_integers(half) / half_scale;
        }
      }
      collision.rows(rows, opposite, nodes, parameters, eddy_times.data());
      collide_halves<Velocities>(collision, halves, begin, nodes, parameters, eddy_times.data());
      for (int q = 0; q < populations; ++q) {
        for (std::size_t i = 0; i < HalfRow{}.size(); ++i) {
          const float number = *numbers.row(q, static_cast<int>(i));
          ASSERT_EQ(halves[static_cast<std::size_t>(q)][i],
                    half_detail::half_bits_by_integers(number * half_scale))
              << nodes << " nodes from " << begin << ", population " << q << ", place " << i;
        }
      }
    }
  }
}

TEST(RowCollision, OfHalvesIsThatOfNumbersRounded) {
  for (const Forcing forcing : {Forcing::none, Forcing::guo}) {
    check_halves<D3Q19>(row_collision<D3Q19, float>(Bgk::name, forcing, EddyViscosity::none));
    check_halves<D3Q27>(row_collision<D3Q27, float>(Trt::name, forcing, EddyViscosity::given));
    check_halves<D3Q27>(row_collision<D3Q27, float>(Cumulant::name, forcing, EddyViscosity::none));
  }
}

/// Without relaxation populations return as they are, in halves too: all of them, in nodes that are
/// otherwise at rest.
TEST(RowCollision, KeepsEveryHalf) {
  using Velocities = D3Q19;
  constexpr std::size_t nodes = 53;
  const auto collision =
      row_collision<Velocities, float>(Bgk::name, Forcing::none, EddyViscosity::none);
  for (std::size_t first = 0; first < 65536; first += nodes) {
    std::vector<HalfRow> rows(Velocities::populations);
    const auto bits = [&](std::size_t i) { return static_cast<std::uint16_t>(first + i); };
    for (std::size_t i = 0; i < nodes; ++i) rows[0][i] = bits(i);
    collide_halves<Velocities>(collision, rows, 0, static_cast<int>(nodes), {0, 0});
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::uint32_t rest = rows[0][i];
      const std::uint32_t moves = rows[1][i] & 0x7fffU;
      if ((bits(i) & 0x7fffU) < half_detail::half_infinity) {
        EXPECT_EQ(rest, bits(i) == 0x8000U ? 0 : bits(i));
        EXPECT_EQ(moves, 0U) << bits(i);
      } else {
        EXPECT_GT(rest & 0x7fffU, half_detail::half_infinity) << bits(i);  // not a number
        EXPECT_GT(moves, half_detail::half_infinity) << bits(i);
      }
    }
  }
}

TEST(RowCollision, OfAHeatedNodeDoesNotDependOnItsPlaceInTheRow) {
  HeatedParameters<double> parameters{all_options(), {}};
  parameters.scalar.antisymmetric_rate = 1.4;
  parameters.scalar.symmetric_rate = 1.1;
  parameters.scalar.weight = 0.125;
  parameters.scalar.rest_weight = 0.25;
  parameters.scalar.buoyancy[2] = 1e-3;
  for (const char* name : {Bgk::name, Trt::name, Cumulant::name}) {
    SCOPED_TRACE(name);
    expect_same_at_all_places<HeatedD3Q27>(
        row_collision<HeatedD3Q27, float>(name, Forcing::guo, EddyViscosity::none),
        rounded<float>(parameters));
    expect_same_at_all_places<HeatedD3Q27>(
        row_collision<HeatedD3Q27, double>(name, Forcing::guo, EddyViscosity::none),
        rounded<double>(parameters));
  }
}

TEST(RowCollision, RefusesAnOperatorThatTheLatticeHasNot) {
  EXPECT_THROW((row_collision<D2Q9, float>(Cumulant::name, Forcing::none, EddyViscosity::none)),
               std::logic_error);
}

}  // namespace
}  // namespace knudsen
