#include <cstddef>
#include <cstring>
#include <utility>

#include "device/instantiate.hpp"
#include "device/streaming_store.hpp"
#include "methods/lbm_d2q9/node_update.hpp"
#include "methods/lbm_d2q9/step.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

/// Toelke's kernel (2009; LBCollProp in Gomes 2016, section 4.1.2). A team collides the nodes of a
/// segment of a row. Populations that stay in their column are written to their rows directly.
/// Those with an x component are shifted by one node in scratch memory and then written, so that
/// every global access is aligned. A population that leaves the segment enters at its other end,
/// from where `Exchange` moves it to the adjacent segment.
template <class ExecutionSpace, class Real, class CollisionType, int Width>
struct CollidePropagate {
  Lattice<ExecutionSpace, Real> lattice;
  CollisionType collision;
  CollisionParameters<Real> parameters;
  int parity;
  bool past_caches = false;  ///< on the host: `next` does not fit in them

  /// Six rows: east, north-east, south-east, west, north-west, south-west. Each has one pack more
  /// than the segment at either end, for the populations that leave it.
  using Scratch = ScratchView<Pack<Width, Real>**, ExecutionSpace>;
  static std::size_t scratch_bytes(int segment) {
    return Scratch::shmem_size(6, segment / Width + 2);
  }
  KOKKOS_INLINE_FUNCTION static constexpr int scratch_row(int q) {
    return q == 1 ? 0 : (q == 5 ? 1 : (q == 8 ? 2 : (q == 3 ? 3 : q - 2)));
  }

  /// Slot at column x to which population q moves from the middle one of `rows`.
  KOKKOS_INLINE_FUNCTION Real* out(int q, int x, const AdjacentRows& rows) const {
    return lattice.next.data() + q * lattice.extents.plane() + rows.node(x, D2Q9::cy(q));
  }
  /// Where population q is written first: that slot if it stays in its column, else its row of the
  /// scratch memory of the segment that starts at `begin`.
  template <int Q>
  KOKKOS_INLINE_FUNCTION Real* moved(const Scratch& shifted, int begin, PopulationIndex<Q> q, int x,
                                     const AdjacentRows& rows) const {
    if constexpr (D2Q9::cx(q) == 0) {
      return out(q, x, rows);
    } else {
      return shifted(scratch_row(q), 1).value + (x - begin);
    }
  }

  KNUDSEN_OUTLINED_FUNCTION void step_special(Scratch shifted, int begin, int x, int y,
                                              std::uint16_t index) const {
    const NodeClass<Real>& node = lattice.classes(index);
    Real g[9];
    load_node(lattice, Arrangement::scatter, node, x, y, parity, parameters, g);
    publish(lattice, node, x, y, parity ^ 1, parameters, g);
    update_node(collision, node, parameters, g);
    const AdjacentRows rows(lattice.extents, y);
    for_populations([&](auto q) { *moved(shifted, begin, q, x + D2Q9::cx(q), rows) = g[q]; });
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const RowSegment segment = row_segment(lattice, team.league_rank());
    const Scratch shifted(team.team_scratch(0), 6, lattice.segment / Width + 2);
    [[maybe_unused]] const int chunks = (segment.end - segment.begin + Width - 1) / Width;
    const AdjacentRows rows(lattice.extents, segment.y);
    const Real* in = lattice.populations.data() + lattice.extents.node(0, segment.y);
    const auto row = [&]([[maybe_unused]] int x, [[maybe_unused]] int nodes) {
      if constexpr (is_host_backend<ExecutionSpace>) {
        const Real* from[9];
        Real* to[9];
        for_populations([&](auto q) {
          from[q] = in + q * lattice.extents.plane() + x;
          to[q] = moved(shifted, segment.begin, q, x + D2Q9::cx(q), rows);
        });
        collision.rows(from, to, nodes, parameters);
      }
    };
    const auto chunk = [&](int x, std::uint32_t bits) {
      Real g[Width][9];
      for_populations([&](auto q) {
        Real values[Width];
        load_nodes<true>(in + q * lattice.extents.plane() + x, values);
        for (int i = 0; i < Width; ++i) g[i][q] = values[i];
      });
      for (int i = 0; i < Width; ++i) collision.template collide<D2Q9>(g[i], parameters);
      whole_or_masked<Width>(bits, [&](auto whole) {
        for_populations([&](auto q) {
          Real values[Width];
          for (int i = 0; i < Width; ++i) values[i] = g[i][q];
          store_nodes<D2Q9::cx(q) == 0, whole>(
              moved(shifted, segment.begin, q, x + D2Q9::cx(q), rows), values, bits);
        });
      });
    };
    const auto special = [&](int x, std::uint16_t index) {
      step_special(shifted, segment.begin, x, segment.y, index);
    };
    // No node reads what a solid node sends, but scratch rows are written out whole and must be
    // initialised.
    const auto solid = [&](int x) {
      for_populations([&](auto q) {
        if constexpr (D2Q9::cx(q) != 0) {
          *moved(shifted, segment.begin, q, x + D2Q9::cx(q), rows) = 0;
        }
      });
    };
    for_nodes<Width>(team, lattice, segment, row, chunk, special, solid);
    team.team_barrier();

    // Populations that left at one end enter at the other.
    team_for(team, 0, 6, [&](int row) {
      Real* const place = shifted(row, 1).value - segment.begin;
      if (row < 3) {
        place[segment.begin] = place[segment.end];
      } else {
        place[segment.end - 1] = place[segment.begin - 1];
      }
    });
    team.team_barrier();

    if constexpr (is_host_backend<ExecutionSpace>) {
      const std::size_t bytes =
          static_cast<std::size_t>(segment.end - segment.begin) * sizeof(Real);
      for_populations([&](auto q) {
        if constexpr (D2Q9::cx(q) != 0) {
          Real* const to = out(q, segment.begin, rows);
          const Real* const from = moved(shifted, segment.begin, q, segment.begin, rows);
          if (past_caches) {
            store_past_caches(to, from, bytes);
          } else {
            std::memcpy(to, from, bytes);
          }
        }
      });
      if (past_caches) finish_stores_past_caches();
    } else {
      team_for_once(team, chunks, [&](int number) {
        const int x = segment.begin + number * Width;
        const int inside = segment.end - x;
        const std::uint32_t bits =
            Width > 1 && inside < Width ? (1U << inside) - 1 : all_bits<Width>;
        whole_or_masked<Width>(bits, [&](auto whole) {
          for_populations([&](auto q) {
            if constexpr (D2Q9::cx(q) != 0) {
              Real values[Width];
              load_nodes<true>(moved(shifted, segment.begin, q, x, rows), values);
              store_nodes<true, whole>(out(q, x, rows), values, bits);
            }
          });
        });
      });
    }
  }
};

/// Completes the propagation between segments (LBExchange in Gomes 2016). In every row the first
/// east-going value of a segment moves to the first node of the next segment, and the last
/// west-going value to the last node of the previous segment.
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
  with_collision_on<D2Q9>(context, [&](auto collision) {
    dispatch_width<ExecutionSpace>(context.tuning, [&](auto width) {
      using Kernel = CollidePropagate<ExecutionSpace, Real, decltype(collision), width>;
      auto policy = segment_policy(context, lattice);
      policy.set_scratch_size(
          0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes(lattice.segment))));
      Kokkos::parallel_for("knudsen/lbm_d2q9/collide_propagate", policy,
                           Kernel{lattice, collision, context.parameters, parity,
                                  lattice.next.span() * sizeof(Real) > cached_bytes});
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
