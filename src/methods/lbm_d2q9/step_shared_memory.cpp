#include <algorithm>
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
template <class ExecutionSpace, class Real, CollisionOperator Operator, Forcing Force, int Width>
struct CollidePropagate {
  Lattice<ExecutionSpace, Real> lattice;
  Relaxation<Real> relaxation;
  int parity;

  /// Six rows: east, north-east, south-east, west, north-west, south-west. Each has a pack more
  /// than the segment on either side, for the populations that leave it.
  using Scratch = ScratchView<Pack<Width, Real>**, ExecutionSpace>;
  static std::size_t scratch_bytes(int segment) {
    return Scratch::shmem_size(6, segment / Width + 2);
  }
  KOKKOS_INLINE_FUNCTION static constexpr int scratch_row(int q) {
    return q == 1 ? 0 : (q == 5 ? 1 : (q == 8 ? 2 : (q == 3 ? 3 : q - 2)));
  }

  /// Where population q moves to from row y, at x.
  KOKKOS_INLINE_FUNCTION Real* out(int q, int x, int y) const {
    const Extents& extents = lattice.extents;
    return lattice.next.data() + q * extents.plane() +
           extents.node(x, extents.wrap_y(y + D2Q9::cy(q)));
  }
  /// Where it goes at once: there, or into a row of the scratch, whose segment starts at `begin`.
  template <int Q>
  KOKKOS_INLINE_FUNCTION Real* moved(const Scratch& shifted, int begin, PopulationIndex<Q> q, int x,
                                     int y) const {
    if constexpr (D2Q9::cx(q) == 0) {
      return out(q, x, y);
    } else {
      return shifted(scratch_row(q), 1).value + (x - begin);
    }
  }

  KNUDSEN_OUTLINED_FUNCTION void step_special(Scratch shifted, int begin, int x, int y,
                                              std::uint16_t index) const {
    const NodeClass<Real>& node = lattice.classes(index);
    Real g[9];
    load_node(lattice, Arrangement::scatter, node, x, y, parity, relaxation, g);
    publish(lattice, node, x, y, parity ^ 1, relaxation, g);
    update_node<Operator, Force>(node, relaxation, g);
    for_populations([&](auto q) { *moved(shifted, begin, q, x + D2Q9::cx(q), y) = g[q]; });
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const RowSegment segment = row_segment(lattice, team.league_rank());
    const Scratch shifted(team.team_scratch(0), 6, lattice.segment / Width + 2);
    const int chunks = (segment.end - segment.begin + Width - 1) / Width;
    const Real* in = lattice.populations.data() + lattice.extents.node(0, segment.y);
    const auto plain = [&](int x, std::uint32_t bits) {
      Real g[Width][9];
      for_populations([&](auto q) {
        Real values[Width];
        load_nodes<true>(in + q * lattice.extents.plane() + x, values);
        for (int i = 0; i < Width; ++i) g[i][q] = values[i];
      });
      for (int i = 0; i < Width; ++i) collide<Operator, Force>(g[i], relaxation);
      whole_or_masked<Width>(bits, [&](auto whole) {
        for_populations([&](auto q) {
          Real values[Width];
          for (int i = 0; i < Width; ++i) values[i] = g[i][q];
          store_nodes<D2Q9::cx(q) == 0, whole>(
              moved(shifted, segment.begin, q, x + D2Q9::cx(q), segment.y), values, bits);
        });
      });
    };
    const auto special = [&](int x, std::uint16_t index) {
      step_special(shifted, segment.begin, x, segment.y, index);
    };
    // Nobody takes what a solid node hands on, but the rows of the scratch are written out whole.
    const auto solid = [&](int x) {
      for_populations([&](auto q) {
        if constexpr (D2Q9::cx(q) != 0) {
          *moved(shifted, segment.begin, q, x + D2Q9::cx(q), segment.y) = 0;
        }
      });
    };
    for_nodes<Width>(team, lattice, segment, plain, special, solid);
    team.team_barrier();

    // What left at one end comes in at the other.
    team_for(team, 0, 6, [&](int row) {
      Real* const place = shifted(row, 1).value - segment.begin;
      if (row < 3) {
        place[segment.begin] = place[segment.end];
      } else {
        place[segment.end - 1] = place[segment.begin - 1];
      }
    });
    team.team_barrier();

    team_for_once(team, chunks, [&](int chunk) {
      const int x = segment.begin + chunk * Width;
      const int inside = segment.end - x;
      const std::uint32_t bits = Width > 1 && inside < Width ? (1U << inside) - 1 : all_bits<Width>;
      whole_or_masked<Width>(bits, [&](auto whole) {
        for_populations([&](auto q) {
          if constexpr (D2Q9::cx(q) != 0) {
            Real values[Width];
            load_nodes<true>(moved(shifted, segment.begin, q, x, segment.y), values);
            store_nodes<true, whole>(out(q, x, segment.y), values, bits);
          }
        });
      });
    });
  }
};

/// Completes the propagation between segments (LBExchange in Gomes 2016): in every row, the first
/// value of each segment of the east-going populations belongs to the first place of the next
/// segment, the last value of the west-going ones to the last place of the segment before.
/// A team takes some rows; what crosses between segments is all read before any is written.
template <class ExecutionSpace, class Real>
struct Exchange {
  Extents extents;
  int segment;
  int segments_per_row;
  int rows_per_team;
  View<Real*, ExecutionSpace> populations;

  using Scratch = ScratchView<Real**, ExecutionSpace>;
  [[nodiscard]] std::size_t scratch_bytes() const {
    return Scratch::shmem_size(6, static_cast<std::size_t>(rows_per_team) * segments_per_row);
  }

  /// A segment of a row: the start of the row in every population, and the ends of the segment.
  struct Place {
    Real* row[9];
    int first;
    int last;
  };
  KOKKOS_INLINE_FUNCTION Place place(int y, int s) const {
    Place place;
    for_populations([&](auto q) {
      place.row[q] = populations.data() + q * extents.plane() + extents.node(0, y);
    });
    place.first = s * segment;
    place.last = (s + 1 < segments_per_row ? (s + 1) * segment : extents.nx) - 1;
    return place;
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const int first_row = team.league_rank() * rows_per_team;
    const int rows =
        extents.ny - first_row < rows_per_team ? extents.ny - first_row : rows_per_team;
    const int segments = segments_per_row;
    const Scratch crossing(team.team_scratch(0), 6, rows_per_team * segments);
    team_for(team, 0, rows * segments, [&](int i) {
      const Place from = place(first_row + i / segments, i % segments);
      crossing(0, i) = from.row[1][from.first];
      crossing(1, i) = from.row[5][from.first];
      crossing(2, i) = from.row[8][from.first];
      crossing(3, i) = from.row[3][from.last];
      crossing(4, i) = from.row[6][from.last];
      crossing(5, i) = from.row[7][from.last];
    });
    team.team_barrier();
    team_for(team, 0, rows * segments, [&](int i) {
      const int s = i % segments;
      const Place to = place(first_row + i / segments, s);
      const int west = s > 0 ? i - 1 : i + segments - 1;
      const int east = s + 1 < segments ? i + 1 : i + 1 - segments;
      to.row[1][to.first] = crossing(0, west);
      to.row[5][to.first] = crossing(1, west);
      to.row[8][to.first] = crossing(2, west);
      to.row[3][to.last] = crossing(3, east);
      to.row[6][to.last] = crossing(4, east);
      to.row[7][to.last] = crossing(5, east);
    });
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void collide_propagate(const StepContext<ExecutionSpace, Real>& context,
                       Lattice<ExecutionSpace, Real>& lattice, int parity) {
  dispatch_collision(context, [&](auto collision_operator, auto forcing) {
    dispatch_width<ExecutionSpace>(context.tuning, [&](auto width) {
      using Kernel = CollidePropagate<ExecutionSpace, Real, collision_operator, forcing, width>;
      auto policy = segment_policy(context, lattice);
      policy.set_scratch_size(
          0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes(lattice.segment))));
      Kokkos::parallel_for("knudsen/lbm_d2q9/collide_propagate", policy,
                           Kernel{lattice, context.relaxation, parity});
    });
  });
  std::swap(lattice.populations, lattice.next);
}

template <class ExecutionSpace, class Real>
void exchange(const StepContext<ExecutionSpace, Real>& context,
              Lattice<ExecutionSpace, Real>& lattice) {
  using Kernel = Exchange<ExecutionSpace, Real>;
  constexpr int team_size = is_host_backend<ExecutionSpace> ? 1 : 256;
  const int segments = lattice.segments_per_row;
  const int rows_per_team = std::max(1, team_size / segments);
  const Kernel kernel{lattice.extents, lattice.segment, segments, rows_per_team,
                      lattice.populations};
  TeamPolicy<ExecutionSpace> policy(
      context.execution, (lattice.extents.ny + rows_per_team - 1) / rows_per_team, team_size, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(kernel.scratch_bytes())));
  Kokkos::parallel_for("knudsen/lbm_d2q9/exchange", policy, kernel);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                 \
  template void collide_propagate<ExecutionSpace, Real>(const StepContext<ExecutionSpace, Real>&, \
                                                        Lattice<ExecutionSpace, Real>&, int);     \
  template void exchange<ExecutionSpace, Real>(const StepContext<ExecutionSpace, Real>&,          \
                                               Lattice<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d2q9
