#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "case/reader.hpp"
#include "methods/bgkw/make_phase_space.hpp"
#include "model/problem.hpp"

namespace knudsen::bgkw {

enum class Propagation { fused, separate, tiles };

/// A problem in the units of velocity/gas.hpp.
struct Parameters {
  bool single_precision = true;
  PhaseGrid grid;
  std::array<double, 3> size{1, 1, 1};  ///< of the box
  Gas gas;
  CollisionModel model = CollisionModel::bgk;
  bool conservative = false;
  std::array<double, 3> body_force{0, 0, 0};  ///< on a unit of mass
  Propagation propagation = Propagation::fused;
  /// Initial state, different on the two sides of the plane x = step_position.
  GasState initial[2];
  double step_position = 0;
  std::optional<int> team_size;
  std::optional<bool> single_pass;  ///< nothing: on a GPU where it pays
  bool single_pass_pays = false;    ///< there, as far as was measured
  std::optional<SiReference> si;
  std::vector<std::string> solids;  ///< names of the grid's blocks
  bool reduced = false;             ///< Chu's reduced distributions
  /// Cells whose distribution is written at the end.
  std::vector<std::array<int, 3>> probes;

  GasState initial_state(double x) const { return initial[x < step_position ? 0 : 1]; }
  double cell_volume() const { return grid.spacing[0] * grid.spacing[1] * grid.spacing[2]; }
};

/// Reads the blocks of a case; the vocabulary is in docs/case-format.md. Throws InputError.
std::unique_ptr<Problem> read_problem(CaseNode& root);

/// The fields that Method::field gives.
std::vector<Quantity> field_quantities();
/// The monitors of every case; sides, cavities and shock waves have more.
std::vector<Quantity> monitor_quantities();

/// The running method (method.cpp).
std::unique_ptr<Method> make_method(const Parameters& parameters, Backend backend);

}  // namespace knudsen::bgkw
