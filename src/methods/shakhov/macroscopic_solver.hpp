#pragma once

#include <vector>

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
  MacroscopicSolver(const FlowGrid& grid, int order, float prandtl, bool closed);

  /// The caller sets its state, `wall`, the matrices of faces and `right`.
  Level& finest() { return levels_.front(); }
  /// Sets up the coarser levels. Call it when the state or the walls have changed.
  void prepare(const ExecutionSpace& execution);
  /// Solves for `solution` until the norm of the residual has fallen by `tolerance`, in at most
  /// `max_iterations`. Waits for the device.
  void solve(const ExecutionSpace& execution, double tolerance);

  static constexpr int max_iterations = 12;  ///< for which there is memory

 private:
  using Vector = typename Level::Vector;

  void cycle(const ExecutionSpace& execution, std::size_t number);
  void precondition(const ExecutionSpace& execution, const Vector& vector);
  /// Products with `count` vectors of the basis from `first` on.
  std::vector<double> products(const ExecutionSpace& execution, const Vector& vector, int first,
                               int count);

  std::vector<Level> levels_;
  std::vector<Vector> basis_;
  View<double**, ExecutionSpace> sums_;  ///< (basis vector, chunk of cells)
  double volume_ = 0;
  bool closed_ = false;
};

/// Memory in bytes of a solver.
double solver_bytes(const FlowGrid& grid);

}  // namespace knudsen::shakhov
