#pragma once

#include <vector>

#include "methods/bgkw/make_phase_space.hpp"

// Time integration in which a step need not resolve the relaxation time: implicit-explicit (IMEX)
// Runge-Kutta schemes with streaming explicit and collisions implicit.

namespace knudsen::bgkw {

/// The stages of a step: one for imex_1, two for imex_2; none for splitting.
std::vector<ImexStage> imex_stages(TimeIntegration integration);

/// Makes a stage from `f` to `next`, then swaps the two. `space.in_stages` must be set. Call
/// update_wall_density before, with ghost cells filled.
template <class ExecutionSpace, class Real>
void run_stage(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space,
               const ImexStage& stage);

/// As face_fluxes(), for an IMEX scheme: the mean over the next step, weighted by its stages.
template <class ExecutionSpace, class Real>
std::vector<SurfaceFlux> imex_fluxes(const StepContext<ExecutionSpace>& context,
                                     const PhaseSpace<ExecutionSpace, Real>& space,
                                     TimeIntegration integration,
                                     const std::array<double, 3>& spacing_over_step);

}  // namespace knudsen::bgkw
