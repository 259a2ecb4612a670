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

  /// Six rows: east, west, north-east, north-west, south-west, south-east. Each has a pack more
  /// than the segment on either side, for the populations that leave it.
  using Scratch = ScratchView<Pack<Width, Real>**, ExecutionSpace>;
  static std::size_t scratch_bytes(int segment) {
    return Scratch::shmem_size(6, segment / Width + 2);
  }
  KOKKOS_INLINE_FUNCTION static constexpr int scratch_row(int q) {
    return q == 1 ? 0 : (q == 3 ? 1 : q - 3);
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const Extents extents = lattice.extents;
    const RowSegment segment = row_segment(lattice, team.league_rank());
    const bool uniform = segment.special_begin == segment.special_end;
    // Between solid and plain nodes stand special ones: a segment without them is solid or plain.
    if (uniform && (lattice.plain_bits(segment.begin, segment.y) & 1) == 0) return;

    const Scratch shifted(team.team_scratch(0), 6, lattice.segment / Width + 2);
    const Real* in[9];
    Real* out[9];
    Real* moved[9];  // where a population goes at once: its own row, or a row of the scratch
    for_populations([&](auto q) {
      const std::size_t plane = q * extents.plane();
      in[q] = lattice.populations.data() + plane + extents.node(0, segment.y);
      out[q] =
          lattice.next.data() + plane + extents.node(0, extents.wrap_y(segment.y + D2Q9::cy(q)));
      moved[q] = out[q];
      if constexpr (D2Q9::cx(q) != 0) {
        moved[q] = shifted(scratch_row(q), 1).value - segment.begin;
      }
    });

    const int chunks = (segment.end - segment.begin + Width - 1) / Width;
    if (!uniform) {
      // Solid nodes leave nothing.
      team_for(team, 0, chunks + 2, [&](int chunk) {
        for (int row = 0; row < 6; ++row) shifted(row, chunk) = {};
      });
      team.team_barrier();
    }

    const auto plain = [&](int x, std::uint32_t bits) {
      Real g[Width][9];
      for_populations([&](auto q) {
        Real values[Width];
        load_nodes<true>(in[q] + x, values);
        for (int i = 0; i < Width; ++i) g[i][q] = values[i];
      });
      for (int i = 0; i < Width; ++i) collide<Operator, Force>(g[i], relaxation);
      whole_or_masked<Width>(bits, [&](auto whole) {
        for_populations([&](auto q) {
          Real values[Width];
          for (int i = 0; i < Width; ++i) values[i] = g[i][q];
          store_nodes<D2Q9::cx(q) == 0, whole>(moved[q] + x + D2Q9::cx(q), values, bits);
        });
      });
    };
    const auto special = [&](int x, std::uint16_t index) {
      Real g[9];
      step_special_node<Operator, Force, Arrangement::scatter>(
          lattice, relaxation, lattice.classes(index), x, segment.y, parity, g);
      for_populations([&](auto q) { moved[q][x + D2Q9::cx(q)] = g[q]; });
    };
    for_nodes<Width>(team, lattice, segment, plain, special);
    team.team_barrier();

    team_for(team, 0, chunks, [&](int chunk) {
      const int x = segment.begin + chunk * Width;
      const int inside = segment.end - x;
      const std::uint32_t bits = inside < Width ? (1U << inside) - 1 : all_bits<Width>;
      whole_or_masked<Width>(bits, [&](auto whole) {
        for_populations([&](auto q) {
          if constexpr (D2Q9::cx(q) != 0) {
            // What left at one end comes in at the other.
            const int entry = D2Q9::cx(q) > 0 ? segment.begin : segment.end - 1;
            const int left = D2Q9::cx(q) > 0 ? segment.end : segment.begin - 1;
            Real values[Width];
            load_nodes<true>(moved[q] + x, values);
            for (int i = 0; i < Width; ++i) {
              if (x + i == entry) values[i] = moved[q][left];
            }
            store_nodes<true, whole>(out[q] + x, values, bits);
          }
        });
      });
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
