#include "methods/boltzmann/sample.hpp"

#include "device/instantiate.hpp"
#include "methods/boltzmann/spread_samples.hpp"

namespace knudsen::boltzmann {
namespace {

/// Index of the cell that contains a value; -1 outside.
KOKKOS_INLINE_FUNCTION int find_cell(const double* edges, int count, double value) {
  if (!(value >= edges[0]) || value >= edges[count]) return -1;
  int low = 0;
  int high = count;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (value >= edges[middle] ? low : high) = middle;
  }
  return low;
}

/// Draws one collision; one thread per sample and set. Comments name the lines of Algorithm 2.
template <class ExecutionSpace, class Real>
struct DrawCollision {
  CollisionSets<ExecutionSpace, Real> sets;
  Sampling sampling;
  std::uint64_t first_step;
  int count[3];                                     ///< velocity cells along each axis
  View<std::uint16_t**, ExecutionSpace> positions;  ///< output, see CollisionSets
  View<std::uint16_t**, ExecutionSpace> targets;    ///< output
  View<Real**, ExecutionSpace> weights;             ///< output

  KOKKOS_INLINE_FUNCTION void operator()(int work) const {
    const int set = work / sets.samples;
    const int sample = work - set * sets.samples;
    double u[uniforms_per_collision];
    sampling.uniforms(first_step + static_cast<std::uint64_t>(set),
                      static_cast<std::uint32_t>(sample), u);
    // Lines 1 to 3: velocities v and v_1, direction k.
    double v[4][3];
    box_muller(u[0], u[1], v[0][0], v[0][1]);
    box_muller(u[2], u[3], v[0][2], v[1][2]);
    box_muller(u[4], u[5], v[1][0], v[1][1]);
    double k[3];
    unit_sphere(u[6], u[7], k);
    // The weight corrects for drawing from a gas of another temperature.
    const double stretch = std::sqrt(sampling.temperature);
    double energy = 0;
    for (int q = 0; q < 2; ++q) {
      for (int d = 0; d < 3; ++d) {
        v[q][d] *= stretch;
        energy += v[q][d] * v[q][d];
      }
    }
    const double likelihood = sampling.temperature * sampling.temperature * sampling.temperature *
                              std::exp((1 / sampling.temperature - 1) * energy);
    // Lines 4 to 6.
    double along = 0;
    double square = 0;
    for (int d = 0; d < 3; ++d) {
      const double relative = v[1][d] - v[0][d];
      along += relative * k[d];
      square += relative * relative;
    }
    for (int d = 0; d < 3; ++d) {
      v[2][d] = v[0][d] + along * k[d];
      v[3][d] = v[1][d] - along * k[d];
    }
    // Lines 7 to 10.
    float chance[2 * components_per_collision];
    if (sampling.linear) {
      rounding_uniforms(sampling.uniforms.seed, first_step + static_cast<std::uint64_t>(set),
                        static_cast<std::uint32_t>(sample), chance);
    }
    int velocities[2][4];  // those at which h is read; those that lose and gain
    double inverse[4];
    bool inside = true;
    for (int q = 0; q < 4; ++q) {
      int at[2][3];
      inverse[q] = 1;
      for (int d = 0; d < 3; ++d) {
        const int cell = find_cell(sets.edges[d].data(), count[d], v[q][d]);
        inside = inside && cell >= 0;
        for (int use = 0; use < 2; ++use) {
          at[use][d] = cell;
          if (sampling.linear && cell >= 0) {
            at[use][d] = round_to_node(d, cell, v[q][d], double(chance[2 * (3 * q + d) + use]));
          }
        }
        if (cell >= 0) inverse[q] *= sets.inverse_weights[d](at[1][d]);
      }
      for (int use = 0; use < 2; ++use) {
        velocities[use][q] = (at[use][0] * count[1] + at[use][1]) * count[2] + at[use][2];
      }
    }
    // Lines 11 to 18; the update divides by the weights of the velocity cells.
    double weight = 0;
    if (inside) {
      weight = likelihood * sampling.molecules.weight(along, std::sqrt(square)) *
               sampling.time_step / sets.samples;
      weight *= relaxed_share(weight, inverse);
    }
    weights(set, sample) = static_cast<Real>(weight);
    for (int q = 0; q < 4; ++q) {
      const int read = scratch_position<ExecutionSpace, Real>(velocities[0][q]);
      positions(set, 4 * sample + q) = static_cast<std::uint16_t>(inside ? read : 0);
      targets(set, 4 * sample + q) = static_cast<std::uint16_t>(inside ? velocities[1][q] : 0);
    }
  }

 private:
  /// One of the two nodes around a value in a cell, drawn such that their mean is the value.
  KOKKOS_INLINE_FUNCTION int round_to_node(int axis, int cell, double value, double chance) const {
    const auto& nodes = sets.nodes[axis];
    const int low = value < nodes(cell) ? cell - 1 : cell;
    if (low < 0 || low + 1 >= count[axis]) return cell;
    return (value - nodes(low)) > chance * (nodes(low + 1) - nodes(low)) ? low + 1 : low;
  }

  /// Fraction of its weight that a collision keeps. It is below one where an explicit step would
  /// overshoot zero, that is where a velocity cell holds less than a sample represents; the update
  /// stays stable there.
  KOKKOS_INLINE_FUNCTION double relaxed_share(double weight, const double (&inverse)[4]) const {
    double decay = weight * (inverse[0] + inverse[1]);
    if (sampling.reversible) decay = 0.5 * (decay + weight * (inverse[2] + inverse[3]));
    return decay > 1 ? 1 / decay : 1;
  }
};

}  // namespace

template <class ExecutionSpace, class Real>
void draw_collisions(const ExecutionSpace& execution, const Sampling& sampling,
                     std::uint64_t first_step, const CollisionSets<ExecutionSpace, Real>& sets) {
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<int>>;
  const bool spread = !is_host_backend<ExecutionSpace> && !sampling.keep_order;
  DrawCollision<ExecutionSpace, Real> draw{sets,
                                           sampling,
                                           first_step,
                                           {},
                                           spread ? sets.drawn_positions : sets.positions,
                                           spread ? sets.drawn_targets : sets.targets,
                                           spread ? sets.drawn_weights : sets.weights};
  for (int d = 0; d < 3; ++d) draw.count[d] = static_cast<int>(sets.nodes[d].extent(0));
  const int count = sets.set_count();
  Kokkos::parallel_for("knudsen/boltzmann/sample", Policy(execution, 0, count * sets.samples),
                       draw);
  if constexpr (!is_host_backend<ExecutionSpace>) {
    if (spread) {
      using Spread = SpreadSamples<ExecutionSpace, Real>;
      const int batches = (sets.samples + Spread::batch - 1) / Spread::batch;
      Kokkos::parallel_for(
          "knudsen/boltzmann/spread_samples",
          TeamPolicy<ExecutionSpace>(execution, count * batches, Spread::groups, 1),
          Spread{sets, batches});
    }
  }
  list_collisions(execution, sets);
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                             \
  template void draw_collisions<ExecutionSpace, Real>(const ExecutionSpace&, const Sampling&, \
                                                      std::uint64_t,                          \
                                                      const CollisionSets<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann
