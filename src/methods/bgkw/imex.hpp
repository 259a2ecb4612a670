#pragma once

#include <vector>

#include "methods/bgkw/make_phase_space.hpp"

// Time integration in which a step need not resolve the relaxation time: implicit-explicit (IMEX)
// Runge-Kutta schemes with streaming explicit and collisions implicit.

namespace knudsen::bgkw {

/// The stages of a step on the cells of `space`: one for imex_1, two for imex_2; none for
/// splitting. Allocates their memory.
template <class ExecutionSpace, class Real>
std::vector<StageWithMemory<ExecutionSpace, Real>> make_imex_stages(
    TimeIntegration integration, const PhaseSpace<ExecutionSpace, Real>& space);

/// Makes a stage from `f` to `next`, then swaps the two. `space.in_stages` must be set. Call
/// update_wall_density before, with ghost cells filled.
template <class ExecutionSpace, class Real>
void run_stage(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space,
               const StageWithMemory<ExecutionSpace, Real>& stage);

/// As face_fluxes(), the mean over the next step by the weights of its `stages`, if there are any.
template <class ExecutionSpace, class Real>
std::vector<SurfaceFlux> imex_fluxes(
    const StepContext<ExecutionSpace>& context, const PhaseSpace<ExecutionSpace, Real>& space,
    const std::vector<StageWithMemory<ExecutionSpace, Real>>& stages,
    const std::array<double, 3>& spacing_over_step);

}  // namespace knudsen::bgkw
