#pragma once

#include "methods/boltzmann/collision_rate.hpp"
#include "methods/boltzmann/collision_scratch.hpp"

namespace knudsen::boltzmann {

/// Explicit update in two passes. First the team computes the rate of every collision. Then it
/// sums, for every velocity cell that has a list, the rates of the collisions in the list. No two
/// threads write to the same address, and sums have a fixed order.
template <class ExecutionSpace, class Real, int Lanes>
struct ApplySet {
  using Values = Pack<Real, Lanes>;
  using Scratch = CollisionScratch<Real, Lanes>;
  static constexpr bool on_host = is_host_backend<ExecutionSpace>;
  /// Collisions per thread whose rates are computed together, their samples being loaded one round
  /// ahead.
  static constexpr int ahead = on_host ? 1 : 3;

  const CollisionSets<ExecutionSpace, Real>& sets;
  int set;
  const Collision& collision;

  /// Eqs. (23) and (24). Warps take the sequences of list groups in turn (see
  /// CollisionSets::sequence_begin). Adds the losses of the invariants to `partial`.
  template <class Team, class Sums>
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team, const Scratch& scratch,
                                         Sums& partial) const {
    Sample samples[ahead];
    KNUDSEN_UNROLL
    for (int q = 0; q < ahead; ++q) samples[q] = sample(team.team_rank() + q * team.team_size());
    team.team_barrier();
    if (collision.limited) {
      find_limited_rates(team, scratch.h, scratch.rates);
    } else if (collision.estimator == Estimator::one_way) {
      find_rates<true>(team, scratch.h, scratch.rates, samples);
    } else {
      find_rates<false>(team, scratch.h, scratch.rates, samples);
    }
    const int lists = sets.lists(set);
    if constexpr (on_host) {
      const int groups = (lists + list_group - 1) / list_group;
      for (int group = 0; group < groups; ++group) {
        for (int lane = 0; lane < list_group && group * list_group + lane < lists; ++lane) {
          apply_list(list_of(group, groups, lane, lists), scratch, partial);
        }
      }
    } else {
      const int warps = team.team_size() / list_group;
      int warp = team.team_rank() / list_group;
      const int lane = team.team_rank() - warp * list_group;
      const auto begin = [&](int n) {
        return sets.sequence_begin(set, n < group_sequences ? n : group_sequences);
      };
      int position = begin(warp);
      int end = begin(warp + 1);
      List next = list_of(position, end, lane, lists);
      team.team_barrier();
      while (warp < group_sequences) {
        while (position < end) {
          const List list = next;
          ++position;
          next = list_of(position, end, lane, lists);
          apply_list(list, scratch, partial);
        }
        warp += warps;
        position = begin(warp);
        end = begin(warp + 1);
        next = list_of(position, end, lane, lists);
      }
    }
  }

 private:
  /// Four 16-bit numbers, loaded by one access.
  struct alignas(8) Four {
    std::uint16_t value[4];
  };

  struct Sample {
    std::uint16_t at[4];  ///< scratch positions of v, v_1, v*, v_1*
    Real weight;          ///< see CollisionSets::weights
  };

  /// Sample `m`; of weight zero beyond the last.
  KOKKOS_FORCEINLINE_FUNCTION Sample sample(int m) const {
    if (m >= sets.samples) return {};
    const Four at = *reinterpret_cast<const Four*>(&sets.positions(set, 4 * m));
    return {{at.value[0], at.value[1], at.value[2], at.value[3]}, sets.weights(set, m)};
  }

  /// Eq. (23) for every collision. `loaded` holds the samples of a thread's first round.
  template <bool OneWay, class Team>
  KOKKOS_FORCEINLINE_FUNCTION void find_rates(const Team& team, const Values* h, Values* rates,
                                              Sample (&loaded)[ahead]) const {
    const int size = team.team_size();
    for (int first = team.team_rank(); first < sets.samples; first += ahead * size) {
      Values result[ahead];
      KNUDSEN_UNROLL
      for (int q = 0; q < ahead; ++q) {
        const Sample here = loaded[q];
        loaded[q] = sample(first + (ahead + q) * size);
        const Values a = h[here.at[0]];
        const Values b = h[here.at[1]];
        if constexpr (OneWay) {
          KNUDSEN_SIMD
          for (int l = 0; l < Lanes; ++l) {
            result[q].lane[l] = collision_rate(collision, here.weight, a.lane[l], b.lane[l]);
          }
        } else {
          const Values c = h[here.at[2]];
          const Values d = h[here.at[3]];
          KNUDSEN_SIMD
          for (int l = 0; l < Lanes; ++l) {
            result[q].lane[l] =
                collision_rate(collision, here.weight, a.lane[l], b.lane[l], c.lane[l], d.lane[l]);
          }
        }
      }
      KNUDSEN_UNROLL
      for (int q = 0; q < ahead; ++q) {
        if (first + q * size < sets.samples) rates[first + q * size] = result[q];
      }
    }
  }

  /// Eq. (23) with Collision::limited.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void find_limited_rates(const Team& team, const Values* h,
                                                 Values* rates) const {
    team_each(team, sets.samples, [&](int m) {
      const Sample here = sample(m);
      Real inverse[4];
      for (int q = 0; q < 4; ++q) {
        const std::uint32_t packed = sets.indices(sets.targets(set, 4 * m + q));
        inverse[q] = static_cast<Real>(sets.inverse_weights[0](index_along(packed, 0)) *
                                       sets.inverse_weights[1](index_along(packed, 1)) *
                                       sets.inverse_weights[2](index_along(packed, 2)));
      }
      const bool one_way = collision.estimator == Estimator::one_way;
      Values result;
      for (int l = 0; l < Lanes; ++l) {
        const Real a = h[here.at[0]].lane[l];
        const Real b = h[here.at[1]].lane[l];
        const Real c = h[here.at[2]].lane[l];
        const Real d = h[here.at[3]].lane[l];
        const Real rate = one_way ? collision_rate(collision, here.weight, a, b)
                                  : collision_rate(collision, here.weight, a, b, c, d);
        result.lane[l] = limited_rate(collision, rate, a, b, c, d, inverse);
      }
      rates[m] = result;
    });
  }

  /// The collisions of a velocity cell, and the constants of its update.
  struct List {
    bool exists;           ///< false for lanes beyond the last list
    int position;          ///< scratch position of the velocity
    Pack<Real, 4> values;  ///< its components and inverse weight
    const Four* chunks;    ///< first chunk; the others follow at a stride of list_group
    int count;             ///< number of chunks
    Four first;            ///< chunk 0, loaded ahead
    Four second;           ///< chunk 1, loaded ahead
  };

  /// The list of `lane` in the group at a position of the schedule; empty at `end`.
  KOKKOS_FORCEINLINE_FUNCTION List list_of(int position, int end, int lane, int lists) const {
    List list{};
    if (position >= end) return list;
    const auto group = *reinterpret_cast<const ScheduledGroup*>(&sets.schedule(set, 4 * position));
    const int number = group.number * list_group + lane;
    list.exists = number < lists;
    list.count = list.exists ? group.chunks : 0;  // the last group may be incomplete
    list.chunks = reinterpret_cast<const Four*>(&sets.entries(set, group.begin)) + lane;
    list.first = *list.chunks;
    list.second = list.count > 1 ? list.chunks[list_group] : list.first;
    list.position = sets.list_positions(set, number);
    list.values = *reinterpret_cast<const Pack<Real, 4>*>(&sets.list_values(set, 4 * number));
    return list;
  }

  /// Eq. (24) for the velocity cell of a list.
  template <class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void apply_list(const List& list, const Scratch& scratch,
                                              Sums& partial) const {
    Four chunk = list.first;
    Four next = list.second;
    Values change{};
    for (int c = 0; c < list.count; ++c) {
      const Four here = chunk;
      chunk = next;
      if (c + 2 < list.count) next = list.chunks[(c + 2) * list_group];
      KNUDSEN_UNROLL
      for (int n = 0; n < list_chunk; ++n) {
        const int entry = here.value[n];
        const Real sign = (entry & 1) != 0 ? Real(1) : Real(-1);
        const Values rate = scratch.rates[entry / 2];
        KNUDSEN_SIMD
        for (int l = 0; l < Lanes; ++l) change.lane[l] += sign * rate.lane[l];
      }
    }
    if (!list.exists) return;
    const Real node[3] = {list.values.lane[0], list.values.lane[1], list.values.lane[2]};
    Values value = scratch.h[list.position];
    KNUDSEN_UNROLL KNUDSEN_SIMD for (int l = 0; l < Lanes; ++l) {
      value.lane[l] += list.values.lane[3] * change.lane[l];
      add_loss(node, change.lane[l], l, partial);
    }
    scratch.h[list.position] = value;
  }
};

}  // namespace knudsen::boltzmann
