#pragma once

#include <array>

#include "methods/shakhov/sweep.hpp"

namespace knudsen::shakhov {

/// Number of quantities whose change is monitored: density, momentum x, y, z, energy, pressure
/// tensor, heat flux.
inline constexpr int change_count = 7;

/// Relative change of each quantity in an iteration: the root of the sum of squared changes over
/// all cells, divided by that of the previous values. The norm of the previous values is taken as
/// at least 1e-4 times that of the density, so that vanishing momenta and heat fluxes do not
/// matter. A change of a momentum component that is below half a unit of rounding of the density is
/// noise, and is divided by the norm of all components. Not finite if the state of a cell is
/// unphysical.
using Changes = std::array<double, change_count>;

/// The raw moments of a cell from `SweepSpace::moments` or `previous`. A monatomic gas has a
/// rotational energy of 0.
template <int Count = max_moment_count, class View>
KOKKOS_INLINE_FUNCTION RawMoments<Count> raw_moments(const View& moments, std::int64_t cell) {
  RawMoments<Count> raw;
  for (int i = 0; i < Count; ++i) {
    if (i < moment_count || moments.extent(1) > moment_count) raw.value[i] = moments(cell, i);
  }
  return raw;
}

/// Initialises moments and wall densities with a uniform gas in equilibrium.
template <class ExecutionSpace, class Real>
void set_uniform(const SweepContext<ExecutionSpace>& context,
                 SweepSpace<ExecutionSpace, Real>& space, const GasState& state);

/// Sets the moments of all cells to those of Maxwellians; the wall densities stay.
template <class ExecutionSpace, class Real>
void set_moments(const SweepSpace<ExecutionSpace, Real>& space,
                 const std::function<GasState(std::size_t cell)>& state);

/// Begins an iteration: moves `space.moments` to `space.previous`, computes the equilibria of all
/// cells from them, and zeroes the moments and fluxes, to which the sweeps add.
template <class ExecutionSpace, class Real>
void begin_iteration(const SweepContext<ExecutionSpace>& context,
                     SweepSpace<ExecutionSpace, Real>& space);

/// Ends an iteration: adds the two parts of all sums of the sweeps, and computes the wall densities
/// of the next one from the fluxes onto the walls, eq. (9) of the paper. If `mass` is positive,
/// scales moments and fluxes such that the box contains this mass, or leaves that to a correction,
/// `corrected`. Returns the changes of the moments, those of scaled ones in both cases; waits for
/// the device.
template <class ExecutionSpace, class Real>
Changes finish_iteration(const SweepContext<ExecutionSpace>& context,
                         SweepSpace<ExecutionSpace, Real>& space, double mass,
                         bool corrected = false);

/// Scales what left through the sides that enters in the next sweep, `own`: where that is made from
/// it, else through all.
template <class ExecutionSpace, class Real>
void scale_outgoing(const SweepContext<ExecutionSpace>& context,
                    const SweepSpace<ExecutionSpace, Real>& space, double factor, bool own);

/// Factor for moments that have not the mass of the box.
struct MassFactor {
  double value = 1;
  bool applies = true;  ///< else it counts in their changes only
};

/// Changes of the moments from `space.previous` to `space.moments`; sets `shortened` if the step of
/// a cell was shortened. Waits for the device.
template <class ExecutionSpace, class Real>
Changes changes_of_moments(const SweepContext<ExecutionSpace>& context,
                           const SweepSpace<ExecutionSpace, Real>& space,
                           const MassFactor& factor = {}, bool* shortened = nullptr);

/// Mass in the box, the integral of the density, summed in a fixed order. Waits for the device.
template <class ExecutionSpace, class Real>
double total_mass(const SweepContext<ExecutionSpace>& context,
                  const SweepSpace<ExecutionSpace, Real>& space);

}  // namespace knudsen::shakhov
