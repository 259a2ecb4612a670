#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "case/reader.hpp"
#include "kinetic/case/gas_units.hpp"
#include "kinetic/case/initial_states.hpp"
#include "methods/bgkw/make_phase_space.hpp"
#include "model/problem.hpp"

namespace knudsen::bgkw {

/// Value of the key `propagation.scheme`.
enum class Propagation { fused, separate, tiles };

/// A problem in the units of kinetic/gas.hpp.
struct Parameters {
  bool single_precision = true;
  PhaseGrid grid;                              ///< cells, velocities, time step, surfaces
  std::array<double, 3> size{1, 1, 1};         ///< extents of the box
  Gas gas;                                     ///< rarefaction and viscosity law
  CollisionModel model = CollisionModel::bgk;  ///< target of the relaxation
  bool conservative = false;                   ///< the discrete target conserves exactly
  std::array<double, 3> body_force{0, 0, 0};   ///< on a unit mass
  Propagation propagation = Propagation::fused;
  InitialStates initial;
  /// The time step over the shortest relaxation time of all given states.
  double time_step_over_relaxation_time = 0;
  std::optional<int> team_size;            ///< unset: chosen by default_tuning
  std::optional<bool> single_pass;         ///< unset: as the next two say
  bool single_pass_pays = false;           ///< it is faster on a GPU, by measurements
  bool single_pass_pays_on_host = false;   ///< it is faster on the host
  GasUnits units;                          ///< of the case
  bool reduced = false;                    ///< Chu's reduced distributions
  std::vector<std::array<int, 3>> probes;  ///< cells whose distribution is written at the end

  double cell_volume() const { return grid.spacing[0] * grid.spacing[1] * grid.spacing[2]; }
  /// Of the box, in L.
  double shortest_side() const {
    return *std::min_element(size.begin(), size.begin() + grid.dimensions);
  }
};

/// Reads a case, see docs/case-format.md for its keys. Throws InputError.
std::unique_ptr<Problem> read_problem(CaseNode& root);

/// The fields of every case. Gases with rotation have more.
std::vector<Quantity> field_quantities();
/// The monitors of every case. Cases with surfaces, cavities and shock waves have more.
std::vector<Quantity> monitor_quantities();
/// The monitors of a side and of a solid, called "<side>" and "<solid>".
std::vector<Quantity> part_quantities();

/// Creates the running method (method.cpp).
std::unique_ptr<Method> make_method(const Parameters& parameters, Backend backend);

}  // namespace knudsen::bgkw
