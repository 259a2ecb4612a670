#pragma once

#include "methods/shakhov/macroscopic_solver.hpp"
#include "methods/shakhov/sweep.hpp"

namespace knudsen::shakhov {

/// What corrects the moments after each sweep, so that the next one begins close to the solution at
/// any rarefaction (README.md, "Synthetic acceleration").
///
/// A sweep with the equilibria of the moments W gives the moments W + r. The correction C solves
///
///   div F(C) = rate x r + (what the lagged surfaces owe),
///
/// where F is the flux of a gas near equilibrium: of half-range Maxwellians through faces and
/// surfaces, as upwind differences have it, less the gradients that Navier, Stokes and Fourier
/// have. The next sweep begins with W + r + C. Where r vanishes C vanishes too, so the solution is
/// that of the plain iteration.
template <class ExecutionSpace, class Real>
class SyntheticAcceleration {
 public:
  using Space = SweepSpace<ExecutionSpace, Real>;

  SyntheticAcceleration() = default;
  SyntheticAcceleration(const FlowGrid& grid, const SweepContext<ExecutionSpace>& context,
                        const Space& space, bool closed);

  /// Before a sweep: notes what enters the gas from its surfaces.
  void begin(const SweepContext<ExecutionSpace>& context, const Space& space);
  /// After finish_iteration: corrects moments, fluxes onto surfaces and their densities. `mass` as
  /// there. Waits for the device.
  void correct(const SweepContext<ExecutionSpace>& context, Space& space, double mass);

  /// For checkpoints: what last left through the surfaces by the sweep, without its correction.
  const View<double* [flux_count], ExecutionSpace>& entered_flux() const { return entered_flux_; }
  /// Whether entered_flux() is set: after a correction or a restart.
  void set_entered_known(bool known) {
    entered_known_ = known;
  }
  /// Share of the last correction that was applied, less than one where it was too large.
  double applied() const { return applied_; }

 private:
  MacroscopicSolver<ExecutionSpace> solver_;
  View<double* [6][flux_count], ExecutionSpace> unit_inflow_;
  View<Real*, ExecutionSpace> entered_density_;
  View<double* [flux_count], ExecutionSpace> entered_flux_;
  View<float* [block_entries], ExecutionSpace> incident_;
  View<float* [conserved_count], ExecutionSpace> incident_source_;
  View<float* [conserved_count], ExecutionSpace> emitted_source_;
  bool lagged_[6] = {};  ///< sides from which comes what left in the sweep before
  double extent_ = 1;    ///< of the box along its shortest axis
  double applied_ = 1;
  bool entered_known_ = false;
};

/// Memory in bytes that acceleration takes.
double acceleration_bytes(const FlowGrid& grid, double value_bytes);

}  // namespace knudsen::shakhov
