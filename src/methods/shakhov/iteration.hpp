#pragma once

#include <array>

#include "methods/shakhov/sweep.hpp"

namespace knudsen::shakhov {

/// Quantities whose changes from one iteration to the next are followed: density, momentum x, y, z,
/// energy, pressure tensor, heat flux.
inline constexpr int change_count = 7;

/// Root of the sum over all cells of the squared change over that of the squared values before.
/// Momenta and heat fluxes that are next to nothing (root mean square below 1e-4 of that of the
/// density) are measured against that limit. Not finite where the state of a cell cannot be.
using Changes = std::array<double, change_count>;

/// Sets moments and wall densities to a gas in equilibrium with the same state everywhere.
template <class ExecutionSpace, class Real>
void set_uniform(const SweepContext<ExecutionSpace>& context,
                 SweepSpace<ExecutionSpace, Real>& space, const GasState& state);

/// The equilibria of all cells from `space.moments`, which become `space.previous`; then zeroes
/// the moments and fluxes for the sweeps to add to.
template <class ExecutionSpace, class Real>
void begin_iteration(const SweepContext<ExecutionSpace>& context,
                     SweepSpace<ExecutionSpace, Real>& space);

/// Wall densities for the next iteration, eq. (9) of the paper, from what reached the walls; with a
/// positive `mass`, scales densities such that this is the mass in the box. Returns the changes of
/// the moments. Waits for the device.
template <class ExecutionSpace, class Real>
Changes finish_iteration(const SweepContext<ExecutionSpace>& context,
                         SweepSpace<ExecutionSpace, Real>& space, double mass);

/// Integral of the density; sums in a fixed order.
template <class ExecutionSpace, class Real>
double total_mass(const SweepContext<ExecutionSpace>& context,
                  const SweepSpace<ExecutionSpace, Real>& space);

}  // namespace knudsen::shakhov
