#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "case/reader.hpp"
#include "methods/boltzmann/make_state.hpp"
#include "methods/boltzmann/molecules.hpp"
#include "methods/boltzmann/random.hpp"
#include "methods/boltzmann/step.hpp"
#include "run/method.hpp"
#include "velocity/gas.hpp"

namespace knudsen::boltzmann {

/// A plane wave along x added to the initial state.
struct Wave {
  double amplitude = 0;
  bool thermal = false;  ///< temperature at constant pressure; else velocity along y
};

/// A problem in the units of velocity/gas.hpp.
struct Parameters {
  bool single_precision = true;
  PhaseGrid grid;
  double rarefaction = 1;
  Molecules molecules;
  Collision collision;
  double scale = 1;  ///< epsilon of eq. (5) by which h is made of order one
  int samples = 1;
  UniformSource uniforms;
  bool fused = true;              ///< stream_and_collide, where there is a kernel for both
  bool interpolate = false;       ///< Sampling::linear
  double sample_temperature = 1;  ///< Sampling::temperature
  double slowed_viscosity = 0;    ///< error of the viscosity by slowed collisions
  /// Whether collisions see h without its part in the invariants (equilibrium_part.hpp).
  bool equilibrium_exact = false;
  GasState initial;
  Wave wave;
  std::int64_t statistics_from = 0;   ///< step
  std::int64_t statistics_every = 0;  ///< steps; 0: none
  std::optional<int> team_size;
  std::optional<int> lanes;

  std::size_t dimensions() const { return static_cast<std::size_t>(grid.dimensions); }
  double volume(const Cell& cell) const;
  double centre(std::size_t axis, int index) const;
  GasState initial_state(const Cell& cell) const;
  Sampling sampling() const;
  /// Linearised form: the most that the mean square of h, weighted by Phi_0, can be after a number
  /// of steps. Collisions and reflections only lower it (README, "What cannot grow").
  double largest_mean_square(std::int64_t steps) const;
};

/// Reads the blocks of a case; the vocabulary is in docs/case-format.md. Throws InputError.
std::unique_ptr<Problem> read_problem(CaseNode& root);

/// The fields that Method::field gives.
std::vector<Quantity> field_quantities();
/// The monitors of every case; sides and cavities have more.
std::vector<Quantity> monitor_quantities();

/// The running method (method.cpp).
std::unique_ptr<Method> make_method(const Parameters& parameters, Backend backend);

/// Monitors of a cavity whose means and standard deviations are kept.
extern const std::array<const char*, 3> statistics_names;

}  // namespace knudsen::boltzmann
