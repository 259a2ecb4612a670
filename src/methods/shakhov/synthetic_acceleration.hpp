#pragma once

#include <optional>

#include "methods/shakhov/acceleration.hpp"
#include "methods/shakhov/asymptotic_form.hpp"
#include "methods/shakhov/iteration.hpp"
#include "methods/shakhov/macroscopic_solver.hpp"
#include "methods/shakhov/returning_wall.hpp"
#include "methods/shakhov/sweep.hpp"
#include "model/checkpoint_view.hpp"

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
/// that of the plain iteration. In the asymptotic-preserving form AsymptoticForm changes the
/// equations on cells of many mean free paths, and with them the solution.
template <class ExecutionSpace, class Real>
class SyntheticAcceleration {
 public:
  using Space = SweepSpace<ExecutionSpace, Real>;

  SyntheticAcceleration() = default;
  SyntheticAcceleration(const FlowGrid& grid, const SweepContext<ExecutionSpace>& context,
                        const Space& space, bool closed, Acceleration form);

  /// Begins anew, with the first sweep from an initial state.
  void reset();
  /// Before a sweep: notes what enters the gas from its surfaces.
  void begin(const SweepContext<ExecutionSpace>& context, const Space& space);
  /// After finish_iteration: corrects moments, fluxes onto surfaces and their densities. `mass` as
  /// there, `changes` are those of the
  /// moments in the sweep; the asymptotic-preserving form, whose moments are not those of the sweep
  /// in the end, sets them to what a whole correction changes. Waits for the device.
  void correct(const SweepContext<ExecutionSpace>& context, Space& space, double mass,
               Changes& changes);
  /// Sets up the equations of a correction in `solver`: state, surfaces and right side. A part of
  /// `correct`, by itself for measurements of the solver.
  void set_equations(const SweepContext<ExecutionSpace>& context, const Space& space);
  MacroscopicSolver<ExecutionSpace>& solver() { return solver_; }
  /// Whether `correct` scales what a sweep gives, in place of finish_iteration: where mass is on
  /// its way through a side.
  bool scales_sweep() const { return has_lagged_ && relaxation_ > 0; }
  /// Share of the corrections that is applied, less than one where whole ones did not converge.
  double relaxation() const { return relaxation_; }
  /// Null in the consistent form.
  const AsymptoticForm<ExecutionSpace, Real>* asymptotic() const {
    return asymptotic_ ? &*asymptotic_ : nullptr;
  }

  void save(CheckpointWriter& checkpoint) const;
  void load(const CheckpointReader& checkpoint);

 private:
  void relax(double change);
  /// Scales all that the next sweep starts from such that a closed box contains `mass`.
  void keep_mass(const SweepContext<ExecutionSpace>& context, const Space& space, double mass);
  /// Scales that; `own`: what enters as it left only as far as it is made from what left.
  void scale(const SweepContext<ExecutionSpace>& context, const Space& space, double factor,
             bool own);

  MacroscopicSolver<ExecutionSpace> solver_;
  std::optional<AsymptoticForm<ExecutionSpace, Real>> asymptotic_;
  View<double* [6][flux_count], ExecutionSpace> unit_inflow_;
  View<ReturningWall*, ExecutionSpace> returning_;  ///< of each of Surfaces
  bool has_heated_ = false;                         ///< walls of given heat flux
  View<int*, ExecutionSpace> scattering_cells_;     ///< by row of leaving_to_solids: the gas cell
  /// The flux onto each face from which walls of given heat flux found what they emit.
  View<double* [flux_count], ExecutionSpace> heated_by_;
  View<Real*, ExecutionSpace> entered_density_;
  /// What left through the surfaces and enters in the next sweep, where it reflects or is periodic.
  View<double* [flux_count], ExecutionSpace> entered_flux_;
  View<float* [block_entries], ExecutionSpace> incident_;
  View<float* [conserved_count], ExecutionSpace> incident_source_;
  View<float* [conserved_count], ExecutionSpace> emitted_source_;
  bool lagged_[6] = {};      ///< sides from which comes what left in the sweep before
  bool has_lagged_ = false;  ///< such a side, or a periodic one
  double extent_;            ///< of the box, see FlowGrid::shortest_way
  double relaxation_ = 1;
  double least_change_ = 1e300;  ///< since the last change of the relaxation
  int iterations_since_ = 0;     ///< the least change
  double last_change_ = 0;       ///< asymptotic-preserving: the largest of the last iteration
  bool entered_known_ = false;
};

/// Memory in bytes that acceleration takes.
double acceleration_bytes(const FlowGrid& grid, double value_bytes, Acceleration form);

}  // namespace knudsen::shakhov
