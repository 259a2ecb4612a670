#pragma once

#include "methods/shakhov/macroscopic_solver.hpp"
#include "methods/shakhov/sweep.hpp"
#include "model/checkpoint_view.hpp"

namespace knudsen::shakhov {

/// Numbers of a face: the outward flux of a continuum (mass, momentum, energy), the temperature of
/// its surface, and the share of the continuum, from 0 to 1.
inline constexpr int continuum_temperature = flux_count;
inline constexpr int continuum_share = flux_count + 1;
inline constexpr int continuum_numbers = flux_count + 2;

/// Makes the macroscopic equations of SyntheticAcceleration asymptotic-preserving: with the share s
/// of a continuum, which grows from 0 on cells finer than the mean free path to 1 on coarser ones,
/// the state W between two sweeps solves
///
///   (1 - s) (balance of the sweep) + s (balance of Navier, Stokes and Fourier for W) = 0
///
/// (README.md, "Cells of many mean free paths").
template <class ExecutionSpace, class Real>
class AsymptoticForm {
 public:
  using Space = SweepSpace<ExecutionSpace, Real>;

  AsymptoticForm(const FlowGrid& grid, const SweepContext<ExecutionSpace>& context,
                 const Space& space, MacroscopicSolver<ExecutionSpace>& solver);

  /// When the equations of the consistent form are set: takes the state of the last correction for
  /// that of the sweep in the share of the continuum, and blends its balance into the equations.
  void blend(const SweepContext<ExecutionSpace>& context, const Space& space,
             MacroscopicSolver<ExecutionSpace>& solver) const;
  /// When the equations are solved, for a solution that a share `scale` is applied of: makes it the
  /// whole correction.
  void complete(const SweepContext<ExecutionSpace>& context,
                MacroscopicSolver<ExecutionSpace>& solver, float scale) const {
    add_guess(context.execution, solver.finest(), part_, scale);
  }
  /// When the moments are corrected: blends stress and heat flux of a continuum into them, and
  /// computes its fluxes through the surfaces.
  void finish(const SweepContext<ExecutionSpace>& context, const Space& space) const;

  /// By face: see continuum_numbers. All shares are zero before the first correction.
  const View<double* [continuum_numbers], ExecutionSpace>& faces() const { return faces_; }

  void save(CheckpointWriter& checkpoint) const;
  void load(const CheckpointReader& checkpoint);
  void reset() const { Kokkos::deep_copy(faces_, 0.0); }

 private:
  ContinuumPart<ExecutionSpace> part_;
  View<double* [continuum_numbers], ExecutionSpace> faces_;
};

/// Memory in bytes that it takes.
double asymptotic_bytes(const FlowGrid& grid);

}  // namespace knudsen::shakhov
