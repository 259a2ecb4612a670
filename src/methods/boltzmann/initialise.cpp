#include "device/instantiate.hpp"
#include "methods/boltzmann/make_state.hpp"

namespace knudsen::boltzmann {

template <class ExecutionSpace, class Real>
void initialise(const StepContext<ExecutionSpace>& context, const PhaseGrid& grid, double scale,
                State<ExecutionSpace, Real>& state,
                const std::function<GasState(const Cell&)>& gas) {
  const bool linear = context.collision.perturbation_parameter == 0;
  const auto host = Kokkos::create_mirror_view(state.h);
  const auto& v = state.velocities;
  for (int index = 0; index < state.cell_count(); ++index) {
    const GasState here = gas(make_cell(state, index));
    auto place = static_cast<std::size_t>(0);
    for (const double x : grid.velocities[0].nodes) {
      for (const double y : grid.velocities[1].nodes) {
        for (std::size_t k = 0; k < grid.velocities[2].nodes.size(); ++k) {
          host(static_cast<std::size_t>(index), place + k) = static_cast<Real>(
              gas_deviation(here, {x, y, grid.velocities[2].nodes[k]}, scale, linear));
        }
        place += static_cast<std::size_t>(v.row_length);
      }
    }
  }
  Kokkos::deep_copy(state.h, host);
  Kokkos::deep_copy(state.wall_density, Real(0));
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                                 \
  template void initialise<ExecutionSpace, Real>(                                                 \
      const StepContext<ExecutionSpace>&, const PhaseGrid&, double, State<ExecutionSpace, Real>&, \
      const std::function<GasState(const Cell&)>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::boltzmann
