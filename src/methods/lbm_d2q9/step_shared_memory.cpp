#include <utility>

#include "core/instantiate.hpp"
#include "methods/lbm_d2q9/node_update.hpp"
#include "methods/lbm_d2q9/step.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

/// Toelke's kernel (2009; LBCollProp in Gomes 2016, section 4.1.2). A team takes a segment of a
/// row: every node collides; populations that stay in the column go to their rows at once; those
/// that move east or west are shifted by one node in scratch and then written to their rows. So
/// every global access is aligned. A population that leaves the segment comes in at its other end,
/// from where `Exchange` moves it to the neighbouring segment.
template <class ExecutionSpace, class Real, CollisionOperator Operator, Forcing Force>
struct CollidePropagate {
  Lattice<ExecutionSpace, Real> lattice;
  Relaxation<Real> relaxation;
  int parity;

  using Scratch = ScratchView<Real**, ExecutionSpace>;

  /// Six rows: east, north-east, south-east moved by +1, west, north-west, south-west by -1. Each
  /// has one place more than the segment for the population that leaves it.
  static std::size_t scratch_bytes(int segment) { return Scratch::shmem_size(6, segment + 1); }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const Extents extents = lattice.extents;
    const RowSegment segment = row_segment(lattice, team.league_rank());
    const int length = segment.end - segment.begin;
    const Scratch shifted(team.team_scratch(0), 6, lattice.segment + 1);
    const Real* in[9];
    Real* out[9];
    for_populations([&](auto q) {
      const std::size_t plane = q * extents.plane();
      in[q] = lattice.populations.data() + plane + extents.node(0, segment.y);
      out[q] =
          lattice.next.data() + plane + extents.node(0, extents.wrap_y(segment.y + D2Q9::cy(q)));
    });
    Real* east_row[3];
    Real* west_row[3];
    for (int row = 0; row < 3; ++row) {
      east_row[row] = &shifted(row, 0) - segment.begin;
      west_row[row] = &shifted(row + 3, 0) - segment.begin;
    }

    const auto propagate = [&](int x, const Real(&g)[9]) {
      out[0][x] = g[0];
      out[2][x] = g[2];
      out[4][x] = g[4];
      east_row[0][x + 1] = g[1];
      east_row[1][x + 1] = g[5];
      east_row[2][x + 1] = g[8];
      west_row[0][x] = g[3];
      west_row[1][x] = g[6];
      west_row[2][x] = g[7];
    };
    const auto plain = [&](int x) {
      Real g[9];
      for_populations([&](auto q) { g[q] = in[q][x]; });
      collide<Operator, Force>(g, relaxation);
      propagate(x, g);
    };
    const auto special = [&](int x, std::uint16_t index) {
      const NodeClass<Real>& node = lattice.classes(index);
      Real g[9];
      load_node(lattice, Arrangement::scatter, node, x, segment.y, parity, relaxation, g);
      if (node.kind != NodeKind::solid) {
        publish(lattice, node, x, segment.y, parity ^ 1, relaxation, g);
        update_node<Operator, Force>(node, relaxation, g);
      }
      propagate(x, g);
    };
    for_nodes<1>(team, segment, extents.nx, lattice.node_class.data() + extents.node(0, segment.y),
                 plain, special);

    team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      for (int row = 0; row < 3; ++row) {
        east_row[row][segment.begin] = east_row[row][segment.begin + length];
        west_row[row][segment.begin + length] = west_row[row][segment.begin];
      }
    });
    team.team_barrier();

    team_for(team, segment.begin, segment.end, [&](int x) {
      out[1][x] = east_row[0][x];
      out[5][x] = east_row[1][x];
      out[8][x] = east_row[2][x];
      out[3][x] = west_row[0][x + 1];
      out[6][x] = west_row[1][x + 1];
      out[7][x] = west_row[2][x + 1];
    });
  }
};

/// Completes the propagation between segments (LBExchange in Gomes 2016): in every row, the first
/// value of each segment of the east-going populations belongs to the first place of the next
/// segment, the last value of the west-going ones to the last place of the segment before.
template <class ExecutionSpace, class Real>
struct Exchange {
  Extents extents;
  int segment;
  int segments_per_row;
  View<Real*, ExecutionSpace> populations;

  using Scratch = ScratchView<Real**, ExecutionSpace>;
  static std::size_t scratch_bytes(int segments_per_row) {
    return Scratch::shmem_size(6, segments_per_row);
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const int y = team.league_rank();
    const Scratch crossing(team.team_scratch(0), 6, segments_per_row);
    Real* row[9];
    for_populations(
        [&](auto q) { row[q] = populations.data() + q * extents.plane() + extents.node(0, y); });
    const int segments = segments_per_row;
    const auto first = [=, this](int s) { return s * segment; };
    const auto last = [=, this](int s) {
      return s + 1 < segments ? (s + 1) * segment - 1 : extents.nx - 1;
    };
    team_for(team, 0, segments, [&](int s) {
      crossing(0, s) = row[1][first(s)];
      crossing(1, s) = row[5][first(s)];
      crossing(2, s) = row[8][first(s)];
      crossing(3, s) = row[3][last(s)];
      crossing(4, s) = row[6][last(s)];
      crossing(5, s) = row[7][last(s)];
    });
    team.team_barrier();
    team_for(team, 0, segments, [&](int s) {
      const int to_east = s + 1 < segments ? s + 1 : 0;
      const int to_west = s > 0 ? s - 1 : segments - 1;
      row[1][first(to_east)] = crossing(0, s);
      row[5][first(to_east)] = crossing(1, s);
      row[8][first(to_east)] = crossing(2, s);
      row[3][last(to_west)] = crossing(3, s);
      row[6][last(to_west)] = crossing(4, s);
      row[7][last(to_west)] = crossing(5, s);
    });
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void collide_propagate(const StepContext<ExecutionSpace, Real>& context,
                       Lattice<ExecutionSpace, Real>& lattice, int parity) {
  dispatch_collision(context, [&](auto collision_operator, auto forcing) {
    using Kernel = CollidePropagate<ExecutionSpace, Real, collision_operator, forcing>;
    auto policy = segment_policy(context, lattice);
    policy.set_scratch_size(
        0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes(lattice.segment))));
    Kokkos::parallel_for("knudsen/lbm_d2q9/collide_propagate", policy,
                         Kernel{lattice, context.relaxation, parity});
  });
  std::swap(lattice.populations, lattice.next);
}

template <class ExecutionSpace, class Real>
void exchange(const StepContext<ExecutionSpace, Real>& context,
              Lattice<ExecutionSpace, Real>& lattice) {
  using Kernel = Exchange<ExecutionSpace, Real>;
  constexpr int team_size = is_host_backend<ExecutionSpace> ? 1 : 32;
  TeamPolicy<ExecutionSpace> policy(context.execution, lattice.extents.ny, team_size, 1);
  policy.set_scratch_size(
      0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes(lattice.segments_per_row))));
  Kokkos::parallel_for(
      "knudsen/lbm_d2q9/exchange", policy,
      Kernel{lattice.extents, lattice.segment, lattice.segments_per_row, lattice.populations});
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                 \
  template void collide_propagate<ExecutionSpace, Real>(const StepContext<ExecutionSpace, Real>&, \
                                                        Lattice<ExecutionSpace, Real>&, int);     \
  template void exchange<ExecutionSpace, Real>(const StepContext<ExecutionSpace, Real>&,          \
                                               Lattice<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d2q9
