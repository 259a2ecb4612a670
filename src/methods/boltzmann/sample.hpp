#pragma once

#include "kinetic/velocity_grid.hpp"
#include "kinetic/velocity_space.hpp"
#include "methods/boltzmann/molecules.hpp"
#include "methods/boltzmann/random.hpp"

namespace knudsen::boltzmann {

/// Velocities whose lists of collisions stand interleaved.
inline constexpr int list_group = 32;
/// Entries of a list that stand together, 8 bytes.
inline constexpr int list_chunk = 4;
/// Threads of a GPU whose 16-byte accesses of scratch memory are served at once, if they fall into
/// as many different banks.
inline constexpr int bank_group = 8;
/// Threads of a team of `collide` on a GPU, at most: more have too few registers each.
inline constexpr int most_collision_threads = 512;
/// Sequences of groups of lists that take about equally long, for as many warps.
inline constexpr int group_sequences = most_collision_threads / list_group;
/// What 16-bit numbers allow: of sampled collisions, with their sign, and of velocities.
inline constexpr int most_samples = 32766;
inline constexpr int most_velocities = 65535;

/// Where the values of a velocity, numbered (i n_y + j) n_z + k, stand in the scratch memory of
/// `collide`; the inverse of itself. On a GPU threads that read some velocities each, as many as
/// one access of global memory holds, one after the other, thus meet no bank of another one.
template <class ExecutionSpace, class Real>
KOKKOS_INLINE_FUNCTION int scratch_position(int velocity) {
  if constexpr (is_host_backend<ExecutionSpace>) return velocity;
  return velocity ^ ((velocity / bank_group) & (values_per_access<Real> - 1));
}

/// A group of lists: its number, where its entries begin and how many chunks its lists have.
struct alignas(16) GroupTurn {
  int number;
  int begin;
  int chunks;
  int unused;
};

/// Several sets of collisions, one for each of successive steps, and the same sorted by velocity
/// cell: for each velocity cell that is in some collision a list of (collision, gains or loses).
///
/// On a GPU the samples of a set are put in such an order that threads side by side read different
/// banks of scratch memory. Lists have an order too, by falling length, so that those of a group
/// are about equally long; all of a group are filled up to the same length by a collision of
/// weight zero. Chunk c of list l stands at group_begin(set, l / 32) + (32 c + l % 32) * 4.
/// Collisions that leave the velocity box have weight zero and are in no list.
template <class ExecutionSpace, class Real>
struct CollisionSets {  // NOLINT: names in its implicit copy are the compiler's
  int samples = 0;      ///< N_t
  /// Scratch positions where h is read for v, v_1, v*, v_1*, as (set, 4 sample + q), and numbers of
  /// the velocities that lose and gain; the same but with linear interpolation.
  View<std::uint16_t**, ExecutionSpace> positions;
  View<std::uint16_t**, ExecutionSpace> targets;
  /// rate |k . v_r| time step / N_t, as (set, sample).
  View<Real**, ExecutionSpace> weights;
  View<int*, ExecutionSpace> lists;                    ///< number of lists of each set
  View<std::uint32_t**, ExecutionSpace> list_indices;  ///< velocity of a list, as `indices`
  /// What the sums over a list are used with: where its velocity stands in scratch memory, and, as
  /// (set, 4 list + n), its components and the inverse of its weight.
  View<std::uint16_t**, ExecutionSpace> list_positions;
  View<Real**, ExecutionSpace> list_values;
  View<std::uint16_t**, ExecutionSpace> entries;  ///< 2 sample + (1 where the cell gains)
  View<int**, ExecutionSpace> group_begin;        ///< of each group, and the end of the last
  /// Groups in the order in which they are worked on, as (set, 4 turn): see GroupTurn; and the
  /// first turn of each of the `group_sequences`, and the end of the last. On the host one sequence
  /// of all groups as they come.
  View<int**, ExecutionSpace> group_turns;
  View<int**, ExecutionSpace> turn_begin;
  /// Indices i, j, k of a velocity, 10 bits each.
  View<std::uint32_t*, ExecutionSpace> indices;

  // For the making of the sets alone.
  View<std::uint16_t**, ExecutionSpace> drawn_positions;  ///< before they are put in order
  View<std::uint16_t**, ExecutionSpace> drawn_targets;
  View<Real**, ExecutionSpace> drawn_weights;
  View<int**, ExecutionSpace> unlisted;           ///< entries of a velocity not yet in its list
  View<int**, ExecutionSpace> lengths;            ///< entries of a list
  View<std::uint16_t**, ExecutionSpace> list_of;  ///< velocity -> list
  View<double*, ExecutionSpace> edges[3];         ///< of the velocity cells
  View<double*, ExecutionSpace> nodes[3];
  View<double*, ExecutionSpace> inverse_weights[3];  ///< of the quadrature with Phi_0

  KOKKOS_INLINE_FUNCTION int set_count() const { return static_cast<int>(lists.extent(0)); }
  /// Entries that there is room for in each list of the group of a list.
  KOKKOS_INLINE_FUNCTION int room(int set, int list) const {
    const int group = list / list_group;
    return (group_begin(set, group + 1) - group_begin(set, group)) / list_group;
  }
  /// Where in `entries` an entry of a list stands.
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

/// Quadrature of the cells of a velocity grid with the equilibrium in the weights (the sum of all
/// weights is one but for the discretisation).
VelocityGrid equilibrium_weighted(const VelocityGrid& grid);
/// Ends of the cells of an axis, from the lowest on: one more than cells.
std::vector<double> cell_edges(const VelocityAxis& axis);

/// Takes memory for `sets` sets of `samples` collisions each.
template <class ExecutionSpace, class Real>
CollisionSets<ExecutionSpace, Real> make_collision_sets(const VelocityGrid& grid, int samples,
                                                        int sets);

/// How collisions are drawn.
struct Sampling {
  Molecules molecules;
  UniformSource uniforms;
  double time_step = 0;
  bool reversible = true;  ///< the estimator: it sets how far a single collision may go
  /// Read h at, and add to, one of the two nodes about each component, by chance with the weights
  /// of linear interpolation, and independently: h is linear between nodes in the mean. Else both
  /// at the node of the velocity cell.
  bool linear = false;
  /// Samples stay in the order of their numbers, for updates that depend on it.
  bool keep_order = false;
  /// Of the Maxwellian that velocities are drawn from; above 1 the fast ones have more samples, of
  /// less weight each.
  double temperature = 1;
};

/// Algorithm 2, for the steps first_step, first_step + 1, ... of all sets at once.
template <class ExecutionSpace, class Real>
void draw_collisions(const ExecutionSpace& execution, const Sampling& sampling,
                     std::uint64_t first_step, const CollisionSets<ExecutionSpace, Real>& sets);

/// Makes the lists of sets whose samples are drawn.
template <class ExecutionSpace, class Real>
void list_collisions(const ExecutionSpace& execution,
                     const CollisionSets<ExecutionSpace, Real>& sets);

}  // namespace knudsen::boltzmann
