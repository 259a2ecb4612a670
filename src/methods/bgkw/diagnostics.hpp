#pragma once

#include <array>
#include <functional>
#include <vector>

#include "methods/bgkw/step.hpp"

namespace knudsen::bgkw {

/// Sets every gas cell to the Maxwellian of `state(x, y, z)`, called with cell indices.
template <class ExecutionSpace, class Real>
void initialise(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space,
                const std::function<GasState(int, int, int)>& state);

/// Hydrodynamic state of every cell of this rank, in the order of the cells; density 0 inside
/// solids.
template <class ExecutionSpace, class Real>
std::vector<Macroscopic> macroscopic_fields(const StepContext<ExecutionSpace>& context,
                                            const PhaseSpace<ExecutionSpace, Real>& space);

/// Collective: integral of -f ln f over the velocities, summed over the cells of all ranks in their
/// order, for the first rank. Values that are not positive contribute nothing.
template <class ExecutionSpace, class Real>
double entropy(const StepContext<ExecutionSpace>& context,
               const PhaseSpace<ExecutionSpace, Real>& space);

/// Collective: net flux out of the gas across every face of `space` in the next step, in the order
/// of the faces, per unit area and time, in units of the reference density and velocity.
/// `spacing_over_step` is the cell width along each axis over the time step.
template <class ExecutionSpace, class Real>
std::vector<SurfaceFlux> face_fluxes(const StepContext<ExecutionSpace>& context,
                                     const PhaseSpace<ExecutionSpace, Real>& space,
                                     const std::array<double, 3>& spacing_over_step);

}  // namespace knudsen::bgkw
