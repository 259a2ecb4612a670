#pragma once

#include "methods/boltzmann/molecules.hpp"
#include "methods/boltzmann/random.hpp"
#include "velocity/velocity_grid.hpp"
#include "velocity/velocity_space.hpp"

namespace knudsen::boltzmann {

/// Velocities of a group whose lists of collisions stand interleaved.
inline constexpr int list_group = 32;
/// Entries of a list that stand together, 8 bytes.
inline constexpr int list_chunk = 4;
/// What 16-bit numbers allow: of sampled collisions, with their sign, and of padded velocities.
inline constexpr int most_samples = 32766;
inline constexpr int most_velocities = 65535;

/// Several sets of collisions, one for each of successive steps, and the same sorted by velocity
/// cell: for each velocity cell a list of (collision, gains or loses).
///
/// Velocity cells have a rank, by falling weight, so that the lists of a group are of about the
/// same length. Chunk c of the list of rank r stands at list_begin(r / 32) + (32 c + r % 32) * 4.
/// Collisions that leave the velocity box have weight zero and are in no list.
template <class ExecutionSpace, class Real>
struct CollisionSets {  // NOLINT: names in its implicit copy are the compiler's
  int samples = 0;      ///< N_t
  int ranks = 0;        ///< velocities, rounded up to whole groups
  /// Places among a cell's values where h is read for v, v_1, v*, v_1*, as (set, 4 sample + q), and
  /// those that lose and gain; the same but with linear interpolation.
  View<std::uint16_t**, ExecutionSpace> places;
  View<std::uint16_t**, ExecutionSpace> targets;
  /// rate |k . v_r| time step / N_t, as (set, sample).
  View<Real**, ExecutionSpace> weights;
  View<std::uint16_t**, ExecutionSpace> entries;  ///< 2 sample + (1 where the cell gains)
  View<int**, ExecutionSpace> lengths;            ///< chunks of each list, as (set, rank)
  View<int*, ExecutionSpace> list_begin;          ///< of each group, and the end of the last
  View<std::uint16_t*, ExecutionSpace> rank_of;   ///< place -> rank
  /// Indices i, j, k of the velocity of a rank, 10 bits each; all ones beyond the velocities.
  View<std::uint32_t*, ExecutionSpace> indices;
  View<int, ExecutionSpace> overflows;  ///< entries for which there was no room

  // For the drawing alone.
  View<double*, ExecutionSpace> edges[3];  ///< of the velocity cells
  View<double*, ExecutionSpace> nodes[3];
  View<double*, ExecutionSpace> inverse_weights[3];  ///< of the quadrature with Phi_0

  KOKKOS_INLINE_FUNCTION std::size_t entry(int rank, int position) const {
    const auto chunk = static_cast<std::size_t>(position / list_chunk);
    return static_cast<std::size_t>(list_begin(rank / list_group)) +
           (chunk * list_group + static_cast<std::size_t>(rank % list_group)) * list_chunk +
           static_cast<std::size_t>(position % list_chunk);
  }
};

/// Bits of an index in CollisionSets::indices.
inline constexpr int index_bits = 10;
inline constexpr std::uint32_t no_velocity = 0xFFFFFFFFU;

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
};

/// Algorithm 2, for the steps first_step, first_step + 1, ... of all sets at once.
template <class ExecutionSpace, class Real>
void draw_collisions(const ExecutionSpace& execution, const Sampling& sampling,
                     std::uint64_t first_step, const CollisionSets<ExecutionSpace, Real>& sets);

}  // namespace knudsen::boltzmann
