#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "case/reader.hpp"
#include "kinetic/case/gas_units.hpp"
#include "methods/shakhov/acceleration.hpp"
#include "methods/shakhov/sweep.hpp"
#include "model/problem.hpp"

namespace knudsen::shakhov {

/// Order in which velocities and cells are swept.
enum class Scheme {
  pencils,  ///< diagonals of pencils of cells, many velocity blocks at once (sweep.hpp)
  slices,   ///< the paper's kernels: an octant of velocities, slice by slice (slices.hpp)
};

/// Preliminary iterations on a coarser velocity grid.
struct CoarseStart {
  VelocityGrid velocities;
  double tolerance = 1e-3;   ///< stops when density, momentum and energy change by less
  int max_iterations = 100;  ///< stops after this many iterations
};

/// A problem in the units of kinetic/gas.hpp.
struct Parameters {
  bool single_precision = true;
  FlowGrid grid;         ///< cells, bodies, sides and velocities
  bool reduced = false;  ///< Chu's reduced distributions
  Gas gas;
  CollisionModel model = CollisionModel::shakhov;
  bool conservative = false;                            ///< exact discrete moments of the target
  std::array<double, 3> body_force{0, 0, 0};            ///< force on a unit mass, in 2 R T_ref / L
  std::array<double, 3> temperature_gradient{0, 0, 0};  ///< of ln T along periodic axes, in 1 / L
  Scheme scheme = Scheme::pencils;
  int order = 1;  ///< of the upwind differences, 1 or 2
  Acceleration acceleration = Acceleration::none;
  std::optional<CoarseStart> coarse_start;  ///< empty: iterate from the initial state
  GasUnits units;                           ///< of the case
  GasState initial;                         ///< uniform initial state
  Tuning tuning;
  int batch_blocks = 1;  ///< velocity blocks swept together

  /// Side of the gas cells with a body behind it that the stream of the initial state meets.
  int stream_side() const { return initial.velocity[0] < 0 ? west : east; }
  bool accelerated() const { return acceleration != Acceleration::none; }
  /// Whether mass can leave or enter through a side (reservoir).
  bool has_open_side() const;
};

/// Memory in bytes of the buffers for batches of `blocks` velocity blocks.
double batch_bytes(const Parameters& parameters, int blocks);
/// Memory in bytes of all that a run keeps, with its coarse start.
double total_bytes(const Parameters& parameters);
/// Bytes read and written for each phase-space point in an iteration, see NOTES.md.
double bytes_a_point(const Parameters& parameters);
/// The problem of the coarse start: the same with its velocity grid.
Parameters coarse_parameters(const Parameters& parameters);

/// Reads the parameters of a case, see docs/case-format.md. Adds doubts about the case to
/// `warnings`. Throws InputError.
Parameters read_parameters(CaseNode& root, std::vector<std::string>& warnings);
/// The problem of a case; null while describing. Throws InputError.
std::unique_ptr<Problem> read_problem(CaseNode& root);

/// The fields of every case. Gases with rotation have more.
std::vector<Quantity> field_quantities();
/// The monitors that every case has; sides, bodies and cavities add more.
std::vector<Quantity> monitor_quantities();
/// The monitors of a side and of a solid, called "<side>" and "<solid>".
std::vector<Quantity> part_quantities();

/// Creates the running method on a backend.
std::unique_ptr<Method> make_method(const Parameters& parameters, Backend backend);

}  // namespace knudsen::shakhov
