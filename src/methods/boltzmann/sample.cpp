#include "methods/boltzmann/sample.hpp"

#include <algorithm>
#include <numbers>

#include "device/instantiate.hpp"

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

template <class ExecutionSpace, class Value>
View<Value*, ExecutionSpace> upload(const std::string& name, const std::vector<Value>& values) {
  View<Value*, ExecutionSpace> view(name, values.size());
  const auto mirror = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < values.size(); ++i) mirror(i) = values[i];
  Kokkos::deep_copy(view, mirror);
  return view;
}

/// CollisionSets::indices.
std::vector<std::uint32_t> packed_indices(const VelocityGrid& grid) {
  std::vector<std::uint32_t> indices;
  for (std::size_t i = 0; i < grid[0].nodes.size(); ++i) {
    for (std::size_t j = 0; j < grid[1].nodes.size(); ++j) {
      for (std::size_t k = 0; k < grid[2].nodes.size(); ++k) {
        indices.push_back(static_cast<std::uint32_t>(
            (((i << static_cast<unsigned>(index_bits)) | j) << static_cast<unsigned>(index_bits)) |
            k));
      }
    }
  }
  return indices;
}

}  // namespace

VelocityGrid equilibrium_weighted(const VelocityGrid& grid) {
  const double normal = 1 / std::sqrt(std::numbers::pi);
  VelocityGrid weighted = grid;
  for (VelocityAxis& axis : weighted) {
    for (std::size_t i = 0; i < axis.nodes.size(); ++i) {
      axis.weights[i] *= normal * std::exp(-axis.nodes[i] * axis.nodes[i]);
    }
  }
  return weighted;
}

std::vector<double> cell_edges(const VelocityAxis& axis) {
  std::vector<double> edges{axis.minimum};
  for (const double width : axis.weights) edges.push_back(edges.back() + width);
  edges.back() = axis.maximum;
  return edges;
}

template <class ExecutionSpace, class Real>
CollisionSets<ExecutionSpace, Real> make_collision_sets(const VelocityGrid& grid, int samples,
                                                        int sets) {
  CollisionSets<ExecutionSpace, Real> result;
  result.samples = samples;
  const auto weighted = equilibrium_weighted(grid);
  for (std::size_t d = 0; d < 3; ++d) {
    std::vector<double> inverse;
    for (const double weight : weighted[d].weights) inverse.push_back(1 / weight);
    result.edges[d] = upload<ExecutionSpace>("velocity cell edges", cell_edges(grid[d]));
    result.nodes[d] = upload<ExecutionSpace>("velocity nodes", grid[d].nodes);
    result.inverse_weights[d] = upload<ExecutionSpace>("inverse velocity weights", inverse);
  }
  constexpr std::size_t group = list_group;
  const auto indices = packed_indices(grid);
  result.indices = upload<ExecutionSpace>("velocity indices", indices);
  const auto n = static_cast<std::size_t>(sets);
  const auto n_samples = static_cast<std::size_t>(samples);
  const std::size_t most_entries = 4 * n_samples;
  const std::size_t groups = (std::min(indices.size(), most_entries) + group - 1) / group;
  // Upper bound of the padded lists: as lists are ordered by length, the longest of a group is no
  // longer than any of the group before. One more chunk is loaded ahead.
  const std::size_t room = (group + 1) * most_entries + (groups + 1) * group * list_chunk;
  const auto pairs = [&](const std::string& name) {
    return View<std::uint16_t**, ExecutionSpace>(name, n, most_entries);
  };
  result.positions = pairs("collision positions");
  result.targets = pairs("collision targets");
  result.weights = View<Real**, ExecutionSpace>("collision weights", n, n_samples);
  if (!is_host_backend<ExecutionSpace>) {
    result.drawn_positions = pairs("drawn positions");
    result.drawn_targets = pairs("drawn targets");
    result.drawn_weights = View<Real**, ExecutionSpace>("drawn weights", n, n_samples);
  }
  result.lists = View<int*, ExecutionSpace>("collision list counts", n);
  result.list_indices =
      View<std::uint32_t**, ExecutionSpace>("collision list velocities", n, groups * group);
  result.list_positions =
      View<std::uint16_t**, ExecutionSpace>("collision list positions", n, groups * group);
  result.list_values = View<Real**, ExecutionSpace>("collision list values", n, 4 * groups * group);
  result.lengths = View<int**, ExecutionSpace>("collision list lengths", n, groups * group);
  result.entries = View<std::uint16_t**, ExecutionSpace>("collision entries", n, room);
  result.group_begin = View<int**, ExecutionSpace>("collision list groups", n, groups + 1);
  result.group_turns = View<int**, ExecutionSpace>("collision group turns", n, 4 * groups);
  result.turn_begin = View<int**, ExecutionSpace>("collision turn begins", n, group_sequences + 1);
  result.unlisted = View<int**, ExecutionSpace>("unlisted entries", n, indices.size());
  result.list_of =
      View<std::uint16_t**, ExecutionSpace>("collision list of velocity", n, indices.size());
  return result;
}

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
  template CollisionSets<ExecutionSpace, Real> make_collision_sets<ExecutionSpace, Real>(     \
      const VelocityGrid&, int, int);                                                         \
  template void draw_collisions<ExecutionSpace, Real>(const ExecutionSpace&, const Sampling&, \
                                                      std::uint64_t,                          \
                                                      const CollisionSets<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann
