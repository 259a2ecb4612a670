#include "methods/bgkw/imex.hpp"

#include <cmath>

#include "device/instantiate.hpp"
#include "methods/bgkw/cut_cells.hpp"
#include "methods/bgkw/diagnostics.hpp"
#include "methods/bgkw/ghost_cells.hpp"
#include "methods/bgkw/kernels.hpp"

namespace knudsen::bgkw {

template <class ExecutionSpace, class Real>
std::vector<StageWithMemory<ExecutionSpace, Real>> make_imex_stages(
    TimeIntegration integration, const PhaseSpace<ExecutionSpace, Real>& space) {
  if (integration == TimeIntegration::splitting) return {};
  if (integration == TimeIntegration::imex_1) return {{}};
  const View<Real**, ExecutionSpace> kept("distribution of a stage",
                                          static_cast<std::size_t>(space.cell_count()),
                                          static_cast<std::size_t>(space.velocities.size()));
  // ARS(2,2,2), see the README for its coefficients in this form.
  const double root2 = std::sqrt(2.0);
  const double gamma = 1 - 1 / root2;
  return {{{gamma, 0, gamma, true}, kept}, {{1 / root2, root2, gamma, false}, kept}};
}

template <class ExecutionSpace, class Real>
void run_stage(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space,
               const StageWithMemory<ExecutionSpace, Real>& with_memory) {
  const ImexStage& stage = with_memory.stage;
  StepContext<ExecutionSpace> of_stage = context;
  of_stage.collision.time_step *= stage.relaxed;
  for (double& gain : of_stage.collision.velocity_gain) gain *= stage.relaxed;
  dispatch_relaxation(context, space, [&](auto model) {
    if (space.has_slopes_of_widths()) {
      update_growing_cells_in_stage<decltype(model)>(of_stage, space, with_memory);
    } else {
      update_cells_in_stage<decltype(model)>(of_stage, space, with_memory);
    }
  });
  if (space.cut != nullptr) {
    // They replace what the kernel of all cells has made of cells that it takes for whole ones.
    stream_cut_cells(context, space, with_memory);
    dispatch_relaxation(context, space, [&](auto model) {
      relax_cells_in_stage<decltype(model)>(of_stage, space, space.cut->cells);
    });
  }
  std::swap(space.f, space.next);
  space.known = KnownSums::none;
}

template <class ExecutionSpace, class Real>
std::vector<SurfaceFlux> imex_fluxes(
    const StepContext<ExecutionSpace>& context, const PhaseSpace<ExecutionSpace, Real>& space,
    const std::vector<StageWithMemory<ExecutionSpace, Real>>& stages,
    const std::array<double, 3>& spacing_over_step) {
  std::vector<SurfaceFlux> fluxes = face_fluxes(context, space, spacing_over_step);
  if (stages.size() < 2) return fluxes;
  // ARS(2,2,2) streams by the weights delta and 1 - delta from the state and its first stage, with
  // delta = -1 / sqrt(2). The stage uses memory that is free between two steps.
  PhaseSpace<ExecutionSpace, Real> between = space;
  run_stage(context, between, stages[0]);
  const std::vector<SurfaceFlux> later = face_fluxes(context, between, spacing_over_step);
  const double delta = -1 / std::sqrt(2.0);
  for (std::size_t n = 0; n < fluxes.size(); ++n) {
    for (std::size_t i = 0; i < flux_count; ++i) {
      fluxes[n][i] = delta * fluxes[n][i] + (1 - delta) * later[n][i];
    }
  }
  return fluxes;
}

#define KNUDSEN_INSTANTIATE(ExecutionSpace, Real)                                              \
  template std::vector<StageWithMemory<ExecutionSpace, Real>>                                  \
  make_imex_stages<ExecutionSpace, Real>(TimeIntegration,                                      \
                                         const PhaseSpace<ExecutionSpace, Real>&);             \
  template void run_stage<ExecutionSpace, Real>(const StepContext<ExecutionSpace>&,            \
                                                PhaseSpace<ExecutionSpace, Real>&,             \
                                                const StageWithMemory<ExecutionSpace, Real>&); \
  template std::vector<SurfaceFlux> imex_fluxes<ExecutionSpace, Real>(                         \
      const StepContext<ExecutionSpace>&, const PhaseSpace<ExecutionSpace, Real>&,             \
      const std::vector<StageWithMemory<ExecutionSpace, Real>>&, const std::array<double, 3>&);
KNUDSEN_FOR_BACKENDS(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::bgkw
