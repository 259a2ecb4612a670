#include "methods/boltzmann/sample.hpp"

#include <algorithm>
#include <numeric>

#include "core/instantiate.hpp"

namespace knudsen::boltzmann {
namespace {

/// Cell of an axis that holds a value; -1 outside.
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

/// A thread a collision and set; comments name the lines of Algorithm 2.
template <class ExecutionSpace, class Real>
struct DrawCollision {
  CollisionSets<ExecutionSpace, Real> sets;
  Sampling sampling;
  std::uint64_t first_step;
  int count[3];
  int row_length;

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
    int places[2][4];  // where h is read; what loses and gains
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
        places[use][q] = (at[use][0] * count[1] + at[use][1]) * row_length + at[use][2];
      }
    }
    // Lines 11 to 18; the division by the cells' own weights comes with the update.
    double weight = 0;
    if (inside) {
      weight =
          sampling.molecules.weight(along, std::sqrt(square)) * sampling.time_step / sets.samples;
      weight *= relaxed_share(weight, inverse);
      for (int q = 0; q < 4; ++q) {
        insert(set, sets.rank_of(places[1][q]), 2 * sample + (q > 1 ? 1 : 0));
      }
    }
    sets.weights(set, sample) = static_cast<Real>(weight);
    for (int q = 0; q < 4; ++q) {
      sets.places(set, 4 * sample + q) = static_cast<std::uint16_t>(inside ? places[0][q] : 0);
      sets.targets(set, 4 * sample + q) = static_cast<std::uint16_t>(inside ? places[1][q] : 0);
    }
  }

 private:
  /// One of the two nodes about a value in a cell, such that their mean is the value.
  KOKKOS_INLINE_FUNCTION int round_to_node(int axis, int cell, double value, double chance) const {
    const auto& nodes = sets.nodes[axis];
    const int low = value < nodes(cell) ? cell - 1 : cell;
    if (low < 0 || low + 1 >= count[axis]) return cell;
    return (value - nodes(low)) > chance * (nodes(low + 1) - nodes(low)) ? low + 1 : low;
  }

  /// The share of an explicit step that a collision may make: less than one where that would carry
  /// its own excess beyond zero, which happens where a velocity cell holds less than a sample
  /// stands for. It keeps the update stable there.
  KOKKOS_INLINE_FUNCTION double relaxed_share(double weight, const double (&inverse)[4]) const {
    double decay = weight * (inverse[0] + inverse[1]);
    if (sampling.reversible) decay = 0.5 * (decay + weight * (inverse[2] + inverse[3]));
    return decay > 1 ? 1 / decay : 1;
  }

  KOKKOS_INLINE_FUNCTION void insert(int set, int rank, int entry) const {
    const int position = Kokkos::atomic_fetch_add(&sets.lengths(set, rank), 1);
    const int room =
        (sets.list_begin(rank / list_group + 1) - sets.list_begin(rank / list_group)) / list_group;
    if (position < room) {
      sets.entries(set, sets.entry(rank, position)) = static_cast<std::uint16_t>(entry);
    } else {
      Kokkos::atomic_add(&sets.overflows(), 1);
    }
  }
};

/// A thread a list: puts it in order, so that sums do not depend on who came first, and fills the
/// last chunk with a collision of weight zero.
template <class ExecutionSpace, class Real>
struct SortList {
  CollisionSets<ExecutionSpace, Real> sets;

  KOKKOS_INLINE_FUNCTION void operator()(int work) const {
    const int set = work / sets.ranks;
    const int rank = work - set * sets.ranks;
    const int group = rank / list_group;
    const int room = (sets.list_begin(group + 1) - sets.list_begin(group)) / list_group;
    int length = sets.lengths(set, rank);
    if (length > room) length = room;
    for (int i = 1; i < length; ++i) {
      const std::uint16_t moved = sets.entries(set, sets.entry(rank, i));
      int hole = i;
      for (; hole > 0; --hole) {
        const std::uint16_t before = sets.entries(set, sets.entry(rank, hole - 1));
        if (before <= moved) break;
        sets.entries(set, sets.entry(rank, hole)) = before;
      }
      sets.entries(set, sets.entry(rank, hole)) = moved;
    }
    const int chunks = (length + list_chunk - 1) / list_chunk;
    for (int i = length; i < chunks * list_chunk; ++i) {
      sets.entries(set, sets.entry(rank, i)) = static_cast<std::uint16_t>(2 * sets.samples);
    }
    sets.lengths(set, rank) = chunks;
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

}  // namespace

VelocityGrid equilibrium_weighted(const VelocityGrid& grid) {
  const double normal = 1 / std::sqrt(std::acos(-1.0));
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
  std::vector<double> share[3];  // of molecules in the cells of an axis
  for (std::size_t d = 0; d < 3; ++d) {
    const auto edges = cell_edges(grid[d]);
    std::vector<double> inverse;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
      share[d].push_back(0.5 * (std::erf(edges[i + 1]) - std::erf(edges[i])));
      inverse.push_back(1 / weighted[d].weights[i]);
    }
    result.edges[d] = upload<ExecutionSpace>("velocity cell edges", edges);
    result.nodes[d] = upload<ExecutionSpace>("velocity nodes", grid[d].nodes);
    result.inverse_weights[d] = upload<ExecutionSpace>("inverse velocity weights", inverse);
  }
  struct VelocityCell {
    double share;
    std::uint32_t indices;
    std::size_t place;
  };
  std::vector<VelocityCell> cells;
  const std::size_t width = static_cast<std::size_t>(values_per_access<Real>);
  const std::size_t row_length = (grid[2].nodes.size() + width - 1) / width * width;
  for (std::size_t i = 0; i < share[0].size(); ++i) {
    for (std::size_t j = 0; j < share[1].size(); ++j) {
      for (std::size_t k = 0; k < share[2].size(); ++k) {
        const auto packed = static_cast<std::uint32_t>(
            (((i << static_cast<unsigned>(index_bits)) | j) << static_cast<unsigned>(index_bits)) |
            k);
        cells.push_back({share[0][i] * share[1][j] * share[2][k], packed,
                         (i * share[1].size() + j) * row_length + k});
      }
    }
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [](const VelocityCell& a, const VelocityCell& b) { return a.share > b.share; });
  const std::size_t group = static_cast<std::size_t>(list_group);
  const std::size_t groups = (cells.size() + group - 1) / group;
  result.ranks = static_cast<int>(groups * group);
  std::vector<std::uint32_t> indices(groups * group, no_velocity);
  std::vector<std::uint16_t> rank_of(share[0].size() * share[1].size() * row_length, 0);
  std::vector<int> begin{0};
  for (std::size_t rank = 0; rank < cells.size(); ++rank) {
    indices[rank] = cells[rank].indices;
    rank_of[cells[rank].place] = static_cast<std::uint16_t>(rank);
    if (rank % group != 0) continue;
    // Ten standard deviations: more does not happen. Interpolation spreads the fast molecules.
    const double expected = 1.5 * 4 * samples * cells[rank].share;
    const int room = static_cast<int>(expected + 10 * std::sqrt(expected)) + 16;
    begin.push_back(begin.back() + (room + list_chunk - 1) / list_chunk * list_chunk * list_group);
  }
  result.rank_of = upload<ExecutionSpace>("velocity ranks", rank_of);
  result.indices = upload<ExecutionSpace>("velocity indices", indices);
  result.list_begin = upload<ExecutionSpace>("collision lists", begin);
  const auto n = static_cast<std::size_t>(sets);
  const auto n_samples = static_cast<std::size_t>(samples);
  result.places = View<std::uint16_t**, ExecutionSpace>("collision places", n, 4 * n_samples);
  result.targets = View<std::uint16_t**, ExecutionSpace>("collision targets", n, 4 * n_samples);
  result.weights = View<Real**, ExecutionSpace>("collision weights", n, n_samples);
  result.entries = View<std::uint16_t**, ExecutionSpace>("collision entries", n,
                                                         static_cast<std::size_t>(begin.back()));
  result.lengths = View<int**, ExecutionSpace>("collision list lengths", n,
                                               static_cast<std::size_t>(result.ranks));
  result.overflows = View<int, ExecutionSpace>("collision overflows");
  return result;
}

template <class ExecutionSpace, class Real>
void draw_collisions(const ExecutionSpace& execution, const Sampling& sampling,
                     std::uint64_t first_step, const CollisionSets<ExecutionSpace, Real>& sets) {
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<int>>;
  Kokkos::deep_copy(execution, sets.lengths, 0);
  DrawCollision<ExecutionSpace, Real> draw{sets, sampling, first_step, {}, 0};
  for (int d = 0; d < 3; ++d) draw.count[d] = static_cast<int>(sets.edges[d].extent(0)) - 1;
  draw.row_length = static_cast<int>(sets.rank_of.extent(0)) / (draw.count[0] * draw.count[1]);
  const int count = static_cast<int>(sets.places.extent(0));
  Kokkos::parallel_for("knudsen/boltzmann/sample", Policy(execution, 0, count * sets.samples),
                       draw);
  Kokkos::parallel_for("knudsen/boltzmann/sort_samples", Policy(execution, 0, count * sets.ranks),
                       SortList<ExecutionSpace, Real>{sets});
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                             \
  template CollisionSets<ExecutionSpace, Real> make_collision_sets<ExecutionSpace, Real>(     \
      const VelocityGrid&, int, int);                                                         \
  template void draw_collisions<ExecutionSpace, Real>(const ExecutionSpace&, const Sampling&, \
                                                      std::uint64_t,                          \
                                                      const CollisionSets<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann
