#pragma once

#include "methods/boltzmann/apply_sequentially.hpp"
#include "methods/boltzmann/apply_set.hpp"
#include "methods/boltzmann/correct_cells.hpp"

namespace knudsen::boltzmann {

/// Algorithm 3 on `Lanes` cells per team. Their distributions are interleaved in scratch memory, so
/// that a sampled collision, the same for all cells, is read once for all of them. A team loops
/// over groups of cells and loads the next group while it stores the last one. `Weighted`: see
/// CorrectCells. With `Streamed` a streaming step is applied as cells are loaded, and the result
/// goes to State::next.
template <class ExecutionSpace, class Real, int Lanes, bool Weighted, bool Streamed>
struct CollideCells {
  using Loading = LoadCells<ExecutionSpace, Real, Lanes, Streamed>;
  using Correction = CorrectCells<ExecutionSpace, Real, Lanes, Weighted>;
  using Sums = typename Correction::Sums;
  using Values = Pack<Real, Lanes>;
  using Scratch = CollisionScratch<Real, Lanes>;
  static constexpr int sum_count = Correction::sum_count;
  static constexpr int width = values_per_access<Real>;
  static constexpr int max_threads = max_collision_threads;

  State<ExecutionSpace, Real> state;
  CollisionSets<ExecutionSpace, Real> sets;
  int set;  ///< the set of this step
  Collision collision;
  CollisionOrder order;
  /// Inverse of the matrix of eq. (26) at equilibrium; unused with `Weighted`.
  Real inverse_matrix[invariants][invariants];

  /// Scratch positions of h: the velocities, rounded up to whole accesses.
  KOKKOS_INLINE_FUNCTION static int slots(const VelocitySpace<ExecutionSpace, Real>& v) {
    return (v.rows() * v.count[2] + width - 1) / width * width;
  }
  /// Bytes of h, the collision rates, the correction and its sums.
  KOKKOS_INLINE_FUNCTION static std::size_t value_bytes(
      const VelocitySpace<ExecutionSpace, Real>& v, int samples, int team_size) {
    const int sums = block_sum_scratch(team_size, sum_count) + 2 * sum_count;
    const std::size_t bytes =
        static_cast<std::size_t>(slots(v) + samples + 1 + sums) * sizeof(Values);
    constexpr std::size_t access = sizeof(Access<Real>);
    return (bytes + access - 1) / access * access;
  }
  /// Bytes of scratch memory of a team.
  static std::size_t scratch_bytes(const VelocitySpace<ExecutionSpace, Real>& v, int samples,
                                   int team_size) {
    return value_bytes(v, samples, team_size) +
           static_cast<std::size_t>(v.row_length + v.count[0] + v.count[1] + Lanes + 1) *
               sizeof(Real);
  }

  template <class Team, class Memory>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Memory& memory) const {
    const Loading loading{state, order};
    const Correction correction{state, collision, inverse_matrix};
    const Scratch scratch = lay_out(memory.get(), team.team_size());
    copy_nodes(team, scratch);
    int number = team.league_rank();
    CellGroup cells = loading.cells_of(number);
    const int rank = team.team_rank();
    if (rank <= Lanes) scratch.ratios[rank] = loading.ratio(cells, rank);
    if (rank == 0) scratch.rates[sets.samples] = Values{};
    team.team_barrier();
    loading.load_all(team, scratch, cells);
    for (;;) {
      const int next_number = number + team.league_size();
      const bool has_next = next_number < order.block_count;
      const CellGroup next = has_next ? loading.cells_of(next_number) : cells;
      if (has_next) loading.prefetch_cells(team, next);
      const Real next_ratio = rank <= Lanes ? loading.ratio(next, rank) : Real(0);
      Sums partial;
      if (collision.update == Update::explicit_set) {
        ApplySet<ExecutionSpace, Real, Lanes>{sets, set, collision}(team, scratch, partial);
      } else {
        team.team_barrier();
        ApplySequentially<ExecutionSpace, Real, Lanes>{state, sets, set, collision}(team, scratch.h,
                                                                                    partial);
      }
      if constexpr (Weighted) correction.add_products(team, scratch.h, partial);
      if (rank <= Lanes) scratch.ratios[rank] = next_ratio;
      correction.find(team, partial, scratch);
      correction.write(team, loading, scratch, cells, has_next, next);
      if (!has_next) return;
      number = next_number;
      cells = next;
    }
  }

 private:
  /// The arrays in a team's scratch memory.
  KOKKOS_FORCEINLINE_FUNCTION Scratch lay_out(char* memory, int team_size) const {
    const auto& v = state.velocities;
    Scratch scratch;
    scratch.h = reinterpret_cast<Values*>(memory);
    scratch.rates = scratch.h + slots(v);
    scratch.correction = scratch.rates + sets.samples + 1;
    scratch.totals = scratch.correction + sum_count;
    scratch.sums = reinterpret_cast<Real*>(scratch.totals + sum_count);
    auto* tables = reinterpret_cast<Real*>(memory + value_bytes(v, sets.samples, team_size));
    scratch.nodes[2] = tables;
    scratch.nodes[0] = tables + v.row_length;
    scratch.nodes[1] = scratch.nodes[0] + v.count[0];
    scratch.ratios = scratch.nodes[1] + v.count[1];
    return scratch;
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void copy_nodes(const Team& team, const Scratch& scratch) const {
    const auto& v = state.velocities;
    for (int d = 0; d < 3; ++d) {
      team_each(team, d == 2 ? v.row_length : v.count[d],
                [&](int i) { scratch.nodes[d][i] = v.nodes[d](i); });
    }
  }
};

}  // namespace knudsen::boltzmann
