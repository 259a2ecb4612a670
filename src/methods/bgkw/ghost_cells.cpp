#include "methods/bgkw/ghost_cells.hpp"

#include <algorithm>

#include "device/instantiate.hpp"

namespace knudsen::bgkw {
namespace {

/// Runs of a cell's values: all of them.
template <class ExecutionSpace, class Real>
RowRuns all_velocities(const VelocitySpace<ExecutionSpace, Real>& v) {
  return {0, v.size(), v.size(), 1};
}

/// Runs of a cell's values with velocity components along an axis from node `begin` up to `end`.
template <class ExecutionSpace, class Real>
RowRuns velocities_between(const VelocitySpace<ExecutionSpace, Real>& v, int axis, int begin,
                           int end) {
  if (axis == 0) return {begin * v.plane, (end - begin) * v.plane, 0, 1};
  if (axis == 1) {
    return {begin * v.row_length, (end - begin) * v.row_length, v.plane, v.count[0]};
  }
  // Padding counts as velocity 0, which streams as positive ones do.
  if (end == v.count[2]) end = v.row_length;
  return {begin, end - begin, v.row_length, v.rows()};
}

}  // namespace

template <class ExecutionSpace, class Real>
std::unique_ptr<GhostCells<ExecutionSpace, Real>> make_ghost_cells(
    const PhaseSpace<ExecutionSpace, Real>& space, const std::vector<Slab>& slabs, int rank) {
  if (slabs.size() == 1) return nullptr;
  const Slab& slab = slabs[static_cast<std::size_t>(rank)];
  const auto& v = space.velocities;
  std::array<RowRuns, 2> values{all_velocities(v), all_velocities(v)};
  if (slab.depth == 1) {
    const auto nodes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v.nodes[slab.axis]);
    int negative = 0;
    int not_positive = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(v.count[slab.axis]); ++i) {
      negative += nodes(i) < 0 ? 1 : 0;
      not_positive += nodes(i) > 0 ? 0 : 1;
    }
    values = {velocities_between(v, slab.axis, negative, v.count[slab.axis]),
              velocities_between(v, slab.axis, 0, not_positive)};
  }
  auto ghosts = std::make_unique<GhostCells<ExecutionSpace, Real>>();
  ghosts->values = {slabs, rank, values, 0};
  if (!space.single_pass) return ghosts;
  const auto outflow = [&](int direction) -> RowRuns {
    return {5 * (1 + direction), 5, static_cast<int>(space.sums.extent(2)), space.parts};
  };
  ghosts->sums = {
      slabs, rank, {outflow(2 * slab.axis + 1), outflow(2 * slab.axis)}, 2 * (slab.depth + 1)};
  return ghosts;
}

template <class ExecutionSpace, class Real>
void exchange_values(const StepContext<ExecutionSpace>& context,
                     const PhaseSpace<ExecutionSpace, Real>& space) {
  if (space.ghosts == nullptr) return;
  space.ghosts->values(context.execution, space.f.data(), space.f.extent(1));
}

template <class ExecutionSpace, class Real>
void exchange_sums(const StepContext<ExecutionSpace>& context,
                   const PhaseSpace<ExecutionSpace, Real>& space) {
  if (space.ghosts == nullptr) return;
  space.ghosts->sums(context.execution, space.sums.data(),
                     space.sums.extent(1) * space.sums.extent(2));
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                               \
  template std::unique_ptr<GhostCells<ExecutionSpace, Real>>                                    \
  make_ghost_cells<ExecutionSpace, Real>(const PhaseSpace<ExecutionSpace, Real>&,               \
                                         const std::vector<Slab>&, int);                        \
  template void exchange_values<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&,       \
                                                      const PhaseSpace<ExecutionSpace, Real>&); \
  template void exchange_sums<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&,         \
                                                    const PhaseSpace<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
