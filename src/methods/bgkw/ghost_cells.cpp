#include "methods/bgkw/ghost_cells.hpp"

#include "device/instantiate.hpp"

namespace knudsen::bgkw {
namespace {

/// The arrays of an exchange.
template <class ExecutionSpace, class Real>
typename GhostExchange<ExecutionSpace, Real>::Rows rows_of_values(
    const PhaseSpace<ExecutionSpace, Real>& space) {
  return {space.f.data(), space.f.extent(1)};
}
template <class ExecutionSpace, class Real>
typename GhostExchange<ExecutionSpace, Real>::Rows rows_of_sums(
    const PhaseSpace<ExecutionSpace, Real>& space) {
  return {space.sums.data(), space.sums.extent(1) * space.sums.extent(2)};
}

}  // namespace

template <class ExecutionSpace, class Real>
std::unique_ptr<GhostCells<ExecutionSpace, Real>> make_ghost_cells(
    const PhaseSpace<ExecutionSpace, Real>& space, const std::vector<CellSlab>& slabs, int rank,
    bool fused) {
  if (slabs.size() == 1) return nullptr;
  const CellSlab& slab = slabs[static_cast<std::size_t>(rank)];
  const auto& v = space.velocities;
  std::array<RowRuns, 2> values{all_velocities(v), all_velocities(v)};
  if (slab.depth == 1) values = inward_velocities(v, slab.axis);
  auto ghosts = std::make_unique<GhostCells<ExecutionSpace, Real>>();
  std::vector<GhostRows> arrays{{values, sizeof(Real)}};
  // Single passes stream by at most a cell, for which two ghost layers are enough.
  ghosts->with_sums = space.single_pass && fused && slab.depth <= 2;
  if (!ghosts->with_sums) {
    ghosts->values = {slabs, rank, arrays, true, 0};
    return ghosts;
  }
  const auto outflow = [&](int direction) -> RowRuns {
    return {5 * (1 + direction), 5, static_cast<int>(space.sums.extent(2)), space.parts};
  };
  const GhostRows sums{{outflow(2 * slab.axis + 1), outflow(2 * slab.axis)}, sizeof(double)};
  arrays.push_back(sums);
  ghosts->values = {slabs, rank, arrays, true, 0};
  ghosts->sums = {slabs, rank, {sums}, true, 4 * (slab.depth + 1)};
  return ghosts;
}

template <class ExecutionSpace, class Real>
void exchange_values(const StepContext<ExecutionSpace>& context,
                     const PhaseSpace<ExecutionSpace, Real>& space) {
  if (space.ghosts == nullptr) return;
  auto& exchange = space.ghosts->values;
  if (space.ghosts->with_sums) {
    exchange(context.execution, {rows_of_values(space), rows_of_sums(space)});
  } else {
    exchange(context.execution, {rows_of_values(space)});
  }
}

template <class ExecutionSpace, class Real>
void exchange_sums(const StepContext<ExecutionSpace>& context,
                   const PhaseSpace<ExecutionSpace, Real>& space) {
  if (space.ghosts == nullptr) return;
  space.ghosts->sums(context.execution, {rows_of_sums(space)});
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                               \
  template std::unique_ptr<GhostCells<ExecutionSpace, Real>>                                    \
  make_ghost_cells<ExecutionSpace, Real>(const PhaseSpace<ExecutionSpace, Real>&,               \
                                         const std::vector<CellSlab>&, int, bool);              \
  template void exchange_values<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&,       \
                                                      const PhaseSpace<ExecutionSpace, Real>&); \
  template void exchange_sums<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&,         \
                                                    const PhaseSpace<ExecutionSpace, Real>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
