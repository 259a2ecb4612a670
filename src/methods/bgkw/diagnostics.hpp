#pragma once

#include <array>
#include <functional>
#include <vector>

#include "methods/bgkw/step.hpp"

namespace knudsen::bgkw {

/// Sets every cell of gas to the Maxwellian of `state(x, y, z)`, indices of cells.
template <class ExecutionSpace, class Real>
void initialise(const StepContext<ExecutionSpace>& context, PhaseSpace<ExecutionSpace, Real>& space,
                const std::function<GasState(int, int, int)>& state);

/// Hydrodynamic state of every cell, in the order of the cells; of density 0 in solids.
template <class ExecutionSpace, class Real>
std::vector<Macroscopic> macroscopic_fields(const StepContext<ExecutionSpace>& context,
                                            const PhaseSpace<ExecutionSpace, Real>& space);

/// Integral of -f ln f over the velocities, summed over the cells; values that are not positive
/// count as zero.
template <class ExecutionSpace, class Real>
double entropy(const StepContext<ExecutionSpace>& context,
               const PhaseSpace<ExecutionSpace, Real>& space);

/// What crosses a face in a step, per unit of area and time: mass, momentum x, y, z, and energy
/// (half of v^2), in units of the reference density and velocity.
using FaceFlux = std::array<double, 5>;

/// What the gas carries out across every face in the coming step, less what the surface sends in,
/// in the order of the faces; `spacing_over_step` is the cells' extents over the time step.
template <class ExecutionSpace, class Real>
std::vector<FaceFlux> face_fluxes(const StepContext<ExecutionSpace>& context,
                                  const PhaseSpace<ExecutionSpace, Real>& space,
                                  const std::array<double, 3>& spacing_over_step);

}  // namespace knudsen::bgkw
