#pragma once

#include "methods/boltzmann/apply_in_turn.hpp"
#include "methods/boltzmann/apply_set.hpp"
#include "methods/boltzmann/correct_cells.hpp"

namespace knudsen::boltzmann {

/// Algorithm 3 on `Lanes` cells a team. Their distributions stand in scratch memory, side by side
/// at each velocity; so a sampled collision, the same for all cells, is read once for all of them.
/// A team that goes on to further cells loads them while it writes the last ones. With `Streamed`
/// cells are loaded as streaming leaves them and written to the other array.
template <class ExecutionSpace, class Real, int Lanes, bool Weighted, bool Streamed>
struct CollideCells {
  using Loading = LoadCells<ExecutionSpace, Real, Lanes, Streamed>;
  using Correction = CorrectCells<ExecutionSpace, Real, Lanes, Weighted>;
  using Sums = typename Correction::Sums;
  using Values = Pack<Real, Lanes>;
  using Scratch = CollisionScratch<Real, Lanes>;
  static constexpr int sum_count = Correction::sum_count;
  static constexpr int width = values_per_access<Real>;
  static constexpr int max_threads = most_collision_threads;

  State<ExecutionSpace, Real> state;
  CollisionSets<ExecutionSpace, Real> sets;
  int set;
  Collision collision;
  CollisionOrder order;
  /// Of the matrix of eq. (26) where that is the same in all cells.
  Real inverse_matrix[invariants][invariants];

  /// Of h: the velocities, rounded up to whole accesses.
  KOKKOS_INLINE_FUNCTION static int slots(const VelocitySpace<ExecutionSpace, Real>& v) {
    return (v.rows() * v.count[2] + width - 1) / width * width;
  }
  /// Bytes of h, the rates of the collisions, the correction and the sums that it is made of.
  KOKKOS_INLINE_FUNCTION static std::size_t value_bytes(
      const VelocitySpace<ExecutionSpace, Real>& v, int samples, int team_size) {
    const int sums = block_sum_scratch(team_size, sum_count) + 2 * sum_count;
    const std::size_t bytes =
        static_cast<std::size_t>(slots(v) + samples + 1 + sums) * sizeof(Values);
    constexpr std::size_t access = sizeof(Access<Real>);
    return (bytes + access - 1) / access * access;
  }
  static std::size_t scratch_bytes(const VelocitySpace<ExecutionSpace, Real>& v, int samples,
                                   int team_size) {
    return value_bytes(v, samples, team_size) +
           static_cast<std::size_t>(v.row_length + v.count[0] + v.count[1] + Lanes + 1) *
               sizeof(Real);
  }

  template <class Team, class Memory>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Memory& scratch_memory) const {
    char* const memory = scratch_memory.get();
    const auto& v = state.velocities;
    const Loading loading{state, order};
    const Correction correction{state, collision, inverse_matrix};
    Scratch scratch;
    scratch.h = reinterpret_cast<Values*>(memory);
    scratch.rates = scratch.h + slots(v);
    scratch.correction = scratch.rates + sets.samples + 1;
    scratch.totals = scratch.correction + sum_count;
    scratch.sums = reinterpret_cast<Real*>(scratch.totals + sum_count);
    auto* tables = reinterpret_cast<Real*>(memory + value_bytes(v, sets.samples, team.team_size()));
    scratch.nodes[2] = tables;
    scratch.nodes[0] = tables + v.row_length;
    scratch.nodes[1] = scratch.nodes[0] + v.count[0];
    scratch.ratios = scratch.nodes[1] + v.count[1];
    for (int d = 0; d < 3; ++d) {
      each(team, d == 2 ? v.row_length : v.count[d],
           [&](int i) { scratch.nodes[d][i] = v.nodes[d](i); });
    }
    int number = team.league_rank();
    CellGroup cells = loading.cells_of(number);
    const int rank = team.team_rank();
    if (rank <= Lanes) scratch.ratios[rank] = loading.ratio(cells, rank);
    if (rank == 0) scratch.rates[sets.samples] = Values{};
    team.team_barrier();
    loading.load_all(team, scratch, cells);
    for (;;) {
      const int next = number + team.league_size();
      const bool goes_on = next < order.block_count;
      const CellGroup coming = goes_on ? loading.cells_of(next) : cells;
      if (goes_on) loading.prefetch_cells(team, coming);
      const Real coming_ratio = rank <= Lanes ? loading.ratio(coming, rank) : Real(0);
      Sums partial;
      if (collision.update == Update::explicit_set) {
        ApplySet<ExecutionSpace, Real, Lanes>{sets, set, collision}(team, scratch, partial);
      } else {
        team.team_barrier();
        ApplyInTurn<ExecutionSpace, Real, Lanes>{state, sets, set, collision}(team, scratch.h,
                                                                              partial);
      }
      if constexpr (Weighted) correction.add_products(team, scratch.h, partial);
      if (rank <= Lanes) scratch.ratios[rank] = coming_ratio;
      correction.find(team, partial, scratch);
      correction.write(team, loading, scratch, cells, goes_on, coming);
      if (!goes_on) return;
      number = next;
      cells = coming;
    }
  }
};

}  // namespace knudsen::boltzmann
