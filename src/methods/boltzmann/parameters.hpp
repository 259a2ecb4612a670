#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "case/reader.hpp"
#include "kinetic/case/gas_units.hpp"
#include "kinetic/case/initial_states.hpp"
#include "kinetic/gas.hpp"
#include "methods/boltzmann/make_state.hpp"
#include "methods/boltzmann/molecules.hpp"
#include "methods/boltzmann/random.hpp"
#include "methods/boltzmann/sample.hpp"
#include "methods/boltzmann/step.hpp"
#include "model/problem.hpp"

namespace knudsen::boltzmann {

/// A sine along x, as long as the box, that is added to the initial state.
struct Wave {
  double amplitude = 0;
  bool thermal = false;  ///< of the temperature at constant pressure; else of the y velocity
};

/// A problem in the units of kinetic/gas.hpp.
struct Parameters {
  bool single_precision = true;
  PhaseGrid grid;
  double rarefaction = 1;  ///< p_0 L / (mu_0 V_0)
  GasUnits units;          ///< of the case
  Molecules molecules;
  Collision collision;
  double scale = 1;  ///< epsilon of eq. (5), which makes h of order one
  int samples = 1;   ///< collisions sampled per step, N_t
  UniformSource uniforms;
  bool fused = true;               ///< use stream_and_collide
  bool interpolate = false;        ///< Sampling::linear
  double sample_temperature = 1;   ///< Sampling::temperature
  double slowed_viscosity = 0;     ///< relative error of the viscosity by slowed collisions
  bool equilibrium_exact = false;  ///< collide h without its equilibrium part
  InitialStates initial;           ///< without the wave
  Wave wave;
  std::int64_t statistics_from = 0;   ///< first step of the statistics
  std::int64_t statistics_every = 0;  ///< steps between two of their values; 0: no statistics
  std::optional<int> team_size;       ///< Tuning::team_size on a GPU
  std::optional<int> lanes;           ///< Tuning::lanes on a GPU

  std::size_t dimensions() const { return static_cast<std::size_t>(grid.dimensions); }
  /// The cell with a number, see State.
  Cell cell(std::size_t index) const;
  /// Volume of a cell: its length or area in one or two dimensions.
  double volume(const Cell& cell) const;
  /// Extent of the domain along an axis.
  double length(std::size_t axis) const;
  /// Coordinate of the centre of the cells with an index along an axis.
  double centre(std::size_t axis, int index) const;
  /// State of a cell at step 0.
  GasState initial_state(const Cell& cell) const;
  Sampling sampling() const;
  /// Linearised form: upper bound of the mean square of h, weighted by Phi_0, after `steps` steps
  /// (README, "What cannot grow").
  double max_mean_square(std::int64_t steps) const;
};

/// Reads the blocks of a case; see docs/case-format.md. Throws InputError.
std::unique_ptr<Problem> read_problem(CaseNode& root);

/// The fields of every case.
std::vector<Quantity> field_quantities();
/// The monitors of every case; sides and cavities have more.
std::vector<Quantity> monitor_quantities();
/// The monitors of a side, called "<side>".
std::vector<Quantity> part_quantities();

/// The problem of these parameters; `warnings` are shown to the user.
std::unique_ptr<Problem> make_problem(Parameters parameters, std::vector<std::string> warnings);

/// The method on a backend.
std::unique_ptr<Method> make_method(const Parameters& parameters, Backend backend);

}  // namespace knudsen::boltzmann
