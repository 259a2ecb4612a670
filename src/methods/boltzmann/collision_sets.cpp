#include "methods/boltzmann/collision_sets.hpp"

#include <algorithm>

#include "device/instantiate.hpp"
#include "methods/boltzmann/upload.hpp"
#include "methods/boltzmann/velocity_cells.hpp"

namespace knudsen::boltzmann {
namespace {

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
  const std::size_t max_entries = 4 * n_samples;
  const std::size_t groups = (std::min(indices.size(), max_entries) + group - 1) / group;
  // Upper bound of the padded lists: as lists are ordered by length, the longest of a group is no
  // longer than any of the group before. One more chunk is loaded ahead.
  const std::size_t room = (group + 1) * max_entries + (groups + 1) * group * list_chunk;
  const auto pairs = [&](const std::string& name) {
    return View<std::uint16_t**, ExecutionSpace>(name, n, max_entries);
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
  result.schedule = View<int**, ExecutionSpace>("collision schedule", n, 4 * groups);
  result.sequence_begin =
      View<int**, ExecutionSpace>("collision sequence begins", n, group_sequences + 1);
  result.unlisted = View<int**, ExecutionSpace>("unlisted entries", n, indices.size());
  result.list_of =
      View<std::uint16_t**, ExecutionSpace>("collision list of velocity", n, indices.size());
  return result;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                         \
  template CollisionSets<ExecutionSpace, Real> make_collision_sets<ExecutionSpace, Real>( \
      const VelocityGrid&, int, int);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann
