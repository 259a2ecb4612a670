// The order in memory and the loops of GPU kernels, checked without a GPU: a backend that is not
// the host backend takes them, and Kokkos' serial one can stand in.

#include <gtest/gtest.h>

#include <memory>

#include "lattice_parts.hpp"
#include "methods/lbm_d3q27/ghost_slots.hpp"
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
  to.owned = from.owned;
  to.end_planes = from.end_planes;
  to.strips = from.strips;
  to.share = from.share;
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
        launch_part(end_planes(lattice), aa_parity);
        launch_part(inner_planes(lattice), aa_parity);
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

/// A lattice in the order of a GPU, with its place among those of all ranks.
struct TiledPart {
  NodeMap map;
  LatticePart part{map};
  HostLattice<DoublePrecision> host;
  TiledLattice<DoublePrecision> lattice;

  explicit TiledPart(NodeMap nodes) : map(std::move(nodes)) {
    // Segments as a GPU's teams have them, with teams of one thread.
    host = make_lattice<HostLattice<DoublePrecision>>(map, Propagation::esoteric_twist, {1, 1, 0},
                                                      true);
    lattice = tiled(host);
  }
  void step(const TiledLattice<DoublePrecision>& nodes, int parity) const {
    using Collision = RowCollision<double>;
    const auto collision =
        row_collision<D3Q27, double>(Trt::name, Forcing::guo, EddyViscosity::none);
    CollisionParameters<double> parameters{1.7};
    parameters.antisymmetric_rate = 1.2;
    TeamPolicy<Kokkos::Serial> policy(nodes.teams, 1, 1);
    policy.set_scratch_size(0, Kokkos::PerTeam(link_scratch_bytes<double>(nodes.max_links)));
    using StepType = Step<TiledLattice<DoublePrecision>, Collision, Propagation::esoteric_twist,
                          true, 0, 1, true>;
    launch_others<true>(Kokkos::Serial(), "tiled", nodes, collision, parameters, parity);
    Kokkos::parallel_for("tiled", policy, StepType{nodes, collision, parameters, parity});
  }
  /// The values in crossing slots, by (slot, node) of the nodes of its own first plane or of the
  /// ghost plane, found by their place in the lattice.
  std::vector<double*> slots(bool ghosts, bool up, int parity) const {
    const CrossingSlots crossing = crossing_slots<D3Q27>(
        Propagation::esoteric_twist, map.cut.axis(), parity, up, SlotUse::stored);
    const int plane = ghosts ? map.cut.own_end() % map.cut.planes() : map.cut.own_begin();
    std::vector<double*> found;
    for (int k = 0; k < crossing.count; ++k) {
      map.number.for_planes(map.cut.axis(), plane, plane + 1, [&](const auto&, std::uint64_t n) {
        found.push_back(
            &lattice.populations(lattice.slot(static_cast<NodeIndex>(n), crossing.population[k])));
      });
    }
    return found;
  }
};

/// As GhostSlots, between the parts of all ranks.
void exchange_slots(const std::vector<std::unique_ptr<TiledPart>>& parts, int parity) {
  const auto copy = [](const std::vector<double*>& from, const std::vector<double*>& to) {
    ASSERT_EQ(from.size(), to.size());
    for (std::size_t i = 0; i < from.size(); ++i) *to[i] = *from[i];
  };
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    const TiledPart& below = *parts[rank];
    const TiledPart& above = *parts[(rank + 1) % parts.size()];
    copy(below.slots(true, true, parity), above.slots(false, true, parity));
    copy(above.slots(false, false, parity), below.slots(true, false, parity));
  }
}

/// The parts of a sparse lattice update their end planes, exchange, and then update the planes
/// between them, or exchange after the step: both give what the whole lattice gives.
void expect_parts_of_whole(const Setting& setting, int ranks, int& split) {
  std::vector<std::int16_t> body = random_solids(setting.nodes, setting.solid, 3, 5);
  if (setting.solid == 1) {
    // Fluid in the first plane and in the last two: some ranks have none.
    const int plane = setting.nodes[0] * setting.nodes[1];
    std::fill(body.begin(), body.begin() + plane, std::int16_t{-1});
    std::fill(body.end() - 2 * plane, body.end(), std::int16_t{-1});
  } else {
    // Fewer solids in the first half, so that the cuts are uneven.
    for (std::size_t i = 0; i < body.size() / 2; ++i) {
      if (i % 3 != 0) body[i] = -1;
    }
  }
  Domain domain = make_domain(setting);
  domain.body = &body;
  domain.sides[4].velocity = {0.02, 0.01, 0};
  TiledPart whole(make_node_map(domain, true, false, 8));
  InitialFlow flow;
  flow.kind = InitialKind::noise;
  flow.velocity[0] = 0.02;
  ContextOf<HostLattice<DoublePrecision>> context;
  context.parameters = rounded<double>(CollisionParameters<double>{1.7});
  initialise(context, whole.host, whole.map, whole.part, flow);
  copy_populations(whole.host, whole.lattice, whole.host.populations, whole.lattice.populations);

  for (const bool early : {true, false}) {
    std::vector<NodeMap> maps = for_ranks(
        ranks, [&](const Sharing& sharing) { return part_of(domain, setting, body, sharing); });
    std::vector<std::unique_ptr<TiledPart>> parts;
    for (NodeMap& map : maps) {
      parts.push_back(std::make_unique<TiledPart>(std::move(map)));
      const TiledPart& part = *parts.back();
      for (NodeIndex n = 0; n < part.lattice.nodes; ++n) {
        const auto from = static_cast<NodeIndex>(part.part.whole_number(n));
        for (int q = 0; q < 27; ++q) {
          part.lattice.populations(part.lattice.slot(n, q)) =
              whole.lattice.populations(whole.lattice.slot(from, q));
        }
      }
      for (std::size_t i = 0; i < part.map.whole_faces.size(); ++i) {
        part.lattice.face_memory(i) = whole.lattice.face_memory(part.map.whole_faces[i]);
      }
    }
    TiledPart reference(whole.map);
    Kokkos::deep_copy(reference.lattice.populations, whole.lattice.populations);
    Kokkos::deep_copy(reference.lattice.face_memory, whole.lattice.face_memory);
    for (int i = 0; i < 5; ++i) {
      const int parity = i & 1;
      reference.step(reference.lattice, parity);
      for (const auto& part : parts) {
        if (!early || !has_inner_planes(part->lattice)) {
          part->step(part->lattice, parity);
        } else {
          part->step(end_planes(part->lattice), parity);
          ++split;
        }
      }
      exchange_slots(parts, parity);
      for (const auto& part : parts) {
        if (early && has_inner_planes(part->lattice)) {
          part->step(inner_planes(part->lattice), parity);
        }
      }
    }
    std::size_t wrong = 0;
    for (const auto& part : parts) {
      for (NodeIndex n = 0; n < part->lattice.owned; ++n) {
        const auto there = static_cast<NodeIndex>(part->part.whole_number(n));
        for (int q = 0; q < 27; ++q) {
          const double value = part->lattice.populations(part->lattice.slot(n, q));
          if (value != reference.lattice.populations(reference.lattice.slot(there, q))) ++wrong;
        }
      }
    }
    EXPECT_EQ(wrong, 0U) << ranks << early << int(setting.treatment) << setting.nodes[0];
  }
}

TEST(GpuOrder, TeamsShareEachNodeOnce) {
  // The nodes of the end planes and those between them may share a segment.
  for (const NodeIndex end : {1U, 7U, 8U, 9U, 20U, 21U}) {
    TiledLattice<SinglePrecision> lattice;
    lattice.sparse = true;
    lattice.segment = 4;
    lattice.owned = 21;
    lattice.end_planes = end;
    std::vector<int> visits(24, 0);
    for (const auto& part : {end_planes(lattice), inner_planes(lattice)}) {
      for (int team = 0; team < part.teams; ++team) {
        const NodeIndex first = (part.share.segment + static_cast<NodeIndex>(team)) * 4;
        for (NodeIndex n = first; n < first + 4; ++n) {
          if (n >= part.share.begin && n < part.share.end) ++visits[n];
        }
      }
    }
    for (std::size_t n = 0; n < visits.size(); ++n) EXPECT_EQ(visits[n], n < 21 ? 1 : 0) << end;
    EXPECT_EQ(end_planes(lattice).teams, static_cast<int>(end + 3) / 4);
  }
}

TEST(GpuOrder, SparsePartsExchangeBesideInnerPlanes) {
  if constexpr (is_host_backend<Kokkos::Serial>) {
    GTEST_SKIP() << "the host backend is the serial one";
  } else {
    using enum SideKind;
    const Setting settings[] = {
        {{9, 12, 25}, 0.3, true, {periodic, periodic, periodic}},
        {{9, 12, 25}, 0.5, true, {wall, velocity, periodic}, WallTreatment::half_way},
        {{25, 12, 9}, 0.2, true, {periodic, wall, wall}, WallTreatment::interpolated},
        {{9, 25, 12}, 0.2, true, {pressure, periodic, wall}, WallTreatment::interpolated},
        {{12, 9, 25}, 0.7, true, {wall, periodic, pressure}},
        {{6, 5, 28}, 1, true, {periodic, wall, periodic}, WallTreatment::half_way}};
    for (const Setting& setting : settings) {
      int split = 0;
      for (const int ranks : {2, 3, 4, 6}) expect_parts_of_whole(setting, ranks, split);
      EXPECT_GT(split, 0);
    }
  }
}

}  // namespace
}  // namespace knudsen::lbm_d3q27

#endif
