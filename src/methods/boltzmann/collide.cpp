#include <algorithm>

#include "core/block_launch.hpp"
#include "core/instantiate.hpp"
#include "methods/boltzmann/access.hpp"
#include "methods/boltzmann/conservation.hpp"
#include "methods/boltzmann/lanes.hpp"
#include "methods/boltzmann/step.hpp"

namespace knudsen::boltzmann {
namespace {

/// Algorithm 3 on `Lanes` cells a team. Their distributions stand in scratch memory, side by side
/// at each velocity; so a sampled collision, the same for all cells, is read once for all of them.
///
/// Explicit update: the rate of every collision is found first (a team over the collisions), then
/// every velocity cell that has a list adds up the collisions in it (a team over the lists): no two
/// threads write to the same place, and sums have a fixed order. A team that goes on to further
/// cells loads them while it writes the last ones.
template <class ExecutionSpace, class Real, int Lanes, bool Weighted>
struct CollideCells {
  using Values = Pack<Real, Lanes>;
  /// Loss of the five invariants in the collisions; `Weighted` also the moments of h that the
  /// matrix of eq. (26) is made of.
  static constexpr int sum_count = invariants + (Weighted ? product_moments : 0);
  using Sums = LaneSums<Real, Lanes, sum_count>;
  /// Of the threads' sums, those that a thread adds up in a round, and at most in the last one.
  static constexpr int round_terms = 8;
  static constexpr int last_terms = 16;
  static constexpr int width = values_per_access<Real>;
  static constexpr int most_threads = Weighted ? 512 : 1024;

  State<ExecutionSpace, Real> state;
  CollisionSets<ExecutionSpace, Real> sets;
  int set;
  Collision collision;
  /// Of the matrix of eq. (26) where that is the same in all cells.
  Real inverse_matrix[invariants][invariants];

  /// Scratch: h; the rates of the collisions, later what the threads have summed up; the
  /// correction.
  KOKKOS_INLINE_FUNCTION static std::size_t shared_count(int samples, int team_size) {
    const int sums = (team_size + team_size / round_terms + 1) * sum_count;
    return static_cast<std::size_t>(samples + 1 > sums ? samples + 1 : sums);
  }
  /// Of h: the velocities, rounded up to whole accesses.
  KOKKOS_INLINE_FUNCTION static int slots(const VelocitySpace<ExecutionSpace, Real>& v) {
    return (v.rows() * v.count[2] + width - 1) / width * width;
  }
  static std::size_t scratch_bytes(const VelocitySpace<ExecutionSpace, Real>& v, int samples,
                                   int team_size) {
    return (static_cast<std::size_t>(slots(v)) + shared_count(samples, team_size) + sum_count) *
           sizeof(Values);
  }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, char* scratch) const {
    const auto& v = state.velocities;
    auto* h = reinterpret_cast<Values*>(scratch);
    Values* shared = h + slots(v);
    Values* correction = shared + shared_count(sets.samples, team.team_size());
    const int blocks = (state.cell_count() + Lanes - 1) / Lanes;
    int block = team.league_rank();
    each(team, v.size() / width, [&](int chunk) {
      Access<Real> values[Lanes];
      load(block, chunk, values);
      keep(chunk, values, h);
    });
    for (;;) {
      const int next = block + team.league_size();
      team.team_barrier();
      if (next < blocks) prefetch_block(team, next);
      Sums partial;
      if (collision.update == Update::explicit_set) {
        apply_set(team, h, shared, partial);
      } else {
        apply_in_turn(team, h, partial);
      }
      find_correction(team, partial, shared, correction);
      write_corrected(team, h, correction, block, next < blocks ? next : -1);
      if (next >= blocks) return;
      block = next;
    }
  }

 private:
  /// body(i) for i in [0, count), spread over the threads of a team.
  template <class Team, class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void each(const Team& team, int count, const Body& body) {
    for (int i = team.team_rank(); i < count; i += team.team_size()) body(i);
  }

  /// Values of a block's cells; those beyond the last cell are the last cell's.
  KOKKOS_FORCEINLINE_FUNCTION void load(int block, int chunk, Access<Real> (&values)[Lanes]) const {
    const Real* from = state.values(state.h, block * Lanes) + chunk * width;
    const int last = state.cell_count() - 1 - block * Lanes;
    for (int l = 0; l < Lanes; ++l) {
      const auto offset =
          static_cast<std::ptrdiff_t>(l < last ? l : last) * state.velocities.size();
      values[l] = *reinterpret_cast<const Access<Real>*>(from + offset);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void keep(int chunk, const Access<Real> (&values)[Lanes],
                                        Values* h) const {
    const auto& v = state.velocities;
    const int row = chunk / (v.row_length / width);
    const int first = chunk * width - row * v.row_length;
    for (int k = 0; k < width; ++k) {
      if (first + k >= v.count[2]) break;
      Values side_by_side;
      for (int l = 0; l < Lanes; ++l) side_by_side.lane[l] = values[l].value[k];
      h[position(row, first + k)] = side_by_side;
    }
  }

  /// In scratch memory, of velocity k of a row.
  KOKKOS_FORCEINLINE_FUNCTION int position(int row, int k) const {
    return scratch_position<ExecutionSpace, Real>(row * state.velocities.count[2] + k);
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_block(const Team& team, int block) const {
    if constexpr (!is_host_backend<ExecutionSpace>) {
      constexpr int line = 128 / static_cast<int>(sizeof(Real));
      const int left = state.cell_count() - block * Lanes;
      const Real* from = state.values(state.h, block * Lanes);
      each(team, (left < Lanes ? left : Lanes) * state.velocities.size() / line,
           [&](int n) { prefetch(from + static_cast<std::ptrdiff_t>(n) * line); });
    }
  }

  /// Lines 22 to 31: adds up the threads' sums, in rounds and in a fixed order, and solves for
  /// the correction; `shared` is overwritten.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void find_correction(const Team& team, const Sums& partial, Values* shared,
                                              Values* correction) const {
    int size = team.team_size();
    team.team_barrier();
    KNUDSEN_UNROLL
    for (int n = 0; n < sum_count; ++n) shared[n * size + team.team_rank()] = partial.value[n];
    team.team_barrier();
    Values* from = shared;
    Values* to = shared + size * sum_count;
    while (size > last_terms) {
      const int fewer = (size + round_terms - 1) / round_terms;
      each(team, sum_count * fewer, [&](int work) {
        const int n = work / fewer;
        const int first = work - n * fewer;
        Values sum{};
        KNUDSEN_UNROLL
        for (int term = 0; term < round_terms; ++term) {
          const int i = first + term * fewer;
          if (i < size) {
            const Values value = from[n * size + i];
            for (int l = 0; l < Lanes; ++l) sum.lane[l] += value.lane[l];
          }
        }
        to[work] = sum;
      });
      team.team_barrier();
      size = fewer;
      Values* const summed = to;
      to = from;
      from = summed;
    }
    Values* total = to;
    each(team, sum_count * Lanes, [&](int work) {
      const int n = work / Lanes;
      const int l = work - n * Lanes;
      Real sum = 0;
      for (int i = 0; i < size; ++i) sum += from[n * size + i].lane[l];
      total[n].lane[l] = sum;
    });
    team.team_barrier();
    if constexpr (Weighted) {
      each(team, Lanes, [&](int l) {
        Real rest[invariants];
        Real products[product_moments];
        for (int a = 0; a < invariants; ++a) rest[a] = total[a].lane[l];
        for (int n = 0; n < product_moments; ++n) {
          products[n] = state.equilibrium_moments[n] +
                        static_cast<Real>(collision.deviation) * total[invariants + n].lane[l];
        }
        solve_correction(products, rest);
        for (int a = 0; a < invariants; ++a) correction[a].lane[l] = rest[a];
      });
    } else {
      each(team, invariants * Lanes, [&](int work) {
        const int a = work / Lanes;
        const int l = work - a * Lanes;
        Real sum = 0;
        for (int b = 0; b < invariants; ++b) sum += inverse_matrix[a][b] * total[b].lane[l];
        correction[a].lane[l] = sum;
      });
    }
    team.team_barrier();
  }

  struct Velocity {
    int position;  ///< in scratch memory
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
        position(i * v.count[1] + j, k),
        {v.nodes[0](i), v.nodes[1](j), v.nodes[2](k)},
        state.inverse_weights[0](i) * state.inverse_weights[1](j) * state.inverse_weights[2](k)};
  }

  /// Weight times h + h_1 + epsilon h h_1 of line 12.
  KOKKOS_FORCEINLINE_FUNCTION Real rate(Real weight, Real a, Real b) const {
    return weight * (a + b + static_cast<Real>(collision.deviation) * (a * b));
  }
  /// Half of that less half of the same after the collision.
  KOKKOS_FORCEINLINE_FUNCTION Real rate(Real weight, Real a, Real b, Real c, Real d) const {
    const Real product = a * b - c * d;
    return Real(0.5) * weight *
           ((a + b) - (c + d) + static_cast<Real>(collision.deviation) * product);
  }

  template <class Losses>
  KOKKOS_FORCEINLINE_FUNCTION static void add_loss(const Real (&node)[3], Real change, int l,
                                                   Losses& sums) {
    const Real square = node[0] * node[0] + node[1] * node[1] + node[2] * node[2];
    sums.value[0].lane[l] -= change;
    for (int d = 0; d < 3; ++d) sums.value[1 + d].lane[l] -= node[d] * change;
    sums.value[4].lane[l] -= square * change;
  }

  /// Four 16-bit numbers, one access.
  struct alignas(8) Four {
    std::uint16_t value[4];
  };

  struct Sample {
    std::uint16_t at[4];
    Real weight;
  };

  KOKKOS_FORCEINLINE_FUNCTION Sample sample(int m) const {
    if (m >= sets.samples) return {};
    const Four at = *reinterpret_cast<const Four*>(&sets.positions(set, 4 * m));
    return {{at.value[0], at.value[1], at.value[2], at.value[3]}, sets.weights(set, m)};
  }

  /// Eqs. (23) and (24).
  template <class Team>
  KOKKOS_INLINE_FUNCTION void apply_set(const Team& team, Values* h, Values* rates,
                                        Sums& partial) const {
    const bool one_way = collision.estimator == Estimator::one_way;
    Sample coming = sample(team.team_rank());
    each(team, sets.samples, [&](int m) {
      const Sample here = coming;
      coming = sample(m + team.team_size());
      const Values a = h[here.at[0]];
      const Values b = h[here.at[1]];
      Values result;
      if (one_way) {
        for (int l = 0; l < Lanes; ++l) result.lane[l] = rate(here.weight, a.lane[l], b.lane[l]);
      } else {
        const Values c = h[here.at[2]];
        const Values d = h[here.at[3]];
        for (int l = 0; l < Lanes; ++l) {
          result.lane[l] = rate(here.weight, a.lane[l], b.lane[l], c.lane[l], d.lane[l]);
        }
      }
      rates[m] = result;
    });
    if (team.team_rank() == 0) rates[sets.samples] = Values{};
    team.team_barrier();

    const std::uint16_t* entries = &sets.entries(set, 0);
    const int lists = sets.lists(set);
    // The longest lists come first: every other round goes backwards.
    bool backwards = false;
    for (int begin = 0; begin < lists; begin += team.team_size()) {
      const int list =
          begin + (backwards ? team.team_size() - 1 - team.team_rank() : team.team_rank());
      backwards = !backwards;
      if (list >= lists) continue;
      const int group = list / list_group;
      const int first = sets.group_begin(set, group);
      const auto* chunks = reinterpret_cast<const Four*>(entries + first) + list % list_group;
      const int count = (sets.group_begin(set, group + 1) - first) / (list_group * list_chunk);
      const Velocity at = velocity(sets.list_indices(set, list));
      Values change{};
      Four coming = *chunks;
      for (int c = 0; c < count; ++c) {
        const Four chunk = coming;
        chunks += list_group;
        coming = *chunks;
        for (int n = 0; n < list_chunk; ++n) {
          const int entry = chunk.value[n];
          const Real sign = (entry & 1) != 0 ? Real(1) : Real(-1);
          const Values rate = rates[entry / 2];
          for (int l = 0; l < Lanes; ++l) change.lane[l] += sign * rate.lane[l];
        }
      }
      Values value = h[at.position];
      for (int l = 0; l < Lanes; ++l) {
        value.lane[l] += at.inverse_weight * change.lane[l];
        add_loss(at.node, change.lane[l], l, partial);
      }
      h[at.position] = value;
    }
    if constexpr (Weighted) add_products(team, h, partial);
  }

  /// Lines 7 to 21, one thread a cell.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void apply_in_turn(const Team& team, Values* h, Sums& partial) const {
    constexpr int lanes = is_host_backend<ExecutionSpace> ? Lanes : 1;  // of a thread
    each(team, Lanes / lanes, [&](int thread) {
      LaneSums<Real, lanes, invariants> loss;
      for (int m = 0; m < sets.samples; ++m) {
        const Real weight = sets.weights(set, m);
        if (weight == 0) continue;
        std::uint16_t read[4];
        Velocity at[4];
        for (int q = 0; q < 4; ++q) {
          read[q] = sets.positions(set, 4 * m + q);
          at[q] = velocity(sets.indices(sets.targets(set, 4 * m + q)));
        }
        for (int n = 0; n < lanes; ++n) {
          const int l = thread + n;
          const Real before[2] = {h[read[0]].lane[l], h[read[1]].lane[l]};
          const Real happens =
              collision.estimator == Estimator::one_way
                  ? rate(weight, before[0], before[1])
                  : rate(weight, before[0], before[1], h[read[2]].lane[l], h[read[3]].lane[l]);
          for (int q = 0; q < 4; ++q) {
            const Real change = q < 2 ? -happens : happens;
            h[at[q].position].lane[l] += at[q].inverse_weight * change;
            add_loss(at[q].node, change, n, loss);
          }
        }
      }
      for (int l = 0; l < Lanes; ++l) {
        if (lanes == 1 && l != thread) continue;
        for (int a = 0; a < invariants; ++a) {
          partial.value[a].lane[l] = loss.value[a].lane[lanes == 1 ? 0 : l];
        }
      }
    });
    if constexpr (Weighted) add_products(team, h, partial);
  }

  /// Adds to the moments that the matrix of eq. (26) is made of.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void add_products(const Team& team, const Values* h, Sums& sums) const {
    const auto& v = state.velocities;
    team.team_barrier();
    each(team, v.rows() * v.count[2], [&](int number) {
      const int row = number / v.count[2];
      const int k = number - row * v.count[2];
      const int i = row / v.count[1];
      const int j = row - i * v.count[1];
      const Real weight = v.weights[0](i) * v.weights[1](j) * v.weights[2](k);
      Real products[product_moments];
      evaluate_products(v.nodes[0](i), v.nodes[1](j), v.nodes[2](k), products);
      const Values value = h[position(row, k)];
      for (int n = 0; n < product_moments; ++n) {
        const Real factor = weight * products[n];
        for (int l = 0; l < Lanes; ++l) {
          sums.value[invariants + n].lane[l] += factor * value.lane[l];
        }
      }
    });
  }

  /// Lines 32 to 39; loads the cells of block `next`, if that is not negative, in place of those
  /// that are written.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void write_corrected(const Team& team, Values* h, const Values* correction,
                                              int block, int next) const {
    const auto& v = state.velocities;
    Real* to = state.values(state.h, block * Lanes);
    const int left = state.cell_count() - block * Lanes;
    const Real e = static_cast<Real>(collision.deviation);
    const Real force[3] = {static_cast<Real>(collision.body_force[0]),
                           static_cast<Real>(collision.body_force[1]),
                           static_cast<Real>(collision.body_force[2])};
    Values c[invariants];
    for (int a = 0; a < invariants; ++a) c[a] = correction[a];
    each(team, v.size() / width, [&](int chunk) {
      Access<Real> coming[Lanes] = {};
      if (next >= 0) load(next, chunk, coming);
      const int row = chunk / (v.row_length / width);
      const int first = chunk * width - row * v.row_length;
      const int i = row / v.count[1];
      const Real x = v.nodes[0](i);
      const Real y = v.nodes[1](row - i * v.count[1]);
      const auto along_z = *reinterpret_cast<const Access<Real>*>(v.nodes[2].data() + first);
      const Real across = x * x + y * y;
      const Real push = force[0] * x + force[1] * y;
      Values plane;
      for (int l = 0; l < Lanes; ++l) {
        plane.lane[l] = c[0].lane[l] + x * c[1].lane[l] + y * c[2].lane[l] + across * c[4].lane[l];
      }
      Access<Real> result[Lanes] = {};  // the padding stays zero
      for (int k = 0; k < width; ++k) {
        if (first + k >= v.count[2]) continue;
        const Real z = along_z.value[k];
        const Real pushed = push + force[2] * z;
        const Values value = h[position(row, first + k)];
        for (int l = 0; l < Lanes; ++l) {
          Real polynomial = plane.lane[l] + z * c[3].lane[l] + z * z * c[4].lane[l];
          if constexpr (Weighted) polynomial *= 1 + e * value.lane[l];
          result[l].value[k] = value.lane[l] + (pushed + polynomial);
        }
      }
      for (int l = 0; l < Lanes; ++l) {
        if (l < left) {
          *reinterpret_cast<Access<Real>*>(to + static_cast<std::ptrdiff_t>(l) * v.size() +
                                           chunk * width) = result[l];
        }
      }
      if (next >= 0) keep(chunk, coming, h);
    });
  }
};

/// The inverse of the matrix of eq. (26) at equilibrium, or zero where nothing is to be corrected.
template <class ExecutionSpace, class Real>
void invert_matrix(const State<ExecutionSpace, Real>& state, Conservation conservation,
                   Real (&inverse)[invariants][invariants]) {
  double products[product_moments];
  std::copy(std::begin(state.equilibrium_moments), std::end(state.equilibrium_moments), products);
  for (int b = 0; b < invariants; ++b) {
    double column[invariants] = {};
    if (conservation != Conservation::none) {
      column[b] = 1;
      solve_correction(products, column);
    }
    for (int a = 0; a < invariants; ++a) inverse[a][b] = static_cast<Real>(column[a]);
  }
}

/// Launches with `Lanes` cells a team, or with fewer where the scratch memory does not hold them.
template <int Lanes, class ExecutionSpace, class Real>
void launch(const StepContext<ExecutionSpace>& context, const State<ExecutionSpace, Real>& state,
            const CollisionSets<ExecutionSpace, Real>& sets, int set) {
  const auto run = [&](auto is_weighted) {
    using Kernel = CollideCells<ExecutionSpace, Real, Lanes, is_weighted>;
    const int team_size = std::min(context.tuning.team_size, Kernel::most_threads);
    const std::size_t bytes = Kernel::scratch_bytes(state.velocities, sets.samples, team_size);
    if constexpr (Lanes > 1 && !is_host_backend<ExecutionSpace>) {
      const bool wanted = context.tuning.lanes == 0 || context.tuning.lanes >= Lanes;
      if (!wanted || bytes > most_block_scratch<ExecutionSpace>()) {
        launch<Lanes / 2>(context, state, sets, set);
        return;
      }
    }
    Kernel kernel{state, sets, set, context.collision, {}};
    invert_matrix(state, context.collision.conservation, kernel.inverse_matrix);
    launch_blocks("knudsen/boltzmann/collide", context.execution,
                  (state.cell_count() + Lanes - 1) / Lanes, team_size, bytes, kernel);
  };
  if (context.collision.conservation == Conservation::distribution) {
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
