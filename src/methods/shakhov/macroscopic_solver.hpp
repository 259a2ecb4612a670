#pragma once

#include <optional>
#include <vector>

#include "methods/shakhov/continuum_part.hpp"
#include "methods/shakhov/flow_grid.hpp"
#include "methods/shakhov/macroscopic_level.hpp"

namespace knudsen::shakhov {

/// Solves the equations of MacroscopicLevel by GMRES, preconditioned by a multigrid cycle over the
/// first-order form of the equations. The result does not depend on the number of threads.
template <class ExecutionSpace>
class MacroscopicSolver {
 public:
  using Level = MacroscopicLevel<ExecutionSpace>;

  MacroscopicSolver() = default;
  /// `closed`: no mass enters or leaves, so that the equations have a solution only if the sum of
  /// their right-hand sides for the mass vanishes.
  MacroscopicSolver(const FlowGrid& grid, int order, const Gas& gas, bool closed);

  /// The caller sets its state, `wall`, the matrices of faces and `right`.
  Level& finest() { return levels_.front(); }
  /// Makes a balance a part of the equations. The caller sets its state, shares and blocks.
  const ContinuumPart<ExecutionSpace>& add_continuum(
      const ContinuumBalance<ExecutionSpace>& balance);
  /// Sets up the coarser levels. Call it when the state or the walls have changed.
  void prepare(const ExecutionSpace& execution);
  /// Sum of the sources of mass in the right side over that of the first numbers in `solution`.
  double made_share(const ExecutionSpace& execution);
  /// Solves for `solution` until the norm of the residual has fallen by `tolerance`, in at most
  /// max_iterations. With a ContinuumPart the solution is what comes to its guess. Returns by
  /// what the residual has fallen. Waits for the device.
  double solve(const ExecutionSpace& execution, double tolerance);

  static constexpr int max_iterations = 12;  ///< for which there is memory
  /// The same with a ContinuumPart, whose convection the preconditioner describes less well.
  static constexpr int max_iterations_with_continuum = 40;

 private:
  void allocate_basis(int iterations);
  using Vector = typename Level::Vector;

  /// A level of the multigrid cycle.
  Level of_cycle(std::size_t number) const;
  /// The left side of the equations for the solution.
  void apply_to_solution(const ExecutionSpace& execution, const Vector& result);
  void cycle(const ExecutionSpace& execution, std::size_t number);
  void precondition(const ExecutionSpace& execution, const Vector& vector);
  /// The mass of a change of the moments, or with `density` false the sum of the balances of mass.
  double mass_of(const ExecutionSpace& execution, const Vector& vector, bool density);
  /// In a closed box: takes the part of the balances that no flow can balance, a source of mass
  /// that is the same everywhere. With a ContinuumPart the left side has one, too: where its share
  /// changes from cell to cell the balances of mass do not add up to zero.
  void balance_mass(const ExecutionSpace& execution, const Vector& vector);
  /// Products with `count` vectors of the basis from `first` on.
  std::vector<double> products(const ExecutionSpace& execution, const Vector& vector, int first,
                               int count);

  std::vector<Level> levels_;
  std::vector<Vector> basis_;
  View<double**, ExecutionSpace> sums_;  ///< (basis vector, chunk of cells)
  std::optional<ContinuumPart<ExecutionSpace>> continuum_;
  double volume_ = 0;
  double mass_ = 0;  ///< of the state, in a closed box with a ContinuumPart
  bool closed_ = false;
};

/// Memory in bytes of a solver.
double solver_bytes(const FlowGrid& grid);

}  // namespace knudsen::shakhov
