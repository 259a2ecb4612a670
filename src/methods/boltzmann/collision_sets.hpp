#pragma once

#include "kinetic/velocity_grid.hpp"
#include "kinetic/velocity_space.hpp"

namespace knudsen::boltzmann {

/// Number of interleaved lists in a group: one for each lane of a warp.
inline constexpr int list_group = 32;
/// Consecutive entries of a list, 8 bytes.
inline constexpr int list_chunk = 4;
/// GPU threads whose 16-byte accesses of shared memory are served together, unless two of them fall
/// into the same bank (of 16 bytes).
inline constexpr int bank_group = 8;
/// Largest team of `collide` on a GPU: with more threads registers spill.
inline constexpr int max_collision_threads = 512;
/// Number of sequences of list groups: one for each warp of the largest team.
inline constexpr int group_sequences = max_collision_threads / list_group;
/// Largest number of samples: twice the number of a sample fits into 16 bits.
inline constexpr int max_samples = 32766;
/// Largest number of velocities: their numbers fit into 16 bits.
inline constexpr int max_velocities = 65535;

/// Position in the scratch memory of `collide` of velocity (i n_y + j) n_z + k; its own inverse. On
/// a GPU it permutes velocities so that threads that each store the consecutive velocities of one
/// global access do not conflict in the banks of shared memory.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION int scratch_position(int velocity) {
  if constexpr (is_host_backend<ExecutionSpace>) return velocity;
  return velocity ^ ((velocity / bank_group) & (values_per_access<Real> - 1));
}

/// A group of lists in the schedule of a set.
struct alignas(16) ScheduledGroup {
  int number;  ///< number of the group
  int begin;   ///< index of its first entry
  int chunks;  ///< chunks in each of its lists
  int unused;  ///< makes it one 16-byte access
};

/// Sets of sampled collisions, one for each of several successive steps. Each set is stored twice:
/// by sample, and by velocity cell as lists of (sample, gain or loss). Samples that leave the
/// velocity box have weight zero and are in no list.
///
/// On a GPU samples are ordered so that neighbouring threads read different banks of shared memory.
/// Lists are ordered by falling length, so that those of a group are about equally long, and padded
/// to the longest of their group by a collision of weight zero. Chunk c of list l begins at
/// group_begin(set, l / 32) + (32 c + l % 32) * 4.
template <class ExecutionSpace, class Real>
struct CollisionSets {  // NOLINT: names in its implicit copy are the compiler's
  int samples = 0;      ///< N_t
  /// Scratch positions at which h is read for v, v_1, v*, v_1*, as (set, 4 sample + q).
  View<std::uint16_t**, ExecutionSpace> positions;
  /// Numbers of the velocities that lose (v, v_1) and gain (v*, v_1*), likewise. They differ from
  /// the velocities read only with linear interpolation.
  View<std::uint16_t**, ExecutionSpace> targets;
  /// rate |k . v_r| time step / N_t, as (set, sample).
  View<Real**, ExecutionSpace> weights;
  View<int*, ExecutionSpace> lists;                      ///< number of lists of each set
  View<std::uint32_t**, ExecutionSpace> list_indices;    ///< velocity of a list, as in `indices`
  View<std::uint16_t**, ExecutionSpace> list_positions;  ///< scratch position of that velocity
  /// Components of that velocity and the inverse of its weight, as (set, 4 list + n).
  View<Real**, ExecutionSpace> list_values;
  View<std::uint16_t**, ExecutionSpace> entries;  ///< 2 sample + (1 where the cell gains)
  View<int**, ExecutionSpace> group_begin;  ///< first entry of each group, then the end of the last
  /// Order of work: a ScheduledGroup at (set, 4 position). On the host one sequence holds all
  /// groups in order.
  View<int**, ExecutionSpace> schedule;
  /// First position of each of the `group_sequences`, then the end of the last.
  View<int**, ExecutionSpace> sequence_begin;
  View<std::uint32_t*, ExecutionSpace> indices;  ///< i, j, k of a velocity, 10 bits each

  // Used only while the sets are made.
  View<std::uint16_t**, ExecutionSpace> drawn_positions;  ///< `positions` in the order drawn
  View<std::uint16_t**, ExecutionSpace> drawn_targets;    ///< `targets` in the order drawn
  View<Real**, ExecutionSpace> drawn_weights;             ///< `weights` in the order drawn
  View<int**, ExecutionSpace> unlisted;              ///< entries of a velocity not yet in its list
  View<int**, ExecutionSpace> lengths;               ///< number of entries of a list
  View<std::uint16_t**, ExecutionSpace> list_of;     ///< list of a velocity
  View<double*, ExecutionSpace> edges[3];            ///< edges of the velocity cells
  View<double*, ExecutionSpace> nodes[3];            ///< their nodes
  View<double*, ExecutionSpace> inverse_weights[3];  ///< inverse quadrature weights with Phi_0

  KOKKOS_INLINE_FUNCTION int set_count() const { return static_cast<int>(lists.extent(0)); }
  /// Length to which a list is padded.
  KOKKOS_INLINE_FUNCTION int room(int set, int list) const {
    const int group = list / list_group;
    return (group_begin(set, group + 1) - group_begin(set, group)) / list_group;
  }
  /// Index in `entries` of an entry of a list.
  KOKKOS_INLINE_FUNCTION int entry(int set, int list, int position) const {
    return group_begin(set, list / list_group) +
           ((position / list_chunk) * list_group + list % list_group) * list_chunk +
           position % list_chunk;
  }
};

/// Bits of an index in CollisionSets::indices.
inline constexpr int index_bits = 10;
/// One of the three indices in an entry of CollisionSets::indices.
KOKKOS_INLINE_FUNCTION int index_along(std::uint32_t packed, int axis) {
  constexpr std::uint32_t mask = (1U << static_cast<unsigned>(index_bits)) - 1;
  return static_cast<int>((packed >> static_cast<unsigned>((2 - axis) * index_bits)) & mask);
}

/// Allocates `sets` sets of `samples` collisions each.
template <class ExecutionSpace, class Real>
CollisionSets<ExecutionSpace, Real> make_collision_sets(const VelocityGrid& grid, int samples,
                                                        int sets);

}  // namespace knudsen::boltzmann
