#pragma once

#include "methods/boltzmann/collision_sets.hpp"

namespace knudsen::boltzmann {

/// Reorders a batch of samples so that neighbouring threads read different banks of shared memory
/// where possible; one team per batch. The samples are dealt out one by one to the group with the
/// fewest conflicts; v and v_1, or v* and v_1*, are exchanged if that helps. Each thread keeps the
/// books of one group.
template <class ExecutionSpace, class Real>
struct SpreadSamples {
  static constexpr int groups = 32;
  static constexpr int batch = groups * bank_group;
  CollisionSets<ExecutionSpace, Real> sets;
  int batches;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const int set = team.league_rank() / batches;
    const int first = (team.league_rank() - set * batches) * batch;
    const int count = sets.samples - first < batch ? sets.samples - first : batch;
    const int group = team.team_rank();
    const int left = count - group * bank_group;
    const int room = left < bank_group ? left : bank_group;
    std::uint32_t taken = 0;  // banks in use: 8 bits for each of the four reads
    int filled = 0;
    for (int sample = first; sample < first + count; ++sample) {
      int best = 0;
      Kokkos::parallel_reduce(
          Kokkos::TeamThreadRange(team, 0, groups),
          [&](int, int& least) {
            if (filled >= room) return;
            for (int swaps = 0; swaps < 4; ++swaps) {
              // Fewest conflicts, then the fullest group; then which exchange and group it is.
              const int cost = bank_group * (count_bits(taken & banks_of(set, sample, swaps)) + 1);
              const int key = ((cost - filled) * 4 + swaps) * groups + group;
              if (key < least) least = key;
            }
          },
          Kokkos::Min<int>(best));
      if (best % groups != group) continue;
      const int swaps = best / groups % 4;
      taken |= banks_of(set, sample, swaps);
      copy(set, sample, first + group * bank_group + filled, swaps);
      ++filled;
    }
  }

 private:
  /// Copies a sample to position `to` with its velocities exchanged as the bits of `swaps` say.
  KOKKOS_INLINE_FUNCTION void copy(int set, int sample, int to, int swaps) const {
    sets.weights(set, to) = sets.drawn_weights(set, sample);
    for (int q = 0; q < 4; ++q) {
      const int from = 4 * sample + swapped(q, swaps);
      sets.positions(set, 4 * to + q) = sets.drawn_positions(set, from);
      sets.targets(set, 4 * to + q) = sets.drawn_targets(set, from);
    }
  }
  KOKKOS_INLINE_FUNCTION static int swapped(int q, int swaps) {
    return q ^ ((q < 2 ? swaps : swaps / 2) % 2);
  }
  KOKKOS_INLINE_FUNCTION std::uint32_t banks_of(int set, int sample, int swaps) const {
    std::uint32_t banks = 0;
    for (int q = 0; q < 4; ++q) {
      const int bank = sets.drawn_positions(set, 4 * sample + swapped(q, swaps)) % bank_group;
      banks |= std::uint32_t{1} << static_cast<unsigned>(bank_group * q + bank);
    }
    return banks;
  }
  KOKKOS_INLINE_FUNCTION static int count_bits(std::uint32_t bits) {
    int count = 0;
    for (; bits != 0; bits &= bits - 1) ++count;
    return count;
  }
};

}  // namespace knudsen::boltzmann
