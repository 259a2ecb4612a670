#include "device/instantiate.hpp"
#include "methods/boltzmann/sample.hpp"

namespace knudsen::boltzmann {
namespace {

/// Counts the entries of each velocity cell; one thread per sample and set.
template <class ExecutionSpace, class Real>
struct CountEntries {
  CollisionSets<ExecutionSpace, Real> sets;

  KOKKOS_INLINE_FUNCTION void operator()(int work) const {
    const int set = work / sets.samples;
    const int sample = work - set * sets.samples;
    if (sets.weights(set, sample) == 0) return;
    for (int q = 0; q < 4; ++q) {
      Kokkos::atomic_add(&sets.unlisted(set, sets.targets(set, 4 * sample + q)), 1);
    }
  }
};

/// Assigns a list to every velocity cell that has entries, and memory to the groups of lists. Lists
/// are ordered by falling number of chunks, then by velocity. One team per set.
template <class ExecutionSpace, class Real>
struct OrderLists {
  CollisionSets<ExecutionSpace, Real> sets;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const int set = team.league_rank();
    const int velocities = static_cast<int>(sets.list_of.extent(1));
    const auto groups_of = [](int lists) { return (lists + list_group - 1) / list_group; };
    int lists = 0;
    int end = 0;  // of the memory of the groups so far
    int longest = 0;
    int chunks = max_chunks(team, set, velocities, sets.samples + 1);
    while (chunks > 0) {
      const int first = lists;
      Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, 0, velocities),
                            [&](int velocity, int& before, bool last) {
                              if (chunks_of(set, velocity) != chunks) return;
                              if (last) assign_list(set, velocity, first + before);
                              ++before;
                            });
      int found = 0;
      Kokkos::parallel_reduce(
          Kokkos::TeamThreadRange(team, 0, velocities),
          [&](int velocity, int& sum) { sum += chunks_of(set, velocity) == chunks ? 1 : 0; },
          found);
      lists += found;
      // The groups whose first list is among these: it is their longest.
      const int group = groups_of(first);
      const int groups = groups_of(lists) - group;
      const int room = chunks * list_chunk * list_group;
      const int begin = end;
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 0, groups),
                           [&](int n) { sets.group_begin(set, group + n) = begin + n * room; });
      end += groups * room;
      longest = chunks;
      chunks = max_chunks(team, set, velocities, longest);
    }
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      sets.lists(set) = lists;
      sets.group_begin(set, groups_of(lists)) = end;
    });
  }

 private:
  KOKKOS_INLINE_FUNCTION int chunks_of(int set, int velocity) const {
    return (sets.unlisted(set, velocity) + list_chunk - 1) / list_chunk;
  }

  /// Largest number of chunks below `limit` of any velocity cell; 0 if there is none.
  KOKKOS_INLINE_FUNCTION int max_chunks(const TeamMember<ExecutionSpace>& team, int set,
                                        int velocities, int limit) const {
    int most = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, 0, velocities),
        [&](int velocity, int& partial) {
          const int chunks = chunks_of(set, velocity);
          if (chunks < limit && chunks > partial) partial = chunks;
        },
        Kokkos::Max<int>(most));
    return most > 0 ? most : 0;
  }

  /// Makes `list` the list of a velocity cell.
  KOKKOS_INLINE_FUNCTION void assign_list(int set, int velocity, int list) const {
    sets.list_of(set, velocity) = static_cast<std::uint16_t>(list);
    sets.list_indices(set, list) = sets.indices(velocity);
    sets.lengths(set, list) = sets.unlisted(set, velocity);
    sets.list_positions(set, list) =
        static_cast<std::uint16_t>(scratch_position<ExecutionSpace, Real>(velocity));
    const std::uint32_t packed = sets.indices(velocity);
    double inverse_weight = 1;
    for (int d = 0; d < 3; ++d) {
      const int i = index_along(packed, d);
      sets.list_values(set, 4 * list + d) = static_cast<Real>(sets.nodes[d](i));
      inverse_weight *= sets.inverse_weights[d](i);
    }
    sets.list_values(set, 4 * list + 3) = static_cast<Real>(inverse_weight);
  }
};

/// Schedules the groups of lists, longest first, each in the sequence with the least work so far;
/// one thread per set.
template <class ExecutionSpace, class Real>
struct ShareGroups {
  static constexpr int sequences = is_host_backend<ExecutionSpace> ? 1 : group_sequences;
  CollisionSets<ExecutionSpace, Real> sets;

  KOKKOS_INLINE_FUNCTION void operator()(int set) const {
    const int groups = (sets.lists(set) + list_group - 1) / list_group;
    // The first pass counts the groups of each sequence, from which their offsets follow.
    int first[sequences] = {};
    for (int pass = 0; pass < 2; ++pass) {
      int scheduled[sequences] = {};  // groups of each sequence
      int work[sequences] = {};
      for (int group = 0; group < groups; ++group) {
        int least_busy = 0;
        for (int n = 1; n < sequences; ++n)
          least_busy = work[n] < work[least_busy] ? n : least_busy;
        const int begin = sets.group_begin(set, group);
        const int chunks = (sets.group_begin(set, group + 1) - begin) / (list_group * list_chunk);
        if (pass == 1) {
          *reinterpret_cast<ScheduledGroup*>(&sets.schedule(
              set, 4 * (first[least_busy] + scheduled[least_busy]))) = {group, begin, chunks, 0};
        }
        work[least_busy] += chunks + 1;  // the overhead of a list takes as long as a chunk
        ++scheduled[least_busy];
      }
      int begin = 0;
      for (int n = 0; n < sequences; ++n) {
        first[n] = begin;
        begin += scheduled[n];
        sets.sequence_begin(set, n) = first[n];
      }
      sets.sequence_begin(set, sequences) = begin;
    }
  }
};

/// Inserts the entries of samples into the lists; one thread per sample and set.
template <class ExecutionSpace, class Real>
struct InsertEntries {
  CollisionSets<ExecutionSpace, Real> sets;

  KOKKOS_INLINE_FUNCTION void operator()(int work) const {
    const int set = work / sets.samples;
    const int sample = work - set * sets.samples;
    if (sets.weights(set, sample) == 0) return;
    for (int q = 0; q < 4; ++q) {
      const int velocity = sets.targets(set, 4 * sample + q);
      const int list = sets.list_of(set, velocity);
      const int position =
          sets.lengths(set, list) - Kokkos::atomic_fetch_add(&sets.unlisted(set, velocity), -1);
      sets.entries(set, sets.entry(set, list, position)) =
          static_cast<std::uint16_t>(2 * sample + (q > 1 ? 1 : 0));
    }
  }
};

/// Sorts each list, so that sums do not depend on the order of insertion, and pads it with a
/// collision of weight zero; one thread per list.
template <class ExecutionSpace, class Real>
struct SortList {
  CollisionSets<ExecutionSpace, Real> sets;
  int max_lists;

  KOKKOS_INLINE_FUNCTION void operator()(int work) const {
    const int set = work / max_lists;
    const int list = work - set * max_lists;
    if (list >= sets.lists(set)) return;
    const int length = sets.lengths(set, list);
    for (int i = 1; i < length; ++i) {
      const std::uint16_t moved = sets.entries(set, sets.entry(set, list, i));
      int hole = i;
      for (; hole > 0; --hole) {
        const std::uint16_t before = sets.entries(set, sets.entry(set, list, hole - 1));
        if (before <= moved) break;
        sets.entries(set, sets.entry(set, list, hole)) = before;
      }
      sets.entries(set, sets.entry(set, list, hole)) = moved;
    }
    for (int i = length; i < sets.room(set, list); ++i) {
      sets.entries(set, sets.entry(set, list, i)) = static_cast<std::uint16_t>(2 * sets.samples);
    }
  }
};

/// Reorders each list so that the rates which `bank_group` neighbouring lists read together are in
/// different banks where possible; one thread per `bank_group` lists.
template <class ExecutionSpace, class Real>
struct SpreadLists {
  static constexpr int window = 8;  ///< entries among which the next one is chosen
  CollisionSets<ExecutionSpace, Real> sets;
  int max_lists;

  KOKKOS_INLINE_FUNCTION void operator()(int work) const {
    const int parts = max_lists / bank_group;
    const int set = work / parts;
    const int first = (work - set * parts) * bank_group;
    const int left = sets.lists(set) - first;
    if (left <= 0) return;
    const int count = left < bank_group ? left : bank_group;
    const int room = sets.room(set, first);
    for (int i = 0; i < room; ++i) {
      const int end = i + window < room ? i + window : room;
      unsigned taken = 0;
      for (int list = first; list < first + count; ++list) {
        std::uint16_t& here = sets.entries(set, sets.entry(set, list, i));
        for (int n = i; n < end; ++n) {
          std::uint16_t& there = sets.entries(set, sets.entry(set, list, n));
          if ((taken & bank_of(there)) != 0) continue;
          const std::uint16_t chosen = there;
          there = here;
          here = chosen;
          break;
        }
        taken |= bank_of(here);
      }
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION static unsigned bank_of(std::uint16_t entry) {
    return 1U << ((static_cast<unsigned>(entry) >> 1U) % bank_group);
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void list_collisions(const ExecutionSpace& execution,
                     const CollisionSets<ExecutionSpace, Real>& sets) {
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<int>>;
  const int count = sets.set_count();
  const int max_lists = static_cast<int>(sets.lengths.extent(1));
  const Policy samples(execution, 0, count * sets.samples);
  Kokkos::parallel_for("knudsen/boltzmann/count_entries", samples,
                       CountEntries<ExecutionSpace, Real>{sets});
  Kokkos::parallel_for(
      "knudsen/boltzmann/order_lists",
      TeamPolicy<ExecutionSpace>(execution, count, is_host_backend<ExecutionSpace> ? 1 : 512, 1),
      OrderLists<ExecutionSpace, Real>{sets});
  Kokkos::parallel_for("knudsen/boltzmann/share_groups", Policy(execution, 0, count),
                       ShareGroups<ExecutionSpace, Real>{sets});
  Kokkos::parallel_for("knudsen/boltzmann/insert_entries", samples,
                       InsertEntries<ExecutionSpace, Real>{sets});
  Kokkos::parallel_for("knudsen/boltzmann/sort_lists", Policy(execution, 0, count * max_lists),
                       SortList<ExecutionSpace, Real>{sets, max_lists});
  if constexpr (!is_host_backend<ExecutionSpace>) {
    Kokkos::parallel_for("knudsen/boltzmann/spread_lists",
                         Policy(execution, 0, count * (max_lists / bank_group)),
                         SpreadLists<ExecutionSpace, Real>{sets, max_lists});
  }
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                            \
  template void list_collisions<ExecutionSpace, Real>(const ExecutionSpace&, \
                                                      const CollisionSets<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann
