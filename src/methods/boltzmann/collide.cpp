#include "core/block_launch.hpp"
#include "core/instantiate.hpp"
#include "methods/boltzmann/conservation.hpp"
#include "methods/boltzmann/lanes.hpp"
#include "methods/boltzmann/step.hpp"

namespace knudsen::boltzmann {
namespace {

/// Algorithm 3 on `Lanes` cells a team. Their distributions stand in scratch memory, side by side
/// at each velocity; so a sampled collision, the same for all cells, is read once for all of them.
///
/// Explicit update: the rate of every collision is found first (a team over the collisions), then
/// every velocity cell adds up the collisions in its list (a team over the velocities): no two
/// threads write to the same place, and sums have a fixed order.
template <class ExecutionSpace, class Real, int Lanes, bool Weighted>
struct CollideCells {
  using Values = Pack<Real, Lanes>;
  /// Loss of the five invariants in the collisions; `Weighted` also the moments of h that the
  /// matrix of eq. (26) is made of.
  static constexpr int sum_count = invariants + (Weighted ? product_moments : 0);
  using Sums = LaneSums<Real, Lanes, sum_count>;
  static constexpr int sum_parts = 16;  ///< of the threads' sums, added up side by side

  State<ExecutionSpace, Real> state;
  CollisionSets<ExecutionSpace, Real> sets;
  int set;
  Collision collision;

  /// Scratch: h; the rates of the collisions, later what the threads have summed up; the
  /// correction.
  KOKKOS_INLINE_FUNCTION static std::size_t shared_count(int samples, int team_size) {
    const int sums = (team_size + sum_parts) * sum_count;
    return static_cast<std::size_t>(samples + 1 > sums ? samples + 1 : sums);
  }
  static std::size_t scratch_bytes(const VelocitySpace<ExecutionSpace, Real>& v, int samples,
                                   int team_size) {
    return (static_cast<std::size_t>(v.size()) + shared_count(samples, team_size) + sum_count) *
           sizeof(Values);
  }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, char* scratch) const {
    const auto& v = state.velocities;
    auto* h = reinterpret_cast<Values*>(scratch);
    Values* shared = h + v.size();
    Values* correction = shared + shared_count(sets.samples, team.team_size());
    const int first = team.league_rank() * Lanes;
    const int last = state.cell_count() - 1;
    const Real* from[Lanes];
    for (int l = 0; l < Lanes; ++l) {
      from[l] = state.values(state.h, first + l < last ? first + l : last);
    }
    each(team, v.size(), [&](int place) {
      for (int l = 0; l < Lanes; ++l) h[place].lane[l] = from[l][place];
    });
    team.team_barrier();

    const Sums partial = collision.update == Update::explicit_set ? apply_set(team, h, shared)
                                                                  : apply_in_turn(team, h);
    sum_over_team(team, partial, shared, correction);

    // Line 31.
    each(team, Lanes, [&](int l) {
      Real rest[invariants];
      Real products[product_moments];
      for (int a = 0; a < invariants; ++a) rest[a] = correction[a].lane[l];
      for (int n = 0; n < product_moments; ++n) {
        products[n] = state.equilibrium_moments[n];
        if constexpr (Weighted) {
          products[n] +=
              static_cast<Real>(collision.deviation) * correction[invariants + n].lane[l];
        }
      }
      if (collision.conservation == Conservation::none) {
        for (int a = 0; a < invariants; ++a) rest[a] = 0;
      } else {
        solve_correction(products, rest);
      }
      for (int a = 0; a < invariants; ++a) correction[a].lane[l] = rest[a];
    });
    team.team_barrier();

    // Lines 32 to 39.
    write_corrected(team, h, correction, first);
  }

 private:
  /// body(i) for i in [0, count), spread over the threads of a team.
  template <class Team, class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void each(const Team& team, int count, const Body& body) {
    for (int i = team.team_rank(); i < count; i += team.team_size()) body(i);
  }

  /// Adds up the threads' sums in a fixed order, in two rounds; `shared` is overwritten.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void sum_over_team(const Team& team, const Sums& partial, Values* shared,
                                            Values* total) const {
    const int size = team.team_size();
    const int parts = size < sum_parts ? size : sum_parts;
    team.team_barrier();
    for (int n = 0; n < sum_count; ++n) shared[n * size + team.team_rank()] = partial.value[n];
    team.team_barrier();
    Values* rounds = shared + size * sum_count;
    each(team, sum_count * parts, [&](int work) {
      const int n = work / parts;
      Values sum{};
      for (int i = work - n * parts; i < size; i += parts) {
        for (int l = 0; l < Lanes; ++l) sum.lane[l] += shared[n * size + i].lane[l];
      }
      rounds[work] = sum;
    });
    team.team_barrier();
    each(team, sum_count, [&](int n) {
      Values sum{};
      for (int i = 0; i < parts; ++i) {
        for (int l = 0; l < Lanes; ++l) sum.lane[l] += rounds[n * parts + i].lane[l];
      }
      total[n] = sum;
    });
    team.team_barrier();
  }

  struct Velocity {
    int place;
    Real node[3];
    Real inverse_weight;
  };

  KOKKOS_INLINE_FUNCTION Velocity velocity(std::uint32_t packed) const {
    const auto& v = state.velocities;
    constexpr std::uint32_t mask = (1U << static_cast<unsigned>(index_bits)) - 1;
    const int i = static_cast<int>(packed >> static_cast<unsigned>(2 * index_bits));
    const int j = static_cast<int>((packed >> static_cast<unsigned>(index_bits)) & mask);
    const int k = static_cast<int>(packed & mask);
    return {
        (i * v.count[1] + j) * v.row_length + k,
        {v.nodes[0](i), v.nodes[1](j), v.nodes[2](k)},
        state.inverse_weights[0](i) * state.inverse_weights[1](j) * state.inverse_weights[2](k)};
  }

  /// h + h_1 + epsilon h h_1 of line 12; for the reversible estimator half of it less half of the
  /// same after the collision.
  KOKKOS_FORCEINLINE_FUNCTION Real excess(Real before, Real before1, Real after,
                                          Real after1) const {
    const Real e = static_cast<Real>(collision.deviation);
    const Real there = before + before1 + e * before * before1;
    if (collision.estimator == Estimator::one_way) return there;
    return Real(0.5) * (there - (after + after1 + e * after * after1));
  }

  KOKKOS_FORCEINLINE_FUNCTION void add_loss(const Real (&node)[3], Real change, int l,
                                            Sums& sums) const {
    const Real square = node[0] * node[0] + node[1] * node[1] + node[2] * node[2];
    sums.value[0].lane[l] -= change;
    for (int d = 0; d < 3; ++d) sums.value[1 + d].lane[l] -= node[d] * change;
    sums.value[4].lane[l] -= square * change;
  }

  /// Eqs. (23) and (24).
  template <class Team>
  KOKKOS_INLINE_FUNCTION Sums apply_set(const Team& team, Values* h, Values* rates) const {
    const std::uint16_t* places = &sets.places(set, 0);
    const Real* weights = &sets.weights(set, 0);
    each(team, sets.samples + 1, [&](int m) {
      Values rate{};
      if (m < sets.samples) {
        const Real weight = weights[m];
        std::uint16_t at[4];
        for (int q = 0; q < 4; ++q) at[q] = places[4 * m + q];
        const Values& before = h[at[0]];
        const Values& before1 = h[at[1]];
        const Values& after = h[at[2]];
        const Values& after1 = h[at[3]];
        for (int l = 0; l < Lanes; ++l) {
          rate.lane[l] =
              weight * excess(before.lane[l], before1.lane[l], after.lane[l], after1.lane[l]);
        }
      }
      rates[m] = rate;
    });
    team.team_barrier();

    const std::uint16_t* entries = &sets.entries(set, 0);
    const int* lengths = &sets.lengths(set, 0);
    Sums partial;
    each(team, sets.ranks, [&](int rank) {
      const std::uint32_t packed = sets.indices(rank);
      if (packed == no_velocity) return;
      Values change{};
      const std::uint16_t* list = entries + sets.entry(rank, 0);
      const int chunks = lengths[rank];
      for (int c = 0; c < chunks; ++c) {
        struct alignas(8) Chunk {
          std::uint16_t entry[list_chunk];
        };
        const Chunk chunk = *reinterpret_cast<const Chunk*>(list + static_cast<std::ptrdiff_t>(c) *
                                                                       list_group * list_chunk);
        for (int n = 0; n < list_chunk; ++n) {
          const int entry = chunk.entry[n];
          const Real sign = static_cast<Real>(2 * (entry & 1) - 1);
          const Values& rate = rates[entry >> 1];
          for (int l = 0; l < Lanes; ++l) change.lane[l] += sign * rate.lane[l];
        }
      }
      const Velocity at = velocity(packed);
      for (int l = 0; l < Lanes; ++l) {
        h[at.place].lane[l] += at.inverse_weight * change.lane[l];
        add_loss(at.node, change.lane[l], l, partial);
      }
      if constexpr (Weighted) add_products(at, h, partial);
    });
    return partial;
  }

  /// Lines 7 to 21, one thread a cell.
  template <class Team>
  KOKKOS_INLINE_FUNCTION Sums apply_in_turn(const Team& team, Values* h) const {
    Sums partial;
    each(team, is_host_backend<ExecutionSpace> ? 1 : Lanes, [&](int thread) {
      const int begin = is_host_backend<ExecutionSpace> ? 0 : thread;
      const int end = is_host_backend<ExecutionSpace> ? Lanes : thread + 1;
      for (int m = 0; m < sets.samples; ++m) {
        const Real weight = sets.weights(set, m);
        if (weight == 0) continue;
        std::uint16_t read[4];
        Velocity at[4];
        for (int q = 0; q < 4; ++q) {
          read[q] = sets.places(set, 4 * m + q);
          at[q] = velocity(sets.indices(sets.rank_of(sets.targets(set, 4 * m + q))));
        }
        for (int l = begin; l < end; ++l) {
          const Real rate = weight * excess(h[read[0]].lane[l], h[read[1]].lane[l],
                                            h[read[2]].lane[l], h[read[3]].lane[l]);
          for (int q = 0; q < 4; ++q) {
            const Real change = q < 2 ? -rate : rate;
            h[at[q].place].lane[l] += at[q].inverse_weight * change;
            add_loss(at[q].node, change, l, partial);
          }
        }
      }
    });
    team.team_barrier();
    if constexpr (Weighted) {
      each(team, sets.ranks, [&](int rank) {
        const std::uint32_t packed = sets.indices(rank);
        if (packed != no_velocity) add_products(velocity(packed), h, partial);
      });
    }
    return partial;
  }

  /// Adds to the moments that the matrix of eq. (26) is made of.
  KOKKOS_FORCEINLINE_FUNCTION void add_products(const Velocity& at, const Values* h,
                                                Sums& sums) const {
    Real products[product_moments];
    evaluate_products(at.node[0], at.node[1], at.node[2], products);
    for (int l = 0; l < Lanes; ++l) {
      const Real weighted = h[at.place].lane[l] / at.inverse_weight;
      for (int n = 0; n < product_moments; ++n) {
        sums.value[invariants + n].lane[l] += products[n] * weighted;
      }
    }
  }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void write_corrected(const Team& team, const Values* h,
                                              const Values* correction, int first) const {
    const auto& v = state.velocities;
    Real* to[Lanes];
    for (int l = 0; l < Lanes; ++l) to[l] = state.values(state.h, first + l);
    const int lanes = state.cell_count() - first < Lanes ? state.cell_count() - first : Lanes;
    Values c[invariants];
    for (int a = 0; a < invariants; ++a) c[a] = correction[a];
    each(team, v.size(), [&](int place) {
      const int row = place / v.row_length;
      const int k = place - row * v.row_length;
      const int i = row / v.count[1];
      const Real x = v.nodes[0](i);
      const Real y = v.nodes[1](row - i * v.count[1]);
      const Real z = v.nodes[2](k);
      const Real square = x * x + y * y + z * z;
      const Real force = static_cast<Real>(collision.body_force[0]) * x +
                         static_cast<Real>(collision.body_force[1]) * y +
                         static_cast<Real>(collision.body_force[2]) * z;
      Values value = h[place];
      for (int l = 0; l < Lanes; ++l) {
        Real factor = 1;
        if constexpr (Weighted) factor += static_cast<Real>(collision.deviation) * value.lane[l];
        value.lane[l] += force + factor * (c[0].lane[l] + x * c[1].lane[l] + y * c[2].lane[l] +
                                           z * c[3].lane[l] + square * c[4].lane[l]);
      }
      if (k >= v.count[2]) value = Values{};
      for (int l = 0; l < Lanes; ++l) {
        if (l < lanes) to[l][place] = value.lane[l];
      }
    });
  }
};

/// Launches with `Lanes` cells a team, or with fewer where the scratch memory does not hold them.
template <int Lanes, class ExecutionSpace, class Real>
void launch(const StepContext<ExecutionSpace>& context, const State<ExecutionSpace, Real>& state,
            const CollisionSets<ExecutionSpace, Real>& sets, int set) {
  const bool weighted = context.collision.conservation == Conservation::distribution;
  const auto run = [&](auto is_weighted) {
    using Kernel = CollideCells<ExecutionSpace, Real, Lanes, is_weighted>;
    const int team_size = context.tuning.team_size;
    const std::size_t bytes = Kernel::scratch_bytes(state.velocities, sets.samples, team_size);
    if constexpr (Lanes > 1 && !is_host_backend<ExecutionSpace>) {
      const bool wanted = context.tuning.lanes == 0 || context.tuning.lanes >= Lanes;
      if (!wanted || bytes > most_block_scratch<ExecutionSpace>()) {
        launch<Lanes / 2>(context, state, sets, set);
        return;
      }
    }
    launch_blocks("knudsen/boltzmann/collide", context.execution,
                  (state.cell_count() + Lanes - 1) / Lanes, team_size, bytes,
                  Kernel{state, sets, set, context.collision});
  };
  if (weighted) {
    run(std::true_type{});
  } else {
    run(std::false_type{});
  }
}

}  // namespace

template <class ExecutionSpace, class Real>
void collide(const StepContext<ExecutionSpace>& context, const State<ExecutionSpace, Real>& state,
             const CollisionSets<ExecutionSpace, Real>& sets, int set) {
  constexpr int lanes = is_host_backend<ExecutionSpace> ? 8 : values_per_access<Real>;
  launch<lanes>(context, state, sets, set);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                 \
  template void collide<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&, \
                                              const State<ExecutionSpace, Real>&, \
                                              const CollisionSets<ExecutionSpace, Real>&, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann
