// The order in memory and the loops of GPU kernels, checked without a GPU: a backend that is not
// the host backend takes them, and Kokkos' serial one can stand in.

#include <gtest/gtest.h>

#include "lattice_runner.hpp"
#include "methods/lbm_d3q27/launch_step.hpp"
#include "methods/lbm_d3q27/others_kernel.hpp"

#ifdef KOKKOS_ENABLE_SERIAL

namespace knudsen::lbm_d3q27 {
namespace {

template <class Precision>
using HostLattice = Lattice<HostExecutionSpace, Precision, D3Q27>;
template <class Precision>
using TiledLattice = Lattice<Kokkos::Serial, Precision, D3Q27>;

template <class From, class To>
void copy_populations(const From& from, const To& to, decltype(From::populations) values,
                      decltype(To::populations) copies) {
  for (int q = 0; q < 27; ++q) {
    for (NodeIndex n = 0; n < from.nodes; ++n) copies(to.slot(n, q)) = values(from.slot(n, q));
  }
}

/// The same lattice in the order of a GPU.
template <class Precision>
TiledLattice<Precision> tiled(const HostLattice<Precision>& from) {
  TiledLattice<Precision> to;
  to.propagation = from.propagation;
  to.sparse = from.sparse;
  to.extents = from.extents;
  to.nodes = from.nodes;
  to.layout = TiledLattice<Precision>::Layout::make(from.nodes);
  to.next_first = from.next_first;
  to.next_second = from.next_second;
  to.next_third = from.next_third;
  to.first_axis = from.first_axis;
  to.in_row = from.in_row;
  to.segment = from.segment;
  to.segments = from.segments;
  to.strips = from.strips;
  to.teams = from.teams;
  to.plain = from.plain;
  to.fluid = from.fluid;
  to.special = from.special;
  to.special_before = from.special_before;
  to.has_walls = from.has_walls;
  to.others = from.others;
  to.others_begin = from.others_begin;
  to.links = from.links;
  to.links_begin = from.links_begin;
  to.wall_shares = from.wall_shares;
  to.max_links = from.max_links;
  to.interpolated = from.interpolated;
  to.moving_walls = from.moving_walls;
  to.link_faces = from.link_faces;
  to.faces = from.faces;
  to.face_memory = from.face_memory;
  to.populations = decltype(to.populations)("tiled", to.layout.size(from.nodes));
  copy_populations(from, to, from.populations, to.populations);
  if (from.next.extent(0) > 0) {
    to.next = decltype(to.next)("tiled next", to.layout.size(from.nodes));
  }
  return to;
}

template <class Precision, Propagation Scheme, bool Sparse, int Width>
void expect_same_as_host(WallTreatment treatment, int strip_nodes = 0, std::size_t long_axis = 0) {
  const std::size_t axes[3] = {long_axis, (long_axis + 1) % 3, (long_axis + 2) % 3};
  std::array<int, 3> box{};
  box[axes[0]] = 37;
  box[axes[1]] = 6;
  box[axes[2]] = 5;
  const auto body = random_solids(box, 0.15, 1, 3);
  Domain domain;
  domain.nodes = box;
  domain.body = &body;
  domain.body_velocities = {{0.01, 0.02, -0.01}};
  domain.treatment = treatment;
  domain.wall_distance = [](int x, int, int z, int q, int) { return ((x + z + q) % 5) * 0.2; };
  for (const std::size_t side : {0, 1}) {
    domain.sides[2 * axes[1] + side].kind = SideKind::wall;
    domain.sides[2 * axes[2] + side] = wall();
    domain.sides[2 * axes[2] + side].velocity[axes[0]] = 0.02;
  }
  InitialFlow flow;
  flow.kind = InitialKind::noise;
  flow.velocity[0] = 0.02;
  CollisionParameters<double> parameters{1.7};
  parameters.antisymmetric_rate = 1.2;
  using Host = HostLattice<Precision>;
  Runner<Host> runner(domain, Scheme, Sparse, parameters, Trt::name, flow);
  // Segments as a GPU's teams have them, with teams of one thread.
  runner.context.tuning = {Width, 1, strip_nodes};
  runner.lattice = make_lattice<Host>(runner.map, Scheme, runner.context.tuning, true);
  initialise(runner.context, runner.lattice, runner.map, LatticePart(runner.map), flow);
  if constexpr (Sparse) {
    EXPECT_EQ(runner.map.first_axis, int(long_axis));
  }

  TiledLattice<Precision> lattice = tiled(runner.lattice);
  // A GPU's kernels are compiled for one collision each; what they do with it is the same.
  using Collision = RowCollision<typename Precision::Real>;
  const auto collision =
      row_collision<D3Q27, typename Precision::Real>(Trt::name, Forcing::guo, EddyViscosity::none);
  for (int i = 0; i < 5; ++i) {
    const int parity = i & 1;
    const auto launch_part = [&](const TiledLattice<Precision>& part, auto aa_parity) {
      TeamPolicy<Kokkos::Serial> policy(part.teams, 1, 1);
      policy.set_scratch_size(
          0, Kokkos::PerTeam(link_scratch_bytes<typename Precision::Real>(part.max_links)));
      using StepType = Step<TiledLattice<Precision>, Collision, Scheme, Sparse,
                            decltype(aa_parity)::value, Width, true>;
      const StepType step{part, collision, runner.context.parameters, parity};
      launch_others<Sparse>(Kokkos::Serial(), "tiled", part, collision, runner.context.parameters,
                            parity);
      Kokkos::parallel_for("tiled", policy, step);
    };
    const auto launch = [&](auto aa_parity) {
      // As a rank that sends its end layers while the others are updated.
      if (lattice.strips.rows > 0 && i > 0) {
        launch_part(end_layers(lattice), aa_parity);
        launch_part(inner_layers(lattice), aa_parity);
      } else {
        launch_part(lattice, aa_parity);
      }
    };
    if (Scheme == Propagation::aa_pattern && parity == 1) {
      launch(PopulationIndex<1>{});
    } else {
      launch(PopulationIndex<0>{});
    }
    if (Scheme == Propagation::two_array) std::swap(lattice.populations, lattice.next);
  }
  runner.lattice = make_lattice<Host>(runner.map, Scheme, runner.context.tuning);
  initialise(runner.context, runner.lattice, runner.map, LatticePart(runner.map), flow);
  runner.advance(5);
  using Real = typename Precision::Real;
  double largest = 0;
  for (int q = 0; q < 27; ++q) {
    for (NodeIndex n = 0; n < lattice.nodes; ++n) {
      const auto expected =
          static_cast<Real>(runner.lattice.populations(runner.lattice.slot(n, q)));
      const auto found = static_cast<Real>(lattice.populations(lattice.slot(n, q)));
      largest = std::max(largest, std::fabs(static_cast<double>(expected - found)));
    }
  }
  EXPECT_LT(largest, sizeof(typename Precision::Storage) == 2   ? 2e-5
                     : sizeof(typename Precision::Storage) == 4 ? 1e-7
                                                                : 1e-15)
      << int(Scheme) << Sparse << Width << int(treatment);
}

TEST(GpuOrder, WallsHaveTheSharesThatKernelsRead) {
  // The only node beside the body is at open sides, too, so no kernel updates it with plain ones.
  const std::vector<std::int16_t> body{0, -1, -1};
  Domain domain;
  domain.nodes = {3, 1, 1};
  domain.body = &body;
  domain.body_velocities = {{0, 0, 0}};
  domain.treatment = WallTreatment::interpolated;
  domain.wall_distance = [](int, int, int, int, int) { return 0.3; };
  for (SideCondition& side : domain.sides) side.kind = SideKind::velocity;
  for (const bool closed : {false, true}) {
    for (std::size_t side = 2; side < 6; ++side) {
      if (closed) domain.sides[side].kind = SideKind::periodic;
    }
    Runner<HostLattice<SinglePrecision>> runner(domain, Propagation::esoteric_twist, false, {1.7},
                                                Trt::name, {});
    const auto lattice = make_lattice<HostLattice<SinglePrecision>>(
        runner.map, Propagation::esoteric_twist, runner.context.tuning, true);
    EXPECT_EQ(lattice.has_walls, closed);
    EXPECT_EQ(lattice.interpolated, closed);
    EXPECT_EQ(lattice.wall_shares.extent(0), closed ? lattice.links.extent(0) : 0);
  }
}

TEST(GpuOrder, GivesWhatTheHostGives) {
  if constexpr (is_host_backend<Kokkos::Serial>) {
    GTEST_SKIP() << "the host backend is the serial one";
  } else {
    for (const WallTreatment treatment :
         {WallTreatment::implicit, WallTreatment::half_way, WallTreatment::interpolated}) {
      expect_same_as_host<DoublePrecision, Propagation::esoteric_twist, false, 1>(treatment);
      expect_same_as_host<DoublePrecision, Propagation::esoteric_twist, true, 1>(treatment);
      expect_same_as_host<DoublePrecision, Propagation::esoteric_pull, false, 1>(treatment);
      expect_same_as_host<DoublePrecision, Propagation::aa_pattern, false, 1>(treatment);
      expect_same_as_host<DoublePrecision, Propagation::two_array, false, 1>(treatment);
      expect_same_as_host<SinglePrecision, Propagation::esoteric_twist, false, 2>(treatment);
      expect_same_as_host<HalfStorage, Propagation::esoteric_twist, false, 2>(treatment);
      for (const std::size_t axis : {1, 2}) {
        expect_same_as_host<DoublePrecision, Propagation::esoteric_twist, true, 1>(treatment, 0,
                                                                                   axis);
      }
      for (const int strip_nodes : {80, 100}) {
        expect_same_as_host<DoublePrecision, Propagation::esoteric_twist, false, 1>(treatment,
                                                                                    strip_nodes);
        expect_same_as_host<SinglePrecision, Propagation::esoteric_twist, false, 2>(treatment,
                                                                                    strip_nodes);
        expect_same_as_host<HalfStorage, Propagation::esoteric_twist, false, 2>(treatment,
                                                                                strip_nodes);
      }
    }
  }
}

}  // namespace
}  // namespace knudsen::lbm_d3q27

#endif
